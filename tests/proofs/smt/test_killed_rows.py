"""Killed rows of the benchmark are not proved, nor would they be if no run refuted them first."""

import pytest

from conftest import count
from equimut.data.benchmark.reader import bundled
from equimut.data.store import VerifiedPair
from equimut.proofs.smt.proving import CHOSEN_STATES, prove


def killed(language: str, most: int) -> list[VerifiedPair]:
    """So many killed rows, evenly over the origins."""
    rows = [row for row in bundled(language) if row.label == 0]
    return rows[7 :: max(1, len(rows) // most)]


def test_no_killed_row_of_java_is_proved() -> None:
    rows = killed("java", count(40, 30_000))
    assert not [row.id for row in rows if prove(row.origin, row.mutant, "java")]


@pytest.mark.parametrize("language", ["java", "c", "python"])
def test_the_solver_alone_proves_none_either(language: str) -> None:
    rows = killed(language, count(4, 1_000))
    off = frozenset({CHOSEN_STATES})
    assert not [row.id for row in rows if prove(row.origin, row.mutant, language, without=off)]
