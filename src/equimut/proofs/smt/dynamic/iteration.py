"""Going through values: positions, parts of tuples, bounds of ranges."""

import z3

from equimut.languages.lowered import VALUE, Operation
from equimut.proofs.smt.dynamic.arithmetic import NUMBERS, whole
from equimut.proofs.smt.dynamic.containers import at, display, length, parts_of
from equimut.proofs.smt.dynamic.dispatch import Operator, by_type
from equimut.proofs.smt.dynamic.values import integer, is_, part, tag_of, tags_of, wrap
from equimut.proofs.smt.symbolic.engine import Engine
from equimut.proofs.smt.symbolic.state import Path
from equimut.proofs.smt.symbolic.terms import Term, apply, value_sort


def _iter(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    """What a loop goes through: containers with positions are gone through by position."""
    if tags_of(engine, values[0]) <= {"list", "string", "tuple"}:
        return values[0]
    found = engine.unknown(path, "iter", values, VALUE)
    kept = apply("iterator", value_sort(), [found])
    engine.kinds[kept.get_id()] = (kept, frozenset({"object"}))
    return kept


def _more(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    """Whether there is an element at this position."""

    def case(branch: Path, spelt: list[Term]) -> Term | None:
        size = length(engine, branch, spelt[0])
        return z3.simplify(part("integer", spelt[1]) < size) if size is not None else None

    return by_type(engine, path, "next", values[:1], case, rest=values[1:], type_=node.type)


def _item(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    """The element at this position, which is there."""
    owner, place = values

    def case(branch: Path, spelt: list[Term]) -> Term | None:
        return at(engine, branch, spelt[0], part("integer", spelt[1]))

    if tags_of(engine, owner) <= {"list", "string", "tuple"}:
        return by_type(engine, path, "item", [owner], case, rest=[place])
    return apply("item", value_sort(), [path.world, owner, place])


def _unpack(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    """The elements of a value as a tuple of so many."""
    count = len(node.key)
    parts = parts_of(values[0])
    if parts is not None and len(parts) == count:
        return values[0]

    def case(branch: Path, spelt: list[Term]) -> Term | None:
        size = length(engine, branch, spelt[0])
        if size is None or tag_of(spelt[0]) not in ("tuple", "list", "string"):
            return None
        engine.throw(branch, size != count, "ValueError", size, message=f"unpack {count}")
        places = [at(engine, branch, spelt[0], z3.IntVal(place)) for place in range(count)]
        return display(engine, branch, "tuple", places)

    found = by_type(engine, path, f"unpack {node.key}", values, case)
    if path.dead or parts_of(found) is not None:
        return found
    return display(
        engine,
        path,
        "tuple",
        [apply(f"part {place}", value_sort(), [found]) for place in range(count)],
    )


def _unpack_star(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    found = engine.unknown(path, f"unpack {node.key}", values, VALUE)
    parts = [apply(f"part {place}", value_sort(), [found]) for place in range(len(node.key))]
    return display(engine, path, "tuple", parts)


def _part(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    parts = parts_of(values[0])
    if parts is None:
        return apply(f"part {node.key}", value_sort(), values)
    return parts[int(node.key)]


def _number(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    """A bound of a range: a whole number, or an object that gives one."""

    def case(branch: Path, spelt: list[Term]) -> Term | None:
        return integer(whole(spelt[0])) if tag_of(spelt[0]) in NUMBERS else None

    found = by_type(engine, path, "index", values, case)
    if path.dead:
        return found
    engine.know(path, is_("integer", found), "a bound of a range is a whole number")
    return wrap("integer", part("integer", found))


def _step(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    found = _number(engine, node, path, values)
    if not path.dead:
        zero = part("integer", found) == 0
        engine.throw(path, zero, "ValueError", message="range() arg 3 must not be zero")
    return found


ITERATION: dict[str, Operator] = {
    "iter": _iter, "more": _more, "item": _item, "unpack": _unpack, "unpack *": _unpack_star,
    "part": _part, "number": _number, "step": _step,
}  # fmt: skip
