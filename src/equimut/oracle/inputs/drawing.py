"""Random values with structure: sorted, repeated, palindromes, near the literals of a source."""

import random
import string
from typing import Any

from equimut.oracle.inputs.values import FLOATS, PLAIN, distinct, in_range, single, turning_points
from equimut.oracle.inputs.vocabulary import Vocabulary
from equimut.oracle.signature import ValueType

MIXED = string.ascii_letters + string.digits + " .,-+_()[]{}/*\t\n"
ODD = "éßÀ½Ω \u00a0"
FLAGS = ((0, 1), (0, 1, 1, 2), (0, 0, 1))
LENGTHS = (0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9, 10, 13, 16)


class Drawer:
    """Random values of one profile: one input mixes values of a similar size."""

    def __init__(self, rng: random.Random, words: Vocabulary) -> None:
        self.rng = rng
        self.words = words
        self.profile = "small"
        self.letters = PLAIN
        self.codes: tuple[int, ...] = ()
        self.stretch = 0.0
        """Share of inputs from all over the range; raised when the small ones run out."""

    def turn(self) -> None:
        """Choose the profile of the next input."""
        self.profile = (
            "wide"
            if self.rng.random() < self.stretch
            else self.rng.choices(
                ("tiny", "small", "digits", "medium", "literal", "boundary", "wide"),
                (20, 28, 12, 14, 16, 5, 5),
            )[0]
        )
        near = self.words.characters or PLAIN
        self.letters = self.rng.choice((PLAIN, near, near + PLAIN, near + PLAIN + " ", MIXED, near))
        if self.rng.random() < 0.03:
            self.letters += ODD
        self.codes = self.rng.choice(FLAGS) if self.rng.random() < 0.3 else ()

    def integer(self, type_: ValueType) -> int:
        """One integer within the type's range."""
        rng, profile = self.rng, self.profile
        if rng.random() < 0.18:
            profile = rng.choice(("tiny", "medium", "literal", "boundary"))
        return int(in_range(type_, self._of_profile(type_, profile)))

    def _of_profile(self, type_: ValueType, profile: str) -> int:
        rng = self.rng
        match profile:
            case "tiny":
                return rng.randint(-2, 3)
            case "small":
                return rng.randint(-10, 12)
            case "digits":
                return rng.randint(0, 9)
            case "medium":
                return rng.randint(-120, 1200)
            case "literal":
                known = rng.choice(self.words.integers or (2, 10))
                return known * rng.choice((1, 1, 1, 1, 2, 3, 5, -1)) + rng.choice(
                    (0, 0, 0, 1, -1, 2)
                )
            case "boundary" if rng.random() < 0.4:  # one bit, or one run of bits
                return (1 << rng.randrange(8 * type_.size)) + rng.choice((0, 0, 1, -1))
            case "boundary":
                return rng.choice(turning_points(type_)) + rng.choice((0, 0, 1, -1))
        return rng.randint(type_.low, type_.high) >> rng.randint(0, 8 * type_.size)

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
        if self.codes:  # characters used as small numbers or flags
            return self.rng.choice(self.codes)
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
            return self._numeral()
        if style < 0.45 and self.words.strings:
            return text[:3] + rng.choice(self.words.strings) + text[3:5]
        if style < 0.56:
            return self._groups()
        if style < 0.6:
            return " ".join(
                "".join(rng.choices(string.ascii_letters, k=3)) for _ in range(rng.randint(1, 4))
            )
        if style < 0.66:
            return "".join(sorted(text))
        return text

    def _groups(self) -> str:
        """Numbers or words between separators: versions, dates, addresses, fields."""
        rng = self.rng
        marks = [c for c in self.words.characters if not c.isalnum()] or list(".:-, ")
        separator = rng.choice(marks)
        highest = rng.choice((9, 31, 99, 255, 2100))
        known = [value for value in self.words.integers if 1 < value <= 9999] or [10]
        parts = []
        for _ in range(rng.choice((1, 2, 2, 3, 3, 4, 4, 4, 5))):
            kind = rng.random()
            value = rng.choice(known) + rng.choice((0, 0, 0, 1, -1))
            value = value if kind < 0.25 else rng.randint(0, highest)
            word = "".join(rng.choices(self.letters, k=rng.randint(0, 3)))
            parts.append(word if kind > 0.9 else f"{value:02d}" if kind > 0.75 else str(value))
        return separator.join(parts)

    def _numeral(self) -> str:
        """A number in digits: signed, padded, near the limits of int and long, or broken."""
        rng = self.rng
        bits = rng.choice((32, 32, 32, 64))
        type_ = ValueType("int", -(1 << (bits - 1)), (1 << (bits - 1)) - 1, bits // 8)
        if rng.random() < 0.25:
            number = rng.choice(turning_points(type_)) + rng.randint(-1, 1)
        else:
            number = self.integer(type_)
        text = f"{rng.choice(('', '', '', '+', ' ', '0', '-'))}{number}"
        return text + rng.choice(("", "", "", "", " ", ".5", rng.choice(self.letters)))

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
                if width == rows and rng.random() < 0.2:  # symmetric
                    table = [
                        [table[min(i, j)][max(i, j)] for j in range(rows)] for i in range(rows)
                    ]
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
            once = sorted(distinct(values))
            return once + [once[-1]] * (length - len(once))
        if style == 4:
            return sorted(values, reverse=True)
        if style == 5:
            return rng.choices(values[: rng.choice((1, 2, 2, 3))], k=length)
        if style == 6:
            return (values[: (length + 1) // 2] + values[: length // 2][::-1])[:length]
        if style == 7 and item.kind == "int" and item.high > length:
            return rng.sample(range(length), length)
        if style == 9 and item.kind == "int" and item.low <= 0:
            return rng.choices(rng.choice(FLAGS), k=length)
        if style == 8:
            half = length // 2
            return sorted(values[:half]) + sorted(values[half:], reverse=True)
        return values
