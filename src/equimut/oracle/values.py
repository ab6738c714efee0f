"""Single values of a type: small ones in a fixed order, and random ones with structure."""

import itertools
import math
import random
import string
from collections.abc import Callable, Iterable
from typing import Any

from equimut.oracle.signature import ValueType
from equimut.oracle.vocabulary import Vocabulary

PLAIN = "ab"
MIXED = string.ascii_letters + string.digits + " .,-+_()[]{}/*\t\n"
ODD = "éßÀ½Ω \u00a0"
FLOATS = (
    0.0, 1.0, -1.0, 0.5, 2.0, -0.0, math.nan, math.inf, -math.inf, -0.5, 3.0, 1.5, 10.0, 0.1,
    1e-9, 1e9, 5e-324, 1.7976931348623157e308, -1.7976931348623157e308, 100.0, -2.5, 1e-3,
)  # fmt: skip
LENGTHS = (0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9, 10, 13, 16)


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
    return distinct([*values[:1], *([None] if type_.nullable else []), *values[1:]])[:limit]


def single(value: float) -> float:
    """The nearest single-precision number."""
    import struct

    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


class Drawer:
    """Random values of one profile: one input mixes values of a similar size."""

    def __init__(self, rng: random.Random, words: Vocabulary) -> None:
        self.rng = rng
        self.words = words
        self.profile = "small"
        self.letters = PLAIN

    def turn(self) -> None:
        """Choose the profile of the next input."""
        self.profile = self.rng.choices(
            ("tiny", "small", "digits", "medium", "literal", "boundary", "wide"),
            (20, 28, 12, 14, 16, 5, 5),
        )[0]
        near = self.words.characters or PLAIN
        self.letters = self.rng.choice((PLAIN, near, near + PLAIN, near + PLAIN + " ", MIXED, near))
        if self.rng.random() < 0.03:
            self.letters += ODD

    def integer(self, type_: ValueType) -> int:
        """One integer within the type's range."""
        rng, profile = self.rng, self.profile
        if rng.random() < 0.12:
            profile = rng.choice(("tiny", "medium", "literal", "boundary"))
        known = self.words.integers or (2, 10)
        ranges: dict[str, Callable[[], int]] = {
            "tiny": lambda: rng.randint(-2, 3),
            "small": lambda: rng.randint(-10, 12),
            "digits": lambda: rng.randint(0, 9),
            "medium": lambda: rng.randint(-120, 1200),
            "literal": lambda: (
                rng.choice(known) * rng.choice((1, 1, 1, 1, 2, 3, 5, -1))
                + rng.choice((0, 0, 0, 1, -1, 2))
            ),
            "boundary": lambda: (
                rng.choice((type_.low, type_.high, 0, -1, 1)) + rng.choice((0, 0, 1, -1))
            ),
            "wide": lambda: rng.randint(type_.low, type_.high) >> rng.randint(0, 8 * type_.size),
        }
        value = ranges[profile]()
        if type_.unbounded:
            return value
        span = type_.high - type_.low + 1
        return value if type_.low <= value <= type_.high else (value - type_.low) % span + type_.low

    def real(self, type_: ValueType) -> float:
        """One floating-point number."""
        rng = self.rng
        value = rng.choice(
            (
                lambda: float(rng.randint(-10, 10)),
                lambda: rng.randint(-40, 40) / 4,
                lambda: rng.uniform(-10, 10),
                lambda: (
                    rng.choice((*self.words.floats, *map(float, self.words.integers), 1.0))
                    * rng.choice((1, 1, 2, -1))
                    + rng.choice((0, 0, 0, 1e-9, -1e-9, 0.5))
                ),
                lambda: rng.uniform(-1, 1) * 10 ** rng.randint(-12, 12),
                lambda: rng.choice(FLOATS) if rng.random() < 0.4 else rng.random(),
            )
        )()
        return single(value) if type_.size == 4 else value

    def value(self, type_: ValueType) -> Any:
        """One value of any type."""
        rng = self.rng
        if type_.nullable and rng.random() < 0.03:
            return None
        match type_.kind:
            case "int":
                return self.integer(type_)
            case "float":
                return self.real(type_)
            case "bool":
                return rng.random() < 0.5
            case "char":
                return self.character(type_)
            case "string":
                return self.text()
            case "tuple":
                return tuple(self.value(item) for item in type_.items)
            case "dict":
                keys = [self.text()[:3] or "a" for _ in range(rng.randint(0, 5))]
                return {key: self.value(type_.items[1]) for key in keys}
        return self.sequence(type_)

    def character(self, type_: ValueType) -> int:
        """One character code."""
        if self.rng.random() < 0.03:
            code = self.rng.randint(type_.low, type_.high)
            return code if not 0xD800 <= code <= 0xDFFF else type_.high
        return min(ord(self.rng.choice(self.letters)), type_.high)

    def text(self) -> str:
        """A string: random, a palindrome, repeated, or words of the source joined."""
        rng = self.rng
        text = "".join(rng.choices(self.letters, k=rng.choice(LENGTHS)))
        style = rng.random()
        if style < 0.12:
            return text + text[::-1][rng.randint(0, 1) :]
        if style < 0.2:
            return text[:3] * rng.randint(1, 4)
        if style < 0.32:
            return str(self.integer(ValueType("int", -(1 << 31), (1 << 31) - 1, 4)))
        if style < 0.45 and self.words.strings:
            return text[:3] + rng.choice(self.words.strings) + text[3:5]
        if style < 0.5:
            return " ".join(
                "".join(rng.choices(string.ascii_letters, k=3)) for _ in range(rng.randint(1, 4))
            )
        if style < 0.58:
            return "".join(sorted(text))
        return text

    def sequence(self, type_: ValueType) -> list[Any]:
        """An array; of arrays: mostly rectangular, often square."""
        rng, item = self.rng, type_.item
        length = rng.choice(LENGTHS) if type_.length is None else type_.length
        if item.kind == "array":
            rows = length if item.length is not None else min(length, 5)
            width = rows if rng.random() < 0.5 else rng.randint(0, 5)
            table = [self.sequence(item) for _ in range(rows)]
            if item.length is None and rng.random() < 0.9:
                table = [self._fitted(item.item, row, width) for row in table]
            return table
        values = [self.value(item) for _ in range(length)]
        if length > 1 and item.kind in ("int", "float", "char", "string"):
            return self._shaped(item, values)
        return values

    def _fitted(self, item: ValueType, row: list[Any], width: int) -> list[Any]:
        return [*row[:width], *(self.value(item) for _ in range(width - len(row)))]

    def _shaped(self, item: ValueType, values: list[Any]) -> list[Any]:
        """The structures that searches, sorts and scans care about."""
        rng, length = self.rng, len(values)
        present = [value for value in values if value is not None]
        if len(present) < length:
            return values
        style = rng.randrange(14)
        if style < 3:
            return sorted(values)
        if style == 3:
            fill = self.value
            return (sorted(distinct(values)) + sorted(fill(item) for _ in range(length)))[:length]
        if style == 4:
            return sorted(values, reverse=True)
        if style == 5:
            return rng.choices(values[:2], k=length)
        if style == 6:
            return (values[: (length + 1) // 2] + values[: length // 2][::-1])[:length]
        if style == 7 and item.kind == "int" and item.high > length:
            return rng.sample(range(length), length)
        if style == 8:
            half = length // 2
            return sorted(values[:half]) + sorted(values[half:], reverse=True)
        return values
