"""The signature of a Python function, from its type hints."""

import ast
import sys

from equimut.errors import OracleError
from equimut.oracle.signature import Parameter, Signature, ValueType, array

# Python's integers have no end; these are the usual places where something turns.
INT = ValueType("int", -(1 << 63), (1 << 63) - 1, 8, unbounded=True)
STRING = ValueType("string")
NAMES = {
    "int": INT,
    "float": ValueType("float"),
    "bool": ValueType("bool"),
    "str": STRING,
    "list": array(INT),
    "dict": ValueType("dict", items=(STRING, INT)),
    "tuple": ValueType("tuple", items=(INT, INT)),
}
SEQUENCES = {"list", "List", "Sequence", "Iterable", "MutableSequence", "Collection"}
MAPPINGS = {"dict", "Dict", "Mapping", "MutableMapping"}


def _unsupported(function: str, parameter: str, hint: str) -> OracleError:
    return OracleError(
        f"parameter {parameter} of {function}: type {hint} is not supported; "
        "the oracle knows int, float, bool, str, list, tuple, dict[str, int] and Optional of them"
    )


def _nullable(type_: ValueType) -> ValueType:
    from dataclasses import replace

    return replace(type_, nullable=True)


def _read_subscript(hint: ast.Subscript) -> ValueType | None:
    base = hint.value.attr if isinstance(hint.value, ast.Attribute) else ""
    base = hint.value.id if isinstance(hint.value, ast.Name) else base
    parts = hint.slice.elts if isinstance(hint.slice, ast.Tuple) else [hint.slice]
    if base in ("tuple", "Tuple") and len(parts) == 2 and ast.unparse(parts[1]) == "...":
        item = _read_hint(parts[0])
        return item and ValueType("array", items=(item,), size=0)  # size 0: made a tuple
    items = [_read_hint(part) for part in parts]
    known = tuple(item for item in items if item is not None)
    if len(known) != len(items):
        return None
    if base in SEQUENCES and len(known) == 1:
        return array(known[0])
    if base in MAPPINGS and len(known) == 2 and known[0].kind == "string":
        return ValueType("dict", items=known)
    if base in ("tuple", "Tuple"):
        return ValueType("tuple", items=known)
    if base == "Optional" and len(known) == 1:
        return _nullable(known[0])
    return None


def _read_hint(hint: ast.expr | None) -> ValueType | None:
    match hint:
        case ast.Constant(value=str(text)):
            try:
                return _read_hint(ast.parse(text, mode="eval").body)
            except SyntaxError:
                return None
        case ast.Name(id=name):
            return NAMES.get(name)
        case ast.Subscript():
            return _read_subscript(hint)
        case ast.BinOp(left=left, op=ast.BitOr(), right=ast.Constant(value=None)):
            known = _read_hint(left)
            return known and _nullable(known)
        case ast.BinOp(left=ast.Constant(value=None), op=ast.BitOr(), right=right):
            known = _read_hint(right)
            return known and _nullable(known)
    return None


def parse_python(source: str, whose: str) -> ast.Module:
    """The syntax tree of a source text, or one clear line."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError) as error:
        line = f" (line {error.lineno})" if isinstance(error, SyntaxError) else ""
        text = error.msg if isinstance(error, SyntaxError) else str(error)
        raise OracleError(f"the {whose} does not compile: {text}{line}") from error
    except (RecursionError, MemoryError) as error:
        raise OracleError(f"the {whose} does not compile: nested too deeply") from error


def read_signature(source: str, name: str | None) -> Signature:
    """Find the function under test (the last one, or the one named) and read its hints."""
    tree = parse_python(source, "origin")
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    if name is not None:
        found = [node for node in found if node.name == name]
    if not found:
        wanted = f"function {name}" if name else "function"
        raise OracleError(f"the origin has no {wanted} at its top level; name one with --function")
    function = found[-1]
    spec = function.args
    if spec.vararg or spec.kwarg:
        raise OracleError(f"{function.name} takes * or ** parameters, which is not supported")
    parameters = []
    for argument in [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]:
        hint = ast.unparse(argument.annotation) if argument.annotation else "(no type hint)"
        type_ = _read_hint(argument.annotation)
        if type_ is None:
            raise _unsupported(function.name, argument.arg, hint)
        parameters.append(Parameter(argument.arg, type_, keyword=argument in spec.kwonlyargs))
    return Signature(function.name, tuple(parameters))


def interpreter() -> str:
    """The Python that runs the functions: the one that runs us."""
    return sys.executable
