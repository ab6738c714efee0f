"""Memory with addresses: what is there, what a store may change, and which accesses are undefined."""

import z3

from equimut.languages.lowered import Address, Memory, Type
from equimut.proofs.smt.engine import Engine
from equimut.proofs.smt.state import Path
from equimut.proofs.smt.terms import FALSE, Term, apply, choose, null_address, sort_of

WORD = 64
"""Bits of an address."""


def address_of(engine: Engine, node: Address) -> Term:
    """Where a named object is."""
    return engine.place(node.name)


def reach(engine: Engine, node: Memory, base: Term, offset: Term | None, path: Path) -> Term:
    """The address of a value; there is none where the pointer is null."""
    if node.checked:
        engine.undefined(path, base == null_address())
    return base if offset is None else base + offset


def load(engine: Engine, node: Memory, address: Term, path: Path) -> Term:
    """The value at an address."""
    if node.checked:
        engine.undefined(path, _fails("read", node.type, address, path))
    return z3.Select(path.array(engine.heap_key(node), engine.sorts), address)


def store(engine: Engine, node: Memory, address: Term, value: Term, path: Path) -> None:
    """Write a value: of memory seen as values of other types, nothing is known any more."""
    if node.checked:
        engine.undefined(path, _fails("write", node.type, address, path))
        readable = z3.Not(_fails("read", node.type, address, path))
        engine.know(path, readable, "what can be written can be read")
    key = engine.heap_key(node)
    rows = path.array(key, engine.sorts)
    if node.type.kind == "any":  # of unknown size: it may overlap with its neighbours
        rows = apply("aliased", rows.sort(), [rows, address, value])
    path.heap[key] = z3.Store(rows, address, value)
    for other in engine.sorts.same_name(key):
        before = path.array(other, engine.sorts)
        path.heap[other] = apply("retyped", before.sort(), [before, address, value])


def _fails(how: str, type_: Type, address: Term, path: Path) -> Term:
    """Whether an access is undefined: a function of the address and of what happened before."""
    return apply(f"no {how} {sort_of(type_)}", z3.BoolSort(), [path.world, address])


def cell(engine: Engine, type_: Type, indices: list[Term], path: Path) -> Term:
    """The position of an element in an array that is a value; outside of it is undefined."""
    position: Term = z3.BitVecVal(0, WORD)
    for index in indices:
        engine.undefined(path, z3.UGE(index, type_.count))
        position = z3.simplify(position * type_.count + index)
        assert type_.element is not None
        type_ = type_.element
    return position


def zero(sort: z3.SortRef) -> Term | None:
    """The value whose bits are all zero; None where nobody knows it."""
    if isinstance(sort, z3.BitVecSortRef):
        return z3.BitVecVal(0, sort.size())
    if sort == z3.BoolSort():
        return z3.BoolVal(False)
    return z3.FPVal(0.0, sort) if isinstance(sort, z3.FPSortRef) else None


def unset_where(engine: Engine, value: Term, depth: int = 12) -> Term:
    """Where a value is one that nobody has set, as far as it is a choice between values."""
    if value.get_id() in engine.unset:
        return z3.BoolVal(True)
    if depth == 0 or not z3.is_app_of(value, z3.Z3_OP_ITE):
        return FALSE
    condition, then, otherwise = value.children()
    sides = [unset_where(engine, side, depth - 1) for side in (then, otherwise)]
    if z3.is_false(sides[0]) and z3.is_false(sides[1]):
        return FALSE
    return choose(condition, *sides)
