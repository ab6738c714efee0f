"""Killed rows of the benchmark are not proved, nor would they be if no run refuted them first.

`make test-full` asks about all of them, in parts that two processes share.
"""

import pytest

from conftest import count
from equimut.data.benchmark.reader import bundled
from equimut.data.store import VerifiedPair
from equimut.proofs.proving import prove as prove_by_rule
from equimut.proofs.smt.proving import CHOSEN_STATES, prove

LANGUAGES = ("java", "c", "python")
PARTS = count(1, 12)


def killed(language: str, most: int | None = None) -> list[VerifiedPair]:
    """Killed rows: all, or so many evenly over the origins."""
    rows = [row for row in bundled(language) if row.label == 0]
    return rows if most is None else rows[7 :: max(1, len(rows) // most)]


@pytest.mark.with_runs
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_killed_row_is_proved(language: str, part: int) -> None:
    rows = killed(language, None if PARTS > 1 else 14)[part::PARTS]
    assert len(rows) >= count(14, 1_800)
    texts = [(row.id, (row.origin, row.mutant, language)) for row in rows]
    assert not [name for name, pair in texts if prove_by_rule(*pair) or prove(*pair)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_solver_alone_proves_none_either(language: str) -> None:
    rows = killed(language, count(4, 1_000))
    off = frozenset({CHOSEN_STATES})
    assert not [row.id for row in rows if prove(row.origin, row.mutant, language, without=off)]
