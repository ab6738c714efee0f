"""Every line of the table of Python's builtins, put to the running interpreter on many values."""

import builtins
import copy
import random
from itertools import product

import pytest

from equimut.languages.contracts import Contract
from equimut.languages.python.api import CONTRACTS, SUPERTYPES

RANDOM = random.Random(1)
TEXTS = [
    "", "a", "A", "ab", "aba", "  x ", "a,b,,c", "\n", "ß", "İ", "ﬁ", "é", "١٢", "12", "-3", "1.5",
    "x" * 40, "\U0001f600", "nan", "0", "Title Case", " ", "a b c", ",", "aa", "inf",
    *("".join(RANDOM.choices("abß İ,1\n", k=RANDOM.randrange(9))) for _ in range(40)),
]  # fmt: skip
NUMBERS = [0, 1, -1, 2, 7, 97, 255, 1_114_111, 1_114_112, -5, 10**30, *range(30, 60)]
FLOATS = [0.0, -0.0, 1.5, -2.5, 1e300, float("inf"), float("nan")]
VALUES: dict[str, list[object]] = {
    "str": [*TEXTS], "int": [*NUMBERS], "float": [*FLOATS], "bool": [True, False], "None": [None],
    "list": [[], [1], [3, 1, 2], ["b", "a"], [1.5, 2], [True, 2], [1, "a"], [None, 1], ["a"],
             [float("nan"), 1.0, 0.5]],
}  # fmt: skip
RECEIVERS: dict[str, list[object]] = {
    "str": VALUES["str"],
    "list": VALUES["list"],
    "plain list": VALUES["list"],
    "plain dict": [{}, {"a": 1}, {1: 2, "b": None, 2.5: "x"}],
    "plain set": [set(), {1}, {"a", 2, None}, {1.5, True}],
}
TYPES = {"int": int, "str": str, "bool": bool, "float": float, "list": list, "None": type(None)}


def calls(owner: str, contract: Contract) -> list[tuple[object, ...]]:
    """Receivers and arguments of the types that the contract names."""
    arguments = [
        [value for word in kind.split("|") for value in VALUES[word]] for kind in contract.takes
    ]
    receivers = RECEIVERS.get(owner, [None])
    every = list(product(receivers, *arguments))
    return RANDOM.sample(every, 1500) if len(every) > 1500 else every


@pytest.mark.parametrize("key", CONTRACTS, ids=lambda key: " ".join(map(str, key)))
def test_the_interpreter_keeps_the_contract(key: tuple[str, str, int]) -> None:
    owner, name, count = key
    contract = CONTRACTS[key]
    assert len(contract.takes) == count
    returned = 0
    for receiver, *arguments in calls(owner, contract):
        this = copy.copy(receiver)
        names = {f"a{place}": value for place, value in enumerate(arguments)}
        names |= {"this": this, "length": len, "code": ord}
        names["old"] = len(this) if isinstance(this, (str, list, dict, set)) else 0
        throws = bool(contract.throws and eval(contract.throws, {}, dict(names)))
        before = repr((this, arguments))
        try:
            function = getattr(this, name) if owner in RECEIVERS else getattr(builtins, name)
            result = function(*arguments)
        except (ValueError, TypeError, OverflowError, KeyError, IndexError):
            assert not contract.total, (receiver, arguments)
            assert throws or not contract.throws, (receiver, arguments)
            continue
        returned += 1
        assert not throws, (receiver, arguments)
        if contract.result in TYPES:
            assert type(result) is TYPES[contract.result], (receiver, arguments)
        assert contract.changes or repr((this, arguments)) == before
        names["result"] = result
        for text in contract.ensures:
            assert eval(text, {}, dict(names)), (text, receiver, arguments, result)
    assert returned > 1, "the contract has been seen to hold"


def test_exceptions_have_the_classes_of_the_interpreter() -> None:
    assert SUPERTYPES["KeyError"] == ("LookupError", "Exception", "BaseException")
    assert SUPERTYPES["UnboundLocalError"][0] == "NameError"
