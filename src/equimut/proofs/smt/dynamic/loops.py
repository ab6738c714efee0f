"""Loops over values: which types their locals keep, and whether they call anything."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations

import z3

from equimut.languages.lowered import Assign, Expr, Lit, Local, Loop, Operation, walk
from equimut.proofs.smt.dynamic.containers import length
from equimut.proofs.smt.dynamic.values import (
    ALL,
    PRIMITIVE,
    Tags,
    constant,
    is_,
    known_as,
    part,
    tag_of,
    tags_of,
)
from equimut.proofs.smt.symbolic.answers import Answers
from equimut.proofs.smt.symbolic.engine import Engine, Invariant, evaluate
from equimut.proofs.smt.symbolic.loops import outer_reads, outer_writes
from equimut.proofs.smt.symbolic.state import Exit, HeapKey, Path
from equimut.proofs.smt.symbolic.statements import iterate
from equimut.proofs.smt.symbolic.terms import Term, sort_of, value_sort, world

_ORDERS = ("<", "<=", ">", ">=", "==", "!=")
_MOST_PAIRS = 12
POSITION = "$place"
"""How the locals begin that count positions: from 0, up by one with every iteration."""


@dataclass
class Shape:
    """What an iteration may do, whatever the numbers are."""

    tags: dict[str, Tags]
    """Of the locals that the loop writes, at its head."""
    after: dict[str, Tags] = field(default_factory=dict)
    """The same behind the loop."""
    calls: bool = False
    written: set[HeapKey] = field(default_factory=set)


_KEPT: Answers[Shape] = Answers(on_facts=False)


class ValueLoops:
    """What is known of loops in a language whose values carry their types."""

    def forget(self, engine: Engine, loop: Loop, path: Path) -> None:
        """Everything the loop may change becomes unknown, except for the types it keeps."""
        _enter(engine, loop, path, self.shape(engine, loop, path))

    def effects(self, engine: Engine, loop: Loop, path: Path) -> tuple[bool, set[HeapKey]]:
        """Whether the loop calls anything, and which parts of the heap it writes itself."""
        found = self.shape(engine, loop, path)
        return found.calls, found.written

    def settle(self, engine: Engine, loop: Loop, before: Path, path: Path) -> None:
        """Behind the loop: the types of what it has written."""
        found = self.shape(engine, loop, before)
        for name, tags in found.after.items():
            path.locals[name] = _typed(engine, path, path.locals[name], tags)

    def shape(self, engine: Engine, loop: Loop, before: Path) -> Shape:
        """The shape of a loop that begins in this state; mutants of one origin share it."""
        names = sorted({local.name for local in (*outer_writes(loop), *outer_reads(loop))})
        known = [before.locals[name] for name in names if name in before.locals]
        tags = tuple(tags_of(engine, term) for term in known if term.sort() == value_sort())
        on = [before.condition, before.world, *known]
        on += [before.heap[key] for key in sorted(before.heap)]
        return _KEPT.to(engine, loop, on, lambda _: _discovered(engine, loop, before), tags)

    def weighs(self, engine: Engine, value: Term) -> bool:
        """Whether it shows when a value is dropped: an object may have an end of its own."""
        known = value.sort() == value_sort()
        return known and not tags_of(engine, value) <= PRIMITIVE | {"unset"}

    def candidates(self, engine: Engine, loop: Loop, before: Path) -> list[Invariant]:
        """Bounds and order of the numbers that the loop changes."""
        shape = self.shape(engine, loop, before)
        numbers = [
            name
            for name, tags in sorted(shape.tags.items())
            if tags == {"integer"} and not name.startswith(POSITION)
        ]
        found: list[Invariant] = []
        for name in numbers:
            first = part("integer", before.locals[name])
            bounds = [(value, str(value)) for value in _constants(loop, name)]
            for op in (">=", "<="):
                words = f"`{name}` never {'falls below' if op == '>=' else 'rises above'} its first"
                found.append((f"{words} value", _bound(name, op, first)))
                found += [
                    (f"`{name}` {op} {spelt}", _bound(name, op, z3.IntVal(value)))
                    for value, spelt in bounds
                ]
        found += _limits(engine, loop, before, shape)
        for one, other in list(combinations(numbers, 2))[:_MOST_PAIRS]:
            found += [(f"`{one}` {op} `{other}`", _order(one, op, other)) for op in ("<=", ">=")]
        return found


def _typed(engine: Engine, path: Path, value: Term, tags: Tags) -> Term:
    if tags >= ALL or tags_of(engine, value) <= tags:
        return value
    engine.know(path, z3.Or(*(is_(tag, value) for tag in sorted(tags))), "types that a loop keeps")
    return known_as(engine, value, tags)


def _enter(engine: Engine, loop: Loop, path: Path, shape: Shape) -> None:
    for local in outer_writes(loop):
        tags = shape.tags.get(local.name, ALL)
        spelt = "" if tags >= ALL else f" {' '.join(sorted(tags))}"  # one name, one set of types
        fresh = engine.fresh(f"{local.name}{spelt}", sort_of(local.type))
        if local.type.kind != "value":
            path.locals[local.name] = fresh
        elif len(tags) == 1 and next(iter(tags)) in ("none", "unset"):
            path.locals[local.name] = constant(next(iter(tags)))
        else:
            path.locals[local.name] = _typed(engine, path, fresh, tags)
        if local.name.startswith(POSITION) and tags == {"integer"}:
            place = part("integer", path.locals[local.name])
            engine.know(path, place >= 0, "positions are counted from 0")
    if shape.calls:
        path.world, path.heap = engine.fresh("world", world()), {}
        return
    for key in sorted(shape.written):
        path.heap[key] = engine.fresh(f"heap {key[0]}", path.array(key, engine.sorts).sort())


def _discovered(engine: Engine, loop: Loop, before: Path) -> Shape:
    """Grows from what is true before the loop until an iteration adds nothing."""
    written = [local.name for local in outer_writes(loop) if local.type.kind == "value"]
    unset = constant("unset")
    shape = Shape({name: tags_of(engine, before.locals.get(name, unset)) for name in written})
    typing, engine.typing = engine.typing, True
    while True:
        head, facts, exits = before.copy(), len(engine.facts), engine.exits
        names = engine.names()
        engine.exits = []
        _enter(engine, loop, head, shape)
        start = head.copy()
        end = iterate(engine, loop, head)
        ways = [*engine.exits, Exit("end", "", end), Exit("head", "", head)]
        grown = _grow(engine, loop, shape, start, [each for each in ways if not each.path.dead])
        del engine.facts[facts:]
        engine.exits = exits
        engine.names_again(names)
        if not grown:
            engine.typing = typing
            return shape


def _grow(engine: Engine, loop: Loop, shape: Shape, start: Path, ways: list[Exit]) -> bool:
    grown = False
    for way in ways:
        if not shape.calls and not way.path.world.eq(start.world):
            shape.calls = grown = True
        for key in engine.sorts.keys:
            same = way.path.array(key, engine.sorts).eq(start.array(key, engine.sorts))
            if not shape.calls and not same and key not in shape.written:
                shape.written.add(key)
                grown = True
    for name, tags in shape.tags.items():
        heads = [way.path for way in ways if way.how == "head"]
        more = tags.union(*(tags_of(engine, path.locals[name]) for path in heads))
        if more != tags:
            shape.tags[name], grown = more, True
        leaving = [way.path for way in ways if (way.how, way.label) == ("break", loop.label)]
        shape.after[name] = shape.tags[name].union(
            *(tags_of(engine, path.locals[name]) for path in leaving),
            *(tags_of(engine, way.path.locals[name]) for way in ways if way.how == "end"),
        )
    return grown


def _constants(loop: Loop, name: str) -> list[int]:
    """Constants that a local is compared with or given in the loop, and those next to them."""
    found = {0, 1}
    for node in walk(loop):
        sides: tuple[Expr, ...] = ()
        if isinstance(node, Operation) and node.name in ("compare", "binary", "builtin"):
            sides = node.operands
        elif isinstance(node, Assign):
            sides = (node.target, node.value)
        if any(_reads(each) == name for each in sides):
            values = [each.value for each in sides if isinstance(each, Lit)]
            found |= {value for value in values if type(value) is int and abs(value) < 2**64}
    near = {value + step for value in found for step in (-1, 0, 1)}
    return sorted(near, key=lambda value: (abs(value), value))[:8]


def _reads(node: Expr) -> str:
    """The local that an expression is."""
    if isinstance(node, Operation) and node.name == "bound":
        return _reads(node.operands[0])
    return node.name if isinstance(node, Local) else ""


def _limits(engine: Engine, loop: Loop, before: Path, shape: Shape) -> list[Invariant]:
    """`i <= bound` for comparisons with what the loop does not change; positions and lengths."""
    found: list[Invariant] = []
    for node in walk(loop):
        if not isinstance(node, Operation) or len(node.operands) != 2:
            continue
        if node.name == "more" and not shape.calls:
            owner = before.locals.get(_reads(node.operands[0]))
            place = _reads(node.operands[1])
            if owner is not None and tag_of(owner) is not None and place in shape.tags:
                found.append((f"`{place}` <= the length", _shorter(engine, place, owner)))
        if node.name != "compare" or node.key not in _ORDERS:
            continue
        for side, other in (node.operands, node.operands[::-1]):
            name = _reads(side)
            if shape.tags.get(name) == frozenset({"integer"}) and _steady(other, shape):
                bound = _value(engine, other, before)
                if bound is not None:
                    words = f"`{name}` {{}} its bound"
                    found += [(words.format(op), _bound(name, op, bound)) for op in ("<=", ">=")]
    return found[:_MOST_PAIRS]


def _steady(node: Expr, shape: Shape) -> bool:
    """Whether an expression has the same value at every head."""
    for each in walk(node):
        if isinstance(each, Local):
            if each.name in shape.tags:
                return False
        elif isinstance(each, Operation):
            plain = each.name in ("bound", "binary") or (each.name, each.key) == ("builtin", "len")
            if not plain:
                return False
        elif not isinstance(each, Lit):
            return False
    return not isinstance(node, Lit)


def _value(engine: Engine, node: Expr, before: Path) -> Term | None:
    exits, engine.exits = engine.exits, []  # a bound is only a term: nothing happens
    scratch = before.copy()
    value = evaluate(engine, node, scratch)
    engine.exits = exits
    pure = scratch.world.eq(before.world) and not scratch.dead
    return part("integer", value) if pure and tag_of(value) == "integer" else None


def _number(path: Path, name: str) -> Term:
    """The number that a local holds; where nothing gets, any will do."""
    return part("integer", path.locals[name]) if name in path.locals else z3.IntVal(0)


def _shorter(engine: Engine, place: str, owner: Term) -> Callable[[Path], Term]:
    def term(path: Path) -> Term:
        size = length(engine, path, owner)
        assert size is not None
        return _number(path, place) <= size

    return term


def _bound(name: str, op: str, value: Term) -> Callable[[Path], Term]:
    def term(path: Path) -> Term:
        number = _number(path, name)
        return number >= value if op == ">=" else number <= value

    return term


def _order(one: str, op: str, other: str) -> Callable[[Path], Term]:
    def term(path: Path) -> Term:
        left, right = (_number(path, name) for name in (one, other))
        return left <= right if op == "<=" else left >= right

    return term
