"""What every lowering walks with: the parts of a syntax tree, and the locals in sight."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tree_sitter import Node

from equimut.languages.lowered import Local, Type

Parser = Callable[[str, str], tuple[Node, bytes]]
"""From a text and its language to the tree and the bytes that it speaks of."""


def named_parts(node: Node) -> list[Node]:
    """The children of a node without signs and comments."""
    return [child for child in node.named_children if "comment" not in child.type]


def nodes_below(node: Node) -> list[Node]:
    """The node and everything below it."""
    found, stack = [], [node]
    while stack:
        current = stack.pop()
        found.append(current)
        stack.extend(current.children)
    return found


def declared_name(node: Node) -> Node:
    """The name that a declaration or declarator declares."""
    inner: Node | None = node
    while inner is not None:
        node = inner
        inner = node.child_by_field_name("name") or node.child_by_field_name("declarator")
    return node


class Scopes:
    """The locals in sight; shadowed names get numbers, so that each declaration is one local."""

    def __init__(self) -> None:
        self._stack: list[dict[str, Local]] = [{}]
        self._seen: dict[str, int] = {}

    @contextmanager
    def inner(self) -> Iterator[None]:
        """A scope that ends with the statement it belongs to."""
        self._stack.append({})
        try:
            yield
        finally:
            self._stack.pop()

    def declare(self, name: str, type_: Type, prefix: str = "") -> Local:
        """A new local; the prefix is no part of the name in the source."""
        number = self._seen[name] = self._seen.get(name, 0) + 1
        local = Local(type_, prefix + (name if number == 1 else f"{name}#{number}"))
        self._stack[-1][name] = local
        return local

    def hidden(self, name: str, type_: Type) -> Local:
        """A local that the source does not name."""
        number = self._seen[name] = self._seen.get(name, 0) + 1
        return Local(type_, f"{name}#{number}")

    def find(self, name: str) -> Local | None:
        """The local a name stands for here; None for anything else."""
        return next((scope[name] for scope in reversed(self._stack) if name in scope), None)
