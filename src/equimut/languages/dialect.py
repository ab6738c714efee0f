"""What mutation needs to know about a language: names of nodes and spellings, no algorithms."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from equimut.errors import EquimutError
from equimut.languages import LANGUAGES
from equimut.languages.expressions import Expressions

UNARY_LEVEL = 90
"""How tightly `-x`, `~x` and `!x` bind in C and Java; binary operators bind less."""
ATOM_LEVEL = 100


@dataclass(frozen=True)
class Dialect:
    """One language, seen by the mutation operators."""

    name: str
    roles: Mapping[str, str]
    """Node type -> what it is to an operator: `binary`, `unary`, `integer`, `return`, ..."""
    statements: Mapping[str, str]
    """Node type -> kind of statement: `expression`, `if`, `while`, `for`, `return`, ..."""
    opaque: frozenset[str]
    """Nodes that hold no code to mutate: types, annotations, labels, patterns."""
    scopes: frozenset[str]
    value_slots: frozenset[tuple[str, str]]
    """(parent type, field) where an expression's value is used; field `*` is any place."""
    loops: frozenset[str]
    closures: frozenset[str]
    """Functions inside expressions, whose captured names are under special rules."""
    precedence: Mapping[str, int]
    arithmetic: tuple[str, ...]
    relational: tuple[str, ...]
    conjunction: str
    disjunction: str
    negation: str
    negation_level: int
    bitwise: tuple[str, ...]
    shifts: tuple[str, ...]
    compound: tuple[tuple[str, ...], ...]
    """Families of compound assignment operators that may replace each other."""
    true: str
    false: str
    null: str
    no_operation: str
    absolute: str
    """The function that gives the absolute value."""
    kinds: Mapping[str, str]
    """Type name -> kind: `int`, `small` (narrower than int), `float`, `bool`, `string`."""
    method_swaps: Mapping[str, str]
    """Calls with a natural opposite: `startsWith` -> `endsWith`."""
    expressions: Expressions

    @property
    def logical(self) -> tuple[str, str]:
        """The short-circuit operators."""
        return (self.conjunction, self.disjunction)

    @property
    def has_braces(self) -> bool:
        """Whether blocks are written with braces and statements end with semicolons."""
        return self.no_operation == ";"


@cache
def dialect_of(language: str) -> Dialect:
    """The dialect of a language; loaded on first use."""
    if language not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise EquimutError(f"no mutation operators for language {language!r}: use one of {known}")
    module = import_module(f"equimut.languages.{language}.dialect")
    dialect: Dialect = module.DIALECT
    return dialect
