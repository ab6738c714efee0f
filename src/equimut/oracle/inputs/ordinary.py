"""Which inputs nobody would call extreme: no null, no NaN, nothing near the ends of a type."""

import math
from typing import Any

from equimut.oracle.signature import ValueType

LARGEST_INTEGER = 10_000
"""Products of two of these, and sums of thousands, stay within 32 bits."""
LARGEST_REAL = 1e9
SMALLEST_REAL = 1e-6


def is_ordinary(type_: ValueType, value: Any) -> bool:
    """Whether a value is one that a plain test would use."""
    if value is None:
        return False
    match type_.kind:
        case "int":
            return abs(int(value)) <= LARGEST_INTEGER
        case "float":
            size = abs(value)
            zero = size == 0 and math.copysign(1, value) > 0
            return zero or SMALLEST_REAL <= size <= LARGEST_REAL  # NaN is neither
        case "char":
            return _is_plain(value)
        case "string":
            return all(_is_plain(ord(character)) for character in value)
        case "array":
            return all(is_ordinary(type_.item, item) for item in value)
        case "tuple":
            pairs = zip(type_.items, value, strict=True)
            return all(is_ordinary(item, part) for item, part in pairs)
        case "dict":
            return all(is_ordinary(type_.items[1], item) for item in value.values())
    return True


def _is_plain(code: int) -> bool:
    """A printable ASCII character, a tab or a line end."""
    return 32 <= code < 127 or code in (9, 10)
