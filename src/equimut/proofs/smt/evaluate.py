"""Expressions, evaluated symbolically: a term, and what the evaluation does to the path."""

from collections.abc import Callable

import z3

from equimut.languages.contracts import Contract
from equimut.languages.lowered import (
    Address,
    Assign,
    Binary,
    Call,
    Cell,
    Choice,
    Convert,
    Element,
    Expr,
    Field,
    Filled,
    InstanceOf,
    Length,
    Lit,
    Local,
    Logic,
    Memory,
    New,
    OpaqueExpr,
    Then,
    Type,
    Unary,
    Unset,
)
from equimut.proofs.smt.contracts import string_length, term_of
from equimut.proofs.smt.engine import Engine, Gave
from equimut.proofs.smt.leaps import current, leap
from equimut.proofs.smt.memory import address_of, cell, load, reach, store, unset_where, zero
from equimut.proofs.smt.state import Path, merged
from equimut.proofs.smt.terms import (
    Term,
    apply,
    arithmetic,
    choose,
    compare,
    converted,
    known_of,
    negation,
    null,
    overflows,
    ref,
    sort_of,
)

_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


def evaluate(engine: Engine, node: Expr, path: Path) -> Term:
    """The value of an expression on a path, which goes on where nothing was thrown."""
    engine.tick()
    if path.dead:
        return apply("unreached", sort_of(node.type), [])
    return _HANDLERS[type(node)](engine, node, path)


def _lit(engine: Engine, node: Lit, path: Path) -> Term:
    type_, value = node.type, node.value
    if type_.kind == "int":
        return z3.BitVecVal(value, type_.bits)
    if type_.kind == "bool":
        return z3.BoolVal(value)
    if type_.kind == "float":
        return z3.FPVal(value, sort_of(type_))
    if value is None:
        return null()
    term = engine.literal(f"{type_.name} {value}")
    if type_.name == "String" and isinstance(value, str):
        inside = value[1:-1]
        if "\\" not in inside and not value.startswith('"""') and inside.isascii():
            engine.know(
                path, string_length(term) == len(inside), f"{value} has {len(inside)} characters"
            )
    return term


def _local(engine: Engine, node: Local, path: Path) -> Term:
    value = current(node, path)
    if engine.unset:
        engine.undefined(path, unset_where(engine, value))
    return value


def _reached(engine: Engine, path: Path, value: Term) -> None:
    """An object must be there to be asked."""
    engine.throw(path, value == null(), "NullPointerException")


def _object(engine: Engine, node: Field, path: Path) -> Term:
    assert node.object is not None
    value = evaluate(engine, node.object, path)
    if node.object.type.kind == "any":
        value = apply("reference of", ref(), [value])
    if node.nullable:
        _reached(engine, path, value)
    return value


def _field(engine: Engine, node: Field, path: Path) -> Term:
    value = _object(engine, node, path)
    if node.final:
        return apply(f"final {node.name}", sort_of(node.type), [value])
    return z3.Select(path.array(engine.heap_key(node), engine.sorts), value)


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
    _reached(engine, path, array)
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
    _reached(engine, path, array)
    return engine.length(array)


def _unary(engine: Engine, node: Unary, path: Path) -> Term:
    value = evaluate(engine, node.operand, path)
    if node.op == "!":
        return negation(value)
    if node.type.kind == "any":
        return apply(f"unary {node.op}", sort_of(node.type), [value])
    if node.type.kind == "float":
        return z3.fpNeg(value)
    if node.op == "-" and node.type.signed and engine.library.undefined_is_outside:
        engine.undefined(path, value == z3.BitVecVal(1 << (node.type.bits - 1), node.type.bits))
    return -value if node.op == "-" else ~value


def _binary(engine: Engine, node: Binary, path: Path) -> Term:
    left = evaluate(engine, node.left, path)
    right = evaluate(engine, node.right, path)
    types = (node.left.type, node.right.type)
    return operate(engine, node.op, types, node.type, left, right, path)


def operate(
    engine: Engine,
    op: str,
    types: tuple[Type, Type],
    result: Type,
    left: Term,
    right: Term,
    path: Path,
) -> Term:
    """A strict operator on operands of these types."""
    type_ = types[0]
    same = left.sort() == right.sort() and type_.kind == types[1].kind != "any"
    if op in ("==", "!=") and same:
        return compare(op, left, right, type_)
    if op in _COMPARISONS and same and type_.kind in ("int", "float"):
        return compare(op, left, right, type_)
    if op == "concat":
        value = apply(f"concat {types[0]} {types[1]}", ref(), [left, right])
        engine.know(path, value != null(), "a concatenation is never null")
        return value
    if not same or op in _COMPARISONS or type_.kind in ("ref", "any"):
        name = f"operator {op} {types[0]} {types[1]}"
        if engine.library.undefined_is_outside:
            engine.undefined(path, apply(f"undefined {name}", z3.BoolSort(), [left, right]))
        return apply(name, sort_of(result), [left, right])
    if engine.library.undefined_is_outside:
        engine.undefined(path, _undefined(op, left, right, type_))
    elif op in ("/", "%") and type_.kind == "int":
        engine.throw(path, right == 0, "ArithmeticException")
    value = arithmetic(op, left, right, type_)
    if op == "%" and z3.is_app_of(value, z3.Z3_OP_UNINTERPRETED):
        words = "a remainder is smaller than its divisor and has the sign of the dividend"
        for fact in known_of(op, left, right, value, type_):
            engine.know(path, fact, words)
    return value


def _undefined(op: str, left: Term, right: Term, type_: Type) -> Term:
    """Where an operator on two numbers of one type has no result in C."""
    if type_.kind != "int":
        return z3.BoolVal(False)
    guards: list[Term] = []
    if op in ("/", "%"):
        guards.append(right == 0)
        if type_.signed:
            least = z3.BitVecVal(1 << (type_.bits - 1), type_.bits)
            guards.append(z3.And(left == least, right == -1))
    elif op in ("<<", ">>"):
        guards.append(z3.UGE(right, type_.bits))
    if type_.signed and op in ("+", "-", "*", "<<"):
        guards.append(overflows(op, left, right, type_))
    return z3.Or(*guards)


def _logic(engine: Engine, node: Logic, path: Path) -> Term:
    left = evaluate(engine, node.left, path)
    decides = left if node.op == "and" else negation(left)
    other = path.copy()
    other.assume(decides)
    right = evaluate(engine, node.right, other)
    path.assume(negation(decides))
    _become(path, merged([other, path], engine.sorts))
    short = z3.BoolVal(node.op == "or")
    return z3.simplify(choose(decides, right, short))


def _choice(engine: Engine, node: Choice, path: Path) -> Term:
    condition = evaluate(engine, node.condition, path)
    other = path.copy()
    path.assume(condition)
    other.assume(negation(condition))
    then = evaluate(engine, node.then, path)
    otherwise = evaluate(engine, node.otherwise, other)
    _become(path, merged([path.copy(), other], engine.sorts))
    return choose(condition, then, otherwise)


def _become(path: Path, other: Path) -> None:
    path.condition, path.locals = other.condition, other.locals
    path.world, path.heap = other.world, other.heap


def _assign(engine: Engine, node: Assign, path: Path) -> Term:
    target = node.target
    place: tuple[Term, ...] = ()
    if isinstance(target, Field):
        place = (_object(engine, target, path),)
    elif isinstance(target, Element):
        array = _array(engine, target, path)
        place = (array, evaluate(engine, target.index, path))
    elif isinstance(target, Memory):
        place = (_memory_place(engine, target, path),)
    elif isinstance(target, Cell):
        place = (_cell_place(engine, target, path),)
    if not node.op:
        value = evaluate(engine, node.value, path)
        if isinstance(target, Element):
            _bounds(engine, place[0], place[1], path)
        _write(engine, target, place, value, path)
        return value
    if isinstance(target, Element):
        _bounds(engine, place[0], place[1], path)
    old = _read(engine, target, place, path)
    computed = node.computed or target.type
    right = evaluate(engine, node.value, path)
    wide = _convert(engine, old, target.type, computed, path)
    types = (computed, computed if node.op != "concat" else node.value.type)
    new = operate(engine, node.op, types, computed, wide, right, path)
    new = _convert(engine, new, computed, target.type, path)
    _write(engine, target, place, new, path)
    return old if node.result == "old" else new


def _read(engine: Engine, target: Expr, place: tuple[Term, ...], path: Path) -> Term:
    if isinstance(target, Local):
        return _local(engine, target, path)
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


def _convert(engine: Engine, value: Term, source: Type, target: Type, path: Path) -> Term:
    if source.kind == "ref" and target.kind not in ("ref", "any"):
        _reached(engine, path, value)  # a box is opened
    if source.kind == "ref" and target.kind == "ref":
        return value
    turned = converted(value, source, target)
    if target.kind == "ref" and source.kind not in ("ref", "any"):
        engine.know(path, turned != null(), "a box is never null")
    return turned


def _conversion(engine: Engine, node: Convert, path: Path) -> Term:
    value = evaluate(engine, node.operand, path)
    if node.checked:
        fits = apply(f"is {node.type.name}", z3.BoolSort(), [value])
        engine.throw(path, z3.And(value != null(), z3.Not(fits)), "ClassCastException", value)
        return value
    return _convert(engine, value, node.operand.type, node.type, path)


def _instance(engine: Engine, node: InstanceOf, path: Path) -> Term:
    value = evaluate(engine, node.operand, path)
    fits = apply(f"is {node.target}", z3.BoolSort(), [value])
    if value.sort() != ref():
        return fits
    return z3.And(value != null(), fits)


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
        _reached(engine, path, seen)
    contract = engine.library.contracts.get((node.owner, node.name, len(arguments)))
    if contract is not None and contract.result == "=" and node.type.kind not in ("int",):
        contract = None
    key = f"{node.owner}.{node.name} {node.key}"
    names = {f"a{place}": term for place, term in enumerate(arguments)}
    if terms:
        names["this"] = terms[0]
    if contract is None:
        return engine.unknown(path, key, [*terms, *arguments], node.type)
    if contract.result == "=":
        arguments = [
            _convert(engine, term, argument.type, node.type, path)
            for term, argument in zip(arguments, node.arguments, strict=True)
        ]
        names |= {f"a{place}": term for place, term in enumerate(arguments)}
    result = _promised(engine, node, contract, key, terms + arguments, names, path)
    names["result"] = result
    for text in contract.ensures:
        words = contract.assumes or f"{node.owner}.{node.name}: {text}"
        engine.know(path, term_of(text, names), words, assumed=bool(contract.assumes))
    for string in [*terms, *arguments, result]:
        if string.sort() == ref():
            engine.axiom(string_length(string) >= 0, "a string's length is never negative")
    if contract.fresh:
        engine.know(path, result != null(), f"{node.owner}.{node.name} never returns null")
    return result


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
        return engine.unknown(path, key, inputs, node.type)
    if contract.reads:
        inputs = [*engine.everything(path), *inputs]
    if engine.library.undefined_is_outside:
        if contract.throws:
            engine.undefined(path, term_of(contract.throws, names))
        elif not contract.total:
            engine.undefined(path, apply(f"undefined {key}", z3.BoolSort(), inputs))
    elif contract.throws:
        engine.throw(path, term_of(contract.throws, names), f"of {key}", *inputs)
    elif not contract.total and any(
        argument.type.kind not in ("int", "bool", "float") for argument in node.arguments
    ):
        engine.throw(path, apply(f"throws {key}", z3.BoolSort(), inputs), f"of {key}", *inputs)
    if contract.defines:
        return term_of(contract.defines, names)
    return apply(f"result of {key}", sort_of(node.type), inputs)


def _new(engine: Engine, node: New, path: Path) -> Term:
    if node.length is None:
        arguments = [evaluate(engine, argument, path) for argument in node.arguments]
        value = engine.unknown(path, f"new {node.key}", arguments, node.type)
        engine.know(path, value != null(), "a new object is never null")
        return value
    size = evaluate(engine, node.length, path)
    items = [evaluate(engine, item, path) for item in node.items or ()]
    if node.items is None:
        engine.throw(path, size < 0, "NegativeArraySizeException", size)
    inputs = [*engine.everything(path), size]
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
    elif node.items is None:
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


def _memory_place(engine: Engine, node: Memory, path: Path) -> Term:
    base = evaluate(engine, node.base, path)
    offset = evaluate(engine, node.offset, path) if node.offset is not None else None
    return reach(engine, node, base, offset, path)


def _memory(engine: Engine, node: Memory, path: Path) -> Term:
    return load(engine, node, _memory_place(engine, node, path), path)


def _cell_place(engine: Engine, node: Cell, path: Path) -> Term:
    indices = [evaluate(engine, index, path) for index in node.indices]
    return cell(engine, node.local.type, indices, path)


def _cell(engine: Engine, node: Cell, path: Path) -> Term:
    place = _cell_place(engine, node, path)
    return z3.Select(current(node.local, path), place)


def _filled(engine: Engine, node: Filled, path: Path) -> Term:
    sort = sort_of(node.type)
    nothing = zero(sort.range())
    if nothing is None:
        raise Gave("an array of unknown values")
    value = z3.K(sort.domain(), nothing)
    for place, item in enumerate(node.items):
        value = z3.Store(value, z3.BitVecVal(place, 64), evaluate(engine, item, path))
    return value


def _unset(engine: Engine, node: Unset, path: Path) -> Term:
    value = z3.Const(f"{node.name} unset", sort_of(node.type))
    engine.unset[value.get_id()] = value
    return value


def _then(engine: Engine, node: Then, path: Path) -> Term:
    evaluate(engine, node.first, path)
    return evaluate(engine, node.value, path)


def _address(engine: Engine, node: Address, path: Path) -> Term:
    return address_of(engine, node)


_HANDLERS: dict[type[Expr], Callable[..., Term]] = {
    Lit: _lit, Local: _local, Field: _field, Element: _element, Length: _length, Unary: _unary,
    Binary: _binary, Logic: _logic, Choice: _choice, Assign: _assign, Convert: _conversion,
    InstanceOf: _instance, Call: _call, New: _new, OpaqueExpr: _opaque, Memory: _memory,
    Cell: _cell, Filled: _filled, Unset: _unset, Then: _then, Address: _address,
}  # fmt: skip
