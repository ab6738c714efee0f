"""What a function takes: types as data, the same for every language."""

from dataclasses import dataclass
from typing import Literal

KindName = Literal["int", "float", "bool", "char", "string", "array", "tuple", "dict"]


@dataclass(frozen=True)
class ValueType:
    """The type of one argument, as the input generator sees it."""

    kind: KindName
    low: int = 0
    """Least value of an `int` (or `char`)."""
    high: int = 0
    """Greatest value of an `int` (or `char`)."""
    size: int = 8
    """Bytes of a scalar, for C; 4 means single precision for `float`."""
    items: tuple["ValueType", ...] = ()
    """Element types: one for arrays, one per place for tuples, key and value for dicts."""
    nullable: bool = False
    length: int | None = None
    """A constant length, for arrays."""
    unbounded: bool = False
    """An `int` without limits (Python); low and high are then only usual bounds."""

    @property
    def item(self) -> "ValueType":
        """The element type of an array."""
        return self.items[0]


@dataclass(frozen=True)
class Parameter:
    """One parameter; `lengths` names the parameters whose product is its array length (C)."""

    name: str
    type: ValueType
    lengths: tuple[int, ...] = ()
    keyword: bool = False
    """Passed by name (Python's keyword-only parameters)."""


@dataclass(frozen=True)
class Signature:
    """The function under test."""

    name: str
    parameters: tuple[Parameter, ...]
    result: str = ""
    """The result type as written, for the languages that need it to call the function."""


def integer(bits: int, signed: bool = True) -> ValueType:
    """A two's complement integer type."""
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    return ValueType("int", low, high, bits // 8)


def array(item: ValueType, nullable: bool = False, length: int | None = None) -> ValueType:
    """A sequence of values of one type."""
    return ValueType("array", items=(item,), nullable=nullable, length=length)
