"""Makes pytest tests for killed mutants, and keeps those that were seen to work."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from equimut.errors import OracleError
from equimut.oracle.choosing import Killed, apart, choose, needed_facets, remarks_of
from equimut.oracle.project import FileMutant, SuggestedTest
from equimut.oracle.python.source_text import INDENT, Sight, suggested_source
from equimut.oracle.sandbox.process import Limits, run_in_sandbox, work_directory
from equimut.oracle.sandbox.runs import read_lines

VERIFIER = Path(__file__).parent.parent / "harness" / "project" / "project_verify.py"
SEEDS = ("1", "2")
"""Hash seeds of the two runs: a test that depends on the order of a set fails in one of them."""
SECONDS, WALL = 8, 60
"""Of the processor and of the clock, for one run of tests; a mutant may be endless."""
TOGETHER = -1
"""The run of all tests on the origin; one test at a time has the numbers below."""


def write_tests(
    python: Path,
    path: Path,
    source: str,
    module: str,
    folder: Path,
    mutants: Sequence[FileMutant],
    killed: Sequence[Killed],
    found: Any,
) -> dict[str, Any]:
    """Tests for the killed mutants of one file, each of which was run on both sides."""
    taken: set[str] = set()
    made: list[SuggestedTest] = []
    for (group, place), dying in sorted(choose(killed).items()):
        row, about = found.calls[group][place], found.groups[group]
        own = module, about["function"], about["kind"]
        where, function, kind = row["call"].get("entry", own)
        sight = Sight(where, function, kind, row["call"], row["origin"], module)
        try:
            name, imports, text = _source(sight, place, dying, taken)
        except OracleError:
            continue
        taken.add(name)
        kills = tuple(each.number for each in dying)
        made.append(SuggestedTest(name=name, imports=imports, text=text, kills=kills))
    written = verify(python, path, source, module, folder, mutants, made)
    known = {each.number: each.remark for each in killed}
    return {**written, "tests": tuple(_with_remarks(test, known) for test in written["tests"])}


def _with_remarks(test: SuggestedTest, known: Mapping[int, str]) -> SuggestedTest:
    """The test with a comment on what it was seen to kill."""
    first, _, rest = test.text.partition("\n")
    lines = [first, *(f"{INDENT}# {remark}" for remark in remarks_of(test, known)), rest]
    return test.model_copy(update={"text": "\n".join(lines)})


def _source(
    sight: Sight, place: int, dying: Sequence[Killed], taken: set[str]
) -> tuple[str, tuple[str, ...], str]:
    needed = needed_facets(sight.origin, place, dying)
    both_throw = any(each.on[place][0] == "throws" for each in dying)
    return suggested_source(sight, needed, both_throw, taken)


def verify(
    python: Path,
    path: Path,
    source: str,
    module: str,
    folder: Path,
    mutants: Sequence[FileMutant],
    tests: Sequence[SuggestedTest],
) -> dict[str, Any]:
    """Run every test on the origin and on its mutants, twice; keep what works."""
    if not tests:
        return {"tests": ()}
    content = file_text(tests, "")
    changed = {
        number: mutants[number].applied_to(source) for test in tests for number in test.kills
    }
    runs: list[dict[str, Any]] = [
        {"run": -at - 2, "source": source, "names": [test.name]} for at, test in enumerate(tests)
    ]
    runs.append({"run": TOGETHER, "source": source, "names": [test.name for test in tests]})
    for number, text in changed.items():
        names = [test.name for test in tests if number in test.kills]
        runs.append({"run": number, "source": text, "names": names})
    rounds = []
    for seed in SEEDS:
        with work_directory() as directory:
            file = directory / "test_suggested.py"
            file.write_text(content, encoding="utf-8")
            job = {
                "paths": [str(folder)], "module": module, "path": str(path), "test": str(file),
                "runs": runs, "results": str(directory / "results.jsonl"),
                "seconds": SECONDS, "wall": WALL,
            }  # fmt: skip
            (directory / "job.json").write_text(json.dumps(job), encoding="utf-8")
            limits = Limits(60 + WALL * len(runs))
            environment = {"PYTHONHASHSEED": seed, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
            command = [python, "-s", "-B", VERIFIER, directory / "job.json"]
            run_in_sandbox(command, directory, limits, environment)
            rounds.append({line["run"]: line for line in read_lines(directory / "results.jsonl")})
    if any("trouble" in each for lines in rounds for each in lines.values()):
        trouble = next(e["trouble"] for lines in rounds for e in lines.values() if "trouble" in e)
        return {"tests": (), "note": f"no tests are written: {trouble} ({python})"}
    kept = []
    dropped = 0
    for at, test in enumerate(tests):
        origin = {
            _outcome(lines, run, test.name) for lines in rounds for run in (-at - 2, TOGETHER)
        }
        steady = origin == {"passed"}
        kills = tuple(
            number
            for number in test.kills
            if steady and all(_outcome(lines, number, test.name) == "failed" for lines in rounds)
        )
        dropped += len(kills) < len(test.kills)
        if kills:
            kept.append(test.model_copy(update={"kills": kills}))
    return {"tests": tuple(kept), "dropped": dropped}


def _outcome(lines: Mapping[int, Mapping[str, Any]], run: int, name: str) -> str:
    """What became of one test: `passed`, `failed` (also by taking too long), or nothing.

    Where a test breaks the run of all of them, that run says nothing of the others.
    """
    line = lines.get(run)
    if line is None:
        return ""
    broken = bool(line["broken"] or line["ended"])
    if run == TOGETHER and broken:
        return "passed"
    return (
        "failed" if line["ended"] else str(line["outcomes"].get(name, "failed" if broken else ""))
    )


def file_text(tests: Sequence[SuggestedTest], heading: str) -> str:
    """A file with all the tests."""
    top = [heading.rstrip("\n"), "", *_imports(tests)] if heading else _imports(tests)
    return "\n".join([*top, "", "", "\n\n".join(test.text for test in tests)])


def _imports(tests: Sequence[SuggestedTest]) -> list[str]:
    """The imports of all tests, those from one module on one line."""
    lines = {line for test in tests for line in test.imports}
    names: dict[str, list[str]] = {}
    for line in sorted(lines):
        source, word, name = line.partition(" import ")
        if word:
            names.setdefault(source, []).append(name)
    whole = sorted(line for line in lines if line.startswith("import "))
    return [*whole, *(f"{source} import {', '.join(each)}" for source, each in names.items())]


HEADING = '''"""Tests that kill mutants of {file} which survived, written by equimut.

They assert what the code does now. Whether that is right is for the reader to decide.
"""
'''


def suggested_file(file: str, tests: Sequence[SuggestedTest]) -> tuple[str, str]:
    """The name and the text of the file with the tests of one source file."""
    parts = PurePosixPath(file).with_suffix("").parts
    inner = parts[1:] if parts[0] in ("src", "lib") and len(parts) > 1 else parts
    name = "_".join(part for part in inner if part != "__init__") or "module"
    return f"test_{name}_survivors.py", file_text(apart(tests, "def"), HEADING.format(file=file))
