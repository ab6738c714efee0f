"""What the names of a Python function stand for: locals, names of the module, builtins."""

import ast
import builtins
from collections import Counter
from dataclasses import dataclass

from equimut.languages.lowered import Unsupported
from equimut.languages.python.lowering.modules import Module, bound_by, makes_object
from equimut.languages.python.lowering.scopes import (
    FunctionNode,
    all_parameters,
    check_captures,
    own_nodes,
)

BUILTINS = frozenset(name for name in dir(builtins) if not name.startswith("_"))
_SINGLE = (None, True, False)
_INTROSPECTION = frozenset(
    {"locals", "eval", "exec", "vars", "dir", "globals", "inspect", "duckdb", "breakpoint", "id"}
)  # fmt: skip
"""Names through which locals are read from outside, or equal values told apart."""
_INTROSPECTING = frozenset(
    {"_getframe", "_current_frames", "currentframe", "getouterframes", "getinnerframes", "query",
     "sql", "eval", "f_locals", "f_back", "tb_frame", "gi_frame", "cr_frame", "dmatrix",
     "dmatrices"}
)  # fmt: skip
"""The same for attributes, and for what is imported under another name."""
_OF_FRAMES = frozenset({"duckdb", "numexpr", "patsy"})
"""Modules that look at their callers."""
_OF_INSPECT = frozenset({"inspect", "inspect.stack", "inspect.trace"})


def looks_at_locals(meaning: str) -> bool:
    """Whether what is imported (`inspect.stack`) may read the locals of a function by name."""
    root, *rest = meaning.split(".")
    last = rest[-1] if rest else ""
    named = last in _INTROSPECTING or (root == "builtins" and last in _INTROSPECTION)
    return root in _OF_FRAMES or meaning in _OF_INSPECT or named


@dataclass(frozen=True)
class Names:
    """The names of one function."""

    parameters: tuple[str, ...]
    locals: frozenset[str]
    """Bound in the function, parameters included."""
    module: Module
    objects: frozenset[str] = frozenset()
    """Locals that only ever hold a plain object."""

    def is_builtin(self, name: str) -> bool:
        """Whether a name stands for a builtin: nothing in the text hides it."""
        hidden = name in self.locals or name in self.module or self.module.star_import
        return name in BUILTINS and not hidden

    def spells_type(self, name: str) -> bool:
        """Whether a name in an annotation is that of a builtin type, or of one of `typing`."""
        if name in BUILTINS:
            return self.is_builtin(name)
        known = (self.module.imported or {}).get(name)
        return not self.module.star_import and (
            name not in self.module or known == f"typing.{name}"
        )

    def meaning(self, node: ast.expr) -> str:
        """What a name or attribute of a module stands for (`typing.cast`); empty: unknown."""
        if isinstance(node, ast.Name) and node.id not in self.locals:
            return (self.module.imported or {}).get(node.id, "")
        if isinstance(node, ast.Attribute):
            owner = self.meaning(node.value)
            return f"{owner}.{node.attr}" if owner else ""
        return ""

    def is_object(self, node: ast.expr) -> bool:
        """Whether an expression is an object that no number, string or container is."""
        if isinstance(node, ast.Name):
            if node.id in self.locals:
                return node.id in self.objects
            named = node.id in self.module.sentinels and not self.module.star_import
            return named or self.is_builtin(node.id)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            plain = len(node.args) == 1 and not node.keywords
            return node.func.id == "type" and plain and self.is_object(node.func)
        return isinstance(node, ast.Constant) and node.value is ...


def names_of(function: FunctionNode, module: Module) -> Names:
    """The names of a function; raises `Unsupported` where others may change its locals."""
    parameters = tuple(each.arg for each in all_parameters(function.args))
    bound = set(parameters)
    outer: set[str] = set()
    for node in own_nodes(function):
        if isinstance(node, ast.Global | ast.Nonlocal):
            outer |= set(node.names)
        bound |= set(bound_by(node))
    local = frozenset(bound - outer)
    names = Names(parameters, local, module, _objects(function, local, module))
    if module.reads_frames:
        raise Unsupported("a function of the file reads locals of its callers")
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id in (_INTROSPECTION | _INTROSPECTING) - local:
            raise Unsupported(f"{node.id} may read locals")
        if isinstance(node, ast.Name | ast.Attribute) and looks_at_locals(names.meaning(node)):
            raise Unsupported(f"{names.meaning(node)} may read locals")
        if isinstance(node, ast.Call) and _computes_text(node):
            raise Unsupported("a text that is computed may name locals")
        if isinstance(node, ast.Attribute) and node.attr in _INTROSPECTING:
            raise Unsupported(f"{node.attr} may read locals")
        if isinstance(node, ast.Match):
            raise Unsupported("match")
        if isinstance(node, ast.Compare) and _asks_identity(node, names):
            raise Unsupported("equal values are one here, whichever object they are")
    check_captures(function, local, names.is_builtin)
    for node in own_nodes(function):
        gone = isinstance(node, ast.ExceptHandler) and node.name in parameters
        if gone or _deletes(node, parameters):
            raise Unsupported("a parameter is deleted")
    return names


def _computes_text(node: ast.Call) -> bool:
    """`evaluate("a + b")`"""
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    first = node.args[0] if node.args else None
    told = isinstance(first, ast.Constant) and isinstance(first.value, str)
    return name in ("evaluate", "re_evaluate") and (told or isinstance(first, ast.JoinedStr))


def _objects(function: FunctionNode, local: frozenset[str], module: Module) -> frozenset[str]:
    """Locals that are given a plain `object()` and nothing else."""
    made = [
        node.targets[0].id
        for node in own_nodes(function)
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and len(node.targets) == 1
        and makes_object(node.value)
        and "object" not in module
    ]
    counts = Counter(name for node in own_nodes(function) for name in bound_by(node))
    counts.update(each.arg for each in all_parameters(function.args))
    return frozenset(name for name in made if counts[name] == 1 and name in local)


def _asks_identity(node: ast.Compare, names: Names) -> bool:
    """Whether a comparison may tell two equal numbers or strings apart."""
    sides = [node.left, *node.comparators]
    return any(
        isinstance(op, ast.Is | ast.IsNot)
        and not any(
            names.is_object(side)
            or (isinstance(side, ast.Constant) and any(side.value is each for each in _SINGLE))
            for side in pair
        )
        for op, *pair in zip(node.ops, sides, sides[1:], strict=False)
    )


def _deletes(node: ast.AST, names: tuple[str, ...]) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del) and node.id in names
