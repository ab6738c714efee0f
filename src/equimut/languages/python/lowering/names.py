"""What the names of a Python function stand for: locals, names of the module, builtins."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from equimut.languages.lowered import Unsupported

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SINGLE = (None, True, False)
_INTROSPECTION = frozenset(
    {"locals", "eval", "exec", "vars", "dir", "globals", "inspect", "duckdb", "breakpoint", "id"}
)  # fmt: skip
"""Names through which locals are read from outside, or equal values told apart."""
_INTROSPECTING = frozenset({"_getframe", "currentframe", "getouterframes", "query", "sql", "eval"})
"""The same for attributes."""


@dataclass(frozen=True)
class Names:
    """The names of one function."""

    parameters: tuple[str, ...]
    locals: frozenset[str]
    """Bound in the function, parameters included."""
    hidden: frozenset[str]
    """Names that the text binds anywhere: none of them is surely a builtin."""
    star_import: bool


def names_of(function: FunctionNode, module: ast.AST) -> Names:
    """The names of a function; raises `Unsupported` where others may change its locals."""
    parameters = tuple(each.arg for each in all_parameters(function.args))
    bound = set(parameters)
    outer: set[str] = set()
    for node in own_nodes(function):
        if isinstance(node, ast.Global | ast.Nonlocal):
            outer |= set(node.names)
        bound |= set(_bound_by(node))
    local = frozenset(bound - outer)
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id in _INTROSPECTION - local:
            raise Unsupported(f"{node.id} may read locals")
        if isinstance(node, ast.Attribute) and node.attr in _INTROSPECTING:
            raise Unsupported(f"{node.attr} may read locals")
        if isinstance(node, ast.Match):
            raise Unsupported("match")
        if isinstance(node, ast.Compare) and _asks_identity(node):
            raise Unsupported("equal values are one here, whichever object they are")
    _check_captures(function, local, parameters)
    for node in own_nodes(function):
        gone = isinstance(node, ast.ExceptHandler) and node.name in parameters
        if gone or _deletes(node, parameters):
            raise Unsupported("a parameter is deleted")
    every = [name for node in ast.walk(module) for name in _bound_by(node)]
    every += [each.arg for node in ast.walk(module) if isinstance(node, ast.arg) for each in [node]]
    stars = any(
        isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names)
        for node in ast.walk(module)
    )
    return Names(parameters, local, frozenset(every), stars)


def all_parameters(arguments: ast.arguments) -> list[ast.arg]:
    """The parameters of a function, in order."""
    stars = [each for each in (arguments.vararg, arguments.kwarg) if each is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *stars]


def own_nodes(function: FunctionNode) -> Iterator[ast.AST]:
    """The nodes of a function without those of functions and classes inside it."""
    stack: list[ast.AST] = list(reversed(function.body))
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, _SCOPES):
            stack += [*getattr(node, "decorator_list", [])]
            continue
        if isinstance(node, _COMPREHENSIONS):
            stack += [each for each in ast.walk(node) if isinstance(each, ast.NamedExpr)]
            continue
        stack.extend(reversed(list(ast.iter_child_nodes(node))))


def _bound_by(node: ast.AST) -> list[str]:
    """The names that a node itself binds or unbinds."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        return [node.id]
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.ExceptHandler):
        return [node.name] if node.name else []
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [(alias.asname or alias.name).split(".")[0] for alias in node.names]
    if isinstance(node, ast.MatchAs | ast.MatchStar):
        return [node.name] if node.name else []
    if isinstance(node, ast.MatchMapping):
        return [node.rest] if node.rest else []
    return []


def _asks_identity(node: ast.Compare) -> bool:
    """Whether a comparison may tell two equal numbers or strings apart."""
    sides = [node.left, *node.comparators]
    return any(
        isinstance(op, ast.Is | ast.IsNot)
        and not any(
            isinstance(side, ast.Constant) and any(side.value is each for each in _SINGLE)
            for side in pair
        )
        for op, *pair in zip(node.ops, sides, sides[1:], strict=False)
    )


def _deletes(node: ast.AST, names: tuple[str, ...]) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del) and node.id in names


def _check_captures(
    function: FunctionNode, local: frozenset[str], parameters: tuple[str, ...]
) -> None:
    """A function inside may read a local later: only parameters that never change are the same."""
    changed = {name for node in own_nodes(function) for name in _bound_by(node)}
    steady = set(parameters) - changed
    for node in ast.walk(function):
        inner = isinstance(node, (*_SCOPES, ast.GeneratorExp)) and node is not function
        if not inner:
            continue
        for part in ast.walk(node):
            if isinstance(part, ast.Nonlocal):
                raise Unsupported("nonlocal")
            if isinstance(part, ast.Name) and part.id in local and part.id not in steady:
                own = part.id in _inner_names(node)
                if not own:
                    raise Unsupported(f"{part.id} is captured")


def _inner_names(node: ast.AST) -> set[str]:
    """The names that a scope binds for itself."""
    if isinstance(node, ast.GeneratorExp):
        targets = [generator.target for generator in node.generators]
        return {p.id for each in targets for p in ast.walk(each) if isinstance(p, ast.Name)}
    if isinstance(node, ast.ClassDef):
        return set()
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
    found = {each.arg for each in all_parameters(node.args)}
    if not isinstance(node, ast.Lambda):
        for part in own_nodes(node):
            found |= set(_bound_by(part))
            if isinstance(part, ast.Global):
                found -= set(part.names)
    return found


def captured(node: ast.AST, local: frozenset[str]) -> list[str]:
    """The locals whose names occur in a node, in order."""
    found = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and each.id in local}
    return sorted(found)
