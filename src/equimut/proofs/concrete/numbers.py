"""Operators and conversions on concrete numbers, exactly as the typed languages define them."""

import math
import operator
import struct
from collections.abc import Callable
from functools import lru_cache

from equimut.languages.concrete import Stuck, Thrown, Value
from equimut.languages.lowered import Type
from equimut.proofs.concrete.run import Undefined, fitting

COMPARISONS: dict[str, Callable[[Value, Value], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
_PLAIN: dict[str, Callable[[Value, Value], Value]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
    "&": operator.and_, "|": operator.or_, "^": operator.xor,
}  # fmt: skip
Operator = Callable[[Value, Value], Value]


@lru_cache(maxsize=1024)
def binary(op: str, type_: Type, undefined: bool) -> Operator | None:
    """A strict operator on two values of one type; `undefined`: where C has no result."""
    if type_.kind == "float":
        return COMPARISONS.get(op) or _floating(op, type_)
    if type_.kind == "bool" and op in (*"&|^", "==", "!="):
        return COMPARISONS.get(op) or _PLAIN[op]
    if type_.kind == "ref" and op in ("==", "!="):
        return _same if op == "==" else lambda one, other: not _same(one, other)
    if type_.kind != "int":
        return None
    if op in COMPARISONS:
        return COMPARISONS[op]
    exact = _integer(op, type_, undefined)
    return None if exact is None else _in_width(exact, op, type_, undefined)


def _in_width(exact: Operator, op: str, type_: Type, undefined: bool) -> Operator:
    fit = fitting(type_)
    if not undefined or not type_.signed or op not in ("+", "-", "*", "<<"):
        return lambda one, other: fit(exact(one, other))

    def checked(one: int, other: int) -> int:
        value: int = exact(one, other)
        if fit(value) != value or (op == "<<" and one < 0):
            raise Undefined
        return value

    return checked


def _integer(op: str, type_: Type, undefined: bool) -> Operator | None:
    if op in _PLAIN:
        return _PLAIN[op]
    if op in ("/", "%"):
        return _quotient(op, type_, undefined)
    if op in ("<<", ">>", ">>>"):
        return _shift(op, type_, undefined)
    return None


def _quotient(op: str, type_: Type, undefined: bool) -> Operator:
    least = -(1 << (type_.bits - 1)) if type_.signed else None

    def divide(one: int, other: int) -> int:
        if other == 0 or (undefined and one == least and other == -1):
            if undefined:
                raise Undefined
            raise Thrown("ArithmeticException")
        found = abs(one) // abs(other)
        found = -found if (one < 0) != (other < 0) else found
        return found if op == "/" else one - found * other

    return divide


def _shift(op: str, type_: Type, undefined: bool) -> Operator:
    bits = type_.bits
    mask = (1 << bits) - 1

    def shift(one: int, other: int) -> int:
        if undefined and not 0 <= other < bits:
            raise Undefined
        distance = other & (bits - 1)
        if op == "<<":
            return one << distance
        return one >> distance if op == ">>" and type_.signed else (one & mask) >> distance

    return shift


def _floating(op: str, type_: Type) -> Operator | None:
    found = {**_PLAIN, "/": _divided, "%": _remainder}.get(op)
    if found is None or op in "&|^":
        return None
    if type_.bits == 64:
        return found
    return lambda one, other: single(found(one, other))


def single(value: float) -> float:
    """The nearest number of single precision."""
    try:
        found: float = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return found


def _divided(one: float, other: float) -> float:
    if other != 0 or math.isnan(other):
        return one / other
    if one == 0 or math.isnan(one):
        return math.nan
    return math.copysign(math.inf, one) * math.copysign(1.0, other)


def _remainder(one: float, other: float) -> float:
    if other == 0 or math.isinf(one) or math.isnan(one) or math.isnan(other):
        return math.nan
    return math.fmod(one, other)


def _same(one: Value, other: Value) -> bool:
    if one is None or other is None or one is other:
        return one is other
    if isinstance(one, str) or isinstance(other, str):
        raise Stuck  # which equal texts are one object
    return False


@lru_cache(maxsize=1024)
def conversion(source: Type, target: Type, undefined: bool) -> Callable[[Value], Value] | None:
    """A value in another type; None where that has no model here."""
    kinds = source.kind, target.kind
    if source == target or kinds == ("ref", "ref"):
        return lambda value: value
    if target.kind == "int":
        fit = fitting(target)
        if source.kind in ("int", "bool"):
            return lambda value: fit(int(value))
        if source.kind == "float":
            return lambda value: _whole(value, target, undefined)
    if target.kind == "bool" and source.kind in ("int", "float"):
        return lambda value: value != 0
    if target.kind == "float" and source.kind in ("int", "float"):
        return (lambda value: single(float(value))) if target.bits == 32 else float
    return None


def _whole(value: float, target: Type, undefined: bool) -> int:
    """A fraction cut to a whole number: Java's stays in range, C's must fit."""
    fit = fitting(target)
    if undefined:
        if math.isnan(value) or math.isinf(value) or fit(int(value)) != int(value):
            raise Undefined
        return int(value)
    if math.isnan(value):
        return 0
    bits = max(target.bits, 32)
    least, most = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    if math.isinf(value):
        return fit(most if value > 0 else least)
    return fit(min(max(int(value), least), most))
