"""The prover on Python: what it must prove, and what it must never prove."""

import inspect
from dataclasses import replace
from pathlib import Path

import pytest
import z3

from equimut.proofs.budget import DEFAULT
from equimut.proofs.smt.dynamic.containers import held_on
from equimut.proofs.smt.proving import prove
from equimut.proofs.smt.symbolic.engine import HELD, Gave
from equimut.proofs.smt.symbolic.state import Path as Way
from equimut.proofs.smt.symbolic.terms import declared, world
from oracles.command import call_equimut
from oracles.datasets import python_real_cases as real
from oracles.datasets import python_type_cases as types
from oracles.datasets.python_prover_cases import EQUIVALENT, KILLABLE, PRELUDE

IN_THEIR_FILE = {**real.EQUIVALENT, **types.EQUIVALENT}
KILLABLE_IN_THEIR_FILE = {**real.KILLABLE, **types.KILLABLE}


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


@pytest.mark.parametrize("name", IN_THEIR_FILE)
def test_equivalent_mutants_of_plain_code_are_proved_in_their_file(name: str) -> None:
    before, *change = IN_THEIR_FILE[name]
    origin, mutant = mutated(*change)
    assert prove(origin, mutant, "python", file=before + origin) is not None


@pytest.mark.parametrize("name", KILLABLE_IN_THEIR_FILE)
def test_killable_mutants_of_plain_code_are_not_proved_in_their_file(name: str) -> None:
    before, *change, witness = KILLABLE_IN_THEIR_FILE[name]
    origin, mutant = mutated(*change)
    assert observed(before + origin, witness) != observed(before + mutant, witness)
    assert prove(origin, mutant, "python", file=before + origin) is None


def test_the_command_prints_the_annotations_it_believes(tmp_path: Path) -> None:
    files = tmp_path / "origin.py", tmp_path / "mutant.py"
    for path, text in zip(files, mutated(*EQUIVALENT["remainder is not negative"]), strict=True):
        path.write_text(text)
    said = call_equimut("prove", *files).stdout
    assert "`n` is exactly int, as annotated" in said


def test_a_name_that_the_file_binds_is_no_builtin() -> None:
    origin, mutant = mutated(*EQUIVALENT["len is not negative"])
    assert prove(origin, mutant, "python", file=origin) is not None
    assert prove(origin, mutant, "python", file=f"from sizes import len\n\n{origin}") is None
    assert prove(origin, mutant, "python", file=f"from sizes import *\n\n{origin}") is None


def test_a_path_that_has_lost_its_references_proves_nothing() -> None:
    lost = Way(z3.BoolVal(True), {}, z3.Const("world", world()))
    with pytest.raises(Gave):
        held_on(lost)
    lost.locals[HELD] = z3.Const(HELD, declared("Any"))
    assert held_on(lost).eq(lost.locals[HELD])


LONG = "def f(a, log):\n    x = a\n" + "    x = a(x)\n" * 40


@pytest.mark.parametrize(("rest", "before", "after", "equivalent"), [
    ("    n = 1\n    n = 2\n    return n\n", "n = 1", "n = 3", True),
    ("    n = x\n    n = 2\n    return n\n", "n = 2", "n = 3", False),
    ("    x = 0\n    log()\n    x = 1\n    return x\n", "x = 0", "pass", False),  # the object ends
    ("    x = y\n    return 1\n", "x = y", "pass", False),  # y is not set
])  # fmt: skip
def test_behind_code_that_is_too_long_anything_may_be_held(
    rest: str, before: str, after: str, equivalent: bool
) -> None:
    budget = replace(DEFAULT, execution=100)
    origin, mutant = mutated(LONG + rest, before, after)
    assert (prove(origin, mutant, "python", budget=budget) is not None) == equivalent


@pytest.mark.parametrize("after", ["n >= 0", "True", "n != -1"])
def test_a_kept_answer_about_a_loop_names_what_it_rests_on(after: str) -> None:
    origin = (
        "def f(xs):\n    n = 0\n    for x in xs:\n        if isinstance(x, str):\n"
        "            n += x.count('a')\n    return n > -1\n"
    )
    for _ in range(2):
        proof = prove(origin, origin.replace("n > -1", after), "python", file=origin)
        assert proof is not None
        assert any("no subclass" in each for each in proof.assumptions)
