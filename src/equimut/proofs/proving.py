"""Proves a mutant equivalent from its text alone, each time by a named rule.

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
from equimut.proofs.rules.control import loop_exit, needless_jump, unreachable
from equimut.proofs.rules.numbers import (
    absolute_of_non_negative,
    divisor_sign,
    negated_zero_test,
    shift_of_non_negative,
    tie,
)
from equimut.proofs.rules.stores import dead_store, dead_update, unused_update_value


@dataclass(frozen=True)
class Rule:
    """A rule and the reason why it is sound."""

    name: str
    holds: Callable[[Change], bool]

    @property
    def reason(self) -> str:
        """Why a mutant for which the rule holds is equivalent."""
        return " ".join((self.holds.__doc__ or "").split())

    @property
    def sentence(self) -> str:
        """Its name and the reason in short, as a verdict shows it."""
        return f"{self.name}: {self.reason.split('. ')[0].rstrip('.')}"


_SOUND = (
    dead_update, dead_store, unused_update_value, same_truth, tie, loop_exit,
    absolute_of_non_negative, negated_zero_test, divisor_sign, shift_of_non_negative,
    needless_jump, unreachable,
)  # fmt: skip

RULES: Mapping[str, Rule] = MappingProxyType(
    {
        rule.__name__.replace("_", "-"): Rule(rule.__name__.replace("_", "-"), rule)
        for rule in _SOUND
    }
)
"""Name -> rule, the cheap ones first."""


def prove(origin: str, mutant: str, language: str) -> Rule | None:
    """The first rule that proves two functions equivalent; None says nothing about them."""
    try:
        change = find_change(origin, mutant, language)
    except ParseError:
        return None
    if change is None:
        return None
    return proving_rule(change)


def proving_rule(change: Change) -> Rule | None:
    """The first rule that holds for a change."""
    try:
        return next((rule for rule in RULES.values() if rule.holds(change)), None)
    except RecursionError:  # a limit of depth is missing somewhere: it costs this proof
        return None
