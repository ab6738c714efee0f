"""Facts that prove a mutant equivalent from its text alone, each a named rule.

A rule looks at the changed part of the tree and at what the function around it does with the
values. It answers only where it is sure: locals that nothing else can see, whole numbers of
declared type, structured control flow. `docs/labels.md` gives the measured precision.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from equimut.errors import ParseError
from equimut.proofs.rules.change import Change, find_change
from equimut.proofs.rules.comparisons import same_truth
from equimut.proofs.rules.jumps import needless_jump, unreachable
from equimut.proofs.rules.loops import loop_exit
from equimut.proofs.rules.signs import (
    absolute_of_non_negative,
    divisor_sign,
    negated_zero_test,
    shift_of_non_negative,
)
from equimut.proofs.rules.stores import dead_store, dead_update, unused_update_value
from equimut.proofs.rules.ties import tie


@dataclass(frozen=True)
class Fact:
    """A rule and its reason."""

    name: str
    holds: Callable[[Change], bool]

    @property
    def reason(self) -> str:
        """Why a mutant for which the rule holds is equivalent."""
        return " ".join((self.holds.__doc__ or "").split())


_RULES = (
    dead_update, dead_store, unused_update_value, same_truth, tie, loop_exit,
    absolute_of_non_negative, negated_zero_test, divisor_sign, shift_of_non_negative,
    needless_jump, unreachable,
)  # fmt: skip

FACTS: Mapping[str, Fact] = MappingProxyType(
    {
        rule.__name__.replace("_", "-"): Fact(rule.__name__.replace("_", "-"), rule)
        for rule in _RULES
    }
)
"""Name -> rule, the cheap ones first."""


def prove(origin: str, mutant: str, language: str) -> Fact | None:
    """The first fact that proves two functions equivalent; None says nothing about them."""
    try:
        change = find_change(origin, mutant, language)
    except ParseError:
        return None
    if change is None:
        return None
    return proving_fact(change)


def proving_fact(change: Change) -> Fact | None:
    """The first fact that holds for a change."""
    return next((fact for fact in FACTS.values() if fact.holds(change)), None)
