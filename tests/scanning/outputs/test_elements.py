"""Elements: the official schema accepts it, and reading it back gives the same mutants."""

import json
from pathlib import Path
from typing import Any

import pytest

from equimut.reports.reported import read_report
from equimut.scanning.outputs import write_output
from equimut.scanning.outputs.elements_format import files_in_part, pieces
from equimut.scanning.pipeline import scanned
from equimut.scanning.records import ScanResult
from oracles.command import RULES_ONLY, call_equimut
from oracles.reports.elements_samples import schema_faults
from oracles.reports.every_reader import BY_HAND, PIT_PROJECT, PYTHON, mutmut_project
from oracles.scans.scan_project import JAVA, request
from oracles.scans.scan_results import (
    RANGES,
    SOURCES,
    example_result,
    reported,
    scan_result,
    verdict,
)

EQUIVALENT = {3, 4, 7}
"""Proved, surely predicted, accepted."""


def sources(folder: Path) -> Path:
    for name, text in SOURCES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def document(result: ScanResult) -> dict[str, Any]:
    found: dict[str, Any] = json.loads("".join(pieces(result)))
    return found


@pytest.mark.parametrize("whole", [True, False], ids=["sources", "functions"])
def test_the_official_schema_accepts_it(tmp_path: Path, whole: bool) -> None:
    found = document(example_result(source=sources(tmp_path) if whole else None))
    assert schema_faults(found) == []
    found["files"][RANGES]["mutants"][0]["status"] = "Equivalent"
    assert len(schema_faults(found)) == 1  # the validator is awake


@pytest.mark.parametrize("whole", [True, False], ids=["sources", "functions"])
def test_reading_it_back_gives_the_same_mutants(tmp_path: Path, whole: bool) -> None:
    """With the sources, and with nothing but the functions on their lines."""
    result = example_result(source=sources(tmp_path / "src") if whole else None)
    write_output(result, "elements", tmp_path / "report.json")
    back = {int(mutant.id): mutant for mutant in read_report(tmp_path / "report.json").mutants()}
    given = {mutant.index: mutant for mutant in result.report.mutants()}
    assert back.keys() == given.keys()
    for index, mutant in given.items():
        if mutant.change is None:
            assert back[index].change is None
            continue
        change = back[index].change
        assert change is not None, back[index].problem
        assert change.mutant_function == mutant.change.mutant_function
        assert (change.start_line, back[index].line) == (mutant.change.start_line, mutant.line)
        expected = "ignored" if index in EQUIVALENT else mutant.status
        assert back[index].status == expected


def test_the_whole_file_is_shown_where_it_is_known(tmp_path: Path) -> None:
    found = document(example_result(source=sources(tmp_path)))
    assert {name: entry["source"] for name, entry in found["files"].items()} == SOURCES


@pytest.mark.parametrize("reader", sorted(BY_HAND.keys() - {"elements"}))
def test_whole_files_are_written_without_naming_the_sources(reader: str, tmp_path: Path) -> None:
    """Where a reader found the sources by itself, so does what is written of its report."""
    (tmp_path / "report").mkdir()
    path, source, format = BY_HAND[reader](tmp_path / "report")
    needed = source if format in ("pair", "pit", "major") else None
    with scanned(read_report(path, needed, format), request(tmp_path, model=None)) as result:
        found = document(result)
        assert files_in_part(result) == 0
    texts = [entry["source"] for entry in found["files"].values()]
    assert texts
    assert all(text.encode() in known_sources() for text in texts)


def known_sources() -> set[bytes]:
    java = {path.read_bytes() for path in (PIT_PROJECT / "src").rglob("*.java")}
    return {PYTHON.encode(), JAVA.encode(), *java}


def test_parts_of_files_are_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(mutmut_project(tmp_path))
    monkeypatch.setenv("EQUIMUT_CACHE", str(tmp_path / "cache"))
    whole = call_equimut("scan", ".", *RULES_ONLY, "--format", "elements")
    assert "only functions with mutants" not in whole.stderr
    (source,) = [entry["source"] for entry in json.loads(whole.stdout)["files"].values()]
    assert source == PYTHON
    (tmp_path / "src" / "shop" / "till.py").unlink()
    parts = call_equimut("scan", ".", *RULES_ONLY, "--format", "elements")
    assert "of 1 file only functions with mutants are known; give --source" in parts.stderr


def test_equivalents_say_why_they_are_ignored() -> None:
    found = document(example_result())
    mutants = [each for entry in found["files"].values() for each in entry["mutants"]]
    ignored = {int(each["id"]): each for each in mutants if each["status"] == "Ignored"}
    assert set(ignored) == EQUIVALENT
    assert ignored[3]["statusReason"] == (
        "equivalent (proved): the whole input domain was tried: 65,536 inputs"
    )
    assert ignored[4]["statusReason"] == "equivalent (97 % chance of being equivalent)"


def test_a_report_in_this_format_is_copied_with_the_marks(tmp_path: Path) -> None:
    first = tmp_path / "first.json"
    write_output(example_result(), "elements", first)
    kept = json.loads(first.read_text()) | {"config": {"mine": [1, 2]}}
    first.write_text(json.dumps(kept))
    report = read_report(first)
    mutants = list(report.mutants())
    chosen = next(mutant for mutant in mutants if mutant.status == "survived")
    found = verdict(chosen, "equivalent", "accepted", reason="same")
    result = scan_result([found], path=first, format="elements")
    result = ScanResult(**{**vars(result), "report": report})
    copy = document(result)
    assert copy["config"] == {"mine": [1, 2]}
    changed = [
        (old["id"], new["status"])
        for name, entry in kept["files"].items()
        for old, new in zip(entry["mutants"], copy["files"][name]["mutants"], strict=True)
        if old != new
    ]
    assert changed == [(chosen.id, "Ignored")]


def test_functions_that_share_a_line_are_not_mixed_up() -> None:
    code = "class A { int f(int a) { return a + 1; } int g(int b) { return b + 2; } }\n"
    mutants = [
        reported(0, "A.java", "a + 1", "a - 1", text=code),
        reported(1, "A.java", "b + 2", "b - 2", text=code),
    ]
    found = document(scan_result([verdict(each, "not-equivalent") for each in mutants]))
    first, second = found["files"]["A.java"]["mutants"]
    assert first["replacement"] == "a - 1"
    assert "replacement" not in second  # listed on its line, and no more is claimed
    assert second["location"]["start"]["line"] == 1
