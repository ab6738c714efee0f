"""What containers hold, as far as annotations tell: types of elements, in a plain notation."""

import ast
from collections.abc import Callable

from equimut.languages.python.lowering.names import FunctionNode, all_parameters, own_nodes

_PLAIN = ("int", "float", "bool", "str", "None")
_CONTAINERS = {"list": "list", "List": "list", "dict": "dict", "Dict": "dict", "set": "set",
               "Set": "set", "tuple": "tuple", "Tuple": "tuple"}  # fmt: skip
_TEXTS = frozenset({"upper", "lower", "strip", "lstrip", "rstrip", "replace", "join", "title",
                    "capitalize", "swapcase", "zfill", "ljust", "rjust", "center"})  # fmt: skip
_KEEPING = frozenset({"append", "insert", "add", "setdefault", "pop", "sort", "reverse", "copy",
                      "index", "count", "clear", "remove", "get", "items", "keys", "values",
                      "discard", "union", "intersection", "difference"})  # fmt: skip
"""Methods of containers that put nothing else into them."""
_SAFE = frozenset({"len", "sum", "min", "max", "sorted", "list", "enumerate", "zip", "set",
                   "tuple", "any", "all", "reversed", "range", "abs"})  # fmt: skip
"""Builtins that keep no reference to a list they are given."""


def annotation(node: ast.expr | None) -> str:
    """An annotation in plain notation; empty for what is not understood."""
    if node is None:
        return ""
    if isinstance(node, ast.Constant):
        if node.value is None:
            return "None"
        if isinstance(node.value, str):
            try:
                return annotation(ast.parse(node.value, mode="eval").body)
            except SyntaxError:
                return ""
        return ""
    if isinstance(node, ast.Name):
        return node.id if node.id in _PLAIN else _CONTAINERS.get(node.id, "")
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return union(annotation(node.left), annotation(node.right))
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if node.value.id == "Optional":
            return union(annotation(inside[0]), "None")
        if node.value.id == "Union":
            found = annotation(inside[0])
            for each in inside[1:]:
                found = union(found, annotation(each))
            return found
        name = _CONTAINERS.get(node.value.id, "")
        parts = ["..." if _dots(each) else annotation(each) for each in inside]
        return f"{name}[{','.join(parts)}]" if name and all(parts) else name
    return ""


def _dots(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def union(one: str, other: str) -> str:
    """Either of two types; empty if one is not understood."""
    if not one or not other:
        return ""
    return one if one == other else f"{one}|{other}"


def inside(type_: str) -> list[str]:
    """The types in the brackets."""
    if not type_.endswith("]"):
        return []
    found, depth, start = [], 0, type_.index("[") + 1
    for place in range(start, len(type_)):
        sign = type_[place]
        if depth == 0 and sign in ",]":
            found.append(type_[start:place])
            start = place + 1
        depth += (sign == "[") - (sign == "]" and depth > 0)
    return [each for each in found if each]


def element(type_: str) -> str:
    """The type of what a loop gets from a value."""
    if type_ == "str":
        return "str"
    if "|" in type_.partition("[")[0] or not type_.startswith(("list[", "set[", "dict[", "tuple[")):
        return ""
    parts = inside(type_)
    if type_.startswith("tuple["):
        parts = [each for each in parts if each != "..."]
        return parts[0] if parts and all(each == parts[0] for each in parts) else ""
    return parts[0] if parts and not _open(type_) else ""


def _open(type_: str) -> bool:
    """Whether alternatives follow the bracket that opens first."""
    depth = 0
    for sign in type_:
        depth += (sign == "[") - (sign == "]")
        if sign == "|" and depth == 0:
            return True
    return False


def joined(one: str | None, other: str | None) -> str | None:
    """The type of a name with two values; None is no value yet."""
    if one is None or one == other:
        return other
    if other is None:
        return one
    for empty, full in ((one, other), (other, one)):
        if empty == "list[]" and full.startswith("list[") and not _open(full):
            return full
    return ""


class Hints:
    """Types of the expressions of one function, where annotations and literals tell them."""

    def __init__(self, function: FunctionNode, is_builtin: Callable[[str], bool]) -> None:
        self._is_builtin = is_builtin
        self.types: dict[str, str | None] = {}
        self.parameters = _parameters(function)
        self._fixed = dict(self.parameters)
        nodes = list(own_nodes(function))
        for node in nodes:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                self._fixed.setdefault(node.target.id, annotation(node.annotation))
        self._escaping = _escaping(nodes)
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
        self.sound = all(self._keeps(node) for node in nodes)
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
        elif isinstance(node, ast.ExceptHandler) and node.name:
            self.types[node.name] = ""
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self.types[node.name] = ""
        elif isinstance(node, ast.AsyncFor):
            self._set(node.target, "")
        for owner, value in _puts(node):
            kind = self._of(value) if value is not None else ""
            if isinstance(owner, ast.Name) and self.types.get(owner.id) == "list[]" and kind:
                self.types[owner.id] = f"list[{kind}]"

    def _keeps(self, node: ast.AST) -> bool:
        """Whether a node puts only what fits into containers whose elements are known."""
        for owner, value in _puts(node):
            held = inside(self._of(owner) or "")
            kind = (self._of(value) or "") if value is not None else ""
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
            if node.id not in self.types:
                return ""
            found = self.types[node.id]
            trusted = node.id in self._fixed or node.id not in self._escaping
            return found if trusted or found in _PLAIN else ""
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
            return "bool" if isinstance(node.op, ast.Not) else self._of(node.operand)
        if isinstance(node, ast.IfExp):
            return joined(self._of(node.body), self._of(node.orelse))
        if isinstance(node, ast.JoinedStr):
            return "str"
        return self._call(node) if isinstance(node, ast.Call) else ""

    def _subscript(self, node: ast.Subscript) -> str:
        owner = self._of(node.value) or ""
        if isinstance(node.slice, ast.Slice):
            return owner if owner.startswith(("list[", "str")) and not _open(owner) else ""
        if owner.startswith("dict[") and not _open(owner):
            parts = inside(owner)
            return parts[1] if len(parts) == 2 else ""
        if owner.startswith("tuple["):
            parts, place = inside(owner), node.slice
            fixed = isinstance(place, ast.Constant) and type(place.value) is int
            if fixed and "..." not in parts and -len(parts) <= place.value < len(parts):  # type: ignore[union-attr]
                return parts[place.value]  # type: ignore[union-attr]
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
        fixed = {"len": "int", "ord": "int", "chr": "str", "str": "str", "int": "int"}
        if name in fixed:
            return fixed[name]
        if name in ("sorted", "list") and len(kinds) == 1:
            inner = self.item(node.args[0])
            return f"list[{inner}]" if inner else ""
        if name in ("min", "max", "abs", "sum") and kinds and all(k == "int" for k in kinds):
            return "int"
        if name in ("min", "max", "sum") and len(kinds) == 1:
            return element(kinds[0])
        return ""


def _parameters(function: FunctionNode) -> dict[str, str]:
    arguments = function.args
    found = {each.arg: annotation(each.annotation) for each in all_parameters(arguments)}
    for star in (arguments.vararg, arguments.kwarg):
        if star is not None:
            found[star.arg] = ""
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [*zip(reversed(positional), reversed(arguments.defaults), strict=False)]
    defaults += [(a, d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
                 if d is not None]  # fmt: skip
    for parameter, default in defaults:
        kind = type(default.value).__name__ if isinstance(default, ast.Constant) else ""
        kind = "None" if kind == "NoneType" else kind
        known = found[parameter.arg]
        if known and kind != known and not (kind in known.split("|")) and known != "float":
            found[parameter.arg] = union(known, kind if kind in _PLAIN else "")
    return found


def _puts(node: ast.AST) -> list[tuple[ast.expr, ast.expr | None]]:
    """Container and value, where a node puts a value into a container; None: any value."""
    if isinstance(node, ast.Assign):
        return [pair for target in node.targets for pair in _put_at(target, node.value)]
    if isinstance(node, ast.AnnAssign):
        return _put_at(node.target, node.value)
    if isinstance(node, ast.For | ast.AsyncFor):
        return _put_at(node.target, None)
    if isinstance(node, ast.withitem) and node.optional_vars is not None:
        return _put_at(node.optional_vars, None)
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Subscript):
        place = node.target
        old = ast.Subscript(value=place.value, slice=place.slice, ctx=ast.Load())
        return [(place.value, ast.BinOp(old, node.op, node.value))]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
        if node.func.attr in ("append", "insert", "add", "setdefault"):
            return [(node.func.value, node.args[-1])]
    return []


def _put_at(target: ast.expr, value: ast.expr | None) -> list[tuple[ast.expr, ast.expr | None]]:
    if isinstance(target, ast.Subscript):
        return [(target.value, None if isinstance(target.slice, ast.Slice) else value)]
    if isinstance(target, ast.Tuple | ast.List):
        values: list[ast.expr | None] = [None] * len(target.elts)
        if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts):
            values = [*value.elts]
        pairs = zip(target.elts, values, strict=True)
        return [pair for each, inner in pairs for pair in _put_at(each, inner)]
    return []


def _escaping(nodes: list[ast.AST]) -> set[str]:
    """Names of lists that other code may get hold of, and put something into."""
    safe: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.Subscript | ast.Attribute):
            safe.add(id(node.value))
        elif isinstance(node, ast.For | ast.comprehension):
            safe.add(id(node.iter))
        elif isinstance(node, ast.Return | ast.Expr) and node.value is not None:
            safe.add(id(node.value))
        elif isinstance(node, ast.If | ast.While | ast.IfExp):
            safe.add(id(node.test))
        elif isinstance(node, ast.Compare | ast.BoolOp | ast.BinOp | ast.UnaryOp | ast.Slice):
            safe |= {id(each) for each in ast.iter_child_nodes(node)}
        elif isinstance(node, ast.Call):
            joins = isinstance(node.func, ast.Attribute) and node.func.attr == "join"
            if joins or (isinstance(node.func, ast.Name) and node.func.id in _SAFE):
                safe |= {id(each) for each in node.args}
    return {
        node.id
        for node in nodes
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in safe
    }
