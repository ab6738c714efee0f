"""Fields, elements and assignments: reading and writing what has a place."""

import z3

from equimut.languages.lowered import (
    Assign,
    Cell,
    Element,
    Expr,
    Field,
    Length,
    Local,
    Memory,
)
from equimut.proofs.smt.symbolic.engine import Engine, Gave, Handlers, evaluate
from equimut.proofs.smt.symbolic.leaps import current
from equimut.proofs.smt.symbolic.memory import cell_place, load, memory_place, store
from equimut.proofs.smt.symbolic.operators import convert, local_value, operate, reached
from equimut.proofs.smt.symbolic.state import Path
from equimut.proofs.smt.symbolic.terms import (
    Term,
    apply,
    ref,
    sort_of,
    world,
)


def _object(engine: Engine, node: Field, path: Path, *, asked: bool = True) -> Term:
    assert node.object is not None
    value = evaluate(engine, node.object, path)
    if node.object.type.kind == "any":
        value = apply("reference of", ref(), [value])
    if asked and node.nullable:
        reached(engine, path, value)
    return value


def _field(engine: Engine, node: Field, path: Path) -> Term:
    value = _object(engine, node, path)
    if node.name in engine.promised and node.resolved and node.object is not None:
        _promise(engine, node.object, path, value)
    if node.final:
        return apply(f"final {node.name}", sort_of(node.type), [value])
    return z3.Select(path.array(engine.heap_key(node), engine.sorts), value)


def _promise(engine: Engine, node: Expr, path: Path, object_: Term) -> None:
    """Another object of the class keeps its word, too, in every world between calls."""
    if node.type.name != engine.functions[0].owner:
        return
    stack = [path.world]
    stack += [
        path.array(key, engine.sorts) for key in engine.sorts.keys if key[0] in engine.promised
    ]
    worlds: dict[int, Term] = {}
    steps = 0
    while stack and steps < MOST_TERMS:
        term = stack.pop()
        steps += 1
        if z3.is_app_of(term, z3.Z3_OP_ITE):
            stack += [term.arg(1), term.arg(2)]
        elif z3.is_store(term):
            stack.append(term.arg(0))
        elif term.sort() != world():
            stack += [each for each in term.children() if each.sort() == world()]
        elif is_between_calls(term):
            worlds[term.get_id()] = term
    this = z3.Const("this", ref())
    guard = z3.BoolVal(True) if engine.owned is None and not engine.making else object_ != this
    for each in worlds.values():
        there = path.copy()
        there.world = each
        engine.promise(there, object_, guard)


MOST_TERMS = 40


def is_between_calls(world_: Term) -> bool:
    """Whether a world is the one at entry, or the one after a call."""
    name = world_.decl().name()
    inside = ("world after loop ", "world after statement ", "world after opaque ")
    return name == "world" or (name.startswith("world after ") and not name.startswith(inside))


def _array(engine: Engine, node: Element | Length, path: Path) -> Term:
    value = evaluate(engine, node.array, path)
    return apply("reference of", ref(), [value]) if node.array.type.kind == "any" else value


def _place(engine: Engine, node: Element, path: Path) -> tuple[Term, Term]:
    """Array and index of an access that succeeds."""
    array = _array(engine, node, path)
    index = evaluate(engine, node.index, path)
    _bounds(engine, array, index, path)
    return array, index


def _bounds(engine: Engine, array: Term, index: Term, path: Path) -> None:
    reached(engine, path, array)
    size = engine.length(array)
    engine.throw(
        path, z3.Or(index < 0, index >= size), "ArrayIndexOutOfBoundsException", index, size
    )


def _element(engine: Engine, node: Element, path: Path) -> Term:
    array, index = _place(engine, node, path)
    rows = path.array(engine.heap_key(node), engine.sorts)
    return z3.Select(z3.Select(rows, array), index)


def _length(engine: Engine, node: Length, path: Path) -> Term:
    array = _array(engine, node, path)
    reached(engine, path, array)
    return engine.length(array)


def _assign(engine: Engine, node: Assign, path: Path) -> Term:
    target = node.target
    place: tuple[Term, ...] = ()
    if isinstance(target, Field):
        # A plain assignment computes its value before it misses the object.
        place = (_object(engine, target, path, asked=bool(node.op)),)
    elif isinstance(target, Element):
        array = _array(engine, target, path)
        place = (array, evaluate(engine, target.index, path))
    elif isinstance(target, Memory):
        place = (memory_place(engine, target, path),)
    elif isinstance(target, Cell):
        place = (cell_place(engine, target, path),)
    if not node.op:
        value = evaluate(engine, node.value, path)
        if isinstance(target, Element):
            _bounds(engine, place[0], place[1], path)
        elif isinstance(target, Field) and target.nullable:
            reached(engine, path, place[0])
        _write(engine, target, place, value, path)
        return value
    if isinstance(target, Element):
        _bounds(engine, place[0], place[1], path)
    old = _read(engine, target, place, path)
    computed = node.computed or target.type
    opened = target.type.kind == "ref"  # a box is opened before the other side is computed
    wide = convert(engine, old, target.type, computed, path) if opened else old
    right = evaluate(engine, node.value, path)
    wide = wide if opened else convert(engine, old, target.type, computed, path)
    types = (computed, computed if node.op != "concat" else node.value.type)
    new = operate(engine, node.op, types, computed, wide, right, path)
    new = convert(engine, new, computed, target.type, path)
    _write(engine, target, place, new, path)
    return old if node.result == "old" else new


def _read(engine: Engine, target: Expr, place: tuple[Term, ...], path: Path) -> Term:
    if isinstance(target, Local):
        return local_value(engine, target, path)
    if isinstance(target, Memory):
        return load(engine, target, place[0], path)
    if isinstance(target, Cell):
        return z3.Select(current(target.local, path), place[0])
    if isinstance(target, Field) and target.final:
        return apply(f"final {target.name}", sort_of(target.type), [place[0]])
    rows = path.array(engine.heap_key(target), engine.sorts)
    found = z3.Select(rows, place[0])
    return z3.Select(found, place[1]) if len(place) == 2 else found


def _write(engine: Engine, target: Expr, place: tuple[Term, ...], value: Term, path: Path) -> None:
    if isinstance(target, Local):
        path.locals[target.name] = value
        return
    if isinstance(target, Memory):
        store(engine, target, place[0], value, path)
        return
    if isinstance(target, Cell):
        held = current(target.local, path)
        path.locals[target.local.name] = z3.Store(held, place[0], value)
        return
    if isinstance(target, Field) and target.final:
        raise Gave("a final field is assigned")
    key = engine.heap_key(target)
    rows = path.array(key, engine.sorts)
    if len(place) == 2:
        if value.sort() == ref():
            # An array may refuse an object of another class.
            engine.throw(
                path, apply("refuses", z3.BoolSort(), [place[0], value]), "ArrayStoreException"
            )
        row = z3.Store(z3.Select(rows, place[0]), place[1], value)
        path.heap[key] = z3.Store(rows, place[0], row)
        for other in engine.sorts.same_name(key):
            if "Any" in (key[1], other[1]):  # arrays of two known types are never the same
                before = path.array(other, engine.sorts)
                path.heap[other] = apply("retyped", before.sort(), [before, place[0], row])
        return
    if isinstance(target, Field) and not target.resolved:
        # The same place may have another name: only what was just written is known.
        rows = apply("aliased", rows.sort(), [rows, place[0], value])
    written = z3.Store(rows, place[0], value)
    path.heap[key] = written
    for other in engine.sorts.same_name(key):
        before = path.array(other, engine.sorts)
        path.heap[other] = apply("retyped", before.sort(), [before, place[0], value])


PLACES: Handlers = {
    Field: _field, Element: _element, Length: _length, Assign: _assign,
}  # fmt: skip
