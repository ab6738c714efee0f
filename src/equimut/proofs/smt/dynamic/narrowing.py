"""What `isinstance` tells of values, where it was asked: on the paths that it let through."""

from collections.abc import Mapping

import z3

from equimut.languages.lowered import BOOL, Operation
from equimut.proofs.smt.dynamic.values import (
    ALL,
    Tags,
    is_,
    is_choice,
    narrowed,
    tag_of,
    tags_of,
)
from equimut.proofs.smt.symbolic.engine import Engine
from equimut.proofs.smt.symbolic.state import Path
from equimut.proofs.smt.symbolic.terms import FALSE, Term, choose

_INSTANCES: Mapping[str, tuple[str, ...]] = {
    "str": ("string",), "int": ("integer", "boolean"), "float": ("floating",),
    "bool": ("boolean",), "list": ("list",), "tuple": ("tuple",), "dict": ("dict",),
    "set": ("set",),
}  # fmt: skip
"""Tags of what is an instance of a class, subclasses apart."""
_NARROWING = frozenset({"str", "int", "float", "bool", "list", "tuple"})
"""Classes of which subclasses are rare enough to be assumed away."""
_ASKED = "result of isinstance "
Kinds = Mapping[int, tuple[Term, Tags]]
"""Values by the ids of their terms, each with the tags that it has."""
_NOTHING: Kinds = {}


def is_instance(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    """`isinstance(value, classes)`: exact for builtin values, an unknown call for objects."""
    value = values[0]
    tags = sorted({tag for name in node.key.split() for tag in _INSTANCES.get(name, ())})
    tests = [is_(tag, value) for tag in tags]
    if "object" not in tags_of(engine, value):
        return z3.simplify(z3.Or(FALSE, *tests))
    said = engine.unknown(path, f"isinstance {node.key}", values, BOOL)
    object_ = is_("object", value)
    if not set(node.key.split()) <= _NARROWING:  # an object may well be one of these
        return z3.Or(*tests, z3.And(object_, said))
    engine.know(path, z3.Implies(said, object_), "builtin values are asked for their own class")
    return z3.Or(*tests, said)


def as_tested(engine: Engine, path: Path, value: Term, name: str) -> Term:
    """A value that is read, as what it was tested to be on every way that leads here."""
    if not engine.narrows or tag_of(value) is not None or is_choice(value):
        return value
    known = _tested(engine, path.condition).get(value.get_id())
    if known is None:
        return value
    tags = sorted(known[1])
    words = f"`{name}` is exactly what `isinstance` was asked for: no subclass"
    engine.relied.add(words)
    engine.know(path, z3.Or(*(is_(tag, value) for tag in tags)), words, assumed=True)
    found = narrowed(value, frozenset({tags[0]}))
    for tag in tags[1:]:
        found = choose(is_(tag, value), narrowed(value, frozenset({tag})), found)
    return found


def _tested(engine: Engine, condition: Term) -> Kinds:
    """What a condition says of types; answers are kept with their conditions."""
    number = condition.get_id()
    if number not in engine.tested:
        spine = [condition]  # conditions grow to the left
        while z3.is_and(spine[-1]) and spine[-1].arg(0).get_id() not in engine.tested:
            spine.append(spine[-1].arg(0))
        for each in reversed(spine):
            engine.tested[each.get_id()] = each, _said(engine, each)
    return engine.tested[number][1]


def _said(engine: Engine, condition: Term) -> Kinds:
    if z3.is_and(condition):
        found: dict[int, tuple[Term, Tags]] = {}
        for each in condition.children():
            for number, (value, tags) in _tested(engine, each).items():
                both = tags & found[number][1] if number in found else tags
                found[number] = (value, both or tags)
        return found
    test = _test(condition)
    if test is not None:
        return {test[0].get_id(): test}
    if not z3.is_or(condition):
        return _NOTHING
    first, *others = (_tested(engine, each) for each in condition.children())
    return {
        number: (value, tags.union(*(each[number][1] for each in others)))
        for number, (value, tags) in first.items()
        if all(number in each for each in others)
    }


def _test(condition: Term) -> tuple[Term, Tags] | None:
    """The value and the tags, if a condition is one question of `isinstance`."""
    parts = condition.children() if z3.is_or(condition) else []
    asked = [each for each in parts if each.decl().name().startswith(_ASKED)]
    tests = [each for each in parts if z3.is_app_of(each, z3.Z3_OP_DT_IS)]
    if len(asked) != 1 or not tests or len(tests) + 1 != len(parts):
        return None
    value = asked[0].children()[-1]
    if any(not each.arg(0).eq(value) for each in tests):
        return None
    tags = frozenset(tag for tag in ALL for each in tests if each.eq(is_(tag, value)))
    return (value, tags) if len(tags) == len(tests) else None
