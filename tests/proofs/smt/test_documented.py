"""Every ingredient that docs/prover.md names for C and Python has a proof here that needs it."""

import re
from pathlib import Path

import pytest

from equimut.proofs.smt.proving import prove
from oracles.datasets import (
    c_prover_cases,
    python_prover_cases,
    python_real_cases,
    python_type_cases,
)

DOCUMENT = Path(__file__).parents[3] / "docs/prover.md"
C = {
    "expression alone": "unsigned",
    "contracts of the library": "absolute of a length",
    "path facts": "after an early exit",
    "undefined behaviour of the origin": "no overflow",
    "loop invariants": "loop bound",
    "behind a loop that breaks": "behind a loop that breaks",
    "bounds that a loop does not change": "a value between bounds",
    "elements of arrays of the function": "no element is negative",
    "remainders and quotients of unknown numbers": "a remainder of either sign",
    "ends of functions": "an end like another",
    "whole scopes": "maximum tie",
}
PYTHON = {
    "types from annotations": "clamp",
    "contracts of builtins": "find",
    "path facts": "behind a check",
    "loop invariants": "range of a counter",
    "values that are overwritten": "numbers that a loop overwrites",
    "handlers": "a number before a handler",
    "only the truth is asked": "only the truth is asked",
    "further arguments": "the only one of further arguments",
    "defaults": "a default of which the truth is asked",
    "arguments that say nothing": "a range from 0",
    "cast": "a type that cast is given",
    "math": "infinite and not positive",
    "ends of functions": "break behind which nothing is",
    "sentinels": "behind a sentinel",
    "closures": "a closure over what no longer changes",
    "functions inside": "a function inside",
    "behind a loop that breaks": "behind a loop that breaks",
    "isinstance": "a string behind an early return",
    "results of builtins": "a sorted list is a list",
    "enumerate": "enumerate from 1",
}
CASES = {**python_real_cases.EQUIVALENT, **python_type_cases.EQUIVALENT}


def documented(heading: str) -> list[str]:
    """The first column of the table behind a heading."""
    rest = DOCUMENT.read_text().split(f"### {heading}, ingredient by ingredient\n")[1]
    table = rest.split("|---|---|\n")[1].split("\n\n")[0]
    return [re.split(r" \| ", line.strip("| "))[0] for line in table.splitlines()]


def test_the_document_names_what_is_proved_here() -> None:
    assert documented("C") == list(C)
    assert documented("Python") == list(PYTHON)


@pytest.mark.parametrize("ingredient", C)
def test_an_example_of_c_is_proved(ingredient: str) -> None:
    origin, before, after = c_prover_cases.EQUIVALENT[C[ingredient]]
    for _ in range(2):  # what is kept of the first time changes nothing
        assert prove(origin, origin.replace(before, after, 1), "c") is not None


@pytest.mark.parametrize("ingredient", PYTHON)
def test_an_example_of_python_is_proved(ingredient: str) -> None:
    name = PYTHON[ingredient]
    plain = python_prover_cases.EQUIVALENT.get(name)
    around, origin, before, after = ("", *plain) if plain else CASES[name]
    mutant = origin.replace(before, after, 1)
    assert prove(origin, mutant, "python", file=around + origin) is not None
