"""How a language counts: what the rules about signs, counters and conversions ask."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class Numbers:
    """The whole numbers of one language."""

    overflow: Literal["wraps", "undefined", "none"]
    """What a number that grows beyond its type does; `none`: numbers have no end."""
    remainder_sign: Literal["dividend", "divisor"]
    """Which operand the sign of `a % b` follows."""
    true_division: bool = False
    """`/` of two whole numbers gives a fraction."""
    float_remainder: bool = True
    """`%` takes fractions."""
    silent_conversions: bool = False
    """Numbers change their type unasked: signed to unsigned in an expression, wide to narrow in
    an assignment."""
    unsigned: frozenset[str] = frozenset()
    """Types that are never negative."""
    wide_signed: Mapping[str, int] = field(default_factory=dict)
    """Signed types that are not widened in an expression -> their bits."""
    counters: frozenset[str] = frozenset()
    """Types that are not widened in an expression: counted up to a bound, they do not wrap."""
    always_incremented: frozenset[str] = frozenset()
    """Types whose increment is defined for every value."""
    never_empty: frozenset[str] = frozenset()
    """Types of numbers that are no box; empty where there are no boxes."""
    absolute_keeps: frozenset[str] = frozenset()
    """Types that the absolute value keeps; empty where it keeps all."""
