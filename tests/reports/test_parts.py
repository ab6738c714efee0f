"""A report of any format is located in parts, in other processes, as it is where it is read."""

import pickle
from collections.abc import Iterator
from itertools import compress
from pathlib import Path

import pytest

from equimut.reports.reported import Report, ReportedMutant, read_report
from oracles.reports.every_reader import BY_HAND, REAL, real_report


def elsewhere(report: Report, most: int, every: int = 1) -> Iterator[ReportedMutant]:
    """What another process would say of every so manieth mutant."""
    first = 0
    for part in report.parts(most):
        sent = pickle.loads(pickle.dumps(part))
        wanted = [(first + at) % every == 0 for at in range(len(sent.statuses))]
        first += len(wanted)
        found = list(sent.located(wanted))
        assert [mutant.status for mutant in found] == list(compress(part.statuses, wanted))
        yield from found


def agrees(report: Report) -> None:
    alone = list(report.mutants())
    assert [mutant.index for mutant in alone] == list(range(report.total))
    for most in (1, 3, 1000):
        assert list(elsewhere(report, most)) == alone
    assert list(elsewhere(report, 3, every=2)) == alone[::2]


@pytest.mark.parametrize("name", BY_HAND)
def test_parts_are_located_elsewhere_as_they_are_here(name: str, tmp_path: Path) -> None:
    path, source, form = BY_HAND[name](tmp_path)
    report = read_report(path, source, form)
    agrees(report)
    assert any(mutant.change is not None for mutant in report.mutants())


@pytest.mark.parametrize(("name", "source"), REAL)
def test_so_are_reports_that_real_tools_wrote(name: str, source: str | None) -> None:
    agrees(read_report(*real_report(name, source)))


def test_what_says_the_same_of_one_file_stays_in_one_part(tmp_path: Path) -> None:
    """Which of two like sites a line of Major means, its neighbours tell."""
    code = "class A {\n  int f(int a, int b) { return a * b + a * b; }\n}\n"
    (tmp_path / "A.java").write_text(code)
    said = "AOR:*(int,int):/(int,int):A@f(int,int):2:a * b |==> a / b\n"
    (tmp_path / "mutants.log").write_text(f"1:{said}2:{said}")
    report = read_report(tmp_path / "mutants.log", tmp_path)
    agrees(report)
    places = [mutant.change.start_byte for mutant in report.mutants() if mutant.change]
    assert len(set(places)) == 2
