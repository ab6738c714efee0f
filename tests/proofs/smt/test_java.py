"""The prover on Java: what it must prove, and what it must never prove."""

import pytest

from equimut.proofs.smt.proving import prove
from oracles.datasets.java_prover_cases import EQUIVALENT, KILLABLE


def mutated(case: tuple[str, str, str]) -> tuple[str, str]:
    origin, before, after = case
    assert origin.count(before) == 1, "the change is in one place"
    return origin, origin.replace(before, after)


@pytest.mark.parametrize("name", EQUIVALENT)
def test_equivalent_mutants_are_proved(name: str) -> None:
    origin, mutant = mutated(EQUIVALENT[name])
    assert prove(origin, mutant, "java") is not None


@pytest.mark.parametrize("name", KILLABLE)
def test_killable_mutants_are_not_proved(name: str) -> None:
    origin, mutant = mutated(KILLABLE[name])
    assert prove(origin, mutant, "java") is None
