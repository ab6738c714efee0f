"""Whether a Java constructor keeps its object to itself until it ends."""

from collections.abc import Iterator
from dataclasses import replace

from tree_sitter import Node as SyntaxNode

from equimut.languages.lowered import (
    BOOL,
    SEEN,
    Block,
    Call,
    Declare,
    Field,
    Function,
    Lit,
    Local,
    New,
    Node,
    OpaqueExpr,
    OpaqueStmt,
    Stmt,
    children,
)
from equimut.languages.scopes import nodes_below


def kept_unseen(
    maker: Function, mine: frozenset[str], shared: frozenset[str] = frozenset()
) -> Function:
    """A constructor that tells how long nothing but itself can know its object.

    The superclass is one whose constructor hands nothing out: the caller has seen to that. Objects
    of the classes `mine` may know the one they are made in; `shared` is what `shared_names` found.
    """
    body = maker.body
    if not isinstance(body, Block):
        return maker
    place = 0
    while place < len(body.statements) and _keeps(body.statements[place], maker, mine, shared):
        place += 1
    if place == len(body.statements):
        return replace(maker, unseen="all")
    seen = Declare(Local(BOOL, SEEN), Lit(BOOL, True))
    parts = (*body.statements[:place], seen, *body.statements[place:])
    return replace(maker, unseen="begin", body=Block(parts))


def _keeps(code: Stmt, maker: Function, mine: frozenset[str], shared: frozenset[str]) -> bool:
    """Whether a statement of a constructor hands its object to nobody."""
    looked: set[str] = set()
    waiting: list[Stmt] = [code]
    while waiting:
        for node, around in _nodes(waiting.pop()):
            if isinstance(node, OpaqueExpr | OpaqueStmt):
                return False
            if isinstance(node, New) and _may_be_inner(node, mine):
                return False
            if not isinstance(node, Local) or node.name != "this" or isinstance(around, Field):
                continue
            if not isinstance(around, Call) or _is_given(around):
                return False
            name = f"{around.name} {around.key}".strip()
            if around.owner == "this" and name in maker.methods:
                if name in looked:  # it may be one that calls itself, which is not looked into
                    return False
                looked.add(name)
                waiting.append(maker.methods[name].body)
            elif not (_knows_nothing(around) or (around.owner == "this" and around.name in shared)):
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


def _is_given(call: Call) -> bool:
    """Whether a call gets the new object as an argument, not only as what it is asked of."""
    return any(isinstance(each, Local) and each.name == "this" for each in call.arguments)


def shared_names(function: SyntaxNode, source: bytes, declared: frozenset[str]) -> frozenset[str]:
    """The names under which a bare call cannot ask the object of the class around a function.

    They stand for methods of the class that need no object, for those of a class around it, which
    have another object, or for what is imported by name. None, if what is inherited is not known.
    """
    body = function.parent
    type_ = body.parent if body is not None else None
    if body is None or type_ is None or type_.type != "class_declaration":
        return frozenset()
    above = type_.child_by_field_name("interfaces")
    names = [] if above is None else [
        _text(each, source).split("<")[0].strip() for each in above.named_children[0].named_children
    ]  # fmt: skip
    if type_.child_by_field_name("superclass") is not None or declared & set(names):
        return frozenset()
    if not set(names) <= _QUIET_INTERFACES:
        return frozenset()
    known = {name for name, static in _methods(body, source) if static}
    around: SyntaxNode = type_
    while around.parent is not None:
        around = around.parent
        known |= {name for name, _ in _methods(around, source)}
    for each in around.named_children:
        words = _text(each, source).removesuffix(";").split()
        if each.type == "import_declaration" and words[:2] == ["import", "static"]:
            known.add(words[-1].split(".")[-1])
    mine = {name for name, static in _methods(body, source) if not static}
    return frozenset(known - mine - set(_OF_ANY_OBJECT))


def _methods(body: SyntaxNode, source: bytes) -> Iterator[tuple[str, bool]]:
    """The names of the methods that the body of a class declares, and which need no object."""
    for each in body.named_children:
        label = each.child_by_field_name("name")
        if each.type == "method_declaration" and label is not None:
            words = next((part for part in each.children if part.type == "modifiers"), None)
            found = words.children if words is not None else ()
            yield _text(label, source), any(part.type == "static" for part in found)


_QUIET_INTERFACES = frozenset({"Cloneable", "Comparable", "Serializable", "java.io.Serializable"})
"""Interfaces of the JDK that bring no methods but `compareTo`."""
_OF_ANY_OBJECT = ("clone", "compareTo", "equals", "finalize", "getClass", "hashCode", "notify",
                  "notifyAll", "toString", "wait")  # fmt: skip


def _text(node: SyntaxNode, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode()


def _may_be_inner(node: New, mine: frozenset[str]) -> bool:
    """Whether a new object may know the one it is made in: its class stands in the same file."""
    return node.length is None and bool(set(node.type.name.split(".")) & mine)


def hands_out(type_: SyntaxNode, source: bytes, mine: frozenset[str] = frozenset()) -> bool:
    """Whether a constructor of a class may hand its object to others before it ends.

    Objects of the classes `mine` may know the one they are made in.
    """
    body = type_.child_by_field_name("body")
    assert body is not None
    for maker in body.named_children:
        if maker.type != "constructor_declaration":
            continue
        for node in nodes_below(maker):
            if node.type in ("class_body", "lambda_expression", "method_reference"):
                return True
            if node.type == "method_invocation":
                owner = node.child_by_field_name("object")
                if owner is None or owner.type in ("this", "super"):
                    return True
            if node.type == "this" and node.parent is not None:
                parent = node.parent
                if parent.type not in ("field_access", "explicit_constructor_invocation"):
                    return True
            if node.type == "object_creation_expression" and _inner(node, type_, source, mine):
                return True
    return False


def _inner(node: SyntaxNode, type_: SyntaxNode, source: bytes, mine: frozenset[str]) -> bool:
    """Whether a new object may be of an inner class, which knows the one around it."""
    kind = node.child_by_field_name("type")
    text = source[kind.start_byte : kind.end_byte].decode() if kind is not None else ""
    name = text.split("<")[0].strip()
    if mine & set(name.split(".")):
        return True
    declared = [
        each
        for each in nodes_below(type_)
        if each.type.endswith("_declaration") and (label := each.child_by_field_name("name"))
        and source[label.start_byte : label.end_byte].decode() == name
        and "class" in each.type
    ]  # fmt: skip
    return bool(declared)
