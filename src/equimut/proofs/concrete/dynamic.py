"""Operations on values that carry their types, computed on the values of this interpreter."""

import builtins
import operator
from collections.abc import Callable, Iterable
from typing import Any

from equimut.languages.concrete import Stuck, Thrown, Value
from equimut.languages.lowered import Lit, Local, Operation
from equimut.proofs.concrete.compiling import Compiler, parts, stuck
from equimut.proofs.concrete.run import UNSET, Code, Error, Run, seen, small_enough

_PLAIN = (int, float, str, type(None), list, dict, set, tuple)
_LONGEST = 4_096
_FALLS = (
    TypeError, ValueError, IndexError, KeyError, ZeroDivisionError, OverflowError, AttributeError,
)  # fmt: skip
_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "//": operator.floordiv, "%": operator.mod, "**": operator.pow, "<<": operator.lshift,
    ">>": operator.rshift, "&": operator.and_, "|": operator.or_, "^": operator.xor,
}  # fmt: skip
_INPLACE = {**_BINARY, "+": operator.iadd, "*": operator.imul}
_UNARY: dict[str, Callable[[Any], Any]] = {
    "-": operator.neg, "+": operator.pos, "~": operator.invert,
}  # fmt: skip
_ORDERS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne,
    "in": lambda one, other: one in other, "not in": lambda one, other: one not in other,
}  # fmt: skip
_BUILTINS: dict[str, Callable[..., Any]] = {
    **{
        name: getattr(builtins, name)
        for name in ("len", "abs", "min", "max", "sum", "sorted", "list", "tuple", "set", "dict",
                     "int", "float", "bool", "ord", "chr", "round", "divmod", "repr", "str", "any",
                     "all", "range", "bin", "hex")
    },
    "reversed": lambda values: list(reversed(values)),
    "enumerate": lambda *values: list(enumerate(*values)),
    "zip": lambda *values: list(zip(*values, strict=False)),
}  # fmt: skip
_METHODS: dict[type, frozenset[str]] = {
    str: frozenset({
        "find", "rfind", "index", "rindex", "count", "strip", "lstrip", "rstrip", "upper", "lower",
        "title", "capitalize", "swapcase", "replace", "split", "rsplit", "splitlines", "join",
        "startswith", "endswith", "isdigit", "isalpha", "isalnum", "isspace", "isupper", "islower",
        "isdecimal", "isnumeric", "partition", "rpartition",
    }),
    list: frozenset({
        "append", "pop", "insert", "remove", "extend", "index", "count", "sort", "reverse",
        "clear", "copy",
    }),
    dict: frozenset({
        "get", "items", "keys", "values", "pop", "setdefault", "update", "clear", "copy",
    }),
    set: frozenset({
        "add", "discard", "remove", "clear", "copy", "union", "intersection", "difference",
    }),
    tuple: frozenset({"index", "count"}),
}  # fmt: skip


def plain(value: Value) -> Value:
    """A value of a builtin type that is not too large."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return small_enough(value)
    if not isinstance(value, (*_PLAIN, range)):
        raise Stuck
    if isinstance(value, str | list | tuple | dict | set | range) and len(value) > _LONGEST:
        raise Stuck
    return value


def _calculated(op: str, table: dict[str, Callable[[Any, Any], Any]]) -> Callable[..., Value]:
    compute = table.get(op)
    if compute is None:
        return _nothing

    def code(run: Run, one: Value, other: Value) -> Value:
        if op in ("*", "**", "<<"):
            _check_growth(op, one, other)
        return compute(one, other)

    return code


def _nothing(run: Run, *values: Value) -> Value:
    raise Stuck


def _check_growth(op: str, one: Value, other: Value) -> None:
    for many, few in ((one, other), (other, one)):
        if isinstance(many, str | list | tuple) and isinstance(few, int):
            if len(many) * few > _LONGEST:
                raise Stuck
            return
    if op in ("**", "<<") and isinstance(other, int) and abs(other) > 512:
        raise Stuck


def _compare(node: Operation) -> Callable[..., Value]:
    if node.key in ("is", "is not"):
        wanted = node.key == "is"

        def same(run: Run, one: Value, other: Value) -> bool:
            single = one is None or other is None
            if not single and isinstance(one, int | float | str | tuple):
                raise Stuck  # which equal values are one object, nobody says
            return (one is other) == wanted

        return same
    test = _ORDERS[node.key]
    return lambda run, one, other: bool(test(one, other))


def _builtin(node: Operation) -> Callable[..., Value]:
    name = node.key
    kind = getattr(builtins, name, None)
    if isinstance(kind, type) and issubclass(kind, BaseException):
        return lambda run, *values: Error(name)
    if name == "print":
        return lambda run, *values: run.events.append(seen(values))
    call = _BUILTINS.get(name)
    if call is None:
        return _nothing
    return lambda run, *values: call(*values)


def _method(node: Operation) -> Callable[..., Value]:
    def code(run: Run, owner: Value, *values: Value) -> Value:
        if node.key not in _METHODS.get(type(owner), ()):
            raise Stuck
        found = getattr(owner, node.key)(*values)
        return list(found) if node.key in ("items", "keys", "values") else found

    return code


def _lookup(node: Operation) -> Callable[..., Value]:
    def code(run: Run, owner: Value) -> Value:
        if not hasattr(owner, node.key):
            raise Thrown("AttributeError")
        return owner

    return code


def _store(run: Run, value: Value, owner: Value, key: Value) -> None:
    if isinstance(owner, list) and any(each is owner for each in (value,)):
        raise Stuck
    owner[key] = value


def _delete(run: Run, owner: Value, key: Value) -> None:
    del owner[key]


def _bound(run: Run, value: Value) -> Value:
    if value is UNSET:
        raise Thrown("UnboundLocalError")
    return value


def _whole(run: Run, value: Value) -> int:
    if not isinstance(value, int):
        raise Thrown("TypeError")
    return int(value)


def _step(run: Run, value: Value) -> int:
    if _whole(run, value) == 0:
        raise Thrown("ValueError")
    return int(value)


def _iter(run: Run, value: Value) -> Value:
    if isinstance(value, str | list | tuple):
        return value
    if isinstance(value, dict | range | set):
        return list(value)
    raise Thrown("TypeError")


def _unpack(node: Operation) -> Callable[..., Value]:
    count = len(node.key)

    def code(run: Run, value: Value) -> Value:
        if not isinstance(value, str | list | tuple):
            raise Thrown("TypeError") if not isinstance(value, Iterable) else Stuck
        if len(value) != count:
            raise Thrown("ValueError")
        return tuple(value)

    return code


def _format(node: Operation) -> Callable[..., Value]:
    def code(run: Run, *values: Value) -> str:
        if node.key == "join":
            return "".join(values)
        value = repr(values[0]) if node.key == "r" else values[0]
        spec = values[1] if len(values) > 1 else ""
        if any(sign.isdigit() for sign in spec) and len(spec) > 5:
            raise Stuck
        return format(value, spec)

    return code


def _is_instance(node: Operation) -> Callable[..., Value]:
    classes = tuple(getattr(builtins, name) for name in node.key.split())
    return lambda run, value: isinstance(value, classes)


def _global(node: Operation) -> Callable[..., Value]:
    kind = getattr(builtins, node.key, None)
    if isinstance(kind, type) and issubclass(kind, BaseException):
        return lambda run: Error(node.key)
    return _nothing


def _yield(run: Run, value: Value) -> None:
    run.events.append(("yield", seen(value)))


def _always(code: Callable[..., Value]) -> Callable[[Operation], Callable[..., Value]]:
    return lambda node: code


_OPERATIONS: dict[str, Callable[[Operation], Callable[..., Value]]] = {
    "unset": _always(lambda run: UNSET), "bound": _always(_bound),
    "truth": _always(lambda run, value: bool(value)),
    "boxed": _always(lambda run, value: value), "annotated": _always(lambda run, value: value),
    "caught": _always(lambda run, value: value), "handling": _always(lambda run, value: None),
    "raised": _always(lambda run, value: value),
    "assertion": _always(lambda run, *values: Error("AssertionError")),
    "binary": lambda node: _calculated(node.key, _BINARY),
    "inplace": lambda node: _calculated(node.key, _INPLACE),
    "unary": lambda node: lambda run, value: _UNARY[node.key](value),
    "compare": _compare, "builtin": _builtin, "method": _method, "lookup": _lookup,
    "index": _always(lambda run, owner, key: owner[key]),
    "slice": _always(lambda run, owner, low, high: owner[low:high]),
    "stepped slice": _always(lambda run, owner, low, high, step: owner[low:high:step]),
    "store": _always(_store), "delete item": _always(_delete),
    "list": _always(lambda run, *values: list(values)),
    "tuple": _always(lambda run, *values: values),
    "set": _always(lambda run, *values: set(values)),
    "dict": _always(lambda run, *values: dict(zip(values[::2], values[1::2], strict=True))),
    "iter": _always(_iter), "more": _always(lambda run, owner, place: place < len(owner)),
    "item": _always(lambda run, owner, place: owner[place]),
    "number": _always(_whole), "step": _always(_step), "unpack": _unpack,
    "part": lambda node: lambda run, value: value[int(node.key)],
    "isinstance": _is_instance, "answer": _always(lambda run, value: value),
    "format": _format, "global": _global, "yield": _always(_yield),
}  # fmt: skip
_FREE = frozenset({"unset", "bound", "boxed", "annotated", "caught", "handling", "raised", "part",
                   "assertion", "truth"})  # fmt: skip
"""Operations whose operands and results need no check."""


def _operation(compiler: Compiler, node: Operation) -> Code:
    make = _OPERATIONS.get(node.name)
    if make is None:
        return stuck
    work, operands = make(node), parts(compiler, node.operands)
    free = node.name in _FREE

    def code(run: Run) -> Value:
        values = [operand(run) for operand in operands]
        try:
            found = work(run, *values)
        except _FALLS as error:
            raise Thrown(type(error).__name__) from None
        except (RecursionError, MemoryError) as error:
            raise Stuck from error
        return found if free or isinstance(found, Error) else plain(found)

    return code


def _local(compiler: Compiler, node: Local) -> Code:
    name = node.name
    return lambda run: run.locals.get(name, UNSET)


def _lit(compiler: Compiler, node: Lit) -> Code:
    value = node.value
    if not isinstance(value, int | float | str | type(None)):
        return stuck
    return lambda run: value


DYNAMIC: dict[type, Callable[..., Code]] = {Operation: _operation, Local: _local, Lit: _lit}
