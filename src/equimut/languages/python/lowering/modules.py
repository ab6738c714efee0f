"""What the text around a Python function binds: names that hide builtins, imports, sentinels."""

import ast
import textwrap
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from equimut.languages.lowered import Unsupported


@dataclass(frozen=True)
class Module:
    """The names of a text."""

    bound: frozenset[str]
    """Bound anywhere in it: none of them is surely a builtin."""
    star_import: bool = False
    imported: Mapping[str, str] | None = None
    """What a name stands for that one import binds and nothing else (`cast`: `typing.cast`)."""
    sentinels: frozenset[str] = frozenset()
    """Bound once, to a class, a function or a plain `object()`: no number, no string."""
    reads_frames: bool = False
    """Whether some function of it reads what locals of a frame hold."""

    def __contains__(self, name: str) -> bool:
        return name in self.bound


@lru_cache(maxsize=32)
def parsed(source: bytes) -> ast.Module:
    """The tree of a text, which may be indented as a whole; nobody may change it."""
    try:
        return ast.parse(textwrap.dedent(source.decode()))
    except (SyntaxError, ValueError) as error:
        raise Unsupported("the text is no Python of this version") from error


@lru_cache(maxsize=32)
def module_of(source: bytes) -> Module:
    """The names that a text binds, wherever it does so."""
    module = parsed(source)
    nodes = list(ast.walk(module))
    counts = Counter(name for node in nodes for name in bound_by(node))
    counts.update(node.arg for node in nodes if isinstance(node, ast.arg))
    stars = any(
        isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names)
        for node in nodes
    )
    once = {name for name, count in counts.items() if count == 1}
    imported = {
        name: meaning
        for node in module.body
        for name, meaning in _imports(node).items()
        if name in once
    }
    sentinels = {
        name for node in module.body if _is_object(node, counts) for name in _defined(node)
    }
    reads = any(isinstance(node, ast.Attribute) and node.attr == "f_locals" for node in nodes)
    return Module(frozenset(counts), stars, imported, frozenset(sentinels & once), reads)


def around(text: bytes, home: bytes | None) -> Module:
    """The names around a function: of its text, and of the whole file if there is one."""
    own = module_of(text)
    if home is None:
        return own
    file = module_of(home)
    kept = {name: what for name, what in (file.imported or {}).items() if name not in own}
    return Module(
        own.bound | file.bound,
        own.star_import or file.star_import,
        kept,
        file.sentinels - (own.bound - own.sentinels),
        own.reads_frames or file.reads_frames,
    )


def bound_by(node: ast.AST) -> list[str]:
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


def _imports(node: ast.AST) -> dict[str, str]:
    """What the names of an import stand for."""
    if isinstance(node, ast.ImportFrom) and not node.level:
        return {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
    if isinstance(node, ast.Import):
        whole = {each.asname: each.name for each in node.names if each.asname}
        first = [each.name.split(".")[0] for each in node.names if not each.asname]
        return whole | {name: name for name in first}
    return {}


def _defined(node: ast.AST) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else []
    return [*bound_by(node), *(each.id for each in targets if isinstance(each, ast.Name))]


def _is_object(node: ast.AST, bound: Counter[str]) -> bool:
    """Whether a statement of the module binds a class, a function or a plain object."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return not node.decorator_list and not getattr(node, "keywords", [])
    return isinstance(node, ast.Assign) and "object" not in bound and makes_object(node.value)


def makes_object(node: ast.expr) -> bool:
    """`object()`"""
    if not isinstance(node, ast.Call) or node.args or node.keywords:
        return False
    return isinstance(node.func, ast.Name) and node.func.id == "object"
