"""Every operator does what its examples say, and the table is complete."""

import pytest

from conftest import ROOT
from equimut.errors import EquimutError
from equimut.mutation import OPERATORS, mutate, select_operators
from equimut.mutation.operator import Example, Operator
from oracles.framed_examples import framed
from oracles.operator_table import markdown_table

CASES = [
    pytest.param(operator, example, id=f"{operator.name}-{example.language}-{example.after[:40]}")
    for operator in OPERATORS.values()
    for example in operator.examples
]

MUTANTBENCH = [
    *("AOIS", "ROR", "AORB", "ROD", "VDL", "ABSI", "AOIU", "LOI", "CDL", "SEOD", "CR", "SEOI"),
    *("ADL", "AORS", "SEOR", "FCDL", "ISDL", "SAR", "AODU", "AODS", "LOR", "WLDL", "OSDL"),
    *("FLDL", "SOR", "LOD"),
]
OTHERS = ["COR", "COD", "COI", "SDL", "ASRS", "LVR", "EVR", "RVR"]
ONE_LANGUAGE = {"ARG", "LMR"}
NO_INCREMENT_IN_PYTHON = {"AORS", "AODS"}


@pytest.mark.parametrize(("operator", "example"), CASES)
def test_an_example_is_made_by_its_operator(operator: Operator, example: Example) -> None:
    before, after = framed(example)
    made = [m.mutant_function for m in mutate(before, example.language, operators=[operator.name])]
    assert after.rstrip() in [text.rstrip() for text in made]


def test_the_operators_of_mutantbench_and_of_the_tools_are_in_the_table() -> None:
    assert set(MUTANTBENCH + OTHERS) <= OPERATORS.keys()
    assert list(OPERATORS)[: len(MUTANTBENCH)] == MUTANTBENCH


@pytest.mark.parametrize("operator", OPERATORS.values(), ids=lambda operator: operator.name)
def test_every_operator_has_an_example_in_every_language_it_knows(operator: Operator) -> None:
    languages = {example.language for example in operator.examples}
    if operator.name in ONE_LANGUAGE:
        assert languages == {"python"}
    elif operator.name in NO_INCREMENT_IN_PYTHON:
        assert languages == {"java", "c"}
    else:
        assert languages == {"java", "c", "python"}
    assert operator.summary.endswith(".")


def test_an_unknown_operator_is_named_in_the_error() -> None:
    with pytest.raises(EquimutError, match=r"unknown mutation operator XYZ.*--list"):
        select_operators(["ROR", "XYZ"])
    with pytest.raises(EquimutError, match="no mutation operator"):
        select_operators([])


def test_the_documented_table_is_the_table() -> None:
    assert markdown_table() in (ROOT / "docs" / "operators.md").read_text()
