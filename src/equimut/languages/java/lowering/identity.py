"""What `==` asks of objects in Java that may be boxes or strings, which are made from values.

For the solver a box is a function of its number, and a text that was joined one of its parts: made
twice, they are one object to it. So where a function makes any, `==` does not compare what they are
made of.
"""

import re
from collections.abc import Mapping
from dataclasses import fields, replace

from equimut.languages.java.lowering.types import STRING
from equimut.languages.lowered import (
    Assign,
    Binary,
    Call,
    Convert,
    Expr,
    Function,
    Node,
    Stmt,
    Type,
    walk,
)
from equimut.languages.object_types import ObjectType

_ABOVE = frozenset({
    "Object", "Number", "Comparable", "Serializable", "Constable", "ConstantDesc", "CharSequence",
    "?",
})  # fmt: skip
"""Types that boxes and strings have besides their own."""
_LETTER = re.compile(r"[A-Z]\d?")
"""How type parameters are named, where they are declared out of sight."""
Types = Mapping[str, ObjectType | None]


def told_apart(functions: tuple[Function, ...], types: Types) -> tuple[Function, ...]:
    """Functions that call each other, where two objects made from one value may be two."""
    parts = [part for each in functions for part in walk(each.body)]
    asks = any(isinstance(part, Binary) and _asks(part, types) for part in parts)
    if not asks or not any(_makes(part) for part in parts):
        return functions
    bodies = [_with_boxes(each.body, types) for each in functions]
    return tuple(
        replace(each, body=body)
        for each, body in zip(functions, bodies, strict=True)
        if isinstance(body, Stmt)
    )


def _makes(node: Node) -> bool:
    """Whether an object is made from a value."""
    if isinstance(node, Convert):
        return node.type.kind == "ref" and node.operand.type.kind != "ref"
    if isinstance(node, Assign):
        return node.op == "concat" or (bool(node.op) and node.target.type.kind == "ref")
    return isinstance(node, Binary | Call) and node.type == STRING


def _asks(node: Binary, types: Types) -> bool:
    sides = node.left.type, node.right.type
    return node.op in ("==", "!=") and all(_may_be_box(each, types) for each in sides)


def _may_be_box(type_: Type, types: Types) -> bool:
    if type_.kind != "ref":
        return False
    if type_.name in types:
        return types[type_.name] is None  # a type parameter
    return type_.name.split(".")[-1] in _ABOVE or _LETTER.fullmatch(type_.name) is not None


def _with_boxes(node: Node, types: Types) -> Node:
    """The code with comparisons that say nothing of what the objects are made of."""
    changed: dict[str, object] = {}
    for each in fields(node):
        value = getattr(node, each.name)
        if isinstance(value, Expr | Stmt):
            made: object = _with_boxes(value, types)
        elif isinstance(value, tuple) and any(isinstance(item, Node) for item in value):
            made = tuple(_with_boxes(i, types) if isinstance(i, Node) else i for i in value)
        else:
            continue
        if made is not value:
            changed[each.name] = made
    if isinstance(node, Binary) and _asks(node, types):
        changed["op"] = f"boxed{node.op}"
    return replace(node, **changed) if changed else node  # type: ignore[arg-type]
