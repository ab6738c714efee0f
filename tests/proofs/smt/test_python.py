"""The prover on Python: what it must prove, and what it must never prove."""

import inspect

import pytest

from equimut.proofs.smt.proving import prove
from oracles.datasets.python_prover_cases import EQUIVALENT, KILLABLE, PRELUDE


def mutated(origin: str, before: str, after: str) -> tuple[str, str]:
    assert before in origin
    return origin, origin.replace(before, after, 1)


def observed(source: str, witness: str) -> tuple[object, ...]:
    """All that can be seen of a call: result or exception, arguments, and what was logged."""
    names: dict[str, object] = {}
    exec(PRELUDE + source, names)
    arguments = eval(witness, names)
    try:
        result = names["f"](*arguments)  # type: ignore[operator]
        if inspect.isgenerator(result):
            result = ("generator", list(result))
        seen = ("returned", type(result), repr(result))
    except Exception as error:  # noqa: BLE001 - whatever it raises is what is seen
        seen = ("raised", type(error), str(error))
    return (*seen, repr(arguments), repr(names["log"]), repr(names["count"]))


@pytest.mark.parametrize("name", EQUIVALENT)
def test_equivalent_mutants_are_proved(name: str) -> None:
    assert prove(*mutated(*EQUIVALENT[name]), "python") is not None


@pytest.mark.parametrize("name", KILLABLE)
def test_killable_mutants_are_not_proved(name: str) -> None:
    *change, witness = KILLABLE[name]
    origin, mutant = mutated(*change)
    assert observed(origin, witness) != observed(mutant, witness), "the witness kills"
    assert prove(origin, mutant, "python") is None
