"""What a name stands for in a Java function: a local of an enclosing scope, or a member."""

from dataclasses import dataclass, field

from tree_sitter import Node

from equimut.languages.java.api import LANGUAGE, PACKAGES
from equimut.languages.java.lowering.types import named
from equimut.languages.lowered import Expr, Home, Type
from equimut.languages.object_types import ObjectType


@dataclass(frozen=True)
class Member:
    """A field of the class around the function, as its file declares it."""

    type: Type
    final: bool
    static: bool
    constant: Expr | None = None
    owner: str = ""
    own: bool = True
    """Declared by the class the function itself is in, not by one around it."""
    made: bool = False
    """Final, and set to a new object or array before any constructor's body runs."""
    elements: int | None = None
    """How many elements that array has."""


@dataclass(frozen=True)
class Far:
    """A static method that another file of the project declares, as it stands there."""

    name: str
    parameters: tuple[Type, ...]
    result: Type
    owner: str
    """The qualified name of its type, as owner of a call."""
    home: Home

    @property
    def key(self) -> str:
        """What tells it apart from others of its name."""
        return " ".join(str(each) for each in self.parameters)

    @property
    def callee(self) -> str:
        """The name by which calls know it."""
        return f"{self.owner}.{self.name} {self.key}".strip()


@dataclass(frozen=True)
class Members:
    """What the file tells of the classes around a function; empty for a bare function."""

    fields: dict[str, Member] = field(default_factory=dict)
    methods: dict[tuple[str, tuple[str, ...]], Type] = field(default_factory=dict)
    """Result by name and types of the parameters."""
    enums: dict[str, tuple[str, ...]] = field(default_factory=dict)
    complete: bool = False
    """Whether the whole file was read: then an unknown name is inherited or foreign."""
    imports: frozenset[str] = frozenset()
    """Names in sight by import or package, `java.util.*` included."""
    declared: frozenset[str] = frozenset()
    """Types that the file itself declares."""
    small: dict[str, Node] = field(default_factory=dict)
    """Short methods of the class that nothing can override, by name and types of parameters."""
    source: bytes = b""
    """The file they stand in."""
    own: str = ""
    """The name of the class that the function is in; empty where that is not certain."""
    extended: str = ""
    """The class that it extends."""
    ancestors: tuple[str, ...] = ()
    """What an object of the class is, as far as its head tells."""
    initial: tuple[tuple[str, Node | None], ...] = ()
    """Fields of a new object with what they are set to before the body of a constructor runs."""
    classes: dict[str, dict[str, Member]] = field(default_factory=dict)
    """The fields of other classes of the file, by the name of the class."""
    others: dict[str, dict[str, Expr]] = field(default_factory=dict)
    """Constants of classes of other files, by the name of the class."""
    bare: dict[str, Expr] = field(default_factory=dict)
    """Constants of other files that a bare name stands for."""
    longer: dict[str, Node] = field(default_factory=dict)
    """Methods that nothing can override either, but that are not short."""
    types: dict[str, ObjectType | None] = field(default_factory=dict)
    """The types that the file declares; None where it is not certain which one a name means."""
    latent: tuple[tuple[str, Node | None], ...] = ()
    """The initial fields, where the superclass might set them first."""
    volatile: frozenset[str] = frozenset()
    """Fields of any class of the file that other threads may write at any time."""
    results: dict[str, dict[str, Type]] = field(default_factory=dict)
    """Of other classes, by name: what their methods without parameters return."""
    inherited: dict[str, Type] = field(default_factory=dict)
    """Types of fields that another file declares, in a class above this one."""
    told: frozenset[str] = frozenset()
    """The classes of which `results` come from other files."""
    statics: frozenset[str] = frozenset()
    """Methods and fields of any class of the file that need no object."""
    eager: frozenset[str] = frozenset()
    """Classes of the file that may do something when they are first asked for anything."""
    far: dict[tuple[str, str, int], Far] = field(default_factory=dict)
    """Methods of other files, by type (or nothing, if imported), name and number of arguments."""
    shared: frozenset[str] = frozenset()
    """The names under which a bare call does not ask the object itself."""
    above: str = ""
    """The superclass, if another file of the project tells that it leaves new objects alone."""

    def is_library(self, name: str) -> bool:
        """Whether a class is the JDK's, as far as the text tells."""
        if not self.complete:
            return True
        package = PACKAGES.get(name, "java.util")
        if name in self.declared or any(
            each.endswith(f".{name}") and each != f"{package}.{name}" for each in self.imports
        ):
            return False
        return name in LANGUAGE or bool({f"{package}.{name}", f"{package}.*"} & self.imports)


def plain_type(node: Node, source: bytes, dimensions: Node | None = None) -> Type:
    """The type a declaration names."""
    text = source[node.start_byte : node.end_byte].decode()
    if dimensions is not None:
        text += source[dimensions.start_byte : dimensions.end_byte].decode()
    return named(text)
