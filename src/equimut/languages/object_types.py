"""Types of objects: which include each other, and which have no object in common."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ObjectType:
    """A type as far as it is known."""

    name: str
    above: frozenset[str] = frozenset()
    """Other types that its objects are of."""
    whole: bool = False
    """Whether these are all."""
    classes: bool = False
    """Whether it is a class, and all classes above it are known: an object is of one line only."""
    final: bool = False
    """Nothing extends it."""
    array: bool = False
    """Whether its objects are arrays: no class and no other interface has them."""


def includes(wide: ObjectType, narrow: ObjectType) -> bool:
    """Whether every object of one type is of another."""
    return wide.name in narrow.above


def exclusive(one: ObjectType, other: ObjectType) -> bool:
    """Whether no object is of both types."""
    if one.name == other.name or includes(one, other) or includes(other, one):
        return False
    closed = any(each.final and each.whole for each in (one, other))
    closed |= one.array != other.array
    return closed or (one.classes and other.classes)
