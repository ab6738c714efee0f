"""What `==` asks of objects in Java that may be boxes, strings or lambdas, made from values.

For the solver a box is a function of its number, a text that was joined one of its parts, a lambda
one of what it captures: made twice, they are one object to it. So where a function makes any and
compares such objects, making one is a call that nobody knows, and `==` does not compare what they
are made of.
"""

import re
from collections.abc import Mapping
from dataclasses import fields, replace

from equimut.languages.java.api import CONTRACTS, LITERALS
from equimut.languages.java.lowering.types import NULL, STRING
from equimut.languages.lowered import (
    Assign,
    Binary,
    Call,
    Convert,
    Expr,
    Function,
    Local,
    Node,
    OpaqueExpr,
    Stmt,
    Type,
    Unsupported,
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
_SHARED = frozenset({"getClass", "name", "intern"})
"""Methods that answer with one object, whenever they are asked."""
Types = Mapping[str, ObjectType | None]


def told_apart(functions: tuple[Function, ...], types: Types) -> tuple[Function, ...]:
    """Functions that call each other, where two objects made from one value may be two."""
    parts = [part for each in functions for part in walk(each.body)]
    asked = [part for part in parts if isinstance(part, Binary) and _compares(part)]
    boxes = any(part.op.startswith("boxed") or _asks(part, types) for part in asked)
    boxes = boxes and any(_makes(part) for part in parts)
    if not boxes and not (asked and any(_is_lambda(part) for part in parts)):
        return functions
    bodies = [_with_boxes(each.body, types, boxes) for each in functions]
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
    if isinstance(node, Call):
        return node.type == STRING or _is_made(node)
    return isinstance(node, Binary) and node.type == STRING


def _is_made(node: Call) -> bool:
    """Whether a method of the JDK answers with a text that is a function of what it is given."""
    place = node.owner, node.name, len(node.arguments)
    contract = CONTRACTS.get(place, LITERALS.get(place))
    known = contract is not None and contract.pure and not contract.defines
    return known and node.type.kind == "ref" and node.name not in _SHARED


def _is_lambda(node: Node) -> bool:
    literal = isinstance(node, OpaqueExpr) and (node.type == STRING or node.text.endswith(".class"))
    return isinstance(node, OpaqueExpr) and not node.effects and not literal


def _compares(node: Binary) -> bool:
    """Whether two objects are compared, of which neither is known to be none or this one."""
    sides = node.left, node.right
    return node.op.endswith(("==", "!=")) and all(
        each.type.kind == "ref"
        and each.type != NULL
        and not (isinstance(each, Local) and each.name == "this")
        for each in sides
    )


def _asks(node: Binary, types: Types) -> bool:
    sides = node.left.type, node.right.type
    return node.op in ("==", "!=") and all(_may_be_box(each, types) for each in sides)


def _may_be_box(type_: Type, types: Types) -> bool:
    if type_.kind != "ref":
        return False
    if type_.name in types:
        return types[type_.name] is None  # a type parameter
    return type_.name.split(".")[-1] in _ABOVE or _LETTER.fullmatch(type_.name) is not None


def _with_boxes(node: Node, types: Types, boxes: bool) -> Node:
    """The code with objects that are made one by one, and comparisons that say nothing of how."""
    changed: dict[str, object] = {}
    for each in fields(node):
        value = getattr(node, each.name)
        if isinstance(value, Expr | Stmt):
            made: object = _with_boxes(value, types, boxes)
        elif isinstance(value, tuple) and any(isinstance(item, Node) for item in value):
            made = tuple(
                _with_boxes(item, types, boxes) if isinstance(item, Node) else item
                for item in value
            )
        else:
            continue
        if made is not value:
            changed[each.name] = made
    if boxes and isinstance(node, Binary) and _asks(node, types):
        changed["op"] = f"boxed{node.op}"
    if _is_lambda(node):
        changed["effects"] = True
    found: Node = replace(node, **changed) if changed else node  # type: ignore[arg-type]
    return _made(found) if boxes and _makes(found) else found


def _made(node: Node) -> Node:
    """An object that is made, as a call that nobody knows."""
    if isinstance(node, Convert):
        return Call(node.type, "$box", None, (node.operand,), key=str(node.operand.type))
    if isinstance(node, Binary):
        return Call(STRING, "$join", None, (node.left, node.right))
    if isinstance(node, Assign):
        if node.op != "concat" or not isinstance(node.target, Local) or node.result == "old":
            raise Unsupported("a box that is counted up, in a function that compares boxes")
        joined = Call(STRING, "$join", None, (node.target, node.value))
        return Assign(node.type, node.target, joined)
    if isinstance(node, Call) and _is_made(node):
        return replace(node, owner=f"{node.owner}, made")
    return node
