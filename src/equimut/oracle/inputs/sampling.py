"""The inputs of one origin: bounded-exhaustive, boundary and random ones with structure.

Deterministic: the seed is derived from the text of the origin, so the same origin gets the same
inputs whatever its mutants are, and a rebuild finds the same witnesses.
"""

import hashlib
import itertools
import math
import random
from collections.abc import Iterable, Mapping
from typing import Any

from equimut.oracle.inputs.drawing import Drawer
from equimut.oracle.inputs.ordinary import is_ordinary
from equimut.oracle.inputs.values import all_values, domain_size, in_range, small_values
from equimut.oracle.inputs.vocabulary import Vocabulary, vocabulary_of
from equimut.oracle.signature import Parameter, Signature

Arguments = tuple[Any, ...]
SYSTEMATIC_SHARE = 0.4
"""Part of the inputs that is enumerated rather than drawn."""

CONTAINERS = ("array", "string", "dict", "tuple")
SCALARS_BESIDE_CONTAINERS = 20
"""Small scalars tried per small container: arrays need more room than the numbers beside them."""


PER_STATE = 16
"""Inputs made like one state that somebody else thinks telling."""


class InputMaker:
    """Makes the inputs of one function; call `batch` again for more of them."""

    def __init__(
        self, signature: Signature, source: str, seed: int, ordinary: bool = False
    ) -> None:
        digest = hashlib.sha256(f"{seed}\0{signature.name}\0{source}".encode()).digest()
        self.rng = random.Random(int.from_bytes(digest[:8], "big"))
        self.parameters = signature.parameters
        self.words: Vocabulary = vocabulary_of(source)
        self.drawer = Drawer(self.rng, self.words)
        self.lengths = sorted({place for p in self.parameters for place in p.lengths})
        self.seen: set[str] = set()
        self.ordinary = ordinary

    def whole_domain(self, limit: int) -> list[Arguments] | None:
        """Every input there is, if there are few enough."""
        types = [parameter.type for parameter in self.parameters]
        if self.lengths or math.prod(domain_size(type_) for type_ in types) > limit:
            return None
        rows = list(itertools.product(*(all_values(type_) for type_ in types)))
        return rows if all(map(self._is_wanted, rows)) else None

    def systematic(self, count: int) -> list[Arguments]:
        """The product of the small values of every parameter, trimmed to about `count`."""
        free = [i for i in range(len(self.parameters)) if i not in self.lengths]
        sizes = {i: domain_size(self.parameters[i].type) for i in free}
        choices: dict[int, list[Any]] = {}
        left = float(count)
        containers = {i for i in free if self.parameters[i].type.kind in CONTAINERS}
        for done, i in enumerate(sorted(free, key=lambda i: (i in containers, sizes[i]))):
            fair = max(2, int(left ** (1 / (len(free) - done))))
            if containers and i not in containers:
                fair = min(fair, SCALARS_BESIDE_CONTAINERS)
            choices[i] = small_values(self.parameters[i].type, self.words, fair)
            left /= len(choices[i])
        found = []
        for row in itertools.islice(itertools.product(*(choices[i] for i in free)), 4 * count):
            values = dict(zip(free, row, strict=True))
            found += self._with_lengths([values.get(i) for i in range(len(self.parameters))], True)
        return self._new(found)

    def like(self, states: Iterable[Mapping[str, str]]) -> list[Arguments]:
        """Inputs with the whole numbers that these states give parameters; the rest is small."""
        found: list[Arguments] = []
        for state in states:
            choices = []
            for place, parameter in enumerate(self.parameters):
                known = _whole_number(parameter, state.get(parameter.name, ""))
                small = [None] if place in self.lengths else []
                choices.append(known or small or small_values(parameter.type, self.words, 3))
            for row in itertools.islice(itertools.product(*choices), PER_STATE):
                found += self._with_lengths(list(row), True)
        return self._new(found)

    def drawn(self, count: int) -> list[Arguments]:
        """Random inputs; fewer than asked for only when the types hold no more."""
        found: list[Arguments] = []
        for turn in range(60):
            if len(found) >= count:
                break
            self.drawer.stretch = min(1.0, turn / 10)
            rows = [self._draw() for _ in range(count - len(found))]
            found += self._new([done for row in rows for done in self._with_lengths(row, False)])
        return found[:count]

    def batch(self, count: int, first: bool) -> list[Arguments]:
        """The next `count` inputs, all of them new."""
        start = self.systematic(int(count * SYSTEMATIC_SHARE)) if first else []
        return start + self.drawn(max(0, count - len(start)))

    def _new(self, rows: list[Arguments]) -> list[Arguments]:
        fresh = []
        for row in rows:
            text = repr(row)
            if text not in self.seen and self._is_wanted(row):
                self.seen.add(text)
                fresh.append(row)
        return fresh

    def _is_wanted(self, row: Arguments) -> bool:
        pairs = zip(self.parameters, row, strict=True)
        return not self.ordinary or all(is_ordinary(p.type, value) for p, value in pairs)

    def _draw(self) -> list[Any]:
        self.drawer.turn()
        values = [self.drawer.value(parameter.type) for parameter in self.parameters]
        for place, parameter in enumerate(self.parameters):
            if len(values) > 1 and self.rng.random() < 0.5:
                values[place] = self._related(place, parameter, values)
        return values

    def _related(self, place: int, parameter: Parameter, values: list[Any]) -> Any:
        """A value that has to do with the other arguments, so that searches hit and ties occur."""
        rng, type_ = self.rng, parameter.type
        other = rng.choice([i for i in range(len(values)) if i != place])
        known, kind = values[other], self.parameters[other].type.kind
        value = values[place]
        if known is None or value is None:
            return value
        if type_.kind in ("int", "float") and not isinstance(known, bool):
            related: Any = None
            if kind == type_.kind:
                related = rng.choice((known, known, known + 1, known - 1, -known))
            elif kind == "array" and known and rng.random() < 0.6:
                flat = known[rng.randrange(len(known))]
                flat = rng.choice(flat) if isinstance(flat, list) and flat else flat
                same = isinstance(flat, (int, float)) and not isinstance(flat, bool)
                related = flat + rng.choice((0, 0, 0, 1, -1)) if same else None
            if related is None and kind in ("array", "string", "dict"):
                size = len(known)
                related = rng.choice((size, size, size - 1, size // 2, math.isqrt(size), 0, 1, 2))
            if isinstance(related, (int, float)):
                if type_.kind == "float":
                    return float(related)
                fits = type_.unbounded or type_.low <= related <= type_.high
                return related if isinstance(related, int) and fits else value
        if type_.kind == "char" and kind == "string" and known:
            return min(ord(rng.choice(known)), type_.high)
        if type_.kind == kind == "string":
            return self._near_text(known, value)
        if type_.kind == kind == "array" and self.parameters[other].type.items == type_.items:
            return self._near_array(known, value) if type_.length is None else list(known)
        if type_.kind == "array" and kind == type_.item.kind and value:
            value[rng.randrange(len(value))] = in_range(type_.item, known)
        return value

    def _near_text(self, known: str, value: str) -> str:
        rng, cut = self.rng, self.rng.randint(0, len(known))
        return rng.choice(
            (known, known[:cut], known[cut:], known[::-1], "".join(rng.sample(known, len(known))),
             known[:cut] + value[:1] + known[cut + 1 :], known.swapcase(), known[cut : cut + 2],
             known + value)
        )  # fmt: skip

    def _near_array(self, known: list[Any], value: list[Any]) -> list[Any]:
        rng, cut = self.rng, self.rng.randint(0, len(known))
        return rng.choice(
            (list(known), known[:cut], known[cut:], known[::-1], rng.sample(known, len(known)),
             [*known[:cut], *value[:1], *known[cut + 1 :]], [*value[:2], *known[:4]])
        )  # fmt: skip

    def _with_lengths(self, values: list[Any], exact: bool) -> list[Arguments]:
        """Fill in the parameters that hold array lengths; arrays of one length get that length."""
        for place in [i for i, p in enumerate(self.parameters) if p.lengths]:
            group = self.parameters[place].lengths
            sharing = [i for i, p in enumerate(self.parameters) if p.lengths == group]
            if place != sharing[0]:
                continue
            real = max((len(values[i]) for i in sharing if values[i] is not None), default=0)
            if any(values[i] == [] for i in sharing):
                real = 0
            for i in sharing:
                if values[i] is not None:
                    row = values[i] or [0]
                    values[i] = list(itertools.islice(itertools.cycle(row), real))
            self._set_lengths(values, group, real, exact)
            if all(values[i] is None for i in sharing) and not exact and self.rng.random() < 0.5:
                values[group[0]] = self.rng.randint(0, 3)  # null with a length: a guard's business
        return [tuple(values)]

    def _set_lengths(
        self, values: list[Any], group: tuple[int, ...], real: int, exact: bool
    ) -> None:
        if len(group) == 2:
            wide = [d for d in range(1, real + 1) if real % d == 0] or [self.rng.randint(0, 3)]
            values[group[0]] = self.rng.choice(wide) if real else 0
            values[group[1]] = real // values[group[0]] if real else self.rng.choice(wide)
            return
        length = real
        if not exact and self.rng.random() < 0.1:
            length = self.rng.randint(-1, real)
        values[group[0]] = max(length, self.parameters[group[0]].type.low)


def _whole_number(parameter: Parameter, text: str) -> list[int]:
    type_ = parameter.type
    if type_.kind != "int" or not text.removeprefix("-").isdecimal() or len(text) > 20:
        return []
    return [int(text)] if type_.low <= int(text) <= type_.high else []
