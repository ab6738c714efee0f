"""The prover on rows of the verified benchmark: none that was killed is proved, many others are.

A sample: all rows take hours, which is what `benchmarks/prover.py` is for.
"""

import pytest

from conftest import count
from equimut.data.benchmark.reader import bundled
from equimut.data.store import VerifiedPair
from equimut.proofs.smt.proving import prove

LANGUAGES = ("java", "c", "python")


def rows(language: str, label: int, number: int) -> list[VerifiedPair]:
    """So many rows, evenly over the origins."""
    found = [pair for pair in bundled(language) if pair.label == label]
    step = len(found) // number
    return found[step // 2 :: step][:number]


def proved(pairs: list[VerifiedPair]) -> list[str]:
    return [pair.id for pair in pairs if prove(pair.origin, pair.mutant, pair.language)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_killed_mutant_is_proved(language: str) -> None:
    assert proved(rows(language, 0, count(2, 300))) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_fifths_of_the_equivalent_mutants_are_proved(language: str) -> None:
    number = count(3, 100)
    assert len(proved(rows(language, 1, number))) >= 0.4 * number
