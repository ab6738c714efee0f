"""The prover on equivalent rows of the verified benchmark: many are proved.

A sample: reach over all rows is what `benchmarks/validate_prover.py` measures.
"""

import pytest

from conftest import count
from equimut.data.benchmark.reader import bundled
from equimut.data.store import VerifiedPair
from equimut.proofs.smt.proving import prove

LANGUAGES = ("java", "c", "python")


def rows(language: str, number: int) -> list[VerifiedPair]:
    """So many equivalent rows, evenly over the origins."""
    found = [pair for pair in bundled(language) if pair.label == 1]
    step = len(found) // number
    return found[step // 2 :: step][:number]


def proved(pairs: list[VerifiedPair]) -> list[str]:
    return [pair.id for pair in pairs if prove(pair.origin, pair.mutant, pair.language)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_fifths_of_the_equivalent_mutants_are_proved(language: str) -> None:
    number = count(3, 100)
    assert len(proved(rows(language, number))) >= 0.4 * number
