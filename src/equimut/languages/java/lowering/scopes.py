"""What a name stands for in a Java function: a local of an enclosing scope, or a member."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tree_sitter import Node

from equimut.languages.java.lowering.types import named
from equimut.languages.lowered import Lit, Local, Type


@dataclass(frozen=True)
class Member:
    """A field of the class around the function, as its file declares it."""

    type: Type
    final: bool
    static: bool
    constant: Lit | None = None
    owner: str = ""
    own: bool = True
    """Declared by the class the function itself is in, not by one around it."""


@dataclass(frozen=True)
class Members:
    """What the file tells of the classes around a function; empty for a bare function."""

    fields: dict[str, Member] = field(default_factory=dict)
    methods: dict[tuple[str, tuple[str, ...]], Type] = field(default_factory=dict)
    """Result by name and types of the parameters."""
    enums: dict[str, tuple[str, ...]] = field(default_factory=dict)
    complete: bool = False
    """Whether the whole file was read: then an unknown name is inherited or foreign."""


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

    def declare(self, name: str, type_: Type) -> Local:
        """A new local."""
        number = self._seen[name] = self._seen.get(name, 0) + 1
        local = Local(type_, name if number == 1 else f"{name}#{number}")
        self._stack[-1][name] = local
        return local

    def hidden(self, name: str, type_: Type) -> Local:
        """A local that the source does not name."""
        number = self._seen[name] = self._seen.get(name, 0) + 1
        return Local(type_, f"{name}#{number}")

    def find(self, name: str) -> Local | None:
        """The local a name stands for here; None for anything else."""
        return next((scope[name] for scope in reversed(self._stack) if name in scope), None)


def plain_type(node: Node, source: bytes, dimensions: Node | None = None) -> Type:
    """The type a declaration names."""
    text = source[node.start_byte : node.end_byte].decode()
    if dimensions is not None:
        text += source[dimensions.start_byte : dimensions.end_byte].decode()
    return named(text)
