"""Literals, locals and operators, evaluated symbolically."""

import z3

from equimut.languages.lowered import (
    Binary,
    Choice,
    Convert,
    InstanceOf,
    Lit,
    Local,
    Logic,
    Type,
    Unary,
)
from equimut.proofs.smt.symbolic.contracts import string_length
from equimut.proofs.smt.symbolic.engine import Engine, Handlers, evaluate
from equimut.proofs.smt.symbolic.leaps import current
from equimut.proofs.smt.symbolic.memory import unset_where
from equimut.proofs.smt.symbolic.state import Path, merged
from equimut.proofs.smt.symbolic.terms import (
    Term,
    apply,
    arithmetic,
    choose,
    compare,
    converted,
    known_of,
    negation,
    null,
    ordered,
    ref,
    sort_of,
    undefined_where,
)

_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


def _lit(engine: Engine, node: Lit, path: Path) -> Term:
    type_, value = node.type, node.value
    if type_.kind == "int" and isinstance(value, str):
        return z3.Const(value, sort_of(type_))  # a constant that is not known here
    if type_.kind == "int":
        return z3.BitVecVal(value, type_.bits)
    if type_.kind == "bool":
        return z3.BoolVal(value)
    if type_.kind == "float":
        return z3.FPVal(value, sort_of(type_))
    if value is None:
        return null()
    term = engine.literal(f"{type_.name} {value}")
    if type_.name == "String" and isinstance(value, str):
        inside = value[1:-1]
        if "\\" not in inside and not value.startswith('"""') and inside.isascii():
            engine.know(
                path, string_length(term) == len(inside), f"{value} has {len(inside)} characters"
            )
    return term


def local_value(engine: Engine, node: Local, path: Path) -> Term:
    """The value of a local; to read one that is not set may be undefined."""
    value = current(node, path)
    if engine.unset:
        engine.undefined(path, unset_where(engine, value))
    return value


def reached(engine: Engine, path: Path, value: Term) -> None:
    """An object must be there to be asked."""
    engine.throw(path, value == null(), "NullPointerException")


def _unary(engine: Engine, node: Unary, path: Path) -> Term:
    value = evaluate(engine, node.operand, path)
    if node.op == "!":
        return negation(value)
    if node.type.kind == "any":
        if engine.library.undefined_is_outside:
            engine.undefined(path, apply(f"undefined {node.op}", z3.BoolSort(), [value]))
        _may_throw(engine, path, f"unary {node.op}", value)
        return apply(f"unary {node.op}", sort_of(node.type), [value])
    if node.type.kind == "float":
        return z3.fpNeg(value)
    if node.op == "-" and node.type.signed and engine.library.undefined_is_outside:
        engine.undefined(path, value == z3.BitVecVal(1 << (node.type.bits - 1), node.type.bits))
    return -value if node.op == "-" else ~value


def _binary(engine: Engine, node: Binary, path: Path) -> Term:
    left = evaluate(engine, node.left, path)
    right = evaluate(engine, node.right, path)
    types = (node.left.type, node.right.type)
    return operate(engine, node.op, types, node.type, left, right, path)


def operate(
    engine: Engine,
    op: str,
    types: tuple[Type, Type],
    result: Type,
    left: Term,
    right: Term,
    path: Path,
) -> Term:
    """A strict operator on operands of these types."""
    type_ = types[0]
    if type_.element is not None and op not in ("==", "!="):
        _of_addresses(engine, op, left, right, path)
    same = left.sort() == right.sort() and type_.kind == types[1].kind != "any"
    if op in ("==", "!=") and same:
        return compare(op, left, right, type_)
    if op in _COMPARISONS and same and type_.kind in ("int", "float"):
        return compare(op, left, right, type_)
    if op == "concat":
        value = apply(f"concat {types[0]} {types[1]}", ref(), [left, right])
        engine.know(path, value != null(), "a concatenation is never null")
        return value
    if op in ("boxed==", "boxed!=") and left.sort() == right.sort():
        one = apply(f"operator boxed== {types[0]} {types[1]}", z3.BoolSort(), [left, right])
        alike = z3.And(left == right, one)  # one object has one value
        return alike if op == "boxed==" else z3.Not(alike)
    if not same or op in _COMPARISONS or type_.kind == "ref":
        name = f"operator {op} {types[0]} {types[1]}"
        if engine.library.undefined_is_outside:
            engine.undefined(path, apply(f"undefined {name}", z3.BoolSort(), [left, right]))
        elif opens(op, types):
            _may_throw(engine, path, name, left, right)
        return apply(name, sort_of(result), [left, right])
    if engine.library.undefined_is_outside:
        engine.undefined(path, undefined_where(op, left, right, type_))
    elif op in ("/", "%") and type_.kind == "int":
        engine.throw(path, right == 0, "ArithmeticException")
    value = arithmetic(op, left, right, type_)
    if op in ("/", "%") and type_.kind == "int" and z3.is_app_of(value, z3.Z3_OP_UNINTERPRETED):
        words = _DIVISION[op]
        for fact in known_of(op, left, right, value, type_):
            engine.know(path, fact, words)
    if op in "+*/" and type_.kind == "float" and z3.is_app_of(value, z3.Z3_OP_UNINTERPRETED):
        engine.axiom(_sign_of(op, left, right, value), _SIGNS)
    return value


def _sign_of(op: str, left: Term, right: Term, value: Term) -> Term:
    """What is known of the sign of a sum, product or quotient; what is no number has none."""
    if op == "*" and left.eq(right):
        return z3.Not(z3.fpIsNegative(value))
    sides = z3.Or(z3.fpIsNegative(left), z3.fpIsNegative(right))
    return z3.Or(sides, z3.Not(z3.fpIsNegative(value)))


def opens(op: str, types: tuple[Type, Type]) -> bool:
    """Whether an operator may open a box: an operand of no known type, or of a type parameter."""
    kinds = types[0].kind, types[1].kind
    identity = kinds == ("ref", "ref") and op.endswith(("==", "!="))
    return "any" in kinds or ("ref" in kinds and not identity)


_SIGNS = "what is computed from numbers without a minus sign has none"
_DIVISION = {
    "%": "a remainder is smaller than its divisor and has the sign of the dividend",
    "/": "a quotient by a positive number is no further from 0 than the dividend",
}


def _of_addresses(engine: Engine, op: str, left: Term, right: Term, path: Path) -> None:
    """To leave an object, and to compare addresses in two objects, is undefined."""
    if op == "+":
        if not z3.is_bv_value(right) or right.as_long():
            guard = apply("leaves its object", z3.BoolSort(), [path.world, left, right])
            engine.undefined(path, guard)
    else:
        sides = ordered(left, right)
        engine.undefined(path, apply("in two objects", z3.BoolSort(), [path.world, *sides]))


def _logic(engine: Engine, node: Logic, path: Path) -> Term:
    left = evaluate(engine, node.left, path)
    decides = left if node.op == "and" else negation(left)
    other = path.copy()
    other.assume(decides)
    right = evaluate(engine, node.right, other)
    path.assume(negation(decides))
    path.become(merged([other, path], engine.sorts))
    short = z3.BoolVal(node.op == "or")
    return z3.simplify(choose(decides, right, short))


def _choice(engine: Engine, node: Choice, path: Path) -> Term:
    condition = evaluate(engine, node.condition, path)
    other = path.copy()
    path.assume(condition)
    other.assume(negation(condition))
    then = evaluate(engine, node.then, path)
    otherwise = evaluate(engine, node.otherwise, other)
    path.become(merged([path.copy(), other], engine.sorts))
    return choose(condition, then, otherwise)


def convert(engine: Engine, value: Term, source: Type, target: Type, path: Path) -> Term:
    """A value in another type; opening a box may throw."""
    if source.kind == "ref" and target.kind not in ("ref", "any"):
        reached(engine, path, value)  # a box is opened
    if source.kind == "ref" and target.kind == "ref":
        return value
    turned = converted(value, source, target)
    if source.kind == "any" and target.kind not in ("ref", "any"):
        _may_throw(engine, path, f"convert any {target}", value)
    if source.kind == "float" and target.kind == "int" and engine.library.undefined_is_outside:
        engine.undefined(path, apply(f"does not fit {target}", z3.BoolSort(), [value]))
    if target.kind == "ref" and source.kind not in ("ref", "any"):
        engine.know(path, turned != null(), "a box is never null")
    return turned


def _may_throw(engine: Engine, path: Path, name: str, *operands: Term) -> None:
    """What is not of a known type may be a box, which is opened here and may be null."""
    if not engine.library.undefined_is_outside:
        guard = apply(f"throws {name}", z3.BoolSort(), list(operands))
        engine.throw(path, guard, "RuntimeException", *operands)


def _conversion(engine: Engine, node: Convert, path: Path) -> Term:
    value = evaluate(engine, node.operand, path)
    if node.checked:
        fits = engine.fits(value, node.type.name)
        engine.throw(path, z3.And(value != null(), z3.Not(fits)), "ClassCastException", value)
        return value
    return convert(engine, value, node.operand.type, node.type, path)


def _instance(engine: Engine, node: InstanceOf, path: Path) -> Term:
    value = evaluate(engine, node.operand, path)
    fits = engine.fits(value, node.target)
    if value.sort() != ref():
        return fits
    return z3.And(value != null(), fits)


OPERATORS: Handlers = {
    Lit: _lit, Local: local_value, Unary: _unary, Binary: _binary, Logic: _logic, Choice: _choice,
    Convert: _conversion, InstanceOf: _instance,
}  # fmt: skip
