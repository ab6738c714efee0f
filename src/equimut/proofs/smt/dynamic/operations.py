"""The operations of a language whose values carry their types."""

import z3

from equimut.languages.lowered import VALUE, Assign, Leave, Lit, Local, Operation
from equimut.proofs.smt.dynamic.arithmetic import binary, negative
from equimut.proofs.smt.dynamic.calls import (
    call_answer,
    call_builtin,
    call_method,
    comparison,
    truth,
)
from equimut.proofs.smt.dynamic.containers import (
    display,
    has,
    held_on,
    hold,
    index,
    parts_of,
    plain_keys,
    read,
    store,
)
from equimut.proofs.smt.dynamic.dispatch import Operator, by_type, pure
from equimut.proofs.smt.dynamic.iteration import ITERATION
from equimut.proofs.smt.dynamic.narrowing import as_tested, is_instance
from equimut.proofs.smt.dynamic.slices import SLICES, made_of_lists
from equimut.proofs.smt.dynamic.values import (
    CONTAINERS,
    PRIMITIVE,
    annotated,
    boolean,
    constant,
    is_,
    literal,
    narrowed,
    part,
    tag_of,
    tags_of,
    wrap,
)
from equimut.proofs.smt.symbolic.engine import HELD, Engine, Gave, Handlers, evaluate
from equimut.proofs.smt.symbolic.operators import OPERATORS
from equimut.proofs.smt.symbolic.places import PLACES
from equimut.proofs.smt.symbolic.state import Path
from equimut.proofs.smt.symbolic.statements import STATEMENTS
from equimut.proofs.smt.symbolic.terms import (
    FALSE,
    TRUE,
    Term,
    apply,
    negation,
    ref,
    sort_of,
    value_sort,
)

_EXAMPLES: dict[str, object] = {
    "none": None, "boolean": True, "integer": 0, "floating": 0.0, "string": "", "list": [],
    "dict": {}, "set": set(), "tuple": (),
}  # fmt: skip
"""A value of each builtin type, to be asked for its methods."""


def _operation(engine: Engine, node: Operation, path: Path) -> Term:
    values = []
    for operand in node.operands:
        values.append(evaluate(engine, operand, path))
        if path.dead:
            return apply("unreached", sort_of(node.type), [])
    handler = _OPERATIONS.get(node.name)
    if handler is None:
        found = engine.unknown(path, f"{node.name} {node.key}", values, node.type)
    else:
        found = handler(engine, node, path, values)
    if node.type.kind != "value":
        return found
    return annotated(engine, found, node.type, path, said=node.name == "annotated")


def _literal(engine: Engine, node: Lit, path: Path) -> Term:
    if node.type.kind != "value":
        return OPERATORS[Lit](engine, node, path)
    return literal(engine, node.value)


def _leave(engine: Engine, node: Leave, path: Path) -> None:
    """An exception is a reference, whatever value was raised."""
    if node.how != "throw" or node.value is None:
        STATEMENTS[Leave](engine, node, path)
        return
    value = evaluate(engine, node.value, path)
    thrown = value.arg(0) if tag_of(value) == "object" else apply("thrown", ref(), [value])
    engine.leave(path, "throw", "", thrown)


def _assign(engine: Engine, node: Assign, path: Path) -> Term:
    if node.type.kind != "value" or not isinstance(node.target, Local):
        return PLACES[Assign](engine, node, path)
    value = evaluate(engine, node.value, path)
    if not path.dead:
        old = path.locals.get(node.target.name, constant("unset"))
        hold(engine, path, old, value)
        path.locals[node.target.name] = value
    return value


def _unset(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    return constant("unset")


def _bound(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    """The value of a local; reading one that is not set raises."""
    value = values[0]
    tags = tags_of(engine, value)
    if "unset" not in tags:
        return as_tested(engine, path, value, node.key)
    engine.throw(path, is_("unset", value), "UnboundLocalError", message=node.key)
    rest = tags - {"unset"}
    if not rest:
        return value
    value = narrowed(value, rest)
    if "unset" in tags_of(engine, value):
        kept = apply("set", value_sort(), [value])
        engine.axiom(z3.Or(is_("unset", value), kept == value), "a local that is set")
        engine.kinds[kept.get_id()] = (kept, rest)
        return as_tested(engine, path, kept, node.key)
    return as_tested(engine, path, value, node.key)


def _global(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    """A name of the module: whatever was assigned to it last, if it is there at all."""
    missing = apply(f"no global {node.key}", z3.BoolSort(), [path.world])
    engine.throw(path, missing, "NameError", message=node.key)
    return apply(f"global {node.key}", value_sort(), [path.world])


def _truth(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    return truth(engine, path, values[0])


def _boxed(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    return boolean(values[0])


def _binary(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    def case(branch: Path, spelt: list[Term]) -> Term | None:
        found = binary(engine, branch, node.key, *spelt)
        if found is None and {tag_of(each) for each in spelt} <= PRIMITIVE:
            return pure(engine, branch, f"operator {node.key}", spelt)
        return found if found is not None else made_of_lists(engine, branch, node, spelt)

    return by_type(engine, path, f"{node.name} {node.key}", values, case)


def _unary(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    def case(branch: Path, spelt: list[Term]) -> Term | None:
        return negative(engine, branch, node.key, spelt[0])

    return by_type(engine, path, f"unary {node.key}", values, case)


def _compare(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    if node.key in ("is", "is not"):
        same = _identical(engine, path, values)
        return boolean(same if node.key == "is" else negation(same))
    if node.key in ("in", "not in"):
        return _member(engine, node, path, values)
    return comparison(engine, path, node.key, *values)


def _identical(engine: Engine, path: Path, values: list[Term]) -> Term:
    """Exact for `None`, booleans and containers."""
    tags = [tags_of(engine, value) for value in values]
    single = frozenset({"none", "boolean"})
    if not any(each <= single for each in tags) and any(each <= PRIMITIVE for each in tags):
        raise Gave("which equal values are one object, nobody says")
    if any(each <= single for each in tags) or all(each <= CONTAINERS - {"tuple"} for each in tags):
        return z3.simplify(values[0] == values[1])
    return apply("is", z3.BoolSort(), [path.world, *values])


def _is_the_object(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    """Identity with an object that no number, string or container is."""
    if any("object" not in tags_of(engine, value) for value in values):
        return FALSE
    return apply("is", z3.BoolSort(), [path.world, *values])


def _matches(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    """Whether an exception is of one of these builtin classes."""
    names = node.key.split()
    if "Throwable" in names:
        return TRUE
    return z3.Or(*(apply(f"is {name}", z3.BoolSort(), values) for name in names))


def _member(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    hint = node.operands[1].type.name

    def case(branch: Path, spelt: list[Term]) -> Term | None:
        item, owner = spelt
        tag, found = tag_of(owner), None
        if tag_of(item) not in PRIMITIVE:
            return None
        if tag in ("dict", "set") and plain_keys(hint):
            found = has(read(engine, branch, "contents", owner.arg(0)), item)
        elif tag == "list" and plain_keys(hint):
            row = [read(engine, branch, name, owner.arg(0)) for name in ("items", "size")]
            found = apply("is in list", z3.BoolSort(), [*row, item])
        elif tag == "string" and tag_of(item) == "string":
            found = apply("is in text", z3.BoolSort(), [owner.arg(0), item.arg(0)])
        elif tag == "tuple":
            parts = parts_of(owner)
            if parts is not None and all(tag_of(each) in PRIMITIVE for each in parts):
                found = apply("is in tuple", z3.BoolSort(), [item, *parts])
        if found is None:
            return None
        return boolean(found if node.key == "in" else z3.Not(found))

    found = by_type(engine, path, node.key, values, case)
    if path.dead or tag_of(found) is not None:
        return found
    engine.know(path, is_("boolean", found), f"`{node.key}` answers True or False")
    return narrowed(found, frozenset({"boolean"}))


def _index(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    def case(branch: Path, spelt: list[Term]) -> Term | None:
        return index(engine, branch, spelt, node.operands[0].type.name)

    return by_type(engine, path, "subscript", values, case)


def _store(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    """`owner[place] = value`; the value is computed first."""

    def case(branch: Path, spelt: list[Term]) -> Term | None:
        return store(engine, branch, spelt, node.operands[1].type.name)

    return by_type(engine, path, "store", values[1:], case, rest=values[:1])


def _lookup(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    """The object whose method is called: finding the method comes before the arguments."""

    def case(branch: Path, spelt: list[Term]) -> Term | None:
        tag = str(tag_of(spelt[0]))
        if not hasattr(_EXAMPLES[tag], node.key):
            engine.throw(branch, TRUE, "AttributeError", message=f"{tag} {node.key}")
        return spelt[0]

    if "object" not in tags_of(engine, values[0]):
        return by_type(engine, path, f"lookup {node.key}", values, case)
    engine.unknown(path, f"lookup {node.key}", values, VALUE)
    return values[0]


def _handling(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    """Code in a handler may ask which exception is being handled."""
    held = held_on(path)
    path.locals[HELD] = apply("handling", held.sort(), [held, *values])
    return constant("none")


def _caught(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    return wrap("object", values[0])


def _comprehension(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    """What a comprehension does nobody looks into; what it makes is a list, set or dict."""
    found = engine.unknown(path, f"{node.name} {node.key}", values, VALUE)
    tag = {"scope listcomp": "list", "scope setcomp": "set", "scope dictcomp": "dict"}[node.name]
    engine.know(path, is_(tag, found), f"a comprehension makes a {tag}")
    return wrap(tag, part(tag, found))


def _display(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    keys = {"set": values, "dict": values[::2]}.get(node.name, [])
    if not all(tags_of(engine, each) <= PRIMITIVE for each in keys):
        return engine.unknown(path, f"{node.name} display", values, node.type)
    return display(engine, path, node.name, values)


def _format(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    """An f-string and its parts: of primitive values, a function of them.

    `__format__` may answer an instance of a subclass, and a part that stands alone is what it was.
    """
    key, joins = f"format {node.key}", node.key == "join"
    if joins and len(values) == 1:
        return values[0]
    if not joins and not all(tags_of(engine, value) <= PRIMITIVE for value in values):
        return engine.unknown(path, key, values, VALUE)
    found = pure(engine, path, key, values)
    engine.know(path, is_("string", found), "an f-string is a string")
    return wrap("string", part("string", found))


def _annotated(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    return values[0]


def _packed(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    """`*args` is a tuple and `**kwargs` a dict, whatever the caller gave."""
    engine.know(path, is_(node.key, values[0]), f"further arguments arrive in a {node.key}")
    return narrowed(values[0], frozenset({node.key}))


_OPERATIONS: dict[str, Operator] = {
    **ITERATION, **SLICES,
    "unset": _unset, "bound": _bound, "global": _global, "truth": _truth, "boxed": _boxed,
    "binary": _binary, "inplace": _binary, "unary": _unary, "compare": _compare,
    "builtin": call_builtin, "method": call_method, "index": _index, "store": _store,
    "tuple": _display, "list": _display, "set": _display, "dict": _display,
    "format": _format, "annotated": _annotated, "packed": _packed, "lookup": _lookup,
    "caught": _caught, "handling": _handling, "matches": _matches, "is the object": _is_the_object,
    "isinstance": is_instance, "answer": call_answer,
    "scope listcomp": _comprehension, "scope setcomp": _comprehension,
    "scope dictcomp": _comprehension,
}  # fmt: skip
DYNAMIC: Handlers = {Operation: _operation, Lit: _literal, Assign: _assign, Leave: _leave}
