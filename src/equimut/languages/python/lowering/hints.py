"""What containers hold, as far as annotations tell: types of elements, in a plain notation."""

import ast
from collections.abc import Callable

from equimut.languages.python.lowering.modules import bound_by
from equimut.languages.python.lowering.notation import (
    PLAIN,
    annotation,
    element,
    holds_containers,
    inside,
    is_open,
    joined,
    parameter_types,
)
from equimut.languages.python.lowering.placing import escaping, puts
from equimut.languages.python.lowering.scopes import FunctionNode, own_nodes

_TEXTS = frozenset({"upper", "lower", "strip", "lstrip", "rstrip", "replace", "join", "title",
                    "capitalize", "swapcase", "zfill", "ljust", "rjust", "center"})  # fmt: skip
_KEEPING = frozenset({"append", "insert", "add", "setdefault", "pop", "sort", "reverse", "copy",
                      "index", "count", "clear", "remove", "get", "items", "keys", "values",
                      "discard", "union", "intersection", "difference"})  # fmt: skip
"""Methods of containers that put nothing else into them."""


class Hints:
    """Types of the expressions of one function, where annotations and literals tell them."""

    def __init__(
        self,
        function: FunctionNode,
        local: frozenset[str],
        is_builtin: Callable[[str], bool],
        spells: Callable[[str], bool],
    ) -> None:
        self._is_builtin = is_builtin
        self._local = local
        self.types: dict[str, str | None] = {}
        self.parameters = parameter_types(function, spells)
        self._fixed = dict(self.parameters)
        nodes = list(own_nodes(function))
        for node in nodes:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                self._fixed.setdefault(node.target.id, annotation(node.annotation, spells))
        self.announced = any(
            self._fixed[name] for name in self._fixed.keys() - self.parameters.keys()
        )
        """Whether a local is announced to be of some type."""
        every, own = list(ast.walk(function))[1:], {id(node) for node in nodes}
        self._escaping = escaping(every, is_builtin)
        for _ in range(4):
            before = dict(self.types)
            self.types = dict(self.parameters)
            for name in before:
                self.types.setdefault(name, before[name])
            for node in nodes:
                self._bind(node)
            if self.types == before:
                break
        else:
            self.types = dict.fromkeys(self.types, "")
        self.sound = all(self._keeps(node, id(node) in own) for node in every)
        """Whether everything that is put into a container is what the container is said to hold."""

    def of(self, node: ast.expr) -> str:
        """The type of an expression; empty if nothing is known."""
        return (self._of(node) or "") if self.sound else ""

    def _set(self, target: ast.expr, type_: str | None) -> None:
        if isinstance(target, ast.Name):
            known = self._fixed.get(target.id) if target.id not in self.parameters else None
            if known and (type_ == "list[]" or not type_):
                type_ = known
            self.types[target.id] = joined(self.types.get(target.id), type_)
        elif isinstance(target, ast.Tuple | ast.List):
            parts = inside(type_ or "") if (type_ or "").startswith("tuple[") else []
            fits = len(parts) == len(target.elts) and "..." not in parts
            for place, each in enumerate(target.elts):
                if isinstance(each, ast.Starred):
                    self._set(each.value, "")
                else:
                    self._set(each, parts[place] if fits else element(type_ or "") or "")

    def _bind(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._set(target, self._of(node.value))
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._set(node.target, self._of(node.value))
        elif isinstance(node, ast.AugAssign):
            self._set(node.target, self._of(ast.BinOp(node.target, node.op, node.value)))
        elif isinstance(node, ast.NamedExpr):
            self._set(node.target, self._of(node.value))
        elif isinstance(node, ast.For):
            self._set(node.target, self.item(node.iter))
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            self._set(node.optional_vars, "")
        elif isinstance(node, ast.ExceptHandler):
            self.types |= {node.name: ""} if node.name else {}
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self.types[node.name] = ""
        elif isinstance(node, ast.Import | ast.ImportFrom):
            self.types |= dict.fromkeys(bound_by(node), "")
        elif isinstance(node, ast.AsyncFor):
            self._set(node.target, "")
        for owner, value in puts(node):
            kind = self._of(value) if value is not None else ""
            if isinstance(owner, ast.Name) and self.types.get(owner.id) == "list[]" and kind:
                self.types[owner.id] = f"list[{kind}]"

    def _keeps(self, node: ast.AST, own: bool) -> bool:
        """Whether a node puts only what fits into containers whose elements are known.

        `own`: names mean in it what they mean in the function.
        """
        for owner, value in puts(node):
            held = inside(self._of(owner) or "")
            kind = (self._of(value) or "") if value is not None and own else ""
            if held and kind != held[-1] and not (kind == "int" and held[-1] == "float"):
                return False
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            return node.func.attr in _KEEPING or not inside(self._of(node.func.value) or "")
        if isinstance(node, ast.AugAssign) and not isinstance(node.target, ast.Subscript):
            left, right = (self._of(each) or "" for each in (node.target, node.value))
            return not inside(left) or left == right or not isinstance(node.op, ast.Add)
        return True

    def item(self, node: ast.expr) -> str:
        """The type of what a loop over an expression gets."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name, arguments = node.func.id, node.args
            if name == "range" and self._is_builtin(name):
                return "int"
            if name == "enumerate" and self._is_builtin(name) and arguments:
                inner = self.item(arguments[0])
                return f"tuple[int,{inner}]" if inner else ""
            if name == "zip" and self._is_builtin(name):
                parts = [self.item(each) for each in arguments]
                return f"tuple[{','.join(parts)}]" if parts and all(parts) else ""
        return element(self._of(node) or "")

    def _of(self, node: ast.expr) -> str | None:
        if isinstance(node, ast.Constant):
            return type(node.value).__name__ if type(node.value) in (int, str, float, bool) else ""
        if isinstance(node, ast.Name):
            if node.id not in self.types or node.id not in self._local:
                return ""  # a name of the module, which others may bind, too
            found = self.types[node.id]
            own = node.id not in self._escaping and not holds_containers(found or "")
            return found if own or node.id in self._fixed or found in PLAIN else ""
        if isinstance(node, ast.NamedExpr):
            return self._of(node.value)
        if isinstance(node, ast.Subscript):
            return self._subscript(node)
        if isinstance(node, ast.List):
            return self._list(node)
        if isinstance(node, ast.Tuple):
            parts = [self._of(each) or "" for each in node.elts]
            return f"tuple[{','.join(parts)}]" if parts and all(parts) else ""
        if isinstance(node, ast.BinOp):
            return self._operator(node)
        if isinstance(node, ast.UnaryOp):
            known = self._of(node.operand)
            return "bool" if isinstance(node.op, ast.Not) else "int" if known == "bool" else known
        if isinstance(node, ast.IfExp):
            return joined(self._of(node.body), self._of(node.orelse))
        if isinstance(node, ast.JoinedStr):
            alone = node.values[0] if len(node.values) == 1 else None
            told = not isinstance(alone, ast.FormattedValue) or self._of(alone.value) in PLAIN
            return "str" if told else ""  # else what `__format__` answers
        return self._call(node) if isinstance(node, ast.Call) else ""

    def _subscript(self, node: ast.Subscript) -> str:
        owner = self._of(node.value) or ""
        if isinstance(node.slice, ast.Slice):
            return owner if owner.startswith(("list[", "str")) and not is_open(owner) else ""
        if owner.startswith("dict[") and not is_open(owner):
            parts = inside(owner)
            return parts[1] if len(parts) == 2 else ""
        if owner.startswith("tuple["):
            parts = inside(owner)
            place = node.slice.value if isinstance(node.slice, ast.Constant) else None
            if type(place) is int and "..." not in parts and -len(parts) <= place < len(parts):
                return parts[place]
        return "" if owner.startswith(("set", "dict")) else element(owner)

    def _list(self, node: ast.List) -> str:
        found: str | None = None
        for each in node.elts:
            found = joined(found, self._of(each) or "")
        return "list[]" if found is None else f"list[{found}]" if found else ""

    def _operator(self, node: ast.BinOp) -> str:
        left, right = self._of(node.left) or "", self._of(node.right) or ""
        if left.startswith("list[") and isinstance(node.op, ast.Mult) and right == "int":
            return left
        if left.startswith("list[") and isinstance(node.op, ast.Add):
            return joined(left, right) or ""
        if left == right == "int" and not isinstance(node.op, ast.Div | ast.Pow):
            return "int"
        if left == right == "str" and isinstance(node.op, ast.Add):
            return "str"
        return ""

    def _call(self, node: ast.Call) -> str:
        if isinstance(node.func, ast.Attribute):
            owner = self._of(node.func.value) or ""
            if owner == "str" and node.func.attr in _TEXTS:
                return "str"
            if owner == "str" and node.func.attr == "split":
                return "list[str]"
            if owner.startswith("list[") and node.func.attr == "copy":
                return owner
            if owner.startswith("list[") and node.func.attr == "pop" and len(node.args) < 2:
                return element(owner)
            if owner.startswith("dict[") and node.func.attr == "get" and len(node.args) == 2:
                parts = inside(owner)
                return parts[1] if len(parts) == 2 and self._of(node.args[1]) == parts[1] else ""
            return ""
        if not isinstance(node.func, ast.Name) or not self._is_builtin(node.func.id):
            return ""
        name, kinds = node.func.id, [self._of(each) or "" for each in node.args]
        fixed = {"len": "int", "ord": "int", "chr": "str", "int": "int"}
        if name in fixed:
            return fixed[name]
        if name in ("min", "max", "sum") and any(each.arg != "key" for each in node.keywords):
            return ""  # a default, or where a sum begins
        if name == "str" and len(kinds) == 1 and kinds[0] in PLAIN:
            return "str"
        if name in ("sorted", "list") and len(kinds) == 1:
            inner = self.item(node.args[0])
            return f"list[{inner}]" if inner else ""
        if name in ("min", "max", "abs", "sum") and kinds and all(k == "int" for k in kinds):
            return "int"
        if name in ("min", "max", "sum") and len(kinds) == 1:
            found = element(kinds[0])
            return "int" if (name, found) == ("sum", "bool") else found
        return ""
