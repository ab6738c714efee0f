"""The values of a type, in a fixed order: all of them, or the small and telling ones first."""

import itertools
import math
from collections.abc import Iterable
from typing import Any

from equimut.oracle.inputs.vocabulary import Vocabulary
from equimut.oracle.signature import ValueType

PLAIN = "ab"
FLOATS = (
    0.0, 1.0, -1.0, 0.5, 2.0, -0.0, math.nan, math.inf, -math.inf, -0.5, 3.0, 1.5, 10.0, 0.1,
    1e-9, 1e9, 5e-324, 1.7976931348623157e308, -1.7976931348623157e308, 100.0, -2.5, 1e-3,
)  # fmt: skip
ROOM_FOR_NULL = 8


def distinct(values: Iterable[Any]) -> list[Any]:
    """The values without repetition, told apart by their text (1 is not True, NaN is NaN)."""
    return list({repr(value): value for value in values}.values())


def domain_size(type_: ValueType) -> float:
    """How many values a type has; infinite for what has no natural end."""
    sizes = {"bool": 2.0, "int": math.inf, "char": math.inf}
    size = sizes.get(type_.kind, math.inf)
    if type_.kind in ("int", "char") and not type_.unbounded:
        size = type_.high - type_.low + 1
    elif type_.kind == "tuple":
        size = math.prod(domain_size(item) for item in type_.items)
    elif type_.kind == "array" and type_.length is not None:
        size = domain_size(type_.item) ** type_.length
    return size + type_.nullable


def all_values(type_: ValueType) -> list[Any]:
    """Every value of a type with a finite domain."""
    values: Iterable[Any] = (False, True)
    if type_.kind in ("int", "char"):
        values = range(type_.low, type_.high + 1)
    elif type_.kind == "tuple":
        values = itertools.product(*(all_values(item) for item in type_.items))
    elif type_.kind == "array":
        values = map(list, itertools.product(all_values(type_.item), repeat=type_.length or 0))
    return [*([None] if type_.nullable else []), *values]


def _near(integers: Iterable[int]) -> list[int]:
    return [value for v in integers for value in (v, v + 1, v - 1, -v)]


def turning_points(type_: ValueType) -> tuple[int, ...]:
    """Where sums, products and shifts of a type begin to overflow."""
    low, high = type_.low, type_.high
    power = 1 << (4 * type_.size - 1)
    return (low, high, 0, low, high, high // 2, low // 2, high // 10, math.isqrt(high), power)


def in_range(type_: ValueType, value: Any) -> Any:
    """A number as a variable of its type holds it."""
    if type_.kind == "float":
        return single(value) if type_.size == 4 else value
    if type_.kind not in ("int", "char") or type_.unbounded:
        return value
    if type_.low <= value <= type_.high:
        return value
    return (value - type_.low) % (type_.high - type_.low + 1) + type_.low


def _clip(type_: ValueType, values: Iterable[int]) -> list[int]:
    if type_.unbounded:
        return list(values)
    return [value for value in values if type_.low <= value <= type_.high]


def _small_sequences(items: list[Any], longest: int, limit: int) -> list[list[Any]]:
    """All sequences over a few items, shortest first, as long as they stay under the limit."""
    found: list[list[Any]] = []
    for length in range(longest + 1):
        alphabet = items[: 4 if length < 4 else 2]
        if found and len(found) + len(alphabet) ** length > limit:
            break
        found += map(list, itertools.product(alphabet, repeat=length))
    return found


def small_values(type_: ValueType, words: Vocabulary, limit: int) -> list[Any]:
    """The first values to try, simplest first, at most `limit` of them."""
    values: list[Any] = [False, True]
    match type_.kind:
        case "int":
            start = [0, 1, -1, 2, type_.high, type_.low, 3, -2, *_near(words.integers)]
            start += [type_.high - 1, type_.low + 1]
            more = (value for n in range(4, limit + 4) for value in (n, 1 - n))
            values = _clip(type_, [*start, *more])
        case "float":
            near = [float(value) for value in _near(words.integers)]
            near += [sign * value for value in words.floats for sign in (1, -1)]
            values = [*FLOATS, *near, *(n / 4 for n in range(-limit // 2, limit // 2))]
            if type_.size == 4:
                values = [single(value) for value in values]
        case "char":
            codes = [ord(c) for c in f"a{words.characters}bzA 0Z9\n.-"]
            values = _clip(type_, [*codes, type_.low, type_.high, *range(32, 127)])
        case "string":
            letters = list(dict.fromkeys(f"{words.characters[:3]}{PLAIN} "))
            shorts = ["".join(text) for text in _small_sequences(letters, 6, limit)]
            values = [*shorts[:6], *words.strings, *shorts[6:]]
        case "array":
            items = small_values(type_.item, words, 8)
            if type_.length is not None:
                values = list(map(list, itertools.product(items[:3], repeat=min(type_.length, 4))))
                values = [(value * type_.length)[: type_.length] for value in values if value]
            else:
                values = _small_sequences(items, 6, limit)
        case "tuple":
            parts = [small_values(item, words, 6) for item in type_.items]
            values = list(itertools.islice(itertools.product(*parts), limit))
        case "dict":
            keys, counts = "abc", small_values(type_.items[1], words, 4)
            rows = itertools.product([None, *counts], repeat=len(keys))
            values = [
                {key: n for key, n in zip(keys, row, strict=True) if n is not None} for row in rows
            ]
    # Null early, but not where it would be a large part of a few values.
    roomy = limit >= ROOM_FOR_NULL and type_.length is None
    null = [None] if type_.nullable and roomy else []
    return distinct([*values[:1], *null, *values[1:]])[:limit]


def single(value: float) -> float:
    """The nearest single-precision number."""
    import struct

    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)
