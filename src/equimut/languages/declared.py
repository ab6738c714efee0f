"""What a language's reader of declarations finds, and where it puts it."""

from dataclasses import dataclass
from typing import Protocol

from tree_sitter import Node


@dataclass(frozen=True)
class Variable:
    """A declared name."""

    type: str
    constant: bool = False
    initialised: bool = True
    constant_target: bool = False
    """Whether what it points to, or its elements, may not change (C's `const char *s`)."""


class Names(Protocol):
    """The names of a source, filled node by node."""

    functions: dict[str, str]
    """Name -> type of the result."""
    fields: dict[str, Variable]
    aliases: dict[str, str]
    """Name of a type -> the type it stands for."""

    def text(self, node: Node) -> str:
        """The source text of a node."""

    def parent(self, node: Node) -> Node | None:
        """The node around this one."""

    def field(self, node: Node) -> str:
        """The name of the field this node is in its parent, or an empty string."""

    def local(self, node: Node, name: str) -> Variable | None:
        """What is declared so far under this name in the innermost scope around a node."""

    def declare(self, node: Node, name: str, variable: Variable) -> None:
        """Declare a name in the scope of a node; the first declaration counts."""

    def hide(self, node: Node, name: str) -> None:
        """In the scope of a node a name belongs to something of unknown type."""

    def declare_field(self, name: str, variable: Variable) -> None:
        """Declare a field of some type of the source; one name with two types has none."""

    def forget_type(self, node: Node, name: str) -> None:
        """Take away the type of a name in the innermost scope around a node."""

    def declare_everywhere(self, name: str, variable: Variable) -> None:
        """Declare a name for the whole source."""


def without_arguments(name: str) -> str:
    """A type's name without type arguments and white space: `List<String> []` -> `List[]`."""
    depth, kept = 0, []
    for char in name:
        if char == "<":
            depth += 1
        elif char == ">":
            depth -= 1
        elif depth == 0 and not char.isspace():
            kept.append(char)
    return "".join(kept)


def plain_type(name: str) -> str:
    """A type as types are compared: `List<String>[]` -> `List[]`, `list[int]` -> `list`."""
    plain = without_arguments(name)
    head, bracket, _ = plain.partition("[")
    # In Python `list[int]` is a list; in Java the brackets are empty.
    plain = plain if not bracket or plain.endswith("[]") else head
    return plain.replace("java.lang.", "")
