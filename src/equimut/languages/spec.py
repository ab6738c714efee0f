"""The rules by which a language tells how values flow and where functions are: data only."""

from dataclasses import dataclass
from typing import Literal

Relation = Literal["comesFrom", "computedFrom"]

Part = str | int
"""A child of a node: by field name, or by position among the named children."""


@dataclass(frozen=True)
class Bind:
    """Targets take the values of a node's value parts; every other child is an ordinary use.

    The first part that exists counts. Without a value part the targets are defined from nothing.
    """

    targets: tuple[Part, ...]
    values: tuple[Part, ...] = ()
    relation: Relation = "computedFrom"
    declared: bool = False
    """The target is only the declared name (`q` in C's `*q[n]`), the rest of it is used."""
    pairs: tuple[str, ...] = ()
    """Types of lists that bind item by item when both sides are lists of equal length."""


@dataclass(frozen=True)
class Define:
    """Children that declare names without a value: identifiers, or declarators in a field.

    Parameters inside a declarator (of a prototype, of a pointer to a function) are not walked.
    """

    part: str | None = None
    """The field of the declarators; None: direct children that are identifiers."""
    unless: tuple[str, ...] = ()
    """Types of declarators that have a rule of their own."""


@dataclass(frozen=True)
class Update:
    """`i++`: every variable inside is computed from every variable inside."""


@dataclass(frozen=True)
class Branch:
    """An `if`: children from the first alternative on are walked from the state before it."""

    alternatives: tuple[str, ...]
    exhaustive: tuple[str, ...]
    """Child types that mean: one of the ways is always taken."""


@dataclass(frozen=True)
class Loop:
    """A loop: walked twice, so that the second walk sees what the first one defined."""

    once: str | None = None
    """The field that is walked once only (the start of a `for`)."""
    needs: str | None = None
    """Walk again only what follows a child of this type, and nothing if there is none."""


@dataclass(frozen=True)
class Each:
    """A loop over values: value, then targets, then body, twice; other children after it, once."""

    targets: str
    values: str
    body: str
    ignored: tuple[str, ...] = ()
    """Fields that are not walked (a declared type)."""
    pairs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Choice:
    """A `switch` or `match`: every case starts from the state before it."""

    body: str
    cases: tuple[str, ...]
    default: tuple[str, ...]
    """A case with such a child or grandchild makes the choice exhaustive."""
    falls_through: tuple[str, ...] = ()
    """Types of cases that run on into the next one, unless they end in one of `exits`."""
    exits: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()
    """Types of blocks whose end is the end of the case."""
    subject: str | None = None
    """The field whose values the names captured by a pattern come from."""
    pattern: str | None = None
    captures: tuple[str, ...] = ()
    """Inside a pattern, an identifier directly below one of these types is a captured name."""
    not_captures: tuple[str, ...] = ()
    """... unless the capturing node stands directly below one of these (a class name)."""


@dataclass(frozen=True)
class Attempt:
    """A `try`: handlers start from the state before or after the body; `last` follows them all."""

    handlers: tuple[str, ...]
    last: tuple[str, ...]
    otherwise: tuple[str, ...] = ()
    """Follows the body, but its errors are not handled (Python's `else`)."""


@dataclass(frozen=True)
class Scope:
    """Names end with this node: those of its parameters, or all of them."""

    name: Part | None = None
    """The part that names the function; it belongs to the outside."""
    parameters: tuple[str, ...] = ()
    """Fields or types whose names end with the node; empty: all that changed inside ends."""
    first: tuple[str, ...] = ()
    """Child types walked before the others (the clauses of a comprehension)."""


@dataclass(frozen=True)
class Skip:
    """Not part of the flow (preprocessor lines)."""


Rule = Bind | Define | Update | Branch | Loop | Each | Choice | Attempt | Scope | Skip


@dataclass(frozen=True)
class Lexicon:
    """Just enough lexical knowledge to find functions where the grammar gives up."""

    line_comments: tuple[str, ...]
    block_comments: tuple[tuple[str, str], ...]
    quotes: tuple[str, ...]
    """String delimiters, longest first."""
    layout: Literal["braces", "indentation"]
    keywords: frozenset[str]
    """Words before a parenthesis that are not the name of a function."""
    nested_functions: bool
    """Functions may stand inside another pair of braces (a class body)."""
    preprocessor: bool = False
    unclear: str = ""
    """A pattern for what the compiler turns into another text before it reads it."""


@dataclass(frozen=True)
class Corpus:
    """Where code of a language for pretraining comes from, and what of it is left out."""

    packages: tuple[str, ...] = ()
    """Names of Debian packages."""
    of_interpreter: bool = False
    """The library of the running interpreter and what is installed next to it are read."""
    test_names: str = ""
    """A pattern for the names of test files, besides those of all languages."""
    docstrings: bool = False
    """A text that opens a body is prose, not code."""
