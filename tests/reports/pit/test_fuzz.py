"""Sources and reports gone wrong: an answer for each mutant or one clear line, never a crash."""

from contextlib import suppress
from pathlib import Path

from conftest import count
from equimut.parsing.tree import parse
from equimut.reports.pit.read import read_pit
from equimut.reports.reported import ReportError
from oracles.fuzzing import mutated_inputs
from oracles.reports.pit_bytecode import report_xml
from oracles.reports.pit_project import PROJECT, SOURCES, as_mutation, expected_rows


def test_damaged_sources_never_crash_and_changes_still_fit_them(tmp_path: Path) -> None:
    found = [(as_mutation(row), "SURVIVED") for row in expected_rows() if "Gate" in row.key[0]]
    report = tmp_path / "mutations.xml"
    report.write_text(report_xml(found, new_dialect=True))
    path = tmp_path / "src" / "shop" / "Gate.java"
    path.parent.mkdir(parents=True)
    seeds = [(SOURCES / "shop" / "Gate.java").read_bytes()]
    for text in mutated_inputs(seeds, count(4, 120), seed=5):
        path.write_bytes(text)
        for mutant in read_pit(report, tmp_path / "src").mutants():
            change = mutant.change
            assert change is not None or mutant.problem
            if change is not None and change.scope == "function":
                before, after = parse(change.origin_function, "java"), change.mutant_function
                assert len(parse(after, "java").errors) <= len(before.errors)


def test_damaged_reports_are_read_or_refused(tmp_path: Path) -> None:
    path, refused, read = tmp_path / "mutations.xml", 0, 0
    seeds = [(PROJECT / name).read_bytes() for name in ("mutations.xml", "mutations_old.xml")]
    for text in mutated_inputs(seeds, count(30, 400), seed=6):
        path.write_bytes(text)
        with suppress(ReportError):
            refused += 1
            report = read_pit(path, SOURCES)
            refused -= 1
            read += 1
            mutants = list(report.mutants())
            assert report.total == len(mutants)
            assert all(mutant.change is not None or mutant.problem for mutant in mutants)
    assert refused >= 5
    assert read >= 1
