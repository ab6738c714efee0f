"""Which part of a snippet is kept: its start, or a window around the edit of a pair."""

from dataclasses import dataclass

import numpy as np

from equimut.inputs.limits import Limits
from equimut.inputs.subtokens import SubTokenGraph
from equimut.parsing.text_diff import difference


@dataclass(frozen=True)
class Edit:
    """Where two snippets differ, in sub-tokens: whole code tokens, ends excluded.

    Equal snippets have an empty edit at their end.
    """

    start: int
    """The same on both sides: everything before it is equal."""
    origin_end: int
    mutant_end: int
    visible_from: int | None
    """The first sub-token that differs (it may lie inside a token); None if none does."""

    @property
    def sides(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The edited sub-tokens of origin and mutant."""
        return (self.start, self.origin_end), (self.start, self.mutant_end)


@dataclass(frozen=True)
class Window:
    """The sub-tokens of one side that are kept."""

    start: int
    room: int
    focus: int | None = None
    """The sub-token near which nodes are kept; None keeps the first ones."""


def find_edit(origin: SubTokenGraph, mutant: SubTokenGraph) -> Edit:
    """The tokens between the longest common start and the longest common end."""
    start, origin_end, mutant_end = difference(origin.words, mutant.words)
    return Edit(
        start=int(origin.starts[start]),
        origin_end=int(origin.starts[origin_end]),
        mutant_end=int(mutant.starts[mutant_end]),
        visible_from=_first_difference(origin, mutant),
    )


def pair_windows(
    origin: SubTokenGraph, mutant: SubTokenGraph, edit: Edit, limits: Limits, prefix: int = 0
) -> tuple[Window, Window]:
    """What is kept of each side of a pair.

    At the start, each side by itself, as published. Around the edit, both sides have the same
    start and the same room, so that they align. `prefix` positions are taken before any code.
    """
    if limits.window == "start":
        rooms = (limits.code_room(side.node_count) - prefix for side in (origin, mutant))
        first, second = (Window(0, room) for room in rooms)
        return first, second
    room = limits.code_room(max(origin.node_count, mutant.node_count)) - prefix
    start = _start_around(edit, max(len(origin.ids), len(mutant.ids)), room)
    focus = None if edit.visible_from is None else max(edit.start, start)
    window = Window(start, room, focus)
    return window, window


def _start_around(edit: Edit, length: int, room: int) -> int:
    """Where a window around the edit starts, in code of this length.

    The edit stands in the middle, or as near to it as the ends of the code allow. An edit longer
    than the window shows its first visible difference, so the two sides never look the same.
    """
    if length <= room or edit.visible_from is None:
        return 0
    end = max(edit.origin_end, edit.mutant_end, edit.visible_from + 1)
    spare = room - (end - edit.start)
    if spare < 0:
        return max(0, edit.visible_from - room // 4)
    return max(0, min(edit.start - spare // 2, length - room))


def _first_difference(origin: SubTokenGraph, mutant: SubTokenGraph) -> int | None:
    shorter, longer = sorted((len(origin.ids), len(mutant.ids)))
    differs = np.flatnonzero(origin.ids[:shorter] != mutant.ids[:shorter])
    if len(differs):
        return int(differs[0])
    return shorter if shorter < longer else None
