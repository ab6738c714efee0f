"""Inputs: many, distinct, the same on every run, and such that branches are reached."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equimut.oracle.inputs.literals import from_json, to_json
from equimut.oracle.inputs.sampling import InputMaker
from equimut.oracle.inputs.vocabulary import vocabulary_of
from equimut.oracle.signature import Parameter, Signature, ValueType, array, integer

INT = integer(32)
STRING = ValueType("string", nullable=True)
CHAR = ValueType("char", 0, 0xFFFF, 2)


def maker(*types: ValueType, source: str = "f", seed: int = 0) -> InputMaker:
    parameters = tuple(Parameter(f"p{i}", type_) for i, type_ in enumerate(types))
    return InputMaker(Signature("f", parameters), source, seed)


def fits(type_: ValueType, value: object) -> bool:
    """An independent reading of what a type holds."""
    if value is None:
        return type_.nullable
    if type_.kind in ("int", "char"):
        return isinstance(value, int) and (type_.unbounded or type_.low <= value <= type_.high)
    if type_.kind == "array":
        assert isinstance(value, list)
        exact = type_.length is None or len(value) == type_.length
        return exact and all(fits(type_.item, item) for item in value)
    if type_.kind == "tuple":
        assert isinstance(value, tuple)
        return all(map(fits, type_.items, value))
    python = {"float": float, "bool": bool, "string": str, "dict": dict}
    return type(value) is python[type_.kind]


SIGNATURES = [
    (INT,),
    (INT, INT, INT),
    (array(INT, nullable=True), INT),
    (STRING, STRING),
    (STRING, CHAR, integer(64)),
    (array(array(INT)),),
    (array(integer(8, signed=False)), integer(64, signed=False)),
    (ValueType("float"), ValueType("float", size=4)),
    (array(ValueType("float")), ValueType("float")),
    (array(STRING), STRING),
    (ValueType("dict", items=(STRING, INT)), STRING),
    (ValueType("tuple", items=(INT, STRING)), INT),
    (integer(8, signed=False), INT),
    (array(INT, length=4), INT),
    (integer(64, signed=False), integer(16)),
]


@pytest.mark.parametrize("types", SIGNATURES, ids=str)
def test_five_thousand_distinct_inputs_that_fit_their_types(types: tuple[ValueType, ...]) -> None:
    rows = maker(*types).batch(5_000, first=True)
    assert len(rows) >= 5_000
    assert len({repr(row) for row in rows}) == len(rows)
    assert all(fits(type_, value) for row in rows for type_, value in zip(types, row, strict=True))


def test_inputs_depend_on_the_origin_and_the_seed_only() -> None:
    first, again = (maker(INT, STRING).batch(500, first=True) for _ in range(2))
    assert repr(first) == repr(again)
    assert repr(first) != repr(maker(INT, STRING, seed=1).batch(500, first=True))
    assert repr(first) != repr(maker(INT, STRING, source="g").batch(500, first=True))


def test_boundaries_are_always_there() -> None:
    values = {row[0] for row in maker(INT).batch(1_000, first=True)}
    assert {-(2**31), 2**31 - 1, -1, 0, 1} <= values
    arrays = [row[0] for row in maker(array(INT, nullable=True), INT).batch(1_000, first=True)]
    assert None in arrays
    assert [] in arrays
    floats = [row[0] for row in maker(ValueType("float")).batch(500, first=True)]
    assert any(map(math.isnan, floats))
    assert {math.inf, -math.inf, 0.0} <= set(floats)
    assert any(value == 0 and math.copysign(1, value) < 0 for value in floats)


def test_literals_of_the_source_and_their_neighbours_are_tried() -> None:
    source = "if (year % 400 == 0 || c == '#') return \"leap\"; x = 0x1F + 2.5;"
    words = vocabulary_of(source)
    assert {400, 31, 0} <= set(words.integers)
    assert words.floats == (2.5,)
    assert "#" in words.characters
    assert "leap" in words.strings
    values = {row[0] for row in maker(INT, source=source).batch(500, first=True)}
    assert {399, 400, 401, -400, 800} <= values
    texts = {row[0] for row in maker(STRING, source=source).batch(500, first=True)}
    assert "leap" in texts
    assert any("#" in text for text in texts if text)


def test_a_search_hits_often_and_sorted_arrays_are_common() -> None:
    rows = maker(array(INT), INT).batch(5_000, first=True)
    hits = sum(x in a for a, x in rows)
    ordered = sum(len(a) > 2 and a == sorted(a) for a, _ in rows)
    duplicates = sum(len(set(a)) < len(a) for a, _ in rows)
    palindromes = sum(len(a) > 2 and a == a[::-1] for a, _ in rows)
    assert hits > 800
    assert ordered > 500
    assert duplicates > 500
    assert palindromes > 100


def test_a_small_domain_is_tried_as_a_whole() -> None:
    whole = maker(ValueType("bool"), integer(8)).whole_domain(65_536)
    assert whole is not None
    assert sorted(whole) == [(p, n) for p in (False, True) for n in range(-128, 128)]
    assert maker(INT).whole_domain(65_536) is None
    assert maker().whole_domain(65_536) == [()]


def test_c_lengths_never_exceed_their_arrays() -> None:
    item = array(INT, nullable=True)
    parameters = (
        Parameter("a", item, (2,)), Parameter("b", item, (2,)), Parameter("n", INT),
        Parameter("m", array(INT), (4, 5)), Parameter("rows", INT), Parameter("cols", INT),
    )  # fmt: skip
    rows = InputMaker(Signature("f", parameters), "f", 0).batch(3_000, first=True)
    for a, b, n, m, high, wide in rows:
        lengths = {len(one) for one in (a, b) if one is not None}
        assert len(lengths) <= 1
        assert not lengths or n <= lengths.pop()
        assert len(m) == high * wide
    exact = sum(a is not None and len(a) == n for a, _, n, *_ in rows)
    assert len(rows) * 0.8 < exact < len(rows)


@given(st.sampled_from(SIGNATURES), st.integers(0, 100))
def test_arguments_survive_json(types: tuple[ValueType, ...], seed: int) -> None:
    for row in maker(*types, seed=seed).batch(20, first=False):
        for type_, value in zip(types, row, strict=True):
            text = json.dumps(to_json(type_, value), allow_nan=False)
            assert repr(from_json(type_, json.loads(text))) == repr(value)


def test_json_that_does_not_fit_is_refused() -> None:
    for type_, value in [
        (INT, "1"), (INT, True), (INT, 2**31), (INT, None), (array(INT), 3),
        (ValueType("bool"), 1), (ValueType("float"), "x"), (STRING, 5),
    ]:  # fmt: skip
        with pytest.raises(ValueError, match=r"."):
            from_json(type_, value)
