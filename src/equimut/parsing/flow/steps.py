"""The steps in which values flow through a source: what the data-flow walk runs.

A step refers to the variables of a part by the part's bytes; blocks hold, in the order of
evaluation, token numbers (ordinary uses), further steps and further blocks.
"""

from dataclasses import dataclass, field

from equimut.languages.spec import Relation
from equimut.parsing.tokens import Token

Span = tuple[int, int]


@dataclass(slots=True, eq=False)
class BindStep:
    """After the uses, every target takes the value of the sources of its pair."""

    uses: "Block"
    pairs: list[tuple[list[Span], list[Span]]]
    relation: Relation
    resolved: list[tuple[tuple[int, ...], tuple[int, ...]]] | None = None


@dataclass(slots=True, eq=False)
class ForkStep:
    """Ways of which one is taken."""

    ways: list["Block"]
    exhaustive: bool
    """False: the state before may also be the state after."""
    entered_from: list[int | None]
    """Per way: another way whose end may lead into it, besides the state before the fork."""


@dataclass(slots=True, eq=False)
class LoopStep:
    """Blocks walked once, then blocks walked twice."""

    once: "Block"
    again: list["Block"]


@dataclass(slots=True, eq=False)
class ScopeStep:
    """Blocks after which names end: those in the spans, or all that changed."""

    blocks: list["Block"]
    names: list[Span] | None


Step = BindStep | ForkStep | LoopStep | ScopeStep
Block = list["int | Step | Block"]


@dataclass(slots=True)
class Program:
    """Tokens and steps of a source."""

    tokens: list[Token] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    """Variable and literal tokens, in order, each with the name its value is known by."""
    definable: set[int] = field(default_factory=set)
    """Tokens whose first use counts as their definition."""
    steps: Block = field(default_factory=list)
