"""Calls of builtins and of methods of builtin types, by what the library promises of them."""

import z3

from equimut.languages.contracts import Contract
from equimut.languages.lowered import BOOL, VALUE, Operation
from equimut.proofs.smt.dynamic.arithmetic import NUMBERS, compare, double, signed, whole
from equimut.proofs.smt.dynamic.containers import (
    hold,
    length,
    new_list,
    plain_keys,
    read,
    write,
)
from equimut.proofs.smt.dynamic.dispatch import by_type
from equimut.proofs.smt.dynamic.values import (
    CONTAINERS,
    boolean,
    code_of,
    constant,
    integer,
    is_,
    narrowed,
    part,
    tag_of,
    tags_named,
    tags_of,
    wrap,
)
from equimut.proofs.smt.symbolic.contracts import term_of
from equimut.proofs.smt.symbolic.engine import Engine
from equimut.proofs.smt.symbolic.state import Path
from equimut.proofs.smt.symbolic.terms import Term, apply, choose, negation, text_sort, value_sort

_RESULTS = {
    "int": ("integer", z3.IntSort), "bool": ("boolean", z3.BoolSort),
    "float": ("floating", z3.Float64), "str": ("string", text_sort),
}  # fmt: skip
_FLOATS = {
    "math.isnan": z3.fpIsNaN,
    "math.isinf": z3.fpIsInf,
    "math.isfinite": lambda number: z3.Not(z3.Or(z3.fpIsNaN(number), z3.fpIsInf(number))),
}
_OWNERS = {"string": "str", "list": "list", "dict": "dict", "set": "set", "tuple": "tuple"}
_ZERO = z3.FPVal(0.0, z3.Float64())
"""Stands for every integer: none is infinite, none is no number."""


def comparison(engine: Engine, path: Path, op: str, left: Term, right: Term) -> Term:
    """`left op right` as a value."""

    def case(branch: Path, spelt: list[Term]) -> Term | None:
        found = compare(engine, branch, op, *spelt)
        return boolean(found) if found is not None else None

    return by_type(engine, path, f"compare {op}", [left, right], case)


def truth(engine: Engine, path: Path, value: Term) -> Term:
    """The truth of a value."""

    def case(branch: Path, spelt: list[Term]) -> Term | None:
        return truth_of(engine, branch, spelt[0])

    return by_type(engine, path, "truth", [value], case, type_=BOOL)


def truth_of(engine: Engine, path: Path, value: Term) -> Term | None:
    """The truth of a value whose tag is known."""
    tag = tag_of(value)
    if tag == "none":
        return z3.BoolVal(False)
    if tag == "boolean":
        return value.arg(0)
    if tag == "integer":
        return z3.simplify(value.arg(0) != 0)
    if tag == "floating":
        return negation(z3.fpIsZero(value.arg(0)))
    size = length(engine, path, value)
    return z3.simplify(size != 0) if size is not None else None


def call_builtin(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    """A call of a builtin function by its name, which nothing in the text hides."""
    name = node.key
    if name in ("min", "max") and len(values) > 1:
        return _extreme(engine, path, ">" if name == "max" else "<", values)
    hint = node.operands[0].type.name if node.operands else ""

    def case(branch: Path, spelt: list[Term]) -> Term | None:
        found = _exact(engine, branch, name, spelt[0]) if len(spelt) == 1 else None
        if found is not None:
            return found
        owner = "plain" if spelt and tag_of(spelt[0]) in CONTAINERS and plain_keys(hint) else ""
        contract = engine.library.contracts.get((owner, name, len(spelt)))
        return promised(engine, branch, contract, name, spelt) if contract else None

    found = by_type(engine, path, f"builtin {name}", values, case)
    if name == "len" and not path.dead and tag_of(found) is None:
        size = part("integer", found)
        fits = z3.And(is_("integer", found), size >= 0)
        engine.know(path, fits, "len answers a number that is not negative")
        return integer(size)
    return answer(engine, path, name, found)


def answer(engine: Engine, path: Path, name: str, found: Term) -> Term:
    """What a builtin has answered, as the class that it always answers."""
    kind = engine.library.results.get(name)
    if kind is None or path.dead or tag_of(found) is not None:
        return found
    (tag,) = tags_named(kind) - {"integer"} or {"integer"}
    engine.know(path, is_(tag, found), f"{name} answers {kind}")
    found = narrowed(found, frozenset({tag}))
    if name in engine.library.least:
        least = engine.library.least[name]
        engine.know(path, part("integer", found) >= least, f"{name} answers {least} or more")
    return found


def call_answer(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    """The result of a call with keywords or stars."""
    return answer(engine, path, node.key, values[0])


def _exact(engine: Engine, path: Path, name: str, value: Term) -> Term | None:
    """Builtins of one argument whose result is computed."""
    tag = tag_of(value)
    if name == "len":
        size = length(engine, path, value)
        return integer(size) if size is not None else None
    if name == "bool":
        found = truth_of(engine, path, value)
        return boolean(found) if found is not None else None
    if name in _FLOATS and tag in NUMBERS | {"floating"}:
        number = double(engine, value, path)
        return boolean(_FLOATS[name](number) if tag == "floating" else _FLOATS[name](_ZERO))
    if name == "abs" and tag in NUMBERS:
        number = z3.simplify(whole(value))
        return integer(z3.simplify(z3.If(number >= 0, number, -number)))
    if name == "abs" and tag == "floating":
        return signed("abs", value)
    if name in ("int", "round") and tag in NUMBERS:
        return integer(whole(value))
    same = {"str": "string", "float": "floating"}
    return value if name in same and tag == same[name] else None


def _extreme(engine: Engine, path: Path, op: str, values: list[Term]) -> Term:
    """`max(a, b)` is a unless b is larger: ties and NaN go to the first."""
    found = values[0]
    for value in values[1:]:
        better = truth(engine, path, comparison(engine, path, op, value, found))
        found = choose(better, value, found)
    return found


def call_method(engine: Engine, node: Operation, path: Path, values: list[Term]) -> Term:
    """A call of a method by its name."""
    hint = node.operands[0].type.name

    def case(branch: Path, spelt: list[Term]) -> Term | None:
        receiver, *arguments = spelt
        tag = tag_of(receiver)
        if tag == "list" and node.key == "append" and len(arguments) == 1:
            return _append(engine, branch, receiver.arg(0), arguments[0])
        if tag == "list" and node.key == "pop" and not arguments:
            return _pop(engine, branch, receiver.arg(0))
        owners = {"string": ["str"], "list": ["list"]}.get(str(tag), [])
        if tag in CONTAINERS and plain_keys(hint):
            owners = [*owners, f"plain {tag}"]
        for owner in owners:
            contract = engine.library.contracts.get((owner, node.key, len(arguments)))
            if contract is not None:
                return promised(engine, branch, contract, f"{owner}.{node.key}", spelt, this=True)
        if tag == "dict" and node.key == "get" and len(arguments) == 1:  # None is the default
            asked = [receiver, *arguments, constant("none")]
            return engine.unknown(branch, "method get", asked, VALUE)
        return None

    found = by_type(engine, path, f"method {node.key}", values[:1], case, rest=values[1:])
    tags = tags_of(engine, values[0])
    owner = _OWNERS.get(next(iter(tags)), "") if len(tags) == 1 else ""
    return answer(engine, path, f"{owner}.{node.key}", found)


def _append(engine: Engine, path: Path, owner: Term, value: Term) -> Term:
    size, items = (read(engine, path, name, owner) for name in ("size", "items"))
    hold(engine, path, constant("unset"), value)
    write(engine, path, "items", owner, z3.Store(items, size, value))
    write(engine, path, "size", owner, z3.simplify(size + 1))
    return constant("none")


def _pop(engine: Engine, path: Path, owner: Term) -> Term:
    size, items = (read(engine, path, name, owner) for name in ("size", "items"))
    engine.throw(path, size == 0, "IndexError", message="pop from empty list")
    found = z3.simplify(z3.Select(items, size - 1))
    write(engine, path, "size", owner, z3.simplify(size - 1))
    return found


def promised(
    engine: Engine,
    path: Path,
    contract: Contract,
    key: str,
    values: list[Term],
    *,
    this: bool = False,
) -> Term | None:
    """The result of a call that keeps a contract; None where the arguments are others."""
    arguments = values[1:] if this else values
    for value, type_ in zip(arguments, contract.takes, strict=True):
        tags = tags_of(engine, value)
        if len(tags) != 1 or not tags <= tags_named(type_) or tag_of(value) is None:
            return None
    inputs: list[Term] = []
    for value in values:
        inputs += [value, *_inside(engine, path, value)]
    names = {f"a{place}": _named(value) for place, value in enumerate(arguments)}
    names["length"] = lambda value: length(engine, path, value)
    names["code"] = lambda value: code_of(engine, value.arg(0))
    if this:
        names |= {"this": values[0], "old": length(engine, path, values[0])}
    if contract.throws:
        engine.throw(path, term_of(contract.throws, names), "error", *inputs, message=key)
    elif not contract.total:
        fails = apply(f"raises {key}", z3.BoolSort(), inputs)
        engine.throw(path, fails, "error", *inputs, message=key)
    if contract.changes:
        _changed(engine, path, key, values[0], inputs)
    result = _result(engine, path, contract.result, key, inputs)
    names["result"] = _named(result)
    for text in contract.ensures:
        engine.know(path, term_of(text, names), f"{key}: {text}")
    return result


def _named(value: Term) -> Term:
    """Numbers and truths as terms of their own; the rest as values, which have a length."""
    tag = tag_of(value)
    if tag in NUMBERS:
        return whole(value) if tag == "integer" else value.arg(0)
    return value


def _inside(engine: Engine, path: Path, value: Term) -> list[Term]:
    tag = tag_of(value)
    if tag == "list":
        return [read(engine, path, name, value.arg(0)) for name in ("items", "size")]
    return [read(engine, path, "contents", value.arg(0))] if tag in ("dict", "set") else []


def _changed(engine: Engine, path: Path, key: str, owner: Term, inputs: list[Term]) -> None:
    parts = ("items", "size") if tag_of(owner) == "list" else ("contents",)
    for name in parts:
        old = read(engine, path, name, owner.arg(0))
        after = apply(f"{name} after {key}", old.sort(), inputs)
        write(engine, path, name, owner.arg(0), after)


def _result(engine: Engine, path: Path, kind: str, key: str, inputs: list[Term]) -> Term:
    if kind == "None":
        return constant("none")
    if kind == "list":
        size = apply(f"size of {key}", z3.IntSort(), inputs)
        items_sort = z3.ArraySort(z3.IntSort(), value_sort())
        engine.know(path, size >= 0, "a length is never negative")
        return new_list(engine, path, size, apply(f"items of {key}", items_sort, inputs))
    if kind in _RESULTS:
        tag, sort = _RESULTS[kind]
        return wrap(tag, apply(f"result of {key}", sort(), inputs))
    return apply(f"result of {key}", value_sort(), inputs)
