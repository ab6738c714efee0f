"""A language is one folder here: what the rest of the package needs to know of it, as data.

Its `syntax` defines `LANGUAGE`, a `LanguageSpec`; its `dialect` defines `DIALECT`, a `Dialect`.
Elsewhere nothing compares a language's name, but for the runner that the oracle may have in
`oracle/<name>/`. Folders are found and imported on first use, never when this package is imported.
`docs/languages.md` tells how to add one.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from pathlib import PurePath
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Literal

from equimut.errors import EquimutError
from equimut.languages.expressions import Expressions
from equimut.languages.numbers import Numbers
from equimut.languages.spec import Corpus, Each, Lexicon, Loop, Part, Rule

if TYPE_CHECKING:
    from tree_sitter import Node

    from equimut.languages.declared import Names


@dataclass(frozen=True, eq=False)
class LanguageSpec:
    """One programming language, as data. Compared by identity, so it can be a key of caches."""

    name: str
    title: str
    """The name as a reader writes it."""
    suffixes: tuple[str, ...]
    """Of its files; the first is that of a source with code in it."""
    grammar: str
    """The module of the official tree-sitter grammar."""
    comments: frozenset[str]
    atomic: frozenset[str]
    """Nodes that are one token whatever they contain: string and character literals."""
    identifiers: frozenset[str]
    """Leaf types whose first use counts as their definition."""
    members: frozenset[str]
    """Leaf types with a name space of their own (C's struct fields)."""
    not_values: frozenset[str]
    """Named leaves that are neither variables nor literals."""
    function_types: Mapping[str, Part]
    """Node types of functions, with the part that leads to the name."""
    flow: Mapping[str, Rule]
    lexicon: Lexicon
    class_types: Mapping[str, Part] = field(default_factory=dict)
    """Node types that functions may stand in besides functions, with the part that names them."""
    wrappers: tuple[tuple[str, str], ...] = ()
    """Text around a fragment that may make it grammatical: (before, after)."""
    corpus: Corpus = field(default_factory=Corpus)
    columns: Literal["characters", "utf-16", "bytes"] = "characters"
    """What mutation tools for the language count as one column."""
    jvm: bool = False
    """Compiled to the bytecode that PIT mutates."""

    @cached_property
    def loops(self) -> frozenset[str]:
        """Types of the statements that repeat."""
        return frozenset(kind for kind, rule in self.flow.items() if isinstance(rule, Loop | Each))


UNARY_LEVEL = 90
"""How tightly `-x`, `~x` and `!x` bind in C and Java; binary operators bind less."""
ATOM_LEVEL = 100


@dataclass(frozen=True)
class Dialect:
    """One language, seen by the mutation operators and the rules of `proofs`."""

    name: str
    numbers: Numbers
    read_declarations: "Callable[[Node, Names], None]"
    """Declares what one node of the tree declares."""
    roles: Mapping[str, str]
    """Node type -> what it is to an operator: `binary`, `unary`, `integer`, `return`, ..."""
    statements: Mapping[str, str]
    """Node type -> kind of statement: `expression`, `if`, `while`, `for`, `return`, ..."""
    opaque: frozenset[str]
    """Nodes that hold no code to mutate: types, annotations, labels, patterns."""
    scopes: frozenset[str]
    value_slots: frozenset[tuple[str, str]]
    """(parent type, field) where an expression's value is used; field `*` is any of them."""
    functions: frozenset[str]
    """Types of functions that a `return` may leave (not Java's compact constructors)."""
    closures: frozenset[str]
    """Functions inside expressions, whose captured names are under special rules."""
    precedence: Mapping[str, int]
    compound: tuple[tuple[str, ...], ...]
    """Families of compound assignment operators that may replace each other."""
    true: str
    false: str
    null: str
    absolute: str
    """The function that gives the absolute value."""
    kinds: Mapping[str, str]
    """Type name -> kind: `int`, `small` (narrower than int), `float`, `bool`, `string`."""
    plain_values: Mapping[str, tuple[str, ...]]
    """Kind -> the values that can stand for any value of that kind, the plainest first."""
    method_swaps: Mapping[str, str]
    """Calls with a natural opposite: `startsWith` -> `endsWith`."""
    expressions: Expressions
    assignable: frozenset[str]
    """Roles of what an expression may assign to."""
    arithmetic: tuple[str, ...] = ("+", "-", "*", "/", "%")
    relational: tuple[str, ...] = ("<", "<=", ">", ">=", "==", "!=")
    conjunction: str = "&&"
    disjunction: str = "||"
    negation: str = "!"
    negation_level: int = UNARY_LEVEL
    bitwise: tuple[str, ...] = ("&", "|", "^")
    shifts: tuple[str, ...] = ("<<", ">>")
    no_operation: str = ";"
    other_kind: str = ""
    """The kind of a type that `kinds` does not list."""
    ordered_kinds: frozenset[str] = frozenset()
    """Kinds of which one operand of `<` must be; empty: any."""
    unordered_kinds: frozenset[str] = frozenset()
    """Kinds of which no operand of `<` may be."""
    read_only_fields: frozenset[str] = frozenset()
    range_call: str = ""
    """The function whose result a loop counts over."""
    introspection: frozenset[str] = frozenset()
    """What reads variables by name."""
    library: frozenset[str] = frozenset()
    """Names that are the library's wherever nothing else declares them; in C only those that are no
    macros, or none that treat their arguments otherwise than a function does."""
    dynamic_types: bool = False
    """Types belong to values: null fits everywhere, any function may end without a result."""
    assignment_declares: bool = False
    """An assignment makes its target a variable of the whole function."""
    ambiguous_plus: bool = False
    """`+` may join texts, on which no other sign compiles."""
    boolean_xor: bool = False
    """`^` works on truth values."""
    locals_shadow: bool = False
    """A local may have the name of another one around it."""
    ordered_operands: bool = True
    """Operands are evaluated from left to right."""
    rejects_flow: "Callable[[Node, bytes], bool] | None" = None
    """Whether the compiler refuses the first function of a tree for its flow: unreachable code, a
    missing result. None: no compiler looks at it."""

    @cached_property
    def callables(self) -> frozenset[str]:
        """Functions, and the lambdas among the expressions."""
        return self.functions | {kind for kind, role in self.roles.items() if role == "lambda"}

    @cached_property
    def has_pointers(self) -> bool:
        """Whether addresses can be counted with."""
        return "pointer" in self.roles.values()

    @cached_property
    def has_increments(self) -> bool:
        """Whether there is `++`."""
        return "update" in self.roles.values()

    @property
    def logical(self) -> tuple[str, str]:
        """The short-circuit operators."""
        return (self.conjunction, self.disjunction)

    @property
    def has_braces(self) -> bool:
        """Whether blocks are written with braces and statements end with semicolons."""
        return self.no_operation == ";"


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(module.name for module in iter_modules(__path__) if module.ispkg))


@cache
def _load(name: str) -> LanguageSpec:
    language = import_module(f"{__name__}.{name}.syntax").LANGUAGE
    assert isinstance(language, LanguageSpec)
    return language


class _Languages(Mapping[str, LanguageSpec]):
    """All languages by name; a module is imported when its language is asked for."""

    def __getitem__(self, name: str) -> LanguageSpec:
        if name not in _names():
            raise KeyError(name)
        return _load(name)

    def __iter__(self) -> Iterator[str]:
        return iter(_names())

    def __len__(self) -> int:
        return len(_names())


LANGUAGES: Mapping[str, LanguageSpec] = _Languages()


def get_language(name: str) -> LanguageSpec:
    """The language of that name (any case)."""
    try:
        return LANGUAGES[name.lower()]
    except KeyError:
        known = ", ".join(LANGUAGES)
        raise EquimutError(f"unknown language {name!r}; known languages: {known}") from None


def language_of_path(path: str | PurePath) -> LanguageSpec:
    """The language that a file's suffix stands for."""
    suffix = PurePath(path).suffix.lower()
    for language in LANGUAGES.values():
        if suffix in language.suffixes:
            return language
    known = ", ".join(s for language in LANGUAGES.values() for s in language.suffixes)
    raise EquimutError(
        f"{path}: no language is known for the suffix {suffix!r}; name the language, "
        f"or use one of these suffixes: {known}"
    )


@cache
def dialect_of(language: str) -> Dialect:
    """The dialect of a language; loaded on first use."""
    if language not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise EquimutError(f"no mutation operators for language {language!r}: use one of {known}")
    module = import_module(f"equimut.languages.{language}.dialect")
    dialect: Dialect = module.DIALECT
    return dialect
