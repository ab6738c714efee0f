"""Mutants that look equivalent and that an input tells apart: no rule and no prover proves one."""

import re

import pytest

from equimut.proofs import proving
from equimut.proofs.smt import proving as smt
from oracles.datasets import killable_c, killable_java, killable_python
from oracles.datasets.killable_case import mutated

KILLABLE = {
    f"{language}: {name}": (language, case)
    for language, cases in (
        ("java", killable_java.KILLABLE),
        ("c", killable_c.KILLABLE),
        ("python", killable_python.KILLABLE),
    )
    for name, case in cases.items()
}


@pytest.mark.parametrize("name", KILLABLE)
def test_no_rule_proves_it(name: str) -> None:
    language, case = KILLABLE[name]
    assert proving.prove(*mutated(case), language) is None


EQUIVALENT = {"python: a handler's name", "python: a range that falls"}
"""Traps for a rule that no state tells apart: the name is 0 or unbound, the range stops at 0."""
AS_ANNOTATED = {
    "python: a second reference", "python: P9 None by default", "python: a tie of True and 1",
    "python: P14 a truth value is a whole number", "python: P14 of two truth values",
    "python: P14 abs is a parameter", "python: a tie in an if of True and 1",
}  # fmt: skip
"""Killed only by an argument of another type than the annotated one, or by a truth value."""


@pytest.mark.parametrize("name", sorted(KILLABLE.keys() - EQUIVALENT - AS_ANNOTATED))
def test_the_prover_does_not_prove_it(name: str) -> None:
    language, case = KILLABLE[name]
    assert smt.prove(*mutated(case), language) is None


@pytest.mark.parametrize("name", sorted(AS_ANNOTATED))
def test_the_prover_says_what_annotation_it_believes(name: str) -> None:
    language, case = KILLABLE[name]
    proof = smt.prove(*mutated(case), language)
    assert proof is not None
    assert "no bool, no subclass" in " ".join(proof.assumptions)
    bare = [re.sub(r": (int|list)\b", "", text) for text in mutated(case)]
    assert smt.prove(bare[0], bare[1], language) is None


def test_there_are_enough_of_them() -> None:
    assert (
        min(map(len, (killable_java.KILLABLE, killable_c.KILLABLE, killable_python.KILLABLE))) > 50
    )


def test_the_same_updates_where_nothing_reads_them_are_proved() -> None:
    origin = "int f(int v, int n) { for (int i = 0; i < n; i++) { if (v > 0) { return 1; } v = i; }"
    origin += " return 2; }"
    assert proving.prove(origin, origin.replace("v > 0", "v++ > 0"), "java") is not None
    origin = "int f(int n) { if (n > 0) { int count = n; return count; } return 0; }"
    assert proving.prove(origin, origin.replace("return count", "return count++"), "java")
