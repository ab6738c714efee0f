"""Types of values as annotations tell them, in a plain notation: `list[int]`, `str|None`."""

import ast
import re
from collections.abc import Callable

from equimut.languages.python.lowering.scopes import FunctionNode, all_parameters

PLAIN = ("int", "float", "bool", "str", "None")
_CONTAINERS = {"list": "list", "List": "list", "dict": "dict", "Dict": "dict", "set": "set",
               "Set": "set", "tuple": "tuple", "Tuple": "tuple"}  # fmt: skip


def annotation(node: ast.expr | None, spells: Callable[[str], bool]) -> str:
    """An annotation in plain notation; empty for what is not understood.

    `spells`: whether a name is that of a builtin type, or of one of `typing`.
    """
    if node is None:
        return ""
    if isinstance(node, ast.Constant):
        if node.value is None:
            return "None"
        if isinstance(node.value, str):
            try:
                return annotation(ast.parse(node.value, mode="eval").body, spells)
            except SyntaxError:
                return ""
        return ""
    if isinstance(node, ast.Name):
        if not spells(node.id):
            return ""
        return node.id if node.id in PLAIN else _CONTAINERS.get(node.id, "")
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return union(annotation(node.left, spells), annotation(node.right, spells))
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if not spells(node.value.id):
            return ""
        if node.value.id == "Optional":
            return union(annotation(inside[0], spells), "None")
        if node.value.id == "Union":
            found = annotation(inside[0], spells)
            for each in inside[1:]:
                found = union(found, annotation(each, spells))
            return found
        name = _CONTAINERS.get(node.value.id, "")
        parts = ["..." if _dots(each) else annotation(each, spells) for each in inside]
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


def holds_containers(type_: str) -> bool:
    """Whether what a container holds may be changed in turn."""
    return re.search(r"\b(list|dict|set)\b", type_.partition("[")[2]) is not None


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
    return parts[0] if parts and not is_open(type_) else ""


def is_open(type_: str) -> bool:
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
        if empty == "list[]" and full.startswith("list[") and not is_open(full):
            return full
    return ""


def parameter_types(function: FunctionNode, spells: Callable[[str], bool]) -> dict[str, str]:
    """What annotations and defaults tell of the parameters."""
    arguments = function.args
    found = {each.arg: annotation(each.annotation, spells) for each in all_parameters(arguments)}
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
        admitted = {*known.split("|"), *(["int"] if known == "float" else [])}
        if known and kind != known and kind not in admitted:
            found[parameter.arg] = union(known, kind if kind in PLAIN else "")
    return found
