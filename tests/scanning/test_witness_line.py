"""The line of a killed survivor says what differs."""

import pytest

from equimut.oracle.verdicts import Behaviour, Witness
from equimut.scanning.evidence.oracle import witness_line


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"value": "2"}, "returns 1 before, returns 2 after"),
        ({"arguments": ("[3]",)}, "returns 1 both times, but other arguments afterwards"),
        ({"output": "x"}, "returns 1 both times, but other output"),
        ({"errors": "x"}, "returns 1 both times, but other text on standard error"),
        (
            {"output": "x", "errors": "x"},
            "returns 1 both times, but other output and other text on standard error",
        ),
    ],
)
def test_what_differs_is_named(changed: dict[str, object], words: str) -> None:
    origin = Behaviour(outcome="returns", value="1")
    mutant = origin.model_copy(update=changed)
    witness = Witness(parameters=("n",), arguments=(3,), origin=origin, mutant=mutant)
    assert witness_line(witness) == f"n = 3: {words}"
