"""The types that a Java file declares, as nodes: those around a function, and what they declare."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from equimut.languages.declared import without_arguments

TYPES = (
    "class_declaration", "enum_declaration", "record_declaration", "interface_declaration",
)  # fmt: skip
"""Declarations of types that have a name."""
_DECLARED = re.compile(rb"\b(?:class|interface|enum|record)\s+(\w+)")


def types_around(node: Node) -> Iterator[Node]:
    """The types around a node, the innermost first, whether they have names or not."""
    current = node.parent
    while current is not None:
        if current.type in TYPES or current.type in _NAMELESS:
            yield current
        elif current.type == "block":
            return  # a local class: names of the method around it hide members
        current = current.parent


_NAMELESS = ("object_creation_expression", "enum_constant", "annotation_type_declaration")
"""What may have a body with members of its own, which come before those of the types around."""


def class_around(function: Node) -> Node | None:
    """The innermost class around a function; None if that has no name."""
    found = next(types_around(function), None)
    return found if found is not None and found.type in TYPES else None


def modifiers_of(name: str, type_: Node, source: bytes) -> set[str] | None:
    """The modifiers of a field of a class; None if it declares no such field."""
    body = type_.child_by_field_name("body")
    for declaration in declarations_of(body) if body is not None else ():
        for each in declaration.children_by_field_name("declarator"):
            label = each.child_by_field_name("name")
            if label is not None and text_of(label, source) == name:
                return modifiers(declaration, source)
    return None


def root_of(node: Node) -> Node:
    """The whole file."""
    while node.parent is not None:
        node = node.parent
    return node


def declarations_of(body: Node) -> Iterator[Node]:
    """What is declared in the body of a type; of an enum, behind its constants."""
    for child in body.named_children:
        if child.type == "enum_body_declarations":
            yield from child.named_children
        else:
            yield child


def text_of(node: Node, source: bytes) -> str:
    """What a node spells."""
    return source[node.start_byte : node.end_byte].decode()


def modifiers(node: Node, source: bytes) -> set[str]:
    """The modifiers of a declaration, annotations among them."""
    found = next((child for child in node.children if child.type == "modifiers"), None)
    return set(text_of(found, source).split()) if found is not None else set()


def every_declared(source: bytes) -> list[str]:
    """The names of all types of the file, as often as they are there; some may be in comments."""
    return [name.decode() for name in _DECLARED.findall(source)]


def names_declared(source: bytes) -> frozenset[str]:
    """The names of all types of the file; a word in a comment may be taken for one more."""
    return frozenset(every_declared(source))


def erased(text: str) -> str:
    """Without type arguments, annotations, packages in lower case, and white space."""
    return without_arguments(text).replace("...", "[]").removeprefix("java.lang.")
