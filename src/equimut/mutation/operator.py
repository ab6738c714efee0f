"""What a mutation operator is: a name, a sentence, a small function and examples that run."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tree_sitter import Node

from equimut.mutation.edit import Edit
from equimut.semantics.program import Program

Edits = Iterator[Edit]
Functions = Mapping[str, tuple[tuple[str, ...], Callable[[Program, Node], Edits]]]
"""Name of an operator -> the roles of the nodes its function is asked about, and the function."""


@dataclass(frozen=True)
class Example:
    """A piece of a function and one of the mutants that the operator makes of it."""

    language: str
    before: str
    after: str
    whole: bool = False
    """Whether the text is a whole function; if not, it is a statement inside one."""


@dataclass(frozen=True)
class Operator:
    """A row of the table of operators."""

    name: str
    summary: str
    tools: tuple[str, ...]
    roles: tuple[str, ...]
    """The roles of nodes the function is asked about; `statement` stands for any statement."""
    function: Callable[[Program, Node], Edits]
    examples: tuple[Example, ...]
