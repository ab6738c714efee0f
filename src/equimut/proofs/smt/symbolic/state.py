"""The state of a symbolic execution: locals, heap, world, and the ways out."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import z3

from equimut.proofs.smt.symbolic.terms import (
    FALSE,
    Term,
    apply,
    both,
    choose,
    either,
    is_false,
    ref,
    unknown_before,
)

HeapKey = tuple[str, str]
"""Name of a field (`[]` for elements, `memory` for what has an address) and sort of its values."""


@dataclass
class Path:
    """All executions that reach a point: under which condition, and in which state."""

    condition: Term
    locals: dict[str, Term]
    world: Term
    heap: dict[HeapKey, Term] = field(default_factory=dict)
    """What was written since the world last changed; the rest is a function of the world."""

    def copy(self) -> "Path":
        """The same path, to be continued in another way."""
        return Path(self.condition, dict(self.locals), self.world, dict(self.heap))

    def assume(self, condition: Term) -> None:
        """Go on only where the condition holds."""
        self.condition = both(self.condition, condition)

    def become(self, other: "Path") -> None:
        """Go on as another path."""
        self.condition, self.locals = other.condition, other.locals
        self.world, self.heap = other.world, other.heap

    @property
    def dead(self) -> bool:
        """Whether nothing gets here."""
        return is_false(self.condition)

    def array(self, key: HeapKey, sorts: "HeapSorts") -> Term:
        """The values of a field by object."""
        if key not in self.heap:
            self.heap[key] = apply(f"heap {key[0]}", sorts.array(key), [self.world])
        return self.heap[key]


class HeapSorts:
    """The fields that the two functions touch, in a fixed order."""

    def __init__(self) -> None:
        self._values: dict[HeapKey, z3.SortRef] = {}
        self._names: dict[z3.SortRef, str] = {}
        self._arrays: dict[HeapKey, z3.SortRef] = {}
        self._sorted: list[HeapKey] = []

    def key(self, name: str, value: z3.SortRef) -> HeapKey:
        """The key of a field."""
        if value not in self._names:  # printing takes its time
            self._names[value] = str(value)
        key = name, self._names[value]
        if key not in self._values:
            self._values[key] = value
            self._arrays[key] = _array(name, value)
            self._sorted = sorted(self._values)
        return key

    def array(self, key: HeapKey) -> z3.SortRef:
        """Object -> value; of elements: object -> index -> value."""
        return self._arrays[key]

    def same_name(self, key: HeapKey) -> list[HeapKey]:
        """Keys of the same field seen with another type."""
        return [other for other in self._values if other[0] == key[0] and other != key]

    @property
    def keys(self) -> list[HeapKey]:
        """All keys, in a fixed order."""
        return self._sorted


def _array(name: str, value: z3.SortRef) -> z3.SortRef:
    if name == "memory":
        return z3.ArraySort(z3.BitVecSort(64), value)
    if name == "[]":
        value = z3.ArraySort(z3.BitVecSort(32), value)
    return z3.ArraySort(ref(), value)


@dataclass(frozen=True)
class Exit:
    """A way out of a piece of code: how, where to, and in which state."""

    how: str
    label: str
    path: Path
    value: Term | None = None

    @property
    def target(self) -> tuple[str, str]:
        """What control does next."""
        return self.how, self.label


def merged(paths: Sequence[Path], sorts: HeapSorts) -> Path:
    """One path for several that exclude each other."""
    if not paths:
        return Path(FALSE, {}, z3.Const("nowhere", z3.DeclareSort("World")))
    found = paths[-1].copy()
    for path in reversed(paths[:-1]):
        guard = path.condition
        names = {**found.locals, **path.locals}
        found.locals = {
            name: _joined(name, guard, path.locals.get(name), found.locals.get(name))
            for name in names
        }
        if not path.world.eq(found.world) or path.heap.keys() | found.heap.keys():
            keys = (
                sorts.keys
                if not path.world.eq(found.world)
                else sorted(path.heap.keys() | found.heap.keys())
            )
            found.heap = {
                key: choose(guard, path.array(key, sorts), found.array(key, sorts)) for key in keys
            }
        found.world = choose(guard, path.world, found.world)
        found.condition = either(path.condition, found.condition)
    return found


def _joined(name: str, guard: Term, one: Term | None, other: Term | None) -> Term:
    """A local that one side only has touched is on the other side as it was before."""
    kept = one if one is not None else other
    assert kept is not None
    before = unknown_before(name, kept.sort())
    return choose(guard, one if one is not None else before, other if other is not None else before)


def merged_exits(exits: Sequence[Exit], sorts: HeapSorts) -> dict[tuple[str, str], Exit]:
    """One exit for each way out."""
    groups: dict[tuple[str, str], list[Exit]] = {}
    for each in exits:
        if not each.path.dead:
            groups.setdefault(each.target, []).append(each)
    found = {}
    for target, group in groups.items():
        value = group[-1].value
        for each in reversed(group[:-1]):
            if value is not None and each.value is not None:
                value = choose(each.path.condition, each.value, value)
        found[target] = Exit(*target, merged([each.path for each in group], sorts), value)
    return found
