"""Slices, and lists made of lists."""

import z3

from equimut.languages.lowered import Operation
from equimut.proofs.smt.dynamic.arithmetic import NUMBERS, whole
from equimut.proofs.smt.dynamic.containers import length, new_list, read
from equimut.proofs.smt.dynamic.dispatch import Operator, by_type
from equimut.proofs.smt.dynamic.values import is_, tag_of, text_length, wrap
from equimut.proofs.smt.symbolic.engine import Engine
from equimut.proofs.smt.symbolic.state import Path
from equimut.proofs.smt.symbolic.terms import Term, apply, choose, text_sort


def made_of_lists(engine: Engine, path: Path, node: Operation, values: list[Term]) -> Term | None:
    """`list + list` and `list * n`, where they make a new list."""
    tags = [tag_of(value) for value in values]
    if node.name == "binary" and node.key == "+" and tags == ["list", "list"]:
        sizes = [read(engine, path, "size", value.arg(0)) for value in values]
        rows = [read(engine, path, "items", value.arg(0)) for value in values]
        items = apply("joined items", rows[0].sort(), [*rows, *sizes])
        return new_list(engine, path, z3.simplify(sizes[0] + sizes[1]), items)
    if node.name == "binary" and node.key == "*" and tags[0] == "list" and tags[1] in NUMBERS:
        size, items = (read(engine, path, name, values[0].arg(0)) for name in ("size", "items"))
        count = z3.simplify(whole(values[1]))
        many = apply("repeated items", items.sort(), [items, size, count])
        if z3.is_int_value(z3.simplify(size)) and z3.simplify(size).as_long() == 1:
            first = z3.simplify(z3.Select(items, 0))
            return new_list(
                engine, path, z3.simplify(z3.If(count > 0, count, 0)), z3.K(z3.IntSort(), first)
            )
        total = apply("repeated size", z3.IntSort(), [size, count])
        engine.axiom(total >= 0, "a length is never negative")
        return new_list(engine, path, total, many)
    return None


def _slice(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    def case(branch: Path, spelt: list[Term]) -> Term | None:
        return _cut(engine, branch, spelt)

    return by_type(engine, path, "slice", values, case)


def _cut(engine: Engine, path: Path, values: list[Term]) -> Term | None:
    """`value[low:high]`; bounds are cut to the length."""
    value, low, high = values
    tag = tag_of(value)
    bounds = [tag_of(each) for each in (low, high)]
    if tag not in ("list", "string") or any(b not in ("none", "integer") for b in bounds):
        return None
    size = length(engine, path, value)
    assert size is not None
    first = _clamped(low, size, z3.IntVal(0))
    last = _clamped(high, size, size)
    count = choose(z3.simplify(last > first), last - first, z3.IntVal(0))
    if tag == "string":
        made = apply("slice of text", text_sort(), [value.arg(0), first, last])
        engine.know(path, text_length(engine, made) == count, "a slice has the length of its range")
        same = z3.And(first == 0, last == size)
        engine.know(path, z3.Implies(same, made == value.arg(0)), "a slice of all is the string")
        return wrap("string", made)
    items = read(engine, path, "items", value.arg(0))
    cut = apply("slice of items", items.sort(), [items, first, last])
    return new_list(engine, path, z3.simplify(count), cut)


def _clamped(bound: Term, size: Term, missing: Term) -> Term:
    if tag_of(bound) == "none":
        return missing
    number = bound.arg(0)
    moved = z3.If(number < 0, z3.If(number + size < 0, 0, number + size), number)
    return z3.simplify(z3.If(moved > size, size, moved))


def _stepped(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    """`value[low:high:step]`: of a string or list, a function of what it holds."""

    def case(branch: Path, spelt: list[Term]) -> Term | None:
        owner, *bounds = spelt
        if any(tag_of(each) not in ("none", "integer") for each in bounds):
            return None
        zero = is_("integer", bounds[2])
        if z3.is_true(zero):
            nothing = bounds[2].arg(0) == 0
            engine.throw(branch, nothing, "ValueError", message="slice step cannot be zero")
        if tag_of(owner) == "string":
            return wrap("string", apply("stepped text", text_sort(), [owner.arg(0), *bounds]))
        if tag_of(owner) != "list":
            return None
        size, items = (read(engine, branch, name, owner.arg(0)) for name in ("size", "items"))
        count = apply("stepped size", z3.IntSort(), [size, *bounds])
        engine.axiom(count >= 0, "a length is never negative")
        rows = apply("stepped items", items.sort(), [items, size, *bounds])
        return new_list(engine, branch, count, rows)

    return by_type(engine, path, "stepped slice", values, case)


SLICES: dict[str, Operator] = {"slice": _slice, "stepped slice": _stepped}
