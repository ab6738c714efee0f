"""Terms of the solver: sorts of types, exact integer arithmetic, uninterpreted functions."""

import operator
from collections.abc import Sequence
from functools import cache
from typing import Any, TypeAlias

import z3

from equimut.languages.lowered import Type

Term: TypeAlias = Any
"""A term of z3, which has no types of its own."""
TRUE, FALSE = z3.BoolVal(True), z3.BoolVal(False)
_FUNCTIONS: dict[tuple[object, ...], tuple[z3.FuncDeclRef, type[z3.ExprRef]]] = {}


# What is simplified must not depend on the ids of its parts: these on what was asked before.
z3.set_param("rewriter.sort_disjunctions", False)
z3.set_param("rewriter.bv_sort_ac", False)


@cache
def declared(name: str) -> z3.SortRef:
    """An uninterpreted sort."""
    return z3.DeclareSort(name)


def ref() -> z3.SortRef:
    """References to objects."""
    return declared("Ref")


def world() -> z3.SortRef:
    """Everything that is not seen: other objects, files, the screen."""
    return declared("World")


def null_address() -> Term:
    """The address that points nowhere."""
    return z3.BitVecVal(0, 64)


def null() -> Term:
    """The null reference."""
    return z3.Const("null", ref())


def text_sort() -> z3.SortRef:
    """Strings that are values: equal ones are one element."""
    return declared("Text")


@cache
def value_sort() -> z3.DatatypeSortRef:
    """Values that carry their type with them."""
    made = z3.Datatype("Value")
    for tag in ("unset", "none"):
        made.declare(tag)
    parts = {
        "boolean": z3.BoolSort(), "integer": z3.IntSort(), "floating": z3.Float64(),
        "string": text_sort(), "list": ref(), "dict": ref(), "set": ref(), "tuple": ref(),
        "object": ref(),
    }  # fmt: skip
    for tag, sort in parts.items():
        made.declare(tag, (f"{tag} of", sort))
    return made.create()


@cache
def sort_of(type_: Type) -> z3.SortRef:
    """The sort of a type's values."""
    if type_.kind == "int":
        return z3.BitVecSort(type_.bits)
    if type_.kind == "bool":
        return z3.BoolSort()
    if type_.kind == "float":
        return z3.Float64() if type_.bits == 64 else z3.Float32()
    if type_.kind == "value":
        return value_sort()
    if type_.kind == "array":
        element = type_.element
        while element is not None and element.kind == "array":
            element = element.element  # rows of rows lie one after the other
        assert element is not None
        return z3.ArraySort(z3.BitVecSort(64), sort_of(element))
    return ref() if type_.kind == "ref" else declared("Any")


def apply(name: str, result: z3.SortRef, arguments: Sequence[Term]) -> Term:
    """An uninterpreted function of the arguments, the same for the same name and sorts."""
    if not arguments:
        return z3.Const(name, result)
    context = result.ctx_ref()
    parts = [argument.as_ast() for argument in arguments]
    sorts = [z3.Z3_get_sort(context, part) for part in parts]
    key = (name, result.get_id(), *(z3.Z3_get_sort_id(context, sort) for sort in sorts))
    function = _FUNCTIONS.get(key)
    if function is None:
        if len(_FUNCTIONS) > 20_000:
            _FUNCTIONS.clear()
        wrapped = [argument.sort() for argument in arguments]
        spelt = f"{name}({','.join(map(str, wrapped))}){result}"
        made = z3.Function(spelt, *wrapped, result)
        function = _FUNCTIONS[key] = made, type(made(*arguments))
    # Calling the declaration would convert every argument again: this is the prover's inner loop.
    declaration, kind = function
    term = z3.Z3_mk_app(context, declaration.ast, len(parts), (z3.Ast * len(parts))(*parts))
    return kind(term, result.ctx)


def names_in(term: Term, most: int, *, but: z3.SortRef | None = None) -> set[str] | None:
    """The names of what a term leaves open, those of one sort aside; None if it is large."""
    context, stack = _CONTEXT.ref(), [term.as_ast()]
    left_out = None if but is None else but.get_id()
    found, seen = set(), set()
    while stack:
        each = stack.pop()
        number = z3.Z3_get_ast_id(context, each)
        if number in seen:
            continue
        seen.add(number)
        if len(seen) > most:
            return None
        maker = z3.Z3_get_app_decl(context, each)
        if z3.Z3_get_decl_kind(context, maker) == z3.Z3_OP_UNINTERPRETED:
            sort = z3.Z3_get_sort(context, each)
            if z3.Z3_get_sort_id(context, sort) != left_out:
                name = z3.Z3_get_decl_name(context, maker)
                found.add(z3.Z3_get_symbol_string(context, name))
        size = z3.Z3_get_app_num_args(context, each)
        stack += [z3.Z3_get_app_arg(context, each, place) for place in range(size)]
    return found


def unknown_before(name: str, sort: z3.SortRef) -> Term:
    """What a local holds that nothing was told of: the same for everybody who asks first."""
    return z3.Const(f"{name} unset", sort)


# Conditions are made all the time: the layers of z3's own interface are left out here. Terms that
# are the same have the same id as long as they live, and these two always live.
_CONTEXT = z3.main_ctx()
_TRUE_ID, _FALSE_ID = TRUE.get_id(), FALSE.get_id()
_Two = z3.Ast * 2
_PLAIN = (z3.BoolRef, z3.BitVecRef, z3.ArrayRef, z3.ArithRef, z3.FPRef, z3.ExprRef, z3.DatatypeRef)
"""Classes of terms that say no more than their sort."""


def ordered(one: Term, other: Term) -> tuple[Term, Term]:
    """Two operands of which the order does not matter, in an order that only they decide.

    Ids would: but they depend on what was asked before, and so would how far a budget reaches.
    """
    keys = one.hash(), other.hash()
    if keys[0] == keys[1] and not one.eq(other):
        return (one, other) if one.sexpr() <= other.sexpr() else (other, one)
    return (one, other) if keys[0] <= keys[1] else (other, one)


def is_true(term: Term) -> bool:
    """Whether a term is the constant."""
    return bool(z3.Z3_get_ast_id(_CONTEXT.ctx, term.ast) == _TRUE_ID)


def is_false(term: Term) -> bool:
    """Whether a term is the constant."""
    return bool(z3.Z3_get_ast_id(_CONTEXT.ctx, term.ast) == _FALSE_ID)


def both(left: Term, right: Term) -> Term:
    """Conjunction, with the trivial cases folded."""
    one, other = (z3.Z3_get_ast_id(_CONTEXT.ctx, side.ast) for side in (left, right))
    if one == _FALSE_ID or other == _TRUE_ID:
        return left
    if one in (_TRUE_ID, other) or other == _FALSE_ID:
        return right
    made = z3.Z3_mk_and(_CONTEXT.ctx, 2, _Two(left.ast, right.ast))
    return z3.BoolRef(made, _CONTEXT)


def either(left: Term, right: Term) -> Term:
    """Disjunction, with the trivial cases folded."""
    one, other = (z3.Z3_get_ast_id(_CONTEXT.ctx, side.ast) for side in (left, right))
    if one == _TRUE_ID or other == _FALSE_ID:
        return left
    if one in (_FALSE_ID, other) or other == _TRUE_ID:
        return right
    made = z3.Z3_mk_or(_CONTEXT.ctx, 2, _Two(left.ast, right.ast))
    return z3.BoolRef(made, _CONTEXT)


def negation(term: Term) -> Term:
    """The opposite of a condition."""
    number = z3.Z3_get_ast_id(_CONTEXT.ctx, term.ast)
    if number == _TRUE_ID:
        return FALSE
    if number == _FALSE_ID:
        return TRUE
    if z3.is_not(term):
        return term.arg(0)
    return z3.BoolRef(z3.Z3_mk_not(_CONTEXT.ctx, term.ast), _CONTEXT)


def implication(condition: Term, fact: Term) -> Term:
    """A fact that is known where the condition holds."""
    if is_true(condition):
        return fact
    made = z3.Z3_mk_implies(_CONTEXT.ctx, condition.ast, fact.ast)
    return z3.BoolRef(made, _CONTEXT)


def choose(condition: Term, then: Term, otherwise: Term) -> Term:
    """`then` where the condition holds."""
    if z3.Z3_is_eq_ast(_CONTEXT.ctx, then.ast, otherwise.ast) or is_true(condition):
        return then
    if is_false(condition):
        return otherwise
    if isinstance(then, z3.DatatypeRef):
        maker = then.decl()
        if maker.kind() == z3.Z3_OP_DT_CONSTRUCTOR and maker.eq(otherwise.decl()):
            return maker(choose(condition, then.arg(0), otherwise.arg(0)))  # the tag stays known
    if type(then) not in _PLAIN or type(then) is not type(otherwise):
        return z3.If(condition, then, otherwise)
    made = z3.Z3_mk_ite(_CONTEXT.ctx, condition.ast, then.ast, otherwise.ast)
    return type(then)(made, _CONTEXT)


_SIGNED = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


def compare(op: str, left: Term, right: Term, type_: Type) -> Term:
    """A comparison of two numbers of one type, or of two values for identity."""
    if type_.kind == "float":
        floats = {"<": z3.fpLT, "<=": z3.fpLEQ, ">": z3.fpGT, ">=": z3.fpGEQ, "==": z3.fpEQ}
        return negation(z3.fpEQ(left, right)) if op == "!=" else floats[op](left, right)
    if op == "==":
        return TRUE if left.eq(right) else left == right
    if op == "!=":
        return FALSE if left.eq(right) else left != right
    if type_.signed:
        return _SIGNED[op](left, right)
    unsigned = {"<": z3.ULT, "<=": z3.ULE, ">": z3.UGT, ">=": z3.UGE}
    return unsigned[op](left, right)


def arithmetic(op: str, left: Term, right: Term, type_: Type) -> Term:
    """A binary operator on numbers of one type; division by zero is somebody else's question."""
    if type_.kind == "bool":
        return {"&": z3.And, "|": z3.Or, "^": z3.Xor}[op](left, right)
    if type_.kind == "float":
        return _floating(op, left, right)
    if op in ("+", "-", "&", "|", "^"):
        return {
            "+": lambda: left + right,
            "-": lambda: left - right,
            "&": lambda: left & right,
            "|": lambda: left | right,
            "^": lambda: left ^ right,
        }[op]()
    if op in ("<<", ">>", ">>>"):
        distance = right & (type_.bits - 1)
        if op == "<<":
            return left << distance
        return left >> distance if op == ">>" and type_.signed else z3.LShR(left, distance)
    return _nonlinear(op, left, right, type_)


_ROUNDED = {"+": z3.fpAdd, "-": z3.fpSub, "*": z3.fpMul, "/": z3.fpDiv}


def _floating(op: str, left: Term, right: Term) -> Term:
    """Exact on constants and for what changes nothing, else a function of its operands."""
    if op in _ROUNDED and z3.is_fp_value(left) and z3.is_fp_value(right):
        return z3.simplify(_ROUNDED[op](z3.RNE(), left, right))
    for one, other in ((left, right), (right, left)):
        if not z3.is_fp_value(other) or (op in ("-", "/") and one is right):
            continue
        if op in ("*", "/") and _is(other, 1.0):
            return one
        if op in ("*", "/") and _is(other, -1.0):
            return z3.fpNeg(one)
        if (op == "+" and _is(other, -0.0)) or (op == "-" and _is(other, 0.0)):
            return one
    if op in "+*":
        left, right = ordered(left, right)
    return apply(f"float{op}", left.sort(), [left, right])


def _is(value: Term, number: float) -> bool:
    return bool(z3.FPVal(number, value.sort()).eq(value))


def undefined_where(op: str, left: Term, right: Term, type_: Type) -> Term:
    """Where an operator on two numbers of one type has no result in C."""
    if type_.kind != "int":
        return FALSE
    guards: list[Term] = []
    if op in ("/", "%"):
        guards.append(right == 0)
        if type_.signed:
            least = z3.BitVecVal(1 << (type_.bits - 1), type_.bits)
            guards.append(z3.And(left == least, right == -1))
    elif op in ("<<", ">>"):
        guards.append(z3.UGE(right, type_.bits))
    if type_.signed and op in ("+", "-", "*", "<<"):
        guards.append(_overflows(op, left, right, type_))
    return z3.Or(*guards)


def _overflows(op: str, left: Term, right: Term, type_: Type) -> Term:
    """Where the exact result of `+`, `-`, `*` or `<<` does not fit into a signed type."""
    least, most = -(1 << (type_.bits - 1)), (1 << (type_.bits - 1)) - 1
    if op in ("+", "-") and z3.is_bv_value(right):
        step = right.as_signed_long() * (1 if op == "+" else -1)
        return left > most - step if step > 0 else left < least - step
    if op == "+":
        total = left + right
        return ((left ^ total) & (right ^ total)) < 0
    if op == "-":
        return ((left ^ right) & (left ^ (left - right))) < 0
    if op == "<<":
        moved = left << right
        return z3.Or(left < 0, moved < 0, moved >> right != left)
    if z3.is_bv_value(left):
        left, right = right, left
    if not z3.is_bv_value(right):
        return apply("overflow", z3.BoolSort(), ordered(left, right))
    factor = right.as_signed_long()
    if factor == 0:
        return FALSE
    ends = (least, most) if factor > 0 else (most, least)
    lowest, highest = -(-ends[0] // factor), ends[1] // factor  # rounded up, rounded down
    return z3.Or(left < max(lowest, least), left > min(highest, most))


def _nonlinear(op: str, left: Term, right: Term, type_: Type) -> Term:
    """`*`, `/`, `%`: exact with a constant, else a function of which only signs are known."""
    left, right = (z3.simplify(side) if not side.num_args() else side for side in (left, right))
    exact = z3.is_bv_value(right) or (op == "*" and z3.is_bv_value(left))
    if not exact:
        if op == "*":
            left, right = ordered(left, right)
        return apply(f"int{op}{'s' if type_.signed else 'u'}", left.sort(), [left, right])
    if op == "*":
        return left * right
    if op == "/":
        return left / right if type_.signed else z3.UDiv(left, right)
    return z3.SRem(left, right) if type_.signed else z3.URem(left, right)


def known_of(op: str, left: Term, right: Term, value: Term, type_: Type) -> list[Term]:
    """What is true of a quotient or remainder that is not computed exactly."""
    if not type_.signed:
        smaller = [z3.Implies(right != 0, z3.ULT(value, right))] if op == "%" else []
        return [z3.Implies(right != 0, z3.ULE(value, left)), *smaller]
    if op == "/":
        return [
            z3.Implies(z3.And(left >= 0, right > 0), z3.And(value >= 0, value <= left)),
            z3.Implies(z3.And(left <= 0, right > 0), z3.And(value <= 0, value >= left)),
        ]
    return [
        z3.Implies(left >= 0, z3.And(value >= 0, value <= left)),
        z3.Implies(left <= 0, z3.And(value <= 0, value >= left)),
        z3.Implies(right > 0, z3.And(value <= right - 1, value >= -(right - 1))),
        z3.Implies(right < 0, z3.And(value >= right + 1, value <= -(right + 1))),
    ]


def converted(value: Term, source: Type, target: Type) -> Term:
    """A value in another type."""
    if source == target:
        return value
    if source.kind == "int" and target.kind == "int":
        if target.bits < source.bits:
            return z3.Extract(target.bits - 1, 0, value)
        if target.bits == source.bits:
            return value
        widen = z3.SignExt if source.signed else z3.ZeroExt
        return widen(target.bits - source.bits, value)
    if source.kind == "bool" and target.kind == "int":
        return choose(value, z3.BitVecVal(1, target.bits), z3.BitVecVal(0, target.bits))
    if target.kind == "bool" and source.kind == "int":
        return z3.simplify(value != 0)
    if target.kind == "bool" and source.kind == "float":
        return negation(z3.fpEQ(value, z3.FPVal(0.0, value.sort())))
    if source.kind == "int" and target.kind == "float":
        turned = z3.fpSignedToFP if source.signed else z3.fpUnsignedToFP
        made = turned(z3.RNE(), value, sort_of(target))
        return z3.simplify(made) if z3.is_bv_value(value) else made
    if source.kind == "float" and target.kind == "float" and target.bits > source.bits:
        return z3.fpFPToFP(z3.RNE(), value, sort_of(target))
    return apply(f"convert {source} {target}", sort_of(target), [value])
