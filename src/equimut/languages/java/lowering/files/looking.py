"""Code of other files that can be looked into where it is called: it names nothing of its file.

Fields, classes and locals of other files have names that mean something else where the call is. So
such code is made of parameters, literals, operators and calls; and calls say whose they are.
"""

from dataclasses import fields, replace

from equimut.languages.java.api import CONTRACTS
from equimut.languages.lowered import (
    CLASS_LITERAL,
    Assign,
    Binary,
    Block,
    Call,
    Choice,
    Convert,
    Declare,
    Do,
    Element,
    Expr,
    Function,
    If,
    Leave,
    Length,
    Lit,
    Local,
    Logic,
    Node,
    Stmt,
    Unary,
    walk,
)

_PLAIN = (
    Assign, Binary, Block, Call, Choice, Convert, Declare, Do, Element, If, Leave, Length, Lit,
    Local, Logic, Unary,
)  # fmt: skip


def of_project(name: str, function: Function, owner: str) -> dict[str, Function]:
    """A method of another file and those that it calls there, as far as they stand alone.

    Empty if the method itself does not.
    """
    if not _stands_alone(function):
        return {}
    found = {name: _owned(function, owner)}
    for below, callee in function.methods.items():
        if _stands_alone(callee) and callee.static:
            found[f"{owner}.{below}"] = _owned(callee, owner)
    return found


def _stands_alone(function: Function) -> bool:
    return all(_is_plain(node) for node in walk(function.body))


def _is_plain(node: Node) -> bool:
    if not isinstance(node, _PLAIN):
        return False
    if isinstance(node, Leave):
        return node.how == "return"
    if isinstance(node, Lit):
        return not isinstance(node.value, tuple)
    if isinstance(node, Assign):
        return isinstance(node.target, Local)
    if isinstance(node, Convert):
        return not node.checked and (node.type.kind != "ref" or node.operand.type.kind == "any")
    if isinstance(node, Binary):
        sides = node.left, node.right
        objects = any(each.type.kind in ("ref", "any") for each in sides)
        null = any(isinstance(each, Lit) and each.value is None for each in sides)
        return not objects or (null and node.op in ("==", "!="))
    if isinstance(node, Call):
        return not (node.owner == "Objects" and node.key.split(" ")[0].endswith(","))
    return True


def _owned(function: Function, owner: str) -> Function:
    body = _calls_owned(function.body, owner)
    assert isinstance(body, Stmt)
    return replace(function, body=body, methods={})


def _calls_owned(node: Node, owner: str) -> Node:
    """The code with calls that say whose they are: the same name may mean others elsewhere."""
    changed: dict[str, object] = {}
    for each in fields(node):
        value = getattr(node, each.name)
        if isinstance(value, Expr | Stmt):
            changed[each.name] = _calls_owned(value, owner)
        elif isinstance(value, tuple) and any(isinstance(item, Node) for item in value):
            changed[each.name] = tuple(
                _calls_owned(item, owner) if isinstance(item, Node) else item for item in value
            )
    found: Node = replace(node, **changed) if changed else node  # type: ignore[arg-type]
    if not isinstance(found, Call):
        return found
    if found.owner == "this":
        receiver = found.receiver
        static = isinstance(receiver, Local) and receiver.name == "this"
        return replace(found, owner=owner, receiver=None if static else receiver)
    place = owner.partition(",")[0]
    if found.owner == CLASS_LITERAL:
        return replace(found, key=f"{place} {found.key}")
    if (found.owner, found.name, len(found.arguments)) in CONTRACTS:
        return found
    return replace(found, owner=f"{found.owner} in {place}")
