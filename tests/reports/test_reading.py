"""Formats are recognised by content; diffs, pairs, universalmutator and cargo-mutants are read."""

import difflib
import json
import shutil
from pathlib import Path
from random import Random

import pytest

from conftest import ROOT, count, shared_file
from equimut.errors import EquimutError
from equimut.mutation import mutate
from equimut.reports.reported import FORMATS, ReportError, detect_format, read_report
from oracles import fuzzing
from oracles.command import call_equimut
from oracles.datasets.mutation_sources import JAVA
from oracles.reports.report_files import (
    PYTHON,
    cosmic_ray_session,
    elements_mutant,
    elements_report,
    files_opened,
    splice,
    write_json,
)

SAMPLES = ROOT / "tests" / "reports" / "samples"
JAVA_MUTANTS = mutate(JAVA, "java")


def whole(number: int) -> str:
    mutant = JAVA_MUTANTS[number]
    return splice(JAVA, mutant.start_byte, mutant.end_byte, mutant.replacement)


def diff(number: int, before: str = "a/Prices.java", after: str = "b/Prices.java") -> str:
    lines = difflib.unified_diff(
        JAVA.splitlines(keepends=True), whole(number).splitlines(keepends=True), before, after
    )
    return "".join(lines)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/Prices.java").write_text(JAVA, encoding="utf-8")
    return tmp_path


def test_many_diffs_in_one_file(project: Path) -> None:
    path = project / "all.txt"
    path.write_text(
        "".join(f"diff --git x\n{diff(number)}" for number in range(len(JAVA_MUTANTS))),
        encoding="utf-8",
    )
    report = read_report(path, project / "src")
    assert (report.format, report.total) == ("diff", len(JAVA_MUTANTS))
    found = list(report.mutants())
    assert len({mutant.id for mutant in found}) == len(found)
    for mutant, made in zip(found, JAVA_MUTANTS, strict=True):
        assert mutant.problem is None
        assert mutant.change is not None
        assert mutant.change.mutant_function == made.mutant_function
        assert mutant.status == "unknown"


def test_a_directory_of_diffs_and_diffs_with_a_name_and_status(project: Path) -> None:
    folder = project / "diffs"
    folder.mkdir()
    for number in range(3):
        note = f"# prices__{number}: survived\n" if number else ""
        text = note + diff(number, "src/Prices.java\t2024-01-01", "src/Prices.java\t2024-01-02")
        (folder / f"{number}.patch").write_text(text, encoding="utf-8")
    report = read_report(folder, project)
    assert report.counts == {"survived": 2, "unknown": 1}
    found = list(report.mutants())
    assert [mutant.id for mutant in found][1:] == ["prices__1", "prices__2"]
    assert all(mutant.analysable for mutant in found)
    lines = [(made.line, made.line + made.original.count("\n")) for made in JAVA_MUTANTS[:3]]
    assert [(mutant.line, mutant.end_line) for mutant in found] == lines


def test_what_cosmic_ray_prints_has_names_and_outcomes(project: Path) -> None:
    words = ["SURVIVED", "KILLED", "INCOMPETENT"]
    blocks = [
        f"[job-id] {n}a\nPrices.java core/X 0\n"
        f"worker outcome: WorkerOutcome.NORMAL, test outcome: TestOutcome.{word}\n"
        f"=== DIFF ===\n--- mutation diff ---\n{diff(n)}============\n"
        for n, word in enumerate(words)
    ]
    (project / "printed.txt").write_text("".join(blocks), encoding="utf-8")
    found = list(read_report(project / "printed.txt", project / "src").mutants())
    assert [mutant.id for mutant in found] == ["0a", "1a", "2a"]
    assert [mutant.status for mutant in found] == ["survived", "killed", "runtime_error"]
    assert all(mutant.analysable for mutant in found)


def test_removed_lines_that_look_like_headers_are_code(tmp_path: Path) -> None:
    source = "int f(int a) {\n-- a;\n++ a;\nreturn a;\n}\n"
    (tmp_path / "f.c").write_text(source)
    lines = [" int f(int a) {", "--- a;", "-++ a;", "+++ a;", "+-- a;", " return a;", ""]
    text = "\n".join(["--- f.c", "+++ f.c", "@@ -1,4 +1,4 @@", *lines])
    (tmp_path / "x.diff").write_text(text + text)
    first, second = read_report(tmp_path / "x.diff").mutants()
    assert first.change is not None
    assert first.change.mutant_function == "int f(int a) {\n++ a;\n-- a;\nreturn a;\n}"
    assert second.id == f"{first.id}~2"


def test_a_diff_numbered_from_its_function_applies_where_its_lines_stand(project: Path) -> None:
    text = "--- Prices.java\n+++ Prices.java\n@@ -1,2 +1,2 @@\n"
    text += "     void log(String text, int value) {\n-        try {\n+        try{\n"
    (project / "x.diff").write_text(text)
    (mutant,) = read_report(project / "x.diff", project / "src").mutants()
    assert mutant.change is not None
    assert mutant.change.function == "log"


@pytest.mark.parametrize(
    ("file", "problem"),
    [
        ("../src/Prices.java", "refused"),
        ("/etc/passwd", "refused"),
        ("/dev/null", "refused"),
        ("nowhere/Prices.java", "not found"),
    ],
)
def test_diffs_of_files_elsewhere_are_not_opened(project: Path, file: str, problem: str) -> None:
    (project / "x.diff").write_text(diff(0, file, file), encoding="utf-8")
    with files_opened() as opened:
        (mutant,) = read_report(project / "x.diff", project / "src").mutants()
    assert problem in (mutant.problem or "")
    assert not [path for path in opened if path.endswith(("passwd", "Prices.java", "null"))]


def test_a_pair_of_files(project: Path) -> None:
    (project / "mutant.java").write_text(whole(3), encoding="utf-8")
    report = read_report(project / "mutant.java", project / "src/Prices.java", "pair")
    (mutant,) = report.mutants()
    assert mutant.change is not None
    assert mutant.change.mutant_function == JAVA_MUTANTS[3].mutant_function
    assert mutant.line == JAVA_MUTANTS[3].line
    with pytest.raises(ReportError, match="--source"):
        read_report(project / "mutant.java", None, "pair")


def test_two_directories_of_files(project: Path) -> None:
    (project / "mutants").mkdir()
    (project / "mutants/Prices.java").write_text(whole(0), encoding="utf-8")
    (project / "mutants/Other.java").write_text("class Other {}")
    (mutant,) = read_report(project / "mutants", project / "src", "pair").mutants()
    assert mutant.analysable
    with pytest.raises(ReportError, match="two of a kind"):
        read_report(project / "mutants", project / "src/Prices.java", "pair")


def test_universalmutator(project: Path) -> None:
    folder = project / "mutants"
    folder.mkdir()
    for number in range(12):
        (folder / f"Prices.mutant.{number}.java").write_text(whole(number), encoding="utf-8")
    (folder / "killed.txt").write_text("Prices.mutant.0.java\nmutants/Prices.mutant.11.java\n")
    (folder / "notkilled.txt").write_text("Prices.mutant.2.java\n../../Prices.mutant.3.java\n")
    report = read_report(folder, project / "src")
    assert report.format == "universalmutator"
    assert report.counts == {"killed": 2, "survived": 2, "pending": 8}
    found = list(report.mutants())
    assert [mutant.id for mutant in found] == [f"Prices.mutant.{n}.java" for n in range(12)]
    for mutant, made in zip(found, JAVA_MUTANTS, strict=False):
        assert mutant.change is not None
        assert mutant.change.mutant_function == made.mutant_function
    assert found == list(read_report(folder, project / "src/Prices.java").mutants())


RUST = "fn half(a: i32) -> i32 {\n    a / 2\n}\n"


def cargo_mutant(name: str, replacement: str) -> dict[str, object]:
    span = {"start": {"line": 2, "column": 5}, "end": {"line": 2, "column": 10}}
    return {
        "name": name,
        "file": "src/lib.rs",
        "span": span,
        "replacement": replacement,
        "genre": "FnValue",
    }


def test_cargo_mutants_are_listed_counted_and_shown(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/lib.rs").write_text(RUST)
    words = ["CaughtMutant", "MissedMutant", "Timeout", "Unviable"]
    made = [cargo_mutant(f"replace half with {n}", str(n)) for n in range(5)]
    outcomes = [{"scenario": "Baseline", "summary": "Success"}]
    outcomes += [
        {"scenario": {"Mutant": mutant}, "summary": word, "phase_results": [{"argv": ["x"]}]}
        for mutant, word in zip(made, words, strict=False)
    ]
    value = {"outcomes": outcomes, "cargo_mutants_version": "27.0.0"}
    write_json(tmp_path / "mutants.out/outcomes.json", value)
    write_json(tmp_path / "mutants.out/mutants.json", made)
    for path in (tmp_path, tmp_path / "mutants.out", tmp_path / "mutants.out/outcomes.json"):
        report = read_report(path)
        assert (report.format, report.tool_version) == ("cargo-mutants", "27.0.0")
        assert report.counts == {
            "killed": 1,
            "survived": 1,
            "timeout": 1,
            "compile_error": 1,
            "pending": 1,
        }
        for number, mutant in enumerate(report.mutants()):
            assert mutant.problem == "language not supported: rust"
            assert not mutant.analysable
            assert mutant.change is not None
            assert mutant.change.mutant_function == RUST.replace("a / 2", str(number))


def test_the_real_cargo_mutants_run() -> None:
    folder = shared_file("samples", "cargo-mutants")
    report = read_report(folder)
    stated = json.loads((folder / "outcomes.json").read_text())
    assert report.counts == {
        "killed": stated["caught"],
        "survived": stated["missed"],
        "compile_error": stated["unviable"],
    }
    assert report.total == stated["total_mutants"]
    missed = (folder / "missed.txt").read_text().strip().split("\n")
    survivors = [mutant.id for mutant in report.mutants() if mutant.status == "survived"]
    assert survivors == missed


REAL = {
    "elements/strykerjs_toy_mutation.json": "elements",
    "elements/pitest-example_report.js": "elements",
    "pit/mutations_full-data.xml": "pit",
    "pit/mutation_snippet.xml": "pit",
    "major/mutants_triangle.log": "major",
    "mutmut/search.py.meta": "mutmut",
    "mutmut": "mutmut",
    "mutmut/show.txt": "diff",
    "cosmic-ray/session.sqlite": "cosmic-ray",
    "cosmic-ray/cr-report_surviving.txt": "diff",
    "cosmic-ray/dump_first8.jsonl": "cosmic-ray",
    "cargo-mutants": "cargo-mutants",
    "cargo-mutants/mutants.json": "cargo-mutants",
    "cargo-mutants/outcomes.json": "cargo-mutants",
}


@pytest.mark.parametrize("name", REAL)
def test_real_reports_are_recognised(name: str) -> None:
    assert detect_format(shared_file("samples", *name.split("/"))) == REAL[name]


def test_what_is_no_report_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("hello\n")
    for path in (tmp_path / "a.txt", tmp_path):
        with pytest.raises(ReportError, match="not recognised as a report; name its format"):
            read_report(path)
    with pytest.raises(ReportError, match="no such report"):
        read_report(tmp_path / "nowhere")
    with pytest.raises(ReportError, match="unknown report format 'odd'; known: elements"):
        read_report(tmp_path / "a.txt", None, "odd")
    with pytest.raises(ReportError, match="no such directory"):
        read_report(tmp_path / "a.txt", tmp_path / "nowhere", "diff")


def handmade(folder: Path) -> dict[str, Path]:
    """One small, right report of each format but PIT's."""
    (folder / "Prices.java").write_text(JAVA, encoding="utf-8")
    (folder / "till.py").write_text(PYTHON, encoding="utf-8")
    entries = [elements_mutant(JAVA, mutant, "utf-16") for mutant in JAVA_MUTANTS[:6]]
    log = "1:LVR:0:POS:shop.Prices@total(int[],boolean,String):11:0 |==> 1\n"
    row = {"job": "1", "file": "till.py", "worker": "NORMAL", "test": "SURVIVED"}
    change = (
        "--- till.py\n+++ till.py\n@@ -8 +8 @@\n-    return cents * rate // 100\n+    return 1\n"
    )
    made = {
        "elements": write_json(
            folder / "e.json", elements_report("Prices.java", JAVA, "java", entries)
        ),
        "major": folder / "mutants.log",
        "mutmut": folder / "till.py.meta",
        "cosmic-ray": cosmic_ray_session(folder / "s.sqlite", [{**row, "diff": change}]),
        "cargo-mutants": write_json(
            folder / "outcomes.json",
            {"outcomes": [{"scenario": {"Mutant": cargo_mutant("x", "1")}, "summary": "Timeout"}]},
        ),
        "equimut": folder / "mutated" / "mutants.jsonl",
        "diff": folder / "x.diff",
    }
    (folder / "mutated" / "1").mkdir(parents=True)
    (folder / "mutated" / "1" / "Prices.java").write_text(whole(0))
    made["equimut"].write_text('{"file": "1/Prices.java", "operator": "ROR"}\n')
    made["major"].write_text(log)
    shutil.copy(SAMPLES / "mutmut_till.meta.json", made["mutmut"])
    made["diff"].write_text(change)
    return made


def test_a_report_of_every_format_is_recognised(tmp_path: Path) -> None:
    made = handmade(tmp_path)
    assert {name: detect_format(path) for name, path in made.items()} == {n: n for n in made}
    assert set(made) | {"pit", "pair", "universalmutator"} == set(FORMATS)
    for path in made.values():
        assert sum(1 for _ in read_report(path).mutants()) > 0


FAULTS = (fuzzing.cut, fuzzing.flip, fuzzing.strange_characters, fuzzing.huge_line)


@pytest.mark.parametrize(
    "name", ["elements", "major", "mutmut", "cosmic-ray", "cargo-mutants", "diff"]
)
def test_a_damaged_report_is_read_or_refused_in_one_line(tmp_path: Path, name: str) -> None:
    path = handmade(tmp_path)[name]
    content = path.read_bytes()
    random = Random(name)
    read, refusals = 0, list[str]()
    for _ in range(count(40, 1_000)):
        damaged = content
        for _ in range(random.randint(1, 3)):
            damaged = random.choice(FAULTS)(random, damaged)
        path.write_bytes(damaged)
        try:
            report = read_report(path, None, name)
            found = list(report.mutants())
            assert len(found) == report.total
            assert all(mutant.change or mutant.problem for mutant in found)
            read += 1
        except EquimutError as error:
            refusals.append(str(error))
    assert not [line for line in refusals if "\n" in line]
    assert read
    assert refusals  # both happen, or the damage is none


def test_what_mutate_writes_is_read(tmp_path: Path) -> None:
    source = tmp_path / "half.py"
    source.write_text("def half(n):\n    return n // 2\n\n\ndef more(n):\n    return n > 2\n")
    out = tmp_path / "out"
    call_equimut("mutate", source, "--out", out)
    report = read_report(out)
    found = {mutant.id.split("/")[0]: mutant for mutant in report.mutants()}
    written = {row["id"]: row for row in map(json.loads, (out / "mutants.jsonl").open())}
    assert report.format == "equimut"
    assert found.keys() == written.keys()
    for key, row in written.items():
        change = found[key].change
        assert change is not None
        assert change.mutant_function == row["mutant_function"]
        assert (found[key].operator, found[key].file) == (row["operator"], "half.py")
    assert read_report(out / "mutants.jsonl", source).counts == report.counts
    (out / "mutants.jsonl").write_text('{"id": 1}\n')
    with pytest.raises(ReportError, match=r"mutants.jsonl, line 1: no mutant of"):
        read_report(out)
