"""Values of a run on a concrete state, which library functions of a language take and give."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

Value: TypeAlias = Any
"""A number, a truth, a text, an array, an object, or None for null."""


class Stuck(Exception):
    """Something is met that has no model here: the state tells nothing."""


class Thrown(Exception):
    """An exception of the program."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


@dataclass(slots=True, eq=False)
class Array:
    """An array object."""

    items: list[Value]


@dataclass(slots=True, eq=False)
class Builder:
    """A text that grows."""

    text: str


@dataclass(frozen=True)
class OnText:
    """A function that takes its last argument as text, whatever its type is."""

    call: Callable[..., Value]


Native = Callable[..., Value] | OnText
"""A library function on concrete values: its receiver, if it has one, then its arguments."""
Natives = Mapping[tuple[str, str, int], Native]
"""By owner, name and number of arguments, as contracts are; the owner `new` is for constructors."""
