"""What the types of an object tell of each other: some include others, some exclude them."""

from collections.abc import Callable, Iterable

import z3

from equimut.languages.object_types import ObjectType, exclusive, includes
from equimut.proofs.smt.symbolic.terms import Term, apply


class Hierarchy:
    """The types that functions ask objects for."""

    def __init__(self, types: Iterable[ObjectType]) -> None:
        self._types = {each.name: each for each in types}
        self._asked: dict[int, dict[str, Term]] = {}
        """By the id of an object, which the answers keep alive: what it was asked for."""

    def fits(self, value: Term, name: str, axiom: Callable[[Term, str], None]) -> Term:
        """Whether an object is of a type; says what that has to do with types asked for before."""
        fits = apply(f"is {name}", z3.BoolSort(), [value])
        mine = self._types.get(name)
        asked = self._asked.setdefault(value.get_id(), {})
        if mine is None or name in asked:
            return fits
        for other, before in asked.items():
            theirs = self._types[other]
            if exclusive(mine, theirs):
                one, two = sorted((name, other))
                axiom(z3.Not(z3.And(fits, before)), f"nothing is {_a(one)} and {_a(two)} at once")
            elif includes(mine, theirs):
                axiom(z3.Implies(before, fits), f"{_a(other)} is {_a(name)}")
            elif includes(theirs, mine):
                axiom(z3.Implies(fits, before), f"{_a(name)} is {_a(other)}")
        asked[name] = fits
        return fits


def _a(name: str) -> str:
    return f"an {name}" if name[0] in "AEIOaeio" else f"a {name}"
