"""Makes JUnit tests for killed mutants, and keeps those that were seen to work."""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from equimut.oracle.choosing import Killed, apart, choose, needed_facets, remarks_of
from equimut.oracle.java.launching import (
    Framework,
    JavaRun,
    find_framework,
    launch,
    properties_text,
)
from equimut.oracle.java.runs import HARNESS
from equimut.oracle.java.writing import INDENT, Sight, TestWriter
from equimut.oracle.project import FileMutant, SuggestedTest
from equimut.oracle.sandbox.process import work_directory
from equimut.oracle.sandbox.runs import read_lines

ROUNDS: tuple[tuple[str, ...], ...] = (
    (),
    # Every object has the same hash: a test that depends on it fails in one of the rounds.
    ("-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2"),
)
TOGETHER = -1
"""The run of all tests on the origin; one test at a time has the numbers below."""
MILLISECONDS = 10_000
"""Of the processor, for one run of tests; of the clock, six times that. Mutants may be endless."""
MEMORY_MB = 1024
STAND_INS = {5: ("org.junit.jupiter.api", "Assertions"), 4: ("org.junit", "Assert")}
HEADING = """/*
 * Tests that kill mutants of {file} which survived, written by equimut.
 *
 * They assert what the code does now. Whether that is right is for the reader to decide.
 */
"""


def write_tests(
    run: JavaRun,
    source: str,
    mutants: Sequence[FileMutant],
    killed: Sequence[Killed],
    calls: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """Tests for the killed mutants of one file, each of which was run on both sides."""
    writer = TestWriter(run.package, run.project.junit)
    title = test_class(run.path.stem)
    public = "public " if run.project.junit == 4 else ""
    made = []
    for (_, place), dying in sorted(choose(killed).items()):
        row = calls[place]
        facets = needed_facets(row["origin"], place, dying)
        both_throw = any(each.on[place][0] == "throws" for each in dying)
        name, imports, text = writer.write(Sight(row["call"], row["origin"]), facets, both_throw)
        made.append(
            SuggestedTest(
                name=name,
                imports=imports,
                text=text,
                kills=tuple(each.number for each in dying),
                frame=(f"{public}class {title} {{", "}"),
                comment="//",
            )
        )
    written = verify(run, source, mutants, made)
    known = {each.number: each.remark for each in killed}
    return {**written, "tests": tuple(_with_remarks(test, known) for test in written["tests"])}


def _with_remarks(test: SuggestedTest, known: Mapping[int, str]) -> SuggestedTest:
    """The test with a comment on what it was seen to kill."""
    annotation, head, rest = test.text.split("\n", 2)
    # A backslash and a `u` are an escape even in a comment.
    remarks = [f"{INDENT}// {line}".replace("\\u", "\\ u") for line in remarks_of(test, known)]
    return test.model_copy(update={"text": "\n".join([annotation, head, *remarks, rest])})


def verify(
    run: JavaRun, source: str, mutants: Sequence[FileMutant], tests: Sequence[SuggestedTest]
) -> dict[str, Any]:
    """Run every test on the origin and on its mutants, twice; keep what works."""
    if not tests:
        return {"tests": ()}
    framework = find_framework(run.project)
    runs = [(-at - 2, [test.name]) for at, test in enumerate(tests)]
    runs.append((TOGETHER, [test.name for test in tests]))
    runs += [
        (number + 1, [test.name for test in tests if number in test.kills])
        for number in sorted({number for test in tests for number in test.kills})
    ]
    rounds = []
    for options in ROUNDS:
        lines = run_round(run, source, mutants, tests, framework, runs, options)
        trouble = [line["reason"] for line in lines if line["result"] == "trouble"]
        if trouble:
            return {"tests": (), "note": f"no tests are written: {trouble[0][:200]}"}
        rounds.append({line["run"]: line for line in lines if line["result"] == "run"})
    kept, dropped = [], 0
    for at, test in enumerate(tests):
        alone, name = -at - 2, test.name
        origin = {outcome_of(each, run_, name) for each in rounds for run_ in (alone, TOGETHER)}
        kills = tuple(
            number
            for number in test.kills
            if origin == {"passed"}
            and all(outcome_of(each, number + 1, name) == "failed" for each in rounds)
        )
        dropped += len(kills) < len(test.kills)
        if kills:
            kept.append(test.model_copy(update={"kills": kills}))
    return {"tests": tuple(kept), "dropped": dropped, "note": framework.note}


def outcome_of(lines: Mapping[int, Mapping[str, Any]], run: int, name: str) -> str:
    """What became of one test: `passed`, `failed` (also by taking too long), or nothing."""
    line = lines.get(run)
    if line is None:
        return ""
    return "failed" if line["ended"] else str(line["outcomes"].get(name, ""))


def run_round(
    run: JavaRun,
    source: str,
    mutants: Sequence[FileMutant],
    tests: Sequence[SuggestedTest],
    framework: Framework,
    runs: Sequence[tuple[int, list[str]]],
    options: Sequence[str],
) -> list[dict[str, Any]]:
    """Compile the tests, and run some of them on some versions; lines of the harness's report."""
    found: list[dict[str, Any]] = []
    left = list(runs)
    with work_directory() as directory:
        header = file_head(tests, run.package)
        (directory / "header.txt").write_text(header, encoding="utf-8")
        for test in tests:
            (directory / f"{test.name}.txt").write_text(test.text, encoding="utf-8")
        (directory / "unit0.java").write_text(source, encoding="utf-8")
        for number, _ in runs:
            if number > 0:
                mutant = mutants[number - 1]
                text = mutant.applied_to(source)
                (directory / f"unit{number}.java").write_text(text, encoding="utf-8")
        others = stand_ins(run.project.junit) if framework.stands_in else {}
        for name, text in others.items():
            (directory / f"{name}.java").write_text(text, encoding="utf-8")
        jars = ":".join(map(str, framework.jars))
        job = {
            **run.properties,
            "harness": f"{run.properties['harness']}:{jars}",
            "tests": " ".join(test.name for test in tests),
            "test": f"{run.package}.{_title(tests)}" if run.package else _title(tests),
            "others": " ".join(others),
            "framework": framework.runner,
            "milliseconds": MILLISECONDS,
        }
        while left:
            rows = " ".join(f"{number}:{','.join(names)}" for number, names in left)
            (directory / "job.properties").write_text(properties_text({**job, "runs": rows}))
            results = directory / "results.jsonl"
            results.unlink(missing_ok=True)
            seconds = 120 + 10 * len(left) + 6 * MILLISECONDS / 1000
            launch("Verify", directory, seconds, MEMORY_MB, framework.jars, options)
            lines = read_lines(results)
            found += lines
            done = {line["run"] for line in lines if line["result"] == "run"}
            # What ended the process without a word is left out with the first run not done.
            rest = [row for row in left if row[0] not in done]
            left = rest if done else rest[1:]
            if any(line["result"] in ("trouble", "done") for line in lines):
                break
    return found


def test_class(stem: str) -> str:
    """The name of the class with the tests of a file."""
    return f"{stem}SurvivorsTest"


def _title(tests: Sequence[SuggestedTest]) -> str:
    return tests[0].frame[0].removesuffix(" {").rpartition(" ")[2]


def file_head(tests: Sequence[SuggestedTest], package: str, comment: str = "") -> str:
    """What stands above the tests of a file."""
    lines = {line for test in tests for line in test.imports if not line.startswith("package ")}
    static = sorted(line for line in lines if line.startswith("import static "))
    plain = sorted(lines - set(static))
    top = [f"package {package};", ""] if package else []
    return comment + "\n".join([*top, *static, "", *plain, "", tests[0].frame[0], ""])


def stand_ins(junit: int) -> dict[str, str]:
    """Sources that take the place of JUnit's annotation and assertions, by class."""
    package, name = STAND_INS[junit]
    text = (HARNESS / "project_java" / "stand_in" / "Assertions.txt").read_text(encoding="utf-8")
    annotation = (
        f"package {package};\n"
        "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)\n"
        "public @interface Test {}\n"
    )
    assertions = text.replace("PACKAGE", package).replace("NAME", name)
    return {f"{package}.Test": annotation, f"{package}.{name}": assertions}


def suggested_file(file: str, tests: Sequence[SuggestedTest]) -> tuple[str, str]:
    """The name and the text of the file with the tests of one source file."""
    named = [line for line in tests[0].imports if line.startswith("package ")]
    package = named[0].removeprefix("package ").rstrip(";") if named else ""
    folder = f"{package.replace('.', '/')}/" if package else ""
    kept = apart(tests, "void")
    head = file_head(kept, package, HEADING.format(file=file))
    text = head + "\n".join(test.text for test in kept) + "}\n"
    return f"{folder}{test_class(PurePosixPath(file).stem)}.java", text
