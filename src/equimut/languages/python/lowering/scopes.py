"""Scopes of a Python function: what is its own, and what functions inside it may see later."""

import ast
from collections.abc import Callable, Iterator

from equimut.languages.lowered import Unsupported
from equimut.languages.python.lowering.modules import bound_by

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
_Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LOOPS = (ast.For, ast.AsyncFor, ast.While, *_COMPREHENSIONS)
_CONSUMING = frozenset({"any", "all", "sum", "min", "max", "list", "tuple", "set", "frozenset",
                        "sorted", "dict"})  # fmt: skip
"""Builtins that have gone through their argument when they return."""
_ORDERING = frozenset({"sorted", "min", "max"})
"""Builtins that have no more use for their `key` when they return."""
_ANYWHERE = (10**9, 0)


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
        if isinstance(node, _Scope):
            stack += [*getattr(node, "decorator_list", [])]
            continue
        if isinstance(node, _COMPREHENSIONS):
            stack += [each for each in ast.walk(node) if isinstance(each, ast.NamedExpr)]
            continue
        stack.extend(reversed(list(ast.iter_child_nodes(node))))


def captured(node: ast.AST, local: frozenset[str]) -> list[str]:
    """The locals whose names occur in a node, in order."""
    found = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and each.id in local}
    return sorted(found)


def check_captures(
    function: FunctionNode, local: frozenset[str], is_builtin: Callable[[str], bool]
) -> None:
    """A function inside may read a local later: it must have its last value by then."""
    settled = _settled(function)
    at_once = _used_at_once(function, is_builtin)
    for node in ast.walk(function):
        if not isinstance(node, _Scope | ast.GeneratorExp) or node is function:
            continue
        if any(isinstance(part, ast.Nonlocal) for part in ast.walk(node)):
            raise Unsupported("nonlocal")
        if id(node) in at_once:
            continue
        begins, own = (node.lineno, node.col_offset), _inner_names(node)
        itself = getattr(node, "name", "")
        for name in captured(node, local):
            last = settled.get(name, (0, 0))
            recursive = name == itself and last == (node.end_lineno, node.end_col_offset)
            if last > begins and not recursive and name not in own:
                raise Unsupported(f"{name} is captured")


def _settled(function: FunctionNode) -> dict[str, tuple[int, int]]:
    """Where in the text a local is bound for the last time; nowhere, if a loop binds it."""
    found: dict[str, tuple[int, int]] = {}
    stack: list[tuple[ast.AST, tuple[int, int] | None, bool]] = [
        (node, None, False) for node in function.body
    ]
    while stack:
        node, end, looped = stack.pop()
        gone = isinstance(node, ast.ExceptHandler)  # its name is unbound where it ends
        simple = isinstance(node, ast.stmt) and not hasattr(node, "body")
        if simple or isinstance(node, ast.withitem | ast.NamedExpr | _Scope):
            end = end or _end(node)
        for name in bound_by(node):
            place = _ANYWHERE if looped or gone else end or _end(node)
            found[name] = max(found.get(name, (0, 0)), place)
        if isinstance(node, _Scope):
            continue
        looped = looped or isinstance(node, _LOOPS)
        stack += [(child, end, looped) for child in ast.iter_child_nodes(node)]
    return found


def _end(node: ast.AST) -> tuple[int, int]:
    if isinstance(node, ast.withitem):
        node = node.optional_vars or node.context_expr
    line, column = getattr(node, "end_lineno", None), getattr(node, "end_col_offset", None)
    return (line, column) if line is not None and column is not None else _ANYWHERE


def _used_at_once(function: FunctionNode, is_builtin: Callable[[str], bool]) -> set[int]:
    """Generators and keys that a builtin is done with before anything else happens."""
    found: set[int] = set()
    for node in ast.walk(function):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) and is_builtin(node.func.id) else ""
        joins = (
            isinstance(node.func, ast.Attribute)
            and node.func.attr == "join"
            and isinstance(node.func.value, ast.Constant)
        )
        consumed = len(node.args) == 1 and (joins or name in _CONSUMING)
        if consumed and isinstance(node.args[0], ast.GeneratorExp):
            found.add(id(node.args[0]))
        if name in _ORDERING:
            keys = (each.value for each in node.keywords if each.arg == "key")
            found |= {id(key) for key in keys if isinstance(key, ast.Lambda)}
    return found


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
            found |= set(bound_by(part))
            if isinstance(part, ast.Global):
                found -= set(part.names)
    return found
