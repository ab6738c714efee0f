"""The prover on C: what it must prove, and what it must never prove."""

from pathlib import Path

import pytest

from conftest import count
from equimut.proofs.smt.proving import prove
from oracles.c_program import ran
from oracles.datasets.c_prover_cases import EQUIVALENT, KILLABLE, REFUSED


def mutated(case: tuple[str, ...]) -> tuple[str, str]:
    origin, before, after = case[:3]
    assert origin.count(before) == 1, "the change is in one place"
    return origin, origin.replace(before, after)


@pytest.mark.parametrize("name", EQUIVALENT)
def test_equivalent_mutants_are_proved(name: str) -> None:
    origin, mutant = mutated(EQUIVALENT[name])
    again = list(EQUIVALENT).index(name) % count(4, 1) == 0
    for _ in range(1 + again):  # what is kept of the first time changes nothing
        assert prove(origin, mutant, "c") is not None


@pytest.mark.parametrize("name", [*KILLABLE, *REFUSED])
def test_killable_mutants_are_not_proved(name: str) -> None:
    origin, mutant = mutated(KILLABLE.get(name) or REFUSED[name])
    assert prove(origin, mutant, "c") is None


def test_killable_mutants_are_killed_by_a_run(tmp_path: Path) -> None:
    outputs = [
        ran(
            tmp_path / side,
            [mutated(case)[place] for case in KILLABLE.values()],
            [(case.hidden, case.run) for case in KILLABLE.values()],
        )
        for place, side in enumerate(("origins", "mutants"))
    ]
    assert all(line.endswith("ends") for line in outputs[0])
    alike = [name for name, one, other in zip(KILLABLE, *outputs, strict=True) if one == other]
    assert not alike
