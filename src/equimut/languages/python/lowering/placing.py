"""Where a Python function puts values into containers, and which lists others may hold."""

import ast
from collections.abc import Callable

_SAFE = frozenset({"len", "sum", "min", "max", "sorted", "list", "enumerate", "zip", "set",
                   "tuple", "any", "all", "reversed", "range", "abs"})  # fmt: skip
"""Builtins that keep no reference to a list they are given."""

_SCOPES = (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def puts(node: ast.AST) -> list[tuple[ast.expr, ast.expr | None]]:
    """Container and value, where a node puts a value into a container; None: any value."""
    if isinstance(node, ast.Assign):
        return [pair for target in node.targets for pair in _put_at(target, node.value)]
    if isinstance(node, ast.AnnAssign):
        return _put_at(node.target, node.value)
    if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
        return _put_at(node.target, None)
    if isinstance(node, ast.withitem) and node.optional_vars is not None:
        return _put_at(node.optional_vars, None)
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Subscript):
        place = node.target
        old = ast.Subscript(value=place.value, slice=place.slice, ctx=ast.Load())
        return [(place.value, ast.BinOp(old, node.op, node.value))]
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not node.args:
        return []
    puts = node.func.attr in ("append", "insert", "add", "setdefault")
    return [(node.func.value, node.args[-1])] if puts else []


def _put_at(target: ast.expr, value: ast.expr | None) -> list[tuple[ast.expr, ast.expr | None]]:
    if isinstance(target, ast.Subscript):
        return [(target.value, None if isinstance(target.slice, ast.Slice) else value)]
    if isinstance(target, ast.Starred):
        return _put_at(target.value, None)
    if isinstance(target, ast.Tuple | ast.List):
        values: list[ast.expr | None] = [None] * len(target.elts)
        if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts):
            values = [*value.elts]
        pairs = zip(target.elts, values, strict=True)
        return [pair for each, inner in pairs for pair in _put_at(each, inner)]
    return []


def escaping(nodes: list[ast.AST], is_builtin: Callable[[str], bool]) -> set[str]:
    """Names of lists that other code may get hold of, and put something into."""
    safe: set[int] = set()
    shared: set[str] = set()
    going_through: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.Subscript):
            safe.add(id(node.value))
        elif isinstance(node, ast.For | ast.comprehension):
            safe.add(id(node.iter))
        elif isinstance(node, ast.Return | ast.Expr) and node.value is not None:
            safe.add(id(node.value))
        elif isinstance(node, ast.If | ast.While | ast.IfExp):
            safe.add(id(node.test))
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            safe.add(id(node.operand))
        elif isinstance(node, ast.Compare) and isinstance(node.ops[-1], ast.In | ast.NotIn):
            safe.add(id(node.comparators[-1]))
        elif isinstance(node, ast.NamedExpr):
            shared.add(node.target.id)
        elif isinstance(node, ast.Assign) and len(node.targets) > 1:
            shared |= {name for target in node.targets for name in _names(target)}
        elif isinstance(node, _SCOPES):  # whoever calls it may change what it names
            shared |= _names(node)
        elif isinstance(node, _COMPREHENSIONS):  # its names are others
            going_through |= {id(part) for part in ast.walk(node)}
        method = node.func if isinstance(node, ast.Call) else None
        if isinstance(method, ast.Attribute) and id(node) not in going_through:
            safe.add(id(method.value))  # what is not called here, others may call
        if isinstance(node, ast.Call) and (len(node.args) == 1 or _named(node) == "zip"):
            joins = isinstance(node.func, ast.Attribute) and (
                node.func.attr == "join" and isinstance(node.func.value, ast.Constant)
            )
            if joins or (_named(node) in _SAFE and is_builtin(_named(node))):
                safe |= {id(each) for each in node.args}
    return shared | {
        node.id
        for node in nodes
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in safe
    }


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _named(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""
