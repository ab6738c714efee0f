"""One run of a lowered function: its state, what it did, and the ways in which it can end."""

import math
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from equimut.languages.concrete import Array, Builder, Stuck, Value
from equimut.languages.lowered import Type

_DEPTH = 12
_MOST_BITS = 1 << 14


class Undefined(Exception):
    """What happens is undefined."""


class Unset:
    """What a variable holds that nobody has set."""


UNSET = Unset()


@dataclass(slots=True, eq=False)
class Instance:
    """An object of which nothing is known but its fields."""

    path: str
    fields: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Token:
    """A value of which nothing is known but where it comes from."""

    key: str


@dataclass(slots=True, eq=False)
class Error:
    """An exception object."""

    kind: str


@dataclass(slots=True)
class Block:
    """Bytes in memory that belong together."""

    start: int
    data: bytearray


@dataclass(slots=True)
class Run:
    """What one execution has so far."""

    locals: dict[str, Value]
    fuel: int
    events: list[object] = field(default_factory=list)
    blocks: dict[int, Block] = field(default_factory=dict)
    """By their numbers, which do not depend on who asks first."""
    places: dict[str, int] = field(default_factory=dict)
    seed: int = 0
    drawn: int = 0
    """Values that were made up on the way: of fields, and of calls that nobody looks into."""

    def tick(self) -> None:
        """One step of a loop or call."""
        self.fuel -= 1
        if self.fuel < 0:
            raise Endless


class Endless(Exception):
    """More steps than a run is given."""


Code: TypeAlias = Callable[[Run], Value]
"""An expression: its value. A statement: None, or (how, label, value) where it leaves."""


def seen(value: Value, depth: int = _DEPTH) -> object:
    """A value as somebody outside sees it: equal for values that cannot be told apart."""
    if value is None or isinstance(value, bool | str):
        return (type(value).__name__, value)
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return ("float", "nan" if math.isnan(value) else struct.pack("<d", value))
    if depth == 0:
        raise Stuck
    if isinstance(value, Array):
        return ("array", *(seen(each, depth - 1) for each in value.items))
    if isinstance(value, list | tuple):
        return (type(value).__name__, *(seen(each, depth - 1) for each in value))
    if isinstance(value, dict):
        return ("dict", *((seen(k), seen(v, depth - 1)) for k, v in value.items()))
    if isinstance(value, set):
        return ("set", frozenset(seen(each) for each in value))
    if isinstance(value, Builder):
        return ("builder", value.text)
    if isinstance(value, Error):
        return ("error", value.kind)
    if isinstance(value, Instance):
        return ("object", value.path)
    if isinstance(value, Token):
        return ("token", value.key)
    raise Stuck


def fitting(type_: Type) -> Callable[[int], int]:
    """Cuts a whole number to the width of a type."""
    mask = (1 << type_.bits) - 1
    if not type_.signed:
        return lambda value: value & mask
    half = 1 << (type_.bits - 1)
    return lambda value: ((value + half) & mask) - half


def small_enough(value: int) -> int:
    """A whole number that is not too long to compute with."""
    if value.bit_length() > _MOST_BITS:
        raise Stuck
    return value
