"""Whether a Java constructor keeps its object to itself until it ends."""

from collections.abc import Iterator

from equimut.languages.java.lowering.scopes import Members
from equimut.languages.lowered import (
    Call,
    Field,
    Function,
    Local,
    New,
    Node,
    OpaqueExpr,
    OpaqueStmt,
    Stmt,
    children,
)


def is_unseen(maker: Function, members: Members) -> bool:
    """Whether nothing but the constructor itself can know its object.

    The superclass is one whose constructor hands nothing out: the caller has seen to that.
    """
    looked: set[str] = set()
    waiting: list[Stmt] = [maker.body]
    while waiting:
        for node, around in _nodes(waiting.pop()):
            if isinstance(node, OpaqueExpr | OpaqueStmt):
                return False
            if isinstance(node, New) and _may_be_inner(node, members):
                return False
            if not isinstance(node, Local) or node.name != "this" or isinstance(around, Field):
                continue
            if not isinstance(around, Call) or node is not around.receiver:
                return False
            name = f"{around.name} {around.key}".strip()
            if around.owner == "this" and name in maker.methods:
                if name in looked:  # it may be one that calls itself, which is not looked into
                    return False
                looked.add(name)
                waiting.append(maker.methods[name].body)
            elif not _knows_nothing(around):
                return False
    return True


def _nodes(code: Node) -> Iterator[tuple[Node, Node | None]]:
    """Every node below, with the one around it."""
    stack: list[tuple[Node, Node | None]] = [(code, None)]
    while stack:
        node, around = stack.pop()
        yield node, around
        stack += [(part, node) for _, part in children(node)]


def _knows_nothing(call: Call) -> bool:
    """Whether a call on the new object hands it to nobody: `getClass`, and `super(...)`."""
    if call.name == "<init>":
        return call.owner == "super" and not call.key.startswith("this")
    return (call.owner, call.name) == ("Object", "getClass")


def _may_be_inner(node: New, members: Members) -> bool:
    """Whether a new object may know the one it is made in: its class stands in the same file."""
    return node.length is None and bool(set(node.type.name.split(".")) & members.declared)
