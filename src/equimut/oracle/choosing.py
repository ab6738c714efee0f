"""Chooses a small set of tests for killed mutants, and what each of them asserts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from equimut.oracle.project import SuggestedTest

MOST_REMARKS = 3
PRIORITY = (
    "result", "same", "raised", "message", "exit", "receiver", "argument", "output", "errors",
    "warnings", "global", "equals",
)  # fmt: skip
Facet = tuple[str, str]
"""What is looked at (the result, an argument, ...) and the expression on it."""


@dataclass(frozen=True)
class Killed:
    """A mutant, and the calls (by place) on which it dies: its outcome, and what differs."""

    number: int
    group: int
    line: int
    before: str
    after: str
    on: Mapping[int, tuple[str, Sequence[Sequence[str]]]]

    @property
    def remark(self) -> str:
        """The change in one line."""
        sides = (" ".join(text.split()) or "(nothing)" for text in (self.before, self.after))
        before, after = (text if len(text) <= 40 else f"{text[:37]}..." for text in sides)
        return f"kills: line {self.line}, {before} -> {after}"


def choose(killed: Sequence[Killed]) -> dict[tuple[int, int], list[Killed]]:
    """Greedily, the calls that together kill all: (group, place) -> those that it is kept for."""
    left = {each.number: each for each in killed}
    chosen: dict[tuple[int, int], list[Killed]] = {}
    while left:
        reach: dict[tuple[int, int], list[Killed]] = {}
        for each in left.values():
            for place in each.on:
                reach.setdefault((each.group, place), []).append(each)
        best = min(reach, key=lambda key: (-len(reach[key]), key))
        chosen[best] = reach[best]
        for each in reach[best]:
            del left[each.number]
    return chosen


def needed_facets(origin: Mapping[str, Any], place: int, dying: Sequence[Killed]) -> list[Facet]:
    """What a test must assert of the origin's behaviour so that all of these fail it."""
    known = [(facet[0], facet[1]) for facet in origin["facets"] if facet[3] is not None]
    needed: list[Facet] = []
    for each in dying:
        outcome, facets = each.on[place]
        if outcome == origin["outcome"]:
            options = [(subject, template) for subject, template in facets]
            if not set(options) & set(needed):
                needed.append(min(options, key=_rank))
    if not needed and origin["outcome"] == "returns":
        needed = [facet for facet in known if facet[0] in ("result", "same")][:1]
    message = ("message", "{}")
    if origin["outcome"] == "throws" and message in known and message not in needed:
        needed.append(message)
    return needed


def _rank(facet: Facet) -> tuple[bool, int, int]:
    subject, template = facet
    return "._" in template, PRIORITY.index(subject.partition(" ")[0]), len(template)


def remarks_of(test: SuggestedTest, known: Mapping[int, str]) -> list[str]:
    """What a test was seen to kill, for a comment."""
    remarks = [known[number] for number in test.kills[:MOST_REMARKS]]
    if len(test.kills) > MOST_REMARKS:
        remarks.append(f"and {len(test.kills) - MOST_REMARKS} more")
    return remarks


def apart(tests: Sequence[SuggestedTest], keyword: str) -> list[SuggestedTest]:
    """The tests with names that are all different, where they were made in several turns.

    `keyword` stands before the name where a function is defined.
    """
    taken: set[str] = set()
    named = []
    for test in tests:
        name, number = test.name, 2
        while name in taken:
            name, number = f"{test.name}_{number}", number + 1
        taken.add(name)
        text = test.text.replace(f"{keyword} {test.name}(", f"{keyword} {name}(", 1)
        named.append(test.model_copy(update={"name": name, "text": text}))
    return named
