"""What the classes above one do with an object in the making, as far as their file shows."""

from collections.abc import Callable

from tree_sitter import Node

from equimut.languages.java.api import QUIET_SUPERCLASSES
from equimut.languages.java.making import hands_out
from equimut.languages.java.type_bodies import (
    TYPES,
    class_around,
    declarations_of,
    erased,
    modifiers,
    names_declared,
    root_of,
    text_of,
)
from equimut.languages.scopes import nodes_below


def reaches_this(value: Node, source: bytes, mine: frozenset[str]) -> bool:
    """Whether an initialiser may hand the new object to somebody, who may call its methods.

    An object of a class of the same file may be of an inner one, which knows the one it is made in.
    """
    below = nodes_below(value)
    return any(
        each.type in ("this", "super", "class_body", "lambda_expression", "method_reference",
                      "assignment_expression", "update_expression")
        or (each.type == "method_invocation" and each.child_by_field_name("object") is None)
        or (each.type == "object_creation_expression" and bool(mine & set(
            text_of(each, source).split("(")[0].removeprefix("new").split("<")[0].strip()
            .split("."))))
        for each in below
    )  # fmt: skip


def asks_below(extended: str, root: Node, source: bytes) -> bool:
    """Whether a class of the file, or one above it, may call methods of an object it makes."""
    mine = names_declared(source)
    return any(gives_away(each, source, mine) for each in _line_of(extended, root, source)[0])


def highest_above(extended: str, type_: Node, source: bytes) -> str:
    """The nearest class above that the file does not show; empty if there is none."""
    return _line_of(extended, root_of(type_), source)[1]


def _line_of(extended: str, root: Node, source: bytes) -> tuple[list[Node], str]:
    """The classes of the file from one of this name upwards, and what the last one extends."""
    types = [each for each in nodes_below(root) if each.type == "class_declaration"]
    found: list[Node] = []
    seen: set[str] = set()
    while extended and extended not in seen:
        seen.add(extended)
        name, extended = extended, ""
        fitting = [
            type_
            for type_ in types
            if (label := type_.child_by_field_name("name")) and text_of(label, source) == name
        ]
        if not fitting:
            return found, name
        found += fitting
        for type_ in fitting:
            above = type_.child_by_field_name("superclass")
            if above is not None:
                extended = erased(text_of(above, source).removeprefix("extends")).split(".")[-1]
    return found, ""


def gives_away(type_: Node, source: bytes, mine: frozenset[str]) -> bool:
    """Whether others may know an object of a class before its constructor ends.

    Objects of the classes `mine` may know the one they are made in.
    """
    body = type_.child_by_field_name("body")
    for each in declarations_of(body) if body is not None else ():
        shared = "static" in modifiers(each, source)
        fields = each.type == "field_declaration" and not shared
        if each.type == "block" or (fields and reaches_this(each, source, mine)):
            return True
    return body is None or hands_out(type_, source, mine)


def left_alone(function: Node, source: bytes, is_library: Callable[[str], bool]) -> bool:
    """Whether all classes above a function's stand in its file, and leave new objects alone."""
    type_, mine, classes = class_around(function), names_declared(source), 0
    while type_ is not None and (above := type_.child_by_field_name("superclass")) is not None:
        name = erased(text_of(above, source).removeprefix("extends").strip())
        if classes and name in QUIET_SUPERCLASSES and is_library(name):
            return True
        type_, classes = _seen_from(type_, name, source), classes + 1
        if type_ is None or type_.type != "class_declaration" or gives_away(type_, source, mine):
            return False
    return classes > 0 and type_ is not None


def _seen_from(type_: Node, name: str, source: bytes) -> Node | None:
    """The type of the file that a name stands for in the head of another one, if certain."""
    first, *inside = name.split(".")
    found = _simply(type_, first, source)
    for each in inside:
        found = _inside(found, each, source) if found is not None else None
    return found


def _simply(type_: Node, name: str, source: bytes) -> Node | None:
    around: Node | None = type_
    while around is not None and around.parent is not None:
        around = around.parent
        if around.type in ("block", "object_creation_expression", "lambda_expression"):
            return None
        if around.type not in TYPES and around.parent is not None:
            continue
        found, label = _inside(around, name, source), around.child_by_field_name("name")
        if found is None and label is not None and text_of(label, source) == name:
            return around
        if found is not None or any(each.type in _HEADS for each in around.children):
            return found  # else it may be inherited
    return None


def _inside(around: Node, name: str, source: bytes) -> Node | None:
    """The type of this name that a type declares, or a whole file."""
    body = around if around.parent is None else around.child_by_field_name("body")
    for each in declarations_of(body) if body is not None else ():
        label = each.child_by_field_name("name")
        if each.type in TYPES and label is not None and text_of(label, source) == name:
            return each
    return None


_HEADS = ("superclass", "super_interfaces", "extends_interfaces")
