"""Calls and new objects: by contract, or a function of all they can see."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import z3

from equimut.languages.contracts import Contract
from equimut.languages.lowered import (
    SEEN,
    Call,
    Local,
    New,
    OpaqueExpr,
    Type,
)
from equimut.proofs.smt.symbolic.contracts import string_length, tell_of_literal, term_of
from equimut.proofs.smt.symbolic.engine import (
    CAPACITY,
    Engine,
    Gave,
    Handlers,
    evaluate,
    execute,
)
from equimut.proofs.smt.symbolic.leaps import current, leap
from equimut.proofs.smt.symbolic.operators import convert, reached
from equimut.proofs.smt.symbolic.state import Exit, Path, merged, merged_exits
from equimut.proofs.smt.symbolic.statements import fills, is_quiet
from equimut.proofs.smt.symbolic.terms import (
    FALSE,
    Term,
    apply,
    null,
    ref,
    sort_of,
)


def _call(engine: Engine, node: Call, path: Path) -> Term:
    terms: list[Term] = []
    if node.receiver is not None:
        receiver = evaluate(engine, node.receiver, path)
        terms.append(receiver)
    arguments = [evaluate(engine, argument, path) for argument in node.arguments]
    if node.receiver is not None and not (
        isinstance(node.receiver, Local) and node.receiver.name == "this"
    ):
        seen = terms[0] if terms[0].sort() == ref() else apply("reference of", ref(), [terms[0]])
        reached(engine, path, seen)
    name = node.callee
    if name is not None and name in engine.methods and name not in engine.calling:
        this = terms[0] if terms else z3.Const(f"class {node.owner}", ref())
        return _inside(engine, name, node, this, arguments, path)
    if (node.owner, node.name, len(arguments)) == ("System", "arraycopy", 5):
        return _copied(engine, node, arguments, path)
    contract = engine.library.contracts.get((node.owner, node.name, len(arguments)))
    exact = _EXACT.get((node.owner, node.name))
    if exact is not None and node.type.kind == "float":
        return exact(*(
            convert(engine, term, argument.type, node.type, path)
            for term, argument in zip(arguments, node.arguments, strict=True)
        ))  # fmt: skip
    if contract is not None and contract.result == "=" and node.type.kind != "int":
        # Of floating-point numbers, that it depends on nothing else; of others, nothing.
        known = node.type.kind == "float"
        contract = replace(contract, defines="", total=True) if known else None
    order = _ORDERS.get((node.owner, node.name))
    if order is not None and all(each.type.kind in ("int", "float") for each in node.arguments):
        return _in_order(*(
            convert(engine, term, argument.type, order, path)
            for term, argument in zip(arguments, node.arguments, strict=True)
        ))  # fmt: skip
    key = f"{node.owner}.{node.name} {node.key}"
    names = {f"a{place}": term for place, term in enumerate(arguments)}
    if terms:
        names["this"] = terms[0]
    if contract is None:
        found = engine.unknown(path, key, [*terms, *arguments], node.type)
        for promise in engine.results.get(name, ()) if name is not None else ():
            state = Path(path.condition, {"result": found}, path.world, path.heap)
            words = promise.words + (f", if {promise.assumes}" if promise.assumes else "")
            claim = engine.evaluated(promise.fact, state)
            engine.know(path, claim, words, assumed=bool(promise.assumes))
        return found
    if contract.result == "=":
        arguments = [
            convert(engine, term, argument.type, node.type, path)
            for term, argument in zip(arguments, node.arguments, strict=True)
        ]
        names |= {f"a{place}": term for place, term in enumerate(arguments)}
    names |= {"null": null(), "count": engine.length, "nan": _nan, "infinite": _infinite}
    names["minus"] = _minus
    names["width"] = _width
    names["size"] = partial(_size, engine, path.copy(), contract.assumes)
    result = _promised(engine, node, contract, key, terms + arguments, names, path)
    names["result"] = result
    for text in contract.ensures:
        words = contract.assumes or contract.words or f"{node.owner}.{node.name}: {text}"
        engine.know(path, term_of(text, names), words, assumed=bool(contract.assumes))
    if terms:
        tell_of_literal(engine, node, terms[0], arguments, result, path)
    for string in [*terms, *arguments, result]:
        if string.sort() == ref():
            engine.axiom(string_length(string) >= 0, "a string's length is never negative")
    if contract.fresh:
        engine.know(path, result != null(), f"{node.owner}.{node.name} never returns null")
    if contract.fresh and contract.pure and node.type.name == "String":
        empty = engine.literal('String ""')
        engine.axiom(string_length(empty) == 0, "an empty string has no characters")
        same = z3.Implies(string_length(result) == 0, result == empty)
        engine.know(path, same, "nobody tells empty strings apart by identity", assumed=True)
    return result


def _copied(engine: Engine, node: Call, arguments: list[Term], path: Path) -> Term:
    """`System.arraycopy`: no elements, from and to places that are there, is nothing."""
    source, start, target, place, count = arguments
    names = [node.arguments[each].type.name for each in (0, 2)]
    alike = names[0] == names[1] and names[0].endswith("[]")
    if not alike or any(each.sort() != z3.BitVecSort(32) for each in (start, place, count)):
        return engine.unknown(path, f"System.arraycopy {node.key}", arguments, node.type)
    quiet = path.copy()
    nothing = z3.And(
        count == 0, source != null(), target != null(),
        start >= 0, start <= engine.length(source), place >= 0, place <= engine.length(target),
    )  # fmt: skip
    quiet.assume(nothing)
    path.assume(z3.Not(nothing))
    kept = {key: rows for key, rows in engine.all_there(path).items() if key[0] != "[]"}
    result = engine.unknown(path, f"System.arraycopy {node.key}", arguments, node.type)
    path.heap |= kept
    inside = z3.And(
        source != null(), target != null(), count >= 0, start >= 0, place >= 0,
        start <= engine.length(source) - count, place <= engine.length(target) - count,
    )  # fmt: skip
    engine.know(path, inside, "what was copied was inside of both arrays")
    path.become(merged([quiet, path.copy()], engine.sorts))
    return result


def _larger(left: Term, right: Term) -> Term:
    """The larger of two floating-point numbers: 0.0 is larger than -0.0."""
    no_number = z3.Or(z3.fpIsNaN(left), z3.fpIsNaN(right))
    tie = z3.If(z3.fpIsNegative(left), right, left)
    larger = z3.If(z3.fpEQ(left, right), tie, z3.If(z3.fpGT(left, right), left, right))
    return z3.If(no_number, z3.fpNaN(left.sort()), larger)


def _smaller(left: Term, right: Term) -> Term:
    return z3.fpNeg(_larger(z3.fpNeg(left), z3.fpNeg(right)))


_EXACT: dict[tuple[str, str], Callable[..., Term]] = {
    ("Math", "abs"): z3.fpAbs, ("Math", "max"): _larger, ("Math", "min"): _smaller,
}  # fmt: skip
"""What is exact for floating-point numbers, too."""


def _in_order(left: Term, right: Term) -> Term:
    """What `Double.compare` says: -0.0 is less than 0.0, and what is no number more than all."""
    signs = z3.And(z3.fpIsZero(left), z3.fpIsZero(right), z3.fpIsNegative(left))
    less = z3.Or(z3.fpLT(left, right), z3.fpIsNaN(right), signs)
    number = partial(z3.BitVecVal, bv=32)
    return z3.If(left == right, number(0), z3.If(less, number(-1), number(1)))


_ORDERS = {
    ("Double", "compare"): Type("float", 64, name="double"),
    ("Float", "compare"): Type("float", 32, name="float"),
}  # fmt: skip
"""Comparisons in the one order of all floating-point numbers, and the type of what they compare."""


def _nan(value: Term) -> Term:
    known = isinstance(value, z3.FPRef)
    return z3.fpIsNaN(value) if known else apply("is no number", z3.BoolSort(), [value])


def _infinite(value: Term) -> Term:
    known = isinstance(value, z3.FPRef)
    return z3.fpIsInf(value) if known else apply("is infinite", z3.BoolSort(), [value])


def _minus(value: Term) -> Term:
    known = isinstance(value, z3.FPRef)
    return z3.fpIsNegative(value) if known else apply("has a minus sign", z3.BoolSort(), [value])


def _width(value: Term) -> Term:
    """How many characters there are at least where a string or a character was found."""
    return string_length(value) if value.sort() == ref() else z3.BitVecVal(1, 32)


def _inside(
    engine: Engine, name: str, node: Call, this: Term, arguments: list[Term], path: Path
) -> Term:
    """The result of a short callee, executed in place with locals of its own."""
    callee, mine, outer = engine.methods[name], path.locals, engine.calling
    engine.seen(path)  # by the callee, which relies on what the class promises, too
    before, engine.exits = engine.exits, []
    path.locals = {"this": this} | {name: mine[name] for name in (SEEN,) if name in mine}
    if not this.eq(mine["this"]):  # what is inherited, or around the object, is another object's
        path.locals["scope"] = apply("scope of", ref(), [this])
    elif "scope" in mine:
        path.locals["scope"] = mine["scope"]
    for local, value in zip(callee.parameters, arguments, strict=True):
        path.locals[local.name] = value
    engine.calling = (*outer, name)
    execute(engine, callee.body, path)
    engine.calling = outer
    left, engine.exits = engine.exits, before
    if not path.dead:
        left.append(Exit("return", "", path.copy()))
    result = None
    for each in merged_exits(left, engine.sorts).values():
        each.path.locals = dict(mine)
        if each.how == "return":
            result = each
        else:
            engine.exits.append(each)
    if result is None:
        path.condition, path.locals = FALSE, mine
        return apply("unreached", sort_of(node.type), [])
    path.become(result.path)
    if result.value is None:
        return apply("no value", sort_of(node.type), [])
    return result.value


def _size(engine: Engine, path: Path, assumes: str, value: Term) -> Term:
    """How many elements a collection or builder has now."""
    size = apply("size", z3.BitVecSort(32), [*engine.visible(path), value])
    words = assumes or "a length is never negative"
    engine.know(path, size >= 0, words, assumed=bool(assumes))
    return size


def _promised(
    engine: Engine,
    node: Call,
    contract: Contract,
    key: str,
    inputs: list[Term],
    names: dict[str, Term],
    path: Path,
) -> Term:
    if not contract.pure:
        kept = engine.all_there(path) if is_quiet(engine, node) or fills(engine, node) else {}
        if fills(engine, node):
            kept = {each: rows for each, rows in kept.items() if each[0] != "[]"}
        found = engine.unknown(path, key, inputs, node.type)
        path.heap |= kept
        return found
    if contract.assumes:
        engine.relied.add(contract.assumes)
        engine.seen(path)  # by code of others, which changes nothing but may look back
    if contract.reads:
        inputs = [*engine.visible(path), *inputs]
    if engine.library.undefined_is_outside:
        if contract.throws:
            engine.undefined(path, term_of(contract.throws, names))
        elif not contract.total:
            engine.undefined(path, apply(f"undefined {key}", z3.BoolSort(), inputs))
    elif contract.throws:
        engine.throw(path, term_of(contract.throws, names), f"of {key}", *inputs)
    elif contract.fails or (
        not contract.total
        and any(
            # A number that is looked for among objects may be compared with what is none.
            argument.type.kind not in ("int", "bool", "float") or contract.assumes
            for argument in node.arguments
        )
    ):
        engine.throw(path, apply(f"throws {key}", z3.BoolSort(), inputs), f"of {key}", *inputs)
    if contract.defines:
        return term_of(contract.defines, names)
    return apply(f"result of {key}", sort_of(node.type), inputs)


def _new(engine: Engine, node: New, path: Path) -> Term:
    if node.length is None:
        arguments = [evaluate(engine, argument, path) for argument in node.arguments]
        if node.key.endswith(CAPACITY) and not engine.measured:
            engine.throw(path, arguments[0] < 0, "capacity below zero", *arguments)
            engine.capacities += arguments
            arguments = []
        kept = engine.all_there(path) if node.quiet else {}
        value = engine.unknown(path, f"new {node.key}", arguments, node.type)
        path.heap |= kept
        engine.know(path, value != null(), "a new object is never null")
        return value
    size = evaluate(engine, node.length, path)
    rows_of = [evaluate(engine, each, path) for each in node.arguments]
    items = [evaluate(engine, item, path) for item in node.items or ()]
    if node.items is None:
        for each in (size, *rows_of):
            engine.throw(path, each < 0, "NegativeArraySizeException", each)
    inputs = [*engine.visible(path), size, *rows_of]
    value = apply(f"new {node.type.name}", ref(), inputs)
    after = apply(f"world after new {node.type.name}", path.world.sort(), inputs)
    for key in engine.sorts.keys:
        path.array(key, engine.sorts)  # an allocation changes nothing that is there
    path.world = after
    engine.know(path, value != null(), "a new array is never null")
    engine.know(path, engine.length(value) == size, "a new array has the length asked for")
    if node.items:
        key = engine.sorts.key("[]", items[0].sort())
        rows = path.array(key, engine.sorts)
        row = z3.Select(rows, value)
        for place, item in enumerate(items):
            if item.sort() != items[0].sort():
                raise Gave("mixed array")
            row = z3.Store(row, z3.BitVecVal(place, 32), item)
        path.heap[key] = z3.Store(rows, value, row)
    elif node.items is None and not rows_of:
        _zeroed(engine, node, value, path)
    return value


def _zeroed(engine: Engine, node: New, value: Term, path: Path) -> None:
    for key in engine.sorts.keys:
        if key[0] != "[]":
            continue
        rows = path.array(key, engine.sorts)
        sort = rows.sort().range().range()
        zero: Term
        if isinstance(sort, z3.BitVecSortRef):
            zero = z3.BitVecVal(0, sort.size())
        elif sort == z3.BoolSort():
            zero = z3.BoolVal(False)
        elif sort == ref():
            zero = null()
        elif isinstance(sort, z3.FPSortRef):
            zero = z3.FPVal(0.0, sort)
        else:
            continue
        path.heap[key] = z3.Store(rows, value, z3.K(z3.BitVecSort(32), zero))


def _opaque(engine: Engine, node: OpaqueExpr, path: Path) -> Term:
    reads = [current(local, path) for local in node.reads]
    key = f"opaque {node.text}"
    if node.writes or node.leaves:
        value = apply(key, sort_of(node.type), [*engine.everything(path), *reads])
        leap(engine, path, key, reads, node.writes, True, [*node.leaves, ("throw", "")])
        return value
    if node.effects:
        return engine.unknown(path, key, reads, node.type)
    value = apply(key, sort_of(node.type), [*engine.everything(path), *reads])
    if node.type.kind == "ref":
        engine.know(path, value != null(), "a lambda is never null")
    return value


CALLS: Handlers = {Call: _call, New: _new, OpaqueExpr: _opaque}
