"""The function that is changed: where it stands, and how a mutant takes its place."""

import ast
import functools
import gc
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any

from project_recording import (  # type: ignore[import-not-found]  # its neighbour, found as a script
    kind_of,
)
from project_values import Unfit  # type: ignore[import-not-found]

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass
class Target:
    """An outermost function, or one directly in a class."""

    classes: tuple[str, ...]
    name: str
    ordinal: int
    """Which one of those of the same name, from 0."""
    kind: str
    node: Function

    @property
    def qualname(self) -> str:
        """The name with the classes around it."""
        return ".".join((*self.classes, self.name))


def find_target(tree: ast.Module, line: int) -> Target:
    """The function around a line that a test can call; Unfit where there is none."""
    classes: tuple[str, ...] = ()
    body: list[ast.stmt] = tree.body
    while True:
        around = [
            node for node in _flat(body) if _first_line(node) <= line <= (node.end_lineno or 0)
        ]
        if not around:
            raise Unfit("code outside any function")
        node = around[0]
        if isinstance(node, ast.ClassDef):
            classes, body = (*classes, node.name), node.body
            continue
        assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        same = [each for each in _flat(body) if getattr(each, "name", "") == node.name]
        kind = kind_of(node) if classes else "function"
        return Target(classes, node.name, same.index(node), kind, node)


def _flat(body: list[ast.stmt]) -> list[ast.stmt]:
    """Functions and classes of a body, also those under `if` and `try`."""
    found: list[ast.stmt] = []
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.append(node)
        elif isinstance(node, (ast.If, ast.Try, ast.With)):
            parts = [*node.body, *getattr(node, "orelse", []), *getattr(node, "finalbody", [])]
            parts += [inner for each in getattr(node, "handlers", []) for inner in each.body]
            found += _flat(parts)
    return found


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def node_like(tree: ast.Module, target: Target) -> Function:
    """The same function in the tree of a mutant."""
    body: list[ast.stmt] = tree.body
    for name in target.classes:
        inner = [
            each for each in _flat(body) if isinstance(each, ast.ClassDef) and each.name == name
        ]
        if not inner:
            raise Unfit("a change that moves its function")
        body = inner[-1].body
    same = [each for each in _flat(body) if getattr(each, "name", "") == target.name]
    if len(same) <= target.ordinal:
        raise Unfit("a change that moves its function")
    found = same[target.ordinal]
    assert isinstance(found, (ast.FunctionDef, ast.AsyncFunctionDef))
    return found


def code_of(module: CodeType, target: Target) -> CodeType:
    """The code object of the function within that of its module."""
    for name in target.classes:
        module = [each for each in _codes(module) if each.co_name == name][-1]
    return [each for each in _codes(module) if each.co_name == target.name][target.ordinal]


def _codes(code: CodeType) -> list[CodeType]:
    return [each for each in code.co_consts if isinstance(each, CodeType)]


@dataclass
class Body:
    """What one version of a function consists of."""

    code: CodeType
    defaults: tuple[Any, ...] | None
    named: dict[str, Any] | None


class Exchange:
    """Puts the code of a mutant in the place of the origin's, wherever the function is known."""

    def __init__(self, filename: str, code: CodeType) -> None:
        everything = gc.get_objects()
        self.functions = [
            each
            for each in everything
            if type(each) is FunctionType
            and each.__code__.co_filename == filename
            and each.__code__.co_firstlineno == code.co_firstlineno
            and each.__code__.co_name == code.co_name
        ]
        kept = functools._lru_cache_wrapper
        self.caches = [
            each
            for each in everything
            if isinstance(each, kept) and getattr(each.__wrapped__, "__code__", None) is not None
        ]
        if not self.functions:
            raise Unfit("a function that the loaded module does not have")
        first = self.functions[0]
        self.origin = Body(first.__code__, first.__defaults__, first.__kwdefaults__)

    def put(self, body: Body) -> None:
        """From here on the function is this one; nothing is remembered from the other."""
        for function in self.functions:
            function.__code__ = body.code
            function.__defaults__ = body.defaults
            function.__kwdefaults__ = body.named
        self.forget()

    def forget(self) -> None:
        """Empty the caches around functions: they would answer for the code."""
        for each in self.caches:
            each.cache_clear()

    def body(
        self, tree: ast.Module, module: CodeType, target: Target, names: dict[str, Any]
    ) -> Body:
        """The mutant's version; Unfit where the change is not in what a function consists of."""
        code = code_of(module, target)
        if code.co_freevars != self.origin.code.co_freevars:
            raise Unfit("a change of what a function takes from around it")
        changed = node_like(tree, target)
        before, after = (
            [ast.dump(each) for each in node.decorator_list] for node in (target.node, changed)
        )
        if before != after:
            raise Unfit("a change of a decorator")
        arguments = [ast.dump(node.args) for node in (target.node, changed)]
        if arguments[0] == arguments[1]:
            return Body(code, self.origin.defaults, self.origin.named)
        spec = changed.args
        values = tuple(self._value(each, names) for each in spec.defaults) or None
        pairs = zip(spec.kwonlyargs, spec.kw_defaults, strict=True)
        named = {arg.arg: self._value(each, names) for arg, each in pairs if each is not None}
        return Body(code, values, named or None)

    def _value(self, expression: ast.expr, names: dict[str, Any]) -> Any:
        return eval(compile(ast.Expression(expression), "<default>", "eval"), names)


def reach(node: Function, line: int, last: int) -> range:
    """The lines of the innermost statement around a change; of a compound one, its head."""
    best: ast.stmt = node
    for each in ast.walk(node):
        if not isinstance(each, ast.stmt) or each is node:
            continue
        around = each.lineno <= line and (each.end_lineno or 0) >= last
        if around and each.lineno >= best.lineno:
            best = each
    inner = getattr(best, "body", None)
    if isinstance(inner, list) and inner:
        return range(best.lineno, max(best.lineno, inner[0].lineno - 1) + 1)
    return range(best.lineno, (best.end_lineno or best.lineno) + 1)
