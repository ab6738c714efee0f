"""Every line of the table of Python's builtins, put to the running interpreter on many values."""

import builtins
import copy
import math
import random
from itertools import product

import pytest

from equimut.languages.contracts import Contract
from equimut.languages.python.api import (
    CLASSES,
    CONTRACTS,
    KEYWORDS,
    LAST,
    LEAST,
    MODELLED,
    RESULTS,
    SUPERTYPES,
)

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


SPOKEN: dict[str, list[tuple[object, ...]]] = {
    "enumerate": [([3, 1],), ("ab",), (5,)],
    "sum": [([],), ([1, 2.5],), (["a"],), (5,)],
    "round": [(1.5,), (2,), (True,), ("a",)],
    "pow": [(2, 3), (2.5, -1), ("a", 1)],
    "open": [(__file__,), ("/no/such/file",)],
    "zip": [([1, 2], "a"), ([], []), (5,)],
    "sorted": [([3, 1, 2],), ([],), ([1, "a"],), (5,)],
    "min": [([3, 1],), ([],), (2, 1), (5,)],
    "max": [([3, 1],), ([],), (2, 1), (5,)],
    "print": [(), ("a",), ("a", 1)],
}
"""Arguments for the calls from which an argument is taken that says nothing."""


def seen_of_call(capsys: pytest.CaptureFixture[str], name: str, *args: object, **kw: object) -> str:
    """All that shows of a call, whatever it gives."""
    try:
        found = getattr(builtins, name)(*args, **kw)
    except Exception as error:  # noqa: BLE001 - whatever it raises is what is seen
        return f"{type(error)} {capsys.readouterr().out}"
    if name == "open":
        with found:
            told = (found.mode, found.encoding, found.errors, found.newlines, found.line_buffering)
            return repr((told, found.read()))
    kind = list(found) if name in ("enumerate", "zip") else found
    return repr((type(found), kind, capsys.readouterr().out))


@pytest.mark.parametrize("key", KEYWORDS, ids=lambda key: " ".join(map(str, key)))
def test_a_keyword_that_says_nothing(
    key: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    name, keyword = key
    for value, args in product(KEYWORDS[key], SPOKEN[name]):
        with_it = seen_of_call(capsys, name, *args, **{keyword: value})
        assert with_it == seen_of_call(capsys, name, *args), (args, value)


@pytest.mark.parametrize("key", LAST, ids=lambda key: " ".join(map(str, key)))
def test_a_last_argument_that_says_nothing(
    key: tuple[str, int], capsys: pytest.CaptureFixture[str]
) -> None:
    name, count = key
    for value, args in product(LAST[key], SPOKEN[name]):
        assert len(args) == count - 1
        assert seen_of_call(capsys, name, *args, value) == seen_of_call(capsys, name, *args)


def test_a_range_from_0_is_a_range() -> None:
    for first, stop in product((0,), (0, 1, 5, -3, 10**30, True)):
        assert repr(range(first, stop)) == repr(range(stop))
        assert range(first, stop) == range(stop)


@pytest.mark.parametrize("name", sorted(MODELLED))
def test_functions_of_math_are_what_the_prover_computes(name: str) -> None:
    exact = {
        "math.isnan": lambda x: x != x,
        "math.isinf": lambda x: x in (math.inf, -math.inf),
        "math.isfinite": lambda x: x == x and abs(x) != math.inf,
    }
    for value in [*FLOATS, *NUMBERS, True, -math.inf, 5e-324]:
        assert getattr(math, name.removeprefix("math."))(value) == exact[name](value)
    with pytest.raises(OverflowError):
        getattr(math, name.removeprefix("math."))(10**400)


class Text(str):
    """A subclass, as all of these."""


class Whole(int):
    pass


class Several(list):
    pass


class Pair(tuple):
    pass


class Table(dict):
    pass


class Odd:
    """Answers what it should not quite answer."""

    def __int__(self) -> int:
        return Whole(3)

    def __float__(self) -> float:
        return type("Part", (float,), {})(0.5)

    def __hash__(self) -> int:
        return Whole(7)

    def __index__(self) -> int:
        return Whole(2)

    def __format__(self, how: str) -> str:
        return Text("odd")

    def __contains__(self, item: object) -> Whole:
        return Whole(5)


STRANGE: list[object] = [
    Text("ab"), Text(""), Whole(1), Several([Text("a"), "b"]), Pair(("a",)), Table(a=1), Odd(),
    "a", "ab", "", "12", "a{}b", "{a}", 1, 0, -1, 2.5, True, None, b"a", bytearray(b"1"), [], ["a"],
    [Text("a")], (Text("a"),), ("a", "b"), {"a": 1}, {"a"}, {97: "x"}, range(3), int, [1, 2],
]  # fmt: skip
KINDS = {**TYPES, "tuple": tuple, "dict": dict, "set": set}
OWNERS: dict[str, list[object]] = {
    "text": ["<{}", "{}>", "{} {}", "{{{}", "a"],
    "str": ["", "a", "ab", "a,b", "{} {}", "{a}", "1"], "list": [[], [1], ["a", "b", "a"]],
    "tuple": [(), (1,), ("a", "b")], "dict": [{}, {"a": 1}], "set": [set(), {"a"}],
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", RESULTS)
def test_an_answer_is_of_exactly_this_class_whatever_the_arguments(name: str) -> None:
    owner, _, method = name.rpartition(".")
    answered = 0
    receivers = OWNERS[owner] if owner else [None]
    tuples = [(), *((each,) for each in STRANGE), *product(STRANGE, STRANGE)]
    for receiver, arguments in product(receivers, tuples):
        function = getattr(copy.copy(receiver), method) if owner else getattr(builtins, name)
        try:
            result = function(*copy.deepcopy(arguments))
        except Exception:  # noqa: BLE001 - whatever it raises is no answer
            continue
        answered += 1
        assert type(result) is KINDS[RESULTS[name]], (receiver, arguments, result)
        if name in LEAST:
            assert result >= LEAST[name], (receiver, arguments, result)
    assert answered, "it has answered"


def test_only_what_answers_a_number_has_a_least_one() -> None:
    assert all(RESULTS[name] == "int" for name in LEAST)


def test_in_answers_true_or_false() -> None:
    assert (1 in Odd()) is True  # type: ignore[operator]
    assert (1 not in Odd()) is False  # type: ignore[operator]


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_no_code_of_a_builtin_class_runs_when_isinstance_is_asked(name: str) -> None:
    assert type(getattr(builtins, name)) is type
    assert "__instancecheck__" not in vars(getattr(builtins, name))
