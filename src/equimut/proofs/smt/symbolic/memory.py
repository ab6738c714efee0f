"""Memory with addresses: what is there, what a store may change, what is undefined."""

import z3

from equimut.languages.lowered import Address, Cell, Filled, Memory, Then, Type, Unset
from equimut.proofs.smt.symbolic.elements import tell
from equimut.proofs.smt.symbolic.engine import Engine, Gave, Handlers, evaluate
from equimut.proofs.smt.symbolic.leaps import current
from equimut.proofs.smt.symbolic.state import Path
from equimut.proofs.smt.symbolic.terms import FALSE, Term, apply, choose, null_address, sort_of

WORD = 64
"""Bits of an address."""


def memory_place(engine: Engine, node: Memory, path: Path) -> Term:
    """The address of a value; there is none where the pointer is null."""
    base = evaluate(engine, node.base, path)
    offset = evaluate(engine, node.offset, path) if node.offset is not None else None
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


def cell_place(engine: Engine, node: Cell, path: Path) -> Term:
    """The position of an element in an array that is a value; outside of it is undefined."""
    position: Term = z3.BitVecVal(0, WORD)
    type_ = node.local.type
    for each in node.indices:
        index = evaluate(engine, each, path)
        engine.undefined(path, z3.UGE(index, type_.count))
        position = z3.simplify(position * type_.count + index)
        assert type_.element is not None
        type_ = type_.element
    return position


def _memory(engine: Engine, node: Memory, path: Path) -> Term:
    return load(engine, node, memory_place(engine, node, path), path)


def _cell(engine: Engine, node: Cell, path: Path) -> Term:
    place = cell_place(engine, node, path)
    array = current(node.local, path)
    tell(engine, array, place)
    return z3.Select(array, place)


def _filled(engine: Engine, node: Filled, path: Path) -> Term:
    sort = sort_of(node.type)
    inner, nothing = sort.range(), None
    if isinstance(inner, z3.BitVecSortRef):
        nothing = z3.BitVecVal(0, inner.size())
    elif inner == z3.BoolSort():
        nothing = FALSE
    elif isinstance(inner, z3.FPSortRef):
        nothing = z3.FPVal(0.0, inner)
    else:
        raise Gave("an array of unknown values")
    value = z3.K(sort.domain(), nothing)
    for place, item in enumerate(node.items):
        value = z3.Store(value, z3.BitVecVal(place, WORD), evaluate(engine, item, path))
    return value


def _unset(engine: Engine, node: Unset, path: Path) -> Term:
    value = z3.Const(f"{node.name} never set", sort_of(node.type))
    engine.unset[value.get_id()] = value
    return value


def _then(engine: Engine, node: Then, path: Path) -> Term:
    evaluate(engine, node.first, path)
    return evaluate(engine, node.value, path)


def _address(engine: Engine, node: Address, path: Path) -> Term:
    return engine.place(node.name)


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


MEMORY: Handlers = {
    Address: _address, Memory: _memory, Cell: _cell, Filled: _filled, Unset: _unset, Then: _then,
}  # fmt: skip
