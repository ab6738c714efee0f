"""Expressions of the typed languages on concrete states."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from hashlib import blake2b

from equimut.languages.concrete import Array, OnText, Stuck, Thrown, Value
from equimut.languages.lowered import (
    Assign,
    Binary,
    Call,
    Choice,
    Convert,
    Element,
    Expr,
    Field,
    Length,
    Lit,
    Local,
    Logic,
    New,
    Then,
    Type,
    Unary,
)
from equimut.proofs.concrete.compiling import (
    UNKNOWN,
    Compiler,
    Target,
    as_array,
    parts,
    reached,
    stuck,
    text_of,
)
from equimut.proofs.concrete.numbers import binary, conversion
from equimut.proofs.concrete.run import (
    UNSET,
    Code,
    Error,
    Instance,
    Run,
    Token,
    Undefined,
    fitting,
    seen,
)

_ELSEWHERE = ("static ", "scope")
"""Locals that stand for what is around the function."""
_WIDE = Type("int", 64)
_CHARACTER = Type("int", 16, signed=False, name="char")
_WHOLE = ("int", "long", "short", "byte", "char")
_LARGEST = 4_096
"""Elements of an array."""


def _lit(compiler: Compiler, node: Lit) -> Code:
    value = node.value
    if node.type.kind == "ref" and value is not None:
        plain = isinstance(value, str) and node.type.name == "String" and "\\" not in value
        if not plain or not isinstance(value, str) or value.startswith('"""'):
            return stuck
        value = value[1:-1]
    elif node.type.kind in ("int", "any") and not isinstance(value, int):
        return stuck  # a constant that is not known here
    return lambda run: value


def _local(compiler: Compiler, node: Local) -> Code:
    name, undefined = node.name, compiler.undefined
    elsewhere = name.startswith(_ELSEWHERE)

    def code(run: Run) -> Value:
        value = run.locals.get(name, UNSET)
        if value is UNSET:
            if undefined:
                raise Undefined
            if not elsewhere:
                raise Stuck
            value = run.locals[name] = Instance(name)
        return value

    return code


def _unary(compiler: Compiler, node: Unary) -> Code:
    operand, op = compiler.code(node.operand), node.op
    if op == "!":
        return lambda run: not operand(run)
    if node.type.kind == "float" and op == "-":
        return lambda run: -operand(run)
    if node.type.kind != "int":
        return stuck
    fit = fitting(node.type)
    if op == "~":
        return lambda run: fit(~operand(run))
    if not (compiler.undefined and node.type.signed):
        return lambda run: fit(-operand(run))

    def negative(run: Run) -> Value:
        value = -operand(run)
        if fit(value) != value:
            raise Undefined
        return value

    return negative


def _binary(compiler: Compiler, node: Binary) -> Code:
    left, right = parts(compiler, (node.left, node.right))
    one, other = node.left.type, node.right.type
    if node.op == "concat":
        return lambda run: text_of(left(run), one) + text_of(right(run), other)
    if "any" in (one.kind, other.kind):
        return lambda run: _of_any(run, node, left(run), right(run))
    found = operation(compiler, node.op, one, other)
    if found is None:
        return stuck
    compute = found
    if one.element is not None:
        return lambda run: _in_object(run, compute, node.op, left(run), right(run))
    return lambda run: compute(left(run), right(run))


def _of_any(run: Run, node: Binary, one: Value, other: Value) -> Value:
    """An operator on values of unknown types: some function of both."""
    whole = [isinstance(each, int) and not isinstance(each, bool) for each in (one, other)]
    exact = binary(node.op, _WIDE, False) if all(whole) else None
    if exact is not None:
        return exact(one, other)
    return drawn(run, f"{node.op} {seen(one)} {seen(other)}", node.type)


def operation(
    compiler: Compiler, op: str, one: Type, other: Type
) -> Callable[[Value, Value], Value] | None:
    """An operator on operands of these types, if it has a model."""
    if one.kind != other.kind or one.bits != other.bits:
        return None
    return binary(op, one, compiler.undefined)


def _in_object(
    run: Run, compute: Callable[[Value, Value], Value], op: str, one: int, other: int
) -> Value:
    """Arithmetic on addresses stays inside of an object, and its end."""
    value = compute(one, other)
    if op in ("+", "-", "<", "<=", ">", ">="):
        blocks = [b for b in run.blocks.values() if b.start <= one <= b.start + len(b.data)]
        ends = (value,) if op == "+" else (other,)
        if not any(b.start <= each <= b.start + len(b.data) for b in blocks for each in ends):
            raise Undefined
    return value


def _logic(compiler: Compiler, node: Logic) -> Code:
    left, right = parts(compiler, (node.left, node.right))
    if node.op == "and":
        return lambda run: left(run) and right(run)
    return lambda run: left(run) or right(run)


def _choice(compiler: Compiler, node: Choice) -> Code:
    condition, then, otherwise = parts(compiler, (node.condition, node.then, node.otherwise))
    return lambda run: then(run) if condition(run) else otherwise(run)


def _convert(compiler: Compiler, node: Convert) -> Code:
    operand = compiler.code(node.operand)
    if "any" in (node.type.kind, node.operand.type.kind):
        return lambda run: _of_unknown_type(run, operand(run), node.type)
    turn = conversion(node.operand.type, node.type, compiler.undefined)
    if turn is None:
        return stuck
    if not node.checked:
        found = turn
        return lambda run: found(operand(run))

    def cast(run: Run) -> Value:
        value = operand(run)
        if value is not None:
            raise Stuck
        return value

    return cast


def _of_unknown_type(run: Run, value: Value, type_: Type) -> Value:
    """A value that begins or ends to have a known type."""
    kinds: dict[str, type] = {"int": int, "bool": bool, "float": float}
    kind = kinds.get(type_.kind)
    if isinstance(value, Token):
        return drawn(run, f"as {type_} {value.key}", type_)
    if type_.kind == "any":
        return value
    if kind is None:
        if isinstance(value, int | float):
            raise Stuck
        return value
    if type(value) is not kind:
        raise Stuck
    return fitting(type_)(value) if isinstance(value, int) and kind is int else value


def _then(compiler: Compiler, node: Then) -> Code:
    first, value = parts(compiler, (node.first, node.value))

    def code(run: Run) -> Value:
        first(run)
        return value(run)

    return code


# Objects


def _field(compiler: Compiler, node: Field) -> Code:
    if node.object is None:
        return stuck
    owner = compiler.code(node.object)
    return lambda run: read_field(run, owner(run), node)


def read_field(run: Run, owner: Value, node: Field) -> Value:
    """What a field holds: at first, something that depends on the state only."""
    if isinstance(owner, Token):
        return drawn(run, f"{owner.key}.{node.name}", node.type)
    if not isinstance(reached(owner), Instance):
        raise Stuck
    if node.name not in owner.fields:
        owner.fields[node.name] = drawn(run, f"{owner.path}.{node.name}", node.type)
    return owner.fields[node.name]


def drawn(run: Run, key: str, type_: Type) -> Value:
    """A value that nobody knows anything of: a function of the state and its name."""
    run.drawn += 1
    number = int.from_bytes(blake2b(f"{run.seed} {key}".encode(), digest_size=4).digest(), "big")
    if type_.kind == "int":
        return fitting(type_)(number % 9 - (2 if type_.signed else 0))
    if type_.kind == "bool":
        return number % 2 == 0
    if type_.kind == "float":
        return float(number % 7 - 2)
    if type_.kind == "ref" and type_.name == "int[]":
        return Array([(number >> place) % 7 - 1 for place in range(number % 5)])
    if type_.kind == "any":
        return Token(key)
    raise Stuck


def _element(compiler: Compiler, node: Element) -> Code:
    array, index = parts(compiler, (node.array, node.index))

    def code(run: Run) -> Value:
        owner, place = array(run), index(run)
        return inside(owner, place).items[place]

    return code


def inside(owner: Value, place: int) -> Array:
    """An array that has this place."""
    array = as_array(owner)
    if not 0 <= place < len(array.items):
        raise Thrown("ArrayIndexOutOfBoundsException")
    return array


def _length(compiler: Compiler, node: Length) -> Code:
    array = compiler.code(node.array)
    return lambda run: len(as_array(array(run)).items)


def _new(compiler: Compiler, node: New) -> Code:
    if node.length is None:
        return _object(compiler, node)
    sizes = parts(compiler, (node.length, *node.arguments))
    if node.items is not None:
        items = parts(compiler, node.items)
        return lambda run: Array([item(run) for item in items])
    name = node.type.name
    for _ in sizes:
        name = name.removesuffix("[]")
    zero = {"boolean": False, "double": 0.0, "float": 0.0, **dict.fromkeys(_WHOLE, 0)}.get(name)

    def code(run: Run) -> Value:
        lengths = [size(run) for size in sizes]
        if min(lengths) < 0:
            raise Thrown("NegativeArraySizeException")
        if math.prod(max(each, 1) for each in lengths) > _LARGEST:
            raise Stuck
        return _rows(lengths, zero)

    return code


def _rows(lengths: list[int], zero: Value) -> Array:
    """An array of arrays, the last of them filled with zeros."""
    first, *rest = lengths
    return Array([_rows(rest, zero) if rest else zero for _ in range(first)])


def _asked(native: Callable[..., Value], values: list[Value]) -> Value:
    """What the library answers; of values that it is not made for, nothing is known."""
    try:
        return native(*values)
    except (TypeError, AttributeError, IndexError, ValueError, OverflowError) as error:
        raise Stuck from error


def _object(compiler: Compiler, node: New) -> Code:
    name = node.type.name
    arguments = parts(compiler, node.arguments)
    made = compiler.natives.get(("new", name, len(arguments)))
    if made is not None and not isinstance(made, OnText):
        make = made
        return lambda run: _asked(make, [each(run) for each in arguments])
    if name.endswith(("Exception", "Error")):

        def error(run: Run) -> Value:
            for each in arguments:
                each(run)
            return Error(name)

        return error
    return stuck


def _call(compiler: Compiler, node: Call) -> Code:
    arguments = parts(compiler, node.arguments)
    receiver = compiler.code(node.receiver) if node.receiver is not None else None
    key = (node.owner, node.name, len(arguments))
    if key == ("System", "arraycopy", 5):
        return stuck  # it writes what it is given
    native = compiler.natives.get(key)
    if native is None:
        return _unknown(compiler, node, receiver, arguments)
    types = [each.type for each in node.arguments]
    if any(each.kind == "any" for each in types):
        return _unknown(compiler, node, receiver, arguments)
    contract = compiler.contracts.get(key)
    if contract is not None and contract.result == "=":  # all in one type first
        turns = [conversion(each, node.type, compiler.undefined) for each in types]
        if any(turn is None for turn in turns):
            return stuck
        arguments = [
            lambda run, turn=turn, each=each: turn(each(run))  # type: ignore[misc]
            for turn, each in zip(turns, arguments, strict=True)
        ]
    fit = fitting(node.type) if node.type.kind == "int" else None
    call = native.call if isinstance(native, OnText) else native
    if isinstance(native, OnText):
        spelt = node.key.split()  # a character is passed on as a number
        last, type_ = arguments[-1], _CHARACTER if spelt[-1:] == ["char"] else types[-1]
        arguments = [*arguments[:-1], lambda run: text_of(last(run), type_)]

    def code(run: Run) -> Value:
        run.tick()
        owner = [] if receiver is None else [receiver(run)]
        given = [each(run) for each in arguments]
        if owner:
            reached(owner[0])
        found = _asked(call, [*owner, *given])
        return found if fit is None or found is None else fit(found)

    return code


def _unknown(compiler: Compiler, node: Call, receiver: Code | None, arguments: list[Code]) -> Code:
    """A call that nobody looks into: it changes nothing here, and answers by what it is given."""
    callee, name = node.callee, f"{node.name} {node.key}".strip()
    if callee is not None and callee in compiler.methods and callee not in compiler.calling:
        return _inside(compiler, callee, receiver, arguments)
    key = (node.owner, node.name, len(arguments))
    if callee is not None or node.owner == "own" or key in compiler.contracts:
        return stuck

    def code(run: Run) -> Value:
        run.tick()
        owner = None if receiver is None else reached(receiver(run))
        given = (name, seen(owner), *(seen(each(run)) for each in arguments))
        key = f"{len(run.events)} {given}"
        run.events.append(given)
        return None if node.type.name == "void" else drawn(run, key, node.type)

    return code


def _inside(compiler: Compiler, name: str, receiver: Code | None, arguments: list[Code]) -> Code:
    """A short callee, executed with locals of its own."""
    callee = compiler.methods[name]
    within = replace(compiler, calling=(*compiler.calling, name))
    body = within.code(callee.body)

    def code(run: Run) -> Value:
        run.tick()
        mine = run.locals
        this = None if receiver is None else receiver(run)
        given = [each(run) for each in arguments]
        run.locals = {"this": this}
        run.locals |= {
            local.name: value for local, value in zip(callee.parameters, given, strict=True)
        }
        try:
            left = body(run)
        finally:
            run.locals = mine
        return None if left is None else left[2]

    return code


# Assignments


def _joined(left: Type, right: Type, one: Value, other: Value) -> str:
    return text_of(one, left) + text_of(other, right)


def _assign(compiler: Compiler, node: Assign) -> Code:
    place, read, write = _target(compiler, node.target)
    value = compiler.code(node.value)
    if not node.op:

        def plain(run: Run) -> Value:
            where = place(run)
            new = value(run)
            write(run, where, new)
            return new

        return plain
    target, computed = node.target.type, node.computed or node.target.type
    compute: Callable[[Value, Value], Value] | None = partial(_joined, computed, node.value.type)
    if node.op != "concat":
        compute = operation(compiler, node.op, computed, node.value.type)
    widen = conversion(target, computed, compiler.undefined)
    narrow = conversion(computed, target, compiler.undefined)
    if compute is None or widen is None or narrow is None:
        return stuck
    work, wide, back, old_wanted = compute, widen, narrow, node.result == "old"
    moves = computed.element is not None

    def compound(run: Run) -> Value:
        where = place(run)
        old = read(run, where)
        right = value(run)
        left = wide(old)
        new = back(_in_object(run, work, node.op, left, right) if moves else work(left, right))
        write(run, where, new)
        return old if old_wanted else new

    return compound


def _target(compiler: Compiler, target: Expr) -> Target:
    """Where a target is, and how it is read and written there."""
    handler = compiler.targets.get(type(target))
    return UNKNOWN if handler is None else handler(compiler, target)


def _to_local(compiler: Compiler, target: Local) -> Target:
    name, whole = target.name, _local(compiler, target)

    def write(run: Run, where: Value, value: Value) -> None:
        run.locals[name] = value

    return (lambda run: None), (lambda run, where: whole(run)), write


def _to_element(compiler: Compiler, target: Element) -> Target:
    array, index = parts(compiler, (target.array, target.index))

    def write(run: Run, where: Value, value: Value) -> None:
        inside(*where).items[where[1]] = value

    def read(run: Run, where: Value) -> Value:
        return inside(*where).items[where[1]]

    return (lambda run: (array(run), index(run))), read, write


def _to_field(compiler: Compiler, target: Field) -> Target:
    if target.object is None or target.final:
        return UNKNOWN

    def write(run: Run, where: Value, value: Value) -> None:
        if not isinstance(reached(where), Instance):
            raise Stuck
        where.fields[target.name] = value

    owner = compiler.code(target.object)
    return owner, (lambda run, where: read_field(run, where, target)), write


TARGETS: dict[type, Callable[..., Target]] = {
    Local: _to_local, Element: _to_element, Field: _to_field,
}  # fmt: skip
EXPRESSIONS: dict[type, Callable[..., Code]] = {
    Lit: _lit, Local: _local, Unary: _unary, Binary: _binary, Logic: _logic, Choice: _choice,
    Convert: _convert, Then: _then, Field: _field, Element: _element, Length: _length, New: _new,
    Call: _call, Assign: _assign,
}  # fmt: skip
