"""Operators on numbers and strings whose types are known; integers have no bounds."""

import operator

import z3

from equimut.proofs.smt.dynamic.values import (
    boolean,
    integer,
    rank,
    tag_of,
    text_length,
    wrap,
)
from equimut.proofs.smt.symbolic.engine import Engine
from equimut.proofs.smt.symbolic.state import Path
from equimut.proofs.smt.symbolic.terms import (
    FALSE,
    TRUE,
    Term,
    apply,
    choose,
    negation,
    ordered,
    text_sort,
)

NUMBERS = frozenset({"boolean", "integer"})
_ORDERS = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
_EXACT = 2**53
"""Integers up to here are floats without loss."""


def whole(value: Term) -> Term:
    """A boolean or integer as a number."""
    inner = value.arg(0)
    if tag_of(value) == "integer":
        return inner
    if z3.is_true(inner) or z3.is_false(inner):
        return z3.IntVal(int(z3.is_true(inner)))
    return z3.If(inner, z3.IntVal(1), z3.IntVal(0))


def double(engine: Engine, value: Term, path: Path) -> Term:
    """A number as a float; integers that are too large raise."""
    if tag_of(value) == "floating":
        return value.arg(0)
    number = z3.simplify(whole(value))
    if z3.is_int_value(number) and abs(number.as_long()) <= _EXACT:
        return z3.FPVal(number.as_long(), z3.Float64())
    large = z3.And(
        z3.Or(number > 2**1023, number < -(2**1023)),
        apply("no float", z3.BoolSort(), [number]),
    )
    engine.throw(path, large, "OverflowError", number)
    return apply("float of", z3.Float64(), [number])


def binary(engine: Engine, path: Path, op: str, left: Term, right: Term) -> Term | None:
    """An operator on two values with known tags; None where it is not modelled."""
    tags = tag_of(left), tag_of(right)
    if set(tags) <= NUMBERS:
        if set(tags) == {"boolean"} and op in "&|^":
            logic = {"&": z3.And, "|": z3.Or, "^": z3.Xor}[op]
            return boolean(logic(left.arg(0), right.arg(0)))
        return _integers(engine, path, op, whole(left), whole(right))
    if set(tags) <= NUMBERS | {"floating"} and op in ("+", "-", "*", "/", "//", "%"):
        return _floats(engine, path, op, left, right)
    if tags == ("string", "string") and op == "+":
        one, other = left.arg(0), right.arg(0)
        made = apply("concat", text_sort(), [one, other])
        sizes = text_length(engine, one) + text_length(engine, other)
        engine.axiom(text_length(engine, made) == sizes, "lengths of strings add up")
        return wrap("string", made)
    if op == "*" and "string" in tags and set(tags) & NUMBERS:
        text, count = (left, right) if tags[0] == "string" else (right, left)
        return wrap("string", apply("repeat", text_sort(), [text.arg(0), whole(count)]))
    if tags[0] == "string" and op == "%":
        return None
    if {"none", "boolean", "integer", "floating", "string"} >= set(tags) and op != "**":
        engine.throw(path, TRUE, "TypeError", message=f"{op} {tags[0]} {tags[1]}")
        return left
    return None


def _integers(engine: Engine, path: Path, op: str, left: Term, right: Term) -> Term | None:
    if op in ("+", "-"):
        return integer(z3.simplify(left + right if op == "+" else left - right))
    if op == "*":
        return integer(product(left, right))
    if op in ("//", "%"):
        engine.throw(path, right == 0, "ZeroDivisionError", message=op)
        return integer(_floored(engine, path, op, left, right))
    if op == "/":
        engine.throw(path, right == 0, "ZeroDivisionError", message=op)
        large = z3.Or(left > 2**1023, left < -(2**1023))
        engine.throw(
            path, z3.And(large, apply("no quotient", z3.BoolSort(), [left, right])),
            "OverflowError", left, right,
        )  # fmt: skip
        return wrap("floating", apply("quotient", z3.Float64(), [left, right]))
    if op in ("<<", ">>"):
        engine.throw(path, right < 0, "ValueError", message="shift")
        distance = z3.simplify(right)
        if z3.is_int_value(distance) and distance.as_long() <= 64:
            factor = z3.IntVal(2 ** max(distance.as_long(), 0))
            return integer(left * factor if op == "<<" else left / factor)
        shifted = apply(f"shift {op}", z3.IntSort(), [left, right])
        engine.axiom(z3.Implies(right >= 0, (shifted < 0) == (left < 0)) if op == ">>"
                     else z3.Implies(right >= 0, z3.And((shifted < 0) == (left < 0),
                                                        (shifted == 0) == (left == 0))),
                     "a shift keeps the sign")  # fmt: skip
        return integer(shifted)
    if op in "&|^":
        return integer(_bits(engine, op, left, right))
    return None


def product(left: Term, right: Term) -> Term:
    """Exact with a constant, else a function of which nothing is known."""
    left, right = z3.simplify(left), z3.simplify(right)
    if z3.is_int_value(left) or z3.is_int_value(right):
        return z3.simplify(left * right)
    return apply("product", z3.IntSort(), ordered(left, right))


def _floored(engine: Engine, path: Path, op: str, left: Term, right: Term) -> Term:
    """Division that rounds down; the remainder has the sign of the divisor."""
    right = z3.simplify(right)
    if z3.is_int_value(right) and right.as_long() != 0:
        if right.as_long() > 0:
            return left / right if op == "//" else left % right
        turned = z3.IntVal(-right.as_long())
        return -left / turned if op == "//" else -(-left % turned)
    found = apply(f"integer {op}", z3.IntSort(), [left, right])
    if op == "%":
        engine.axiom(
            z3.And(
                z3.Implies(right > 0, z3.And(found >= 0, found < right)),
                z3.Implies(right < 0, z3.And(found <= 0, found > right)),
            ),
            "a remainder is smaller than its divisor and has its sign",
        )
    else:
        engine.axiom(
            z3.Implies(
                right > 0,
                z3.And(
                    (found >= 0) == (left >= 0),
                    z3.Implies(left >= 0, found <= left),
                    z3.Implies(left >= right, found >= 1),
                    z3.Implies(z3.And(left >= 0, left < right), found == 0),
                ),
            ),
            "a quotient by a positive number has the sign of the dividend",
        )
    return found


def _bits(engine: Engine, op: str, left: Term, right: Term) -> Term:
    left, right = z3.simplify(left), z3.simplify(right)
    for mask, other in ((right, left), (left, right)):
        if op == "&" and z3.is_int_value(mask):
            size = mask.as_long() + 1
            if size > 0 and size & (size - 1) == 0:
                return other % z3.IntVal(size)
    left, right = ordered(left, right)
    found = apply(f"bits {op}", z3.IntSort(), [left, right])
    if op == "&":
        engine.axiom(
            z3.And(
                z3.Implies(left >= 0, z3.And(found >= 0, found <= left)),
                z3.Implies(right >= 0, z3.And(found >= 0, found <= right)),
            ),
            "`&` with a number that is not negative lies between 0 and it",
        )
    else:
        words = f"`{op}` of numbers that are not negative is not negative"
        engine.axiom(z3.Implies(z3.And(left >= 0, right >= 0), found >= 0), words)
    return found


def _floats(engine: Engine, path: Path, op: str, left: Term, right: Term) -> Term:
    one, other = double(engine, left, path), double(engine, right, path)
    if op in ("/", "//", "%"):
        engine.throw(path, z3.fpIsZero(other), "ZeroDivisionError", message=f"float {op}")
    if op in "+*":
        one, other = ordered(one, other)  # commutative up to the payload of NaN, which nobody sees
    return wrap("floating", apply(f"float {op}", z3.Float64(), [one, other]))


def negative(engine: Engine, path: Path, op: str, value: Term) -> Term | None:
    """`-x`, `+x`, `~x` of a value with a known tag; None where it is not modelled."""
    tag = tag_of(value)
    if tag in NUMBERS:
        number = whole(value)
        return integer({"-": lambda: -number, "+": lambda: number, "~": lambda: -number - 1}[op]())
    if tag == "floating" and op != "~":
        return value if op == "+" else signed("-", value)
    if tag in ("none", "string", "floating"):
        engine.throw(path, TRUE, "TypeError", message=f"unary {op} {tag}")
        return value
    return None


def signed(op: str, value: Term) -> Term:
    """`-x` or `abs(x)` of a float: what is not a number is another one then, with its own sign.

    The solver has one value for all of them, so what becomes of it is left open.
    """
    number = value.arg(0)
    made = z3.fpNeg(number) if op == "-" else z3.fpAbs(number)
    other = apply(f"no number {op}", z3.Float64(), [number])
    return wrap("floating", choose(z3.simplify(z3.fpIsNaN(number)), other, made))


def compare(engine: Engine, path: Path, op: str, left: Term, right: Term) -> Term | None:
    """A comparison of two values with known tags as a truth; None where it is not modelled."""
    tags = tag_of(left), tag_of(right)
    if set(tags) <= NUMBERS:
        return _ordered(op, whole(left), whole(right))
    if set(tags) <= NUMBERS | {"floating"}:
        return _floating(op, left, right)
    if tags == ("string", "string"):
        return _texts(engine, op, left.arg(0), right.arg(0))
    known = {"none", "boolean", "integer", "floating", "string", "list", "dict", "set"}
    if op in ("==", "!=") and set(tags) <= known and tags[0] != tags[1]:
        return TRUE if op == "!=" else FALSE
    if tags == ("none", "none") and op in ("==", "!="):
        return TRUE if op == "==" else FALSE
    if set(tags) <= {"none", "boolean", "integer", "floating", "string"}:
        engine.throw(path, TRUE, "TypeError", message=f"{op} {tags[0]} {tags[1]}")
        return FALSE
    return None


def _ordered(op: str, left: Term, right: Term) -> Term:
    return z3.simplify(_ORDERS[op](left, right))


def _floating(op: str, left: Term, right: Term) -> Term:
    """Exact between floats, and with integers that are floats without loss."""
    sides = []
    for value in (left, right):
        if tag_of(value) == "floating":
            sides.append(value.arg(0))
            continue
        number = z3.simplify(whole(value))
        if not z3.is_int_value(number) or abs(number.as_long()) > _EXACT:
            name = {">": "<", ">=": "<="}.get(op, op)
            pair = [right, left] if op in (">", ">=") else [left, right]
            if op in ("==", "!="):
                pair.sort(key=lambda each: str(tag_of(each)))
                found = apply("numbers ==", z3.BoolSort(), pair)
                return found if op == "==" else z3.Not(found)
            return apply(f"numbers {name}", z3.BoolSort(), pair)
        sides.append(z3.FPVal(number.as_long(), z3.Float64()))
    one, other = sides
    if op == "!=":
        return negation(z3.fpEQ(one, other))
    floats = {"<": z3.fpLT, "<=": z3.fpLEQ, ">": z3.fpGT, ">=": z3.fpGEQ, "==": z3.fpEQ}
    return floats[op](one, other)


def _texts(engine: Engine, op: str, one: Term, other: Term) -> Term:
    if one.eq(other):
        return TRUE if op in ("==", "<=", ">=") else FALSE
    if op == "==":
        return one == other
    if op == "!=":
        return one != other
    places = rank(engine, one), rank(engine, other)
    engine.axiom((places[0] == places[1]) == (one == other), "strings have one order")
    return _ordered(op, *places)
