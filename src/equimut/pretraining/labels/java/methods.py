"""Java methods that can stand alone: with the constants and helpers of their class."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from tree_sitter import Node

from equimut.errors import EquimutError
from equimut.oracle.java.signature import read_signature
from equimut.parsing.tokens import remove_comments
from equimut.parsing.tree import SyntaxTree, parse, walk

LARGEST_METHOD, LARGEST_WHOLE = 2_500, 8_000
"""Bytes of a method, and of a method with all it needs."""
SMALLEST_METHOD = 60
TYPES = ("class_declaration", "enum_declaration", "interface_declaration")
_ANNOTATION = re.compile(r"@\w+(?:\([^)]*\))?\s*")
# Time, chance, threads, files and the outside world: the oracle wants the same result twice.
_WORLDLY = re.compile(
    r"\b(?:Thread|System\s*\.\s*(?!arraycopy)|Runtime|Random|Unsafe|File|Files|native|synchronized|"
    r"this|super|Class|ClassLoader|AccessController|nanoTime|currentTimeMillis|UNSAFE|U)\b"
)


@dataclass(frozen=True)
class ClosedMethod:
    """A method with everything it needs, the method itself last."""

    name: str
    text: str
    """Of the method alone."""
    before: str
    """Constants and helpers of its class."""

    @property
    def source(self) -> str:
        """What is compiled."""
        return f"{self.before}{self.text}"

    def with_mutant(self, mutant: str) -> str:
        """What is compiled for a mutant of the method."""
        return f"{self.before}{mutant}"


@dataclass(frozen=True)
class _Members:
    """The methods and constants of a class by name."""

    tree: SyntaxTree
    methods: Mapping[str, tuple[Node, ...]]
    constants: Mapping[str, Node]

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset((*self.methods, *self.constants))


def closed_methods(source: str) -> Iterator[ClosedMethod]:
    """The methods of a Java file that need nothing but their class's static members.

    Methods of objects count too if they use no field: whether they do, the compiler will tell.
    """
    tree = parse(remove_comments(source, "java"), "java")
    for node in tree.root.children:
        body = node.child_by_field_name("body") if node.type in TYPES else None
        if body is None or node.has_error:
            continue
        members = _members(tree, body)
        for method in (one for named in members.methods.values() for one in named):
            found = _closed(members, method)
            if found is not None:
                yield found


def _members(tree: SyntaxTree, body: Node) -> _Members:
    methods: dict[str, tuple[Node, ...]] = {}
    constants: dict[str, Node] = {}
    for member in body.named_children:
        if member.type == "method_declaration":
            name = member.child_by_field_name("name")
            if name is not None and member.child_by_field_name("body") is not None:
                methods[tree.text(name)] = (*methods.get(tree.text(name), ()), member)
        elif member.type == "field_declaration" and _is_constant(tree, member):
            for declarator in member.children_by_field_name("declarator"):
                name = declarator.child_by_field_name("name")
                if name is not None and declarator.child_by_field_name("value") is not None:
                    constants[tree.text(name)] = member
    return _Members(tree, methods, constants)


def _is_constant(tree: SyntaxTree, member: Node) -> bool:
    modifiers = next((child for child in member.children if child.type == "modifiers"), None)
    words = tree.text(modifiers).split() if modifiers is not None else []
    return {"static", "final"} <= set(words)


def _closed(members: _Members, method: Node) -> ClosedMethod | None:
    tree = members.tree
    text = _plain(tree.text(method))
    if not SMALLEST_METHOD <= len(text) <= LARGEST_METHOD or _WORLDLY.search(text):
        return None
    needed = _needed(members, method)
    before = "".join(f"{_plain(tree.text(node))}\n" for node in needed)
    if len(before) + len(text) > LARGEST_WHOLE or _WORLDLY.search(before):
        return None
    name = method.child_by_field_name("name")
    assert name is not None  # a method without a name is no member
    closed = ClosedMethod(tree.text(name), text, before)
    try:
        if not read_signature(closed.source, None).parameters:
            return None
    except EquimutError:
        return None
    return closed


def _needed(members: _Members, method: Node) -> list[Node]:
    """The members a method uses, and those that they use, in the order of the class."""
    found: dict[int, Node] = {}
    waiting = [method]
    while waiting:
        node = waiting.pop()
        for used in walk(node):
            name = members.tree.text(used) if used.type == "identifier" else ""
            if name in members.names:
                constant = members.constants.get(name)
                for other in (*members.methods.get(name, ()), *([constant] if constant else [])):
                    if other.id != method.id and other.id not in found:
                        found[other.id] = other
                        waiting.append(other)
    # A constant may use one that stands before it only.
    return sorted(found.values(), key=lambda node: node.start_byte)


def _plain(text: str) -> str:
    """A member without annotations, which are of no use to its text."""
    return _ANNOTATION.sub("", text).strip()
