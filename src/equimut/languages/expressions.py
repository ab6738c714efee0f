"""What the expressions of a language give, and what evaluating them does: data, no algorithms."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Expressions:
    """The types and effects of expressions in one language."""

    literals: Mapping[str, str]
    """Role or node type -> type of what is written so; `null` is the type of the null value."""
    promotion: tuple[str, ...]
    """The types in which arithmetic is done, from the narrowest to the widest."""
    returns: Mapping[str, str]
    """Well-known function, method or field -> its type: `Math.max` for one owner's only,
    `.length` for a field, `Long.*` for all fields of an owner. `=` is the type of the arguments."""
    likely_returns: Mapping[str, str] = field(default_factory=dict)
    """The same for names that may as well be something else."""
    suffixes: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """(Type of a literal, its last letters) -> the type that they make of it."""
    promoted: Mapping[str, str] = field(default_factory=dict)
    """Type -> the one of `promotion` in which arithmetic is done; empty where the kind tells."""
    type_name: Callable[[list[str]], str] | None = None
    """The name of a type that several words spell."""
    integers: frozenset[str] = frozenset()
    """Types of whole numbers that are no boxes."""
    boxes: Mapping[str, str] = field(default_factory=dict)
    """Class -> the primitive type in it; opening a box fails if there is none."""
    inferred: str = ""
    """What is written in place of a type that the compiler infers."""
    receiver: str = ""
    """The owner whose members are those of the source; empty: any owner's may be."""
    logical_operands: bool = False
    """`and` and `or` give one of their operands, not a truth value."""
    array_arithmetic: bool = False
    """`+` and `-` take arrays or pointers."""
    lengths: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """What gives a length -> the types it is asked of; none: it is a function."""
    failing: frozenset[str] = frozenset()
    """Operators that fail on some numbers."""
    harmless_calls: frozenset[str] = frozenset()
    """Calls that change nothing: `size`, `Math.*` for all of an owner, `get(_)` if it is given
    arguments."""
    getters: str = "$^"
    """A pattern for the names of calls without arguments that change nothing."""
    deferred: frozenset[str] = frozenset()
    """Code in an expression that evaluating it does not run."""
