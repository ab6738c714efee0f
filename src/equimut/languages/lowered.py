"""The small typed language that functions are lowered to before they are executed symbolically.

Every language lowers its syntax tree to these few nodes, with names resolved by scope, types made
explicit and conversions written out. What a language cannot lower becomes `Opaque`: its text, the
locals it reads and writes, and the promise that equal texts in equal states do the same.
"""

from dataclasses import dataclass, field, fields
from typing import Literal, Protocol

from tree_sitter import Node as SyntaxNode

from equimut.languages.object_types import ObjectType


class Unsupported(Exception):
    """The function has something the lowering does not know."""


Kind = Literal["int", "bool", "float", "ref", "any", "array", "value"]


@dataclass(frozen=True, slots=True)
class Type:
    """The type of an expression as the engine sees it; `any` is a type nobody knows.

    A `value` carries its type with it: what it is shows when it is computed.
    """

    kind: Kind
    bits: int = 0
    signed: bool = True
    name: str = ""
    """Of a reference: the class as written (`String`, `int[]`); of others, how it is spelt."""
    element: "Type | None" = None
    """Of an address: what is there. Of an array that is a value: what it holds."""
    count: int = 0
    """Of an array that is a value: how many."""
    arguments: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """Of a reference in Java: its type arguments, as they are spelt."""

    def __str__(self) -> str:
        return self.name or f"{self.kind}{self.bits}"


BOOL = Type("bool", name="boolean")
ANY = Type("any")
VALUE = Type("value")


@dataclass(frozen=True, slots=True)
class Expr:
    """An expression; its children are its fields that are expressions or tuples of them."""

    type: Type


@dataclass(frozen=True, slots=True, eq=False)
class Lit(Expr):
    """A literal: an int, a bool, a float as its exact value, a string, None for null."""

    value: object

    def __eq__(self, other: object) -> bool:
        """0.0 is not -0.0, True is not 1, and NaN is NaN: as they are spelt."""
        return isinstance(other, Lit) and (self.type, repr(self.value)) == (
            other.type, repr(other.value),
        )  # fmt: skip

    def __hash__(self) -> int:
        return hash((self.type, repr(self.value)))


@dataclass(frozen=True, slots=True)
class Local(Expr):
    """A local variable or parameter; the name tells shadowing declarations apart (`i#2`)."""

    name: str


@dataclass(frozen=True, slots=True)
class Field(Expr):
    """A field of an object; of the class itself where there is no object."""

    object: Expr | None
    name: str
    final: bool = False
    """Never assigned after construction: no call can change it."""
    nullable: bool = True
    """False: the object is known to exist (`this`)."""
    resolved: bool = False
    """The declaration is known: a field of an object of this class, under no other name."""


@dataclass(frozen=True, slots=True)
class Element(Expr):
    """An element of an array."""

    array: Expr
    index: Expr


@dataclass(frozen=True, slots=True)
class Length(Expr):
    """The length of an array, which never changes."""

    array: Expr


@dataclass(frozen=True, slots=True)
class Address(Expr):
    """Where a named object is: one that exists as long as the function can see it."""

    name: str


@dataclass(frozen=True, slots=True)
class Memory(Expr):
    """A value in memory, at an address that can be computed with."""

    base: Expr
    offset: Expr | None = None
    """In bytes."""
    checked: bool = True
    """Whether there may be nothing to access."""


@dataclass(frozen=True, slots=True)
class Cell(Expr):
    """An element of an array that a local holds as its value; one index for each dimension."""

    local: Local
    indices: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Filled(Expr):
    """An array as a value: these items, then zeros."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Unset(Expr):
    """What a variable holds that nobody has given a value: to read it is undefined."""

    name: str


@dataclass(frozen=True, slots=True)
class Then(Expr):
    """`first, value`: one is evaluated for its effects, then the other."""

    first: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Unary(Expr):
    """`-x`, `~x` or `!x`."""

    op: str
    operand: Expr


@dataclass(frozen=True, slots=True)
class Binary(Expr):
    """A strict binary operator; both operands are already of the type it computes in."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Logic(Expr):
    """`and` or `or`: the right side is evaluated only where it decides."""

    op: Literal["and", "or"]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Choice(Expr):
    """`condition ? then : otherwise`."""

    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class Assign(Expr):
    """`target = value`, or `target = (type of target)((computed) target op value)`."""

    target: Expr
    value: Expr
    op: str = ""
    computed: Type | None = None
    """The type a compound assignment computes in."""
    result: Literal["new", "old"] = "new"
    """`old` for the postfix operators."""


@dataclass(frozen=True, slots=True)
class Convert(Expr):
    """A conversion between numeric types, or a cast of a reference."""

    operand: Expr
    checked: bool = False
    """A cast of a reference, which may throw."""


CLASS_LITERAL = "X.class"
"""The owner of calls that ask a class for its name, where the text says which: in their key."""
OF_PROJECT = ", of the project"
"""How owners of calls end whose one method another file of the project declares."""


@dataclass(frozen=True, slots=True)
class Call(Expr):
    """A call; `owner` is the static type of the receiver, or the class of a static method."""

    name: str
    receiver: Expr | None
    arguments: tuple[Expr, ...]
    owner: str = ""
    key: str = ""
    """Tells overloads apart where the types of arguments are not known."""

    @property
    def callee(self) -> str | None:
        """The name by which its code may be known; None of what others do."""
        name = f"{self.name} {self.key}".strip()
        if self.owner == "this":
            return name
        return f"{self.owner}.{name}" if self.owner.endswith(OF_PROJECT) else None


@dataclass(frozen=True, slots=True)
class New(Expr):
    """An object, or an array (`length` given) filled with the zero of its type."""

    arguments: tuple[Expr, ...]
    """Of an array: the lengths of its rows, which are made with it."""
    length: Expr | None = None
    items: tuple[Expr, ...] | None = None
    """The elements of an array initialiser."""
    key: str = ""
    quiet: bool = False
    """Of the library, whose constructor changes nothing that the program can name."""


@dataclass(frozen=True, slots=True)
class InstanceOf(Expr):
    """A test of the dynamic type."""

    operand: Expr
    target: str


@dataclass(frozen=True, slots=True)
class Operation(Expr):
    """What is done with values depends on what they are: `binary +`, `truth`, `call`, ..."""

    name: str
    operands: tuple[Expr, ...] = ()
    key: str = ""
    """What the operation names: an attribute, a function, an exception."""


@dataclass(frozen=True, slots=True)
class OpaqueExpr(Expr):
    """An expression that is not looked into."""

    text: str
    reads: tuple[Local, ...]
    effects: bool
    writes: tuple[Local, ...] = ()
    leaves: tuple[tuple[str, str], ...] = ()
    """The ways out of it, as of an `OpaqueStmt`."""


@dataclass(frozen=True, slots=True)
class Stmt:
    """A statement."""


@dataclass(frozen=True, slots=True)
class Block(Stmt):
    """Statements in order."""

    statements: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Do(Stmt):
    """An expression evaluated for its effects."""

    value: Expr


@dataclass(frozen=True, slots=True)
class Declare(Stmt):
    """A local that begins to exist, with its first value if it has one."""

    local: Local
    value: Expr | None


@dataclass(frozen=True, slots=True)
class If(Stmt):
    """A conditional statement."""

    condition: Expr
    then: Stmt
    otherwise: Stmt


@dataclass(frozen=True, slots=True)
class Loop(Stmt):
    """`while (condition) { body; update }`; `post`: the condition is tested after the body."""

    condition: Expr
    body: Stmt
    update: Stmt
    label: str = ""
    post: bool = False


@dataclass(frozen=True, slots=True)
class Leave(Stmt):
    """`return`, `throw`, `break` or `continue`."""

    how: Literal["return", "throw", "break", "continue"]
    value: Expr | None = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class Labeled(Stmt):
    """A statement that `break label` leaves."""

    label: str
    body: Stmt


@dataclass(frozen=True, slots=True)
class Catch(Stmt):
    """One handler."""

    types: tuple[str, ...]
    local: Local
    body: Stmt


@dataclass(frozen=True, slots=True)
class Try(Stmt):
    """Body, handlers, and what is done in any case."""

    body: Stmt
    catches: tuple[Catch, ...]
    always: Stmt


@dataclass(frozen=True, slots=True)
class OpaqueStmt(Stmt):
    """A statement that is not looked into."""

    text: str
    reads: tuple[Local, ...]
    writes: tuple[Local, ...]
    leaves: tuple[tuple[str, str], ...] = ()
    """The ways out of it other than its end: (`break`, label), (`return`, ``), ..."""


EMPTY = Block(())
SEEN = "$seen"
"""The local that is set where a constructor begins to hand out its object."""


@dataclass(frozen=True)
class Function:
    """A lowered function."""

    name: str
    parameters: tuple[Local, ...]
    body: Stmt
    result: Type
    facts: tuple[tuple[str, Expr], ...] = ()
    """What the file tells of the state at entry: (words, condition)."""
    methods: dict[str, "Function"] = field(default_factory=dict)
    """Small functions of the same file that calls can be replaced by, by name and arity."""
    signature: str = ""
    """What else a caller sees: defaults, decorators, whether it is a generator."""
    defaults: tuple[tuple[str, Expr], ...] = ()
    """Of parameters that a caller may leave out: what they are then, where it is a constant."""
    assumptions: tuple[str, ...] = ()
    """What the lowering took for granted, in words."""
    entry: tuple[str, ...] = ()
    """The same for the state at entry."""
    invariants: tuple[tuple[str, Expr], ...] = ()
    """What is true of every object of the class between calls: (words, condition of `this`)."""
    given: tuple[tuple[str, Expr], ...] = ()
    """What every caller keeps true of the parameters: (words, condition)."""
    owner: str = ""
    """The name of that class."""
    static: bool = False
    """Whether there is no `this`."""
    unseen: Literal["", "begin", "all"] = ""
    """A constructor that hands its object to nobody before it sets `SEEN`, or before it ends: until
    then no call sees its fields."""
    results: dict[str, tuple["Promise", ...]] = field(default_factory=dict)
    """What is true of every value that a longer function of the file returns, by name and arity."""
    types: tuple[ObjectType, ...] = ()
    """What is known of the types that it asks about."""


@dataclass(frozen=True)
class Promise:
    """What is true of a result, whatever was given."""

    words: str
    fact: Expr
    """A condition of the local `result`."""
    assumes: str = ""
    """The contract that it rests on, if any."""


@dataclass(frozen=True)
class ClassCode:
    """What can change the private fields of a class, and what may be true of them."""

    name: str
    makers: tuple[Function, ...]
    """Constructors, with what the fields hold before their bodies run."""
    leaking: frozenset[str]
    """Names of constructors that hand their object to others before it is finished: all or none."""
    writers: tuple[Function, ...]
    """Methods that assign the fields."""
    candidates: tuple[tuple[str, Expr, Expr], ...]
    """In words, as methods see it, and as constructors see it (where final fields are assigned)."""


@dataclass(frozen=True)
class Callers:
    """All functions that call another one, and what may be true of the arguments."""

    functions: tuple[tuple[Function, bool, bool], ...]
    """Each with whether its object is finished, and whether it is the called one itself."""
    candidates: tuple[tuple[str, Expr], ...]


@dataclass(frozen=True, eq=False)
class Home:
    """Where an origin stands in its whole file: a mutant of it has the same surroundings."""

    node: SyntaxNode
    source: bytes
    others: SyntaxNode | None = None
    """Constants of other files that this one names, as its language declares them."""
    others_source: bytes = b""
    files: tuple[tuple[str, SyntaxNode, bytes], ...] = ()
    """Other files whose functions it calls: how it names them, and what they are."""


class Finder(Protocol):
    """The files of a project, by the ends of their paths."""

    def __call__(self, name: str) -> tuple[SyntaxNode, bytes] | None:
        """The one file whose path ends like this, parsed; None where it is not certain."""

    def has(self, name: str) -> bool:
        """Whether the path of any file ends like this."""


Node = Expr | Stmt
_NODES = (Expr, Stmt)


def children(node: Node) -> list[tuple[str, Node]]:
    """The parts of a node in the order of evaluation, by field and position."""
    found: list[tuple[str, Node]] = []
    for name in _field_names(type(node)):
        value = getattr(node, name)
        if isinstance(value, _NODES):
            found.append((name, value))
        elif isinstance(value, tuple):
            found.extend(
                (f"{name}[{place}]", part)
                for place, part in enumerate(value)
                if isinstance(part, _NODES)
            )
    return found


_FIELDS: dict[type, tuple[str, ...]] = {}


def _field_names(kind: type[Node]) -> tuple[str, ...]:
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(each.name for each in fields(kind) if each.name != "type")
    return _FIELDS[kind]


def walk(node: Node) -> list[Node]:
    """The node and everything below it, parents first."""
    found, stack = [], [node]
    while stack:
        current = stack.pop()
        found.append(current)
        for name in reversed(_field_names(type(current))):  # not `children`: names cost the most
            value = getattr(current, name)
            if isinstance(value, _NODES):
                stack.append(value)
            elif isinstance(value, tuple):
                stack.extend(part for part in reversed(value) if isinstance(part, _NODES))
    return found
