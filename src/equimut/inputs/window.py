"""How much of a snippet the model sees, and which part: its start, or a window around the edit."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import AliasChoices, Field, ValidationError, model_validator

from equimut.errors import EquimutError
from equimut.parsing.text_diff import difference
from equimut.records import NonEmpty, Record
from equimut.storage.jsonl import first_fault

if TYPE_CHECKING:
    from equimut.inputs.subtokens import SubTokenGraph


Count = Annotated[int, Field(ge=0)]


class Limits(Record):
    """The positions of a sequence and what they are for.

    A sequence is `<s>`, code sub-tokens, `</s>`, graph nodes. Long code leaves `nodes` positions
    to the nodes (fewer when the graph is smaller); short code leaves them all that remains.
    """

    name: NonEmpty
    max_length: Count = Field(default=320, validation_alias=AliasChoices("max_length", "places"))
    """Positions of the whole sequence; `places` in older files."""
    nodes: Count = 64
    """Positions that long code may not take from the nodes."""
    code: Count = 509
    """Code sub-tokens there may ever be: the encoder has no more positions."""
    window: Literal["start", "edit"]
    """Which part of long code is kept: its start, or the part around the edit."""

    @model_validator(mode="after")
    def _leave_room_for_code(self) -> "Limits":
        if self.code < 1 or self.max_length < self.nodes + 4:
            raise ValueError(
                f"limits {self.name!r}: {self.max_length} positions, {self.nodes} of them for "
                f"nodes and at most {self.code} for code leave no room for code; "
                "max_length must be at least nodes + 4 and code at least 1"
            )
        return self

    def code_room(self, node_count: int) -> int:
        """Code sub-tokens that fit beside this many nodes: `max_length - 3 - min(nodes, 64)`.

        `<s>` and `</s>` take two positions; the third stays free in the published conversion, and
        here too, so that both presets agree on code that fits.
        """
        return min(self.max_length - 3 - min(node_count, self.nodes), self.code)

    def node_room(self, token_count: int) -> int:
        """Nodes that fit beside this many tokens (`<s>` and `</s>` included)."""
        return self.max_length - token_count


PAPER = Limits(name="paper", window="start")
"""The published baseline: 256 + 64 positions, cut from the end."""

EDIT = Limits(name="edit", max_length=64, nodes=16, window="edit")
"""Fewer positions, cut around the edit, so that no edit is invisible and much less is computed."""

PRESETS = {limits.name: limits for limits in (PAPER, EDIT)}


def preset(name: str, max_length: int | None = None, nodes: int | None = None) -> Limits:
    """The preset of this name, perhaps with other numbers."""
    if name not in PRESETS:
        raise EquimutError(f"no input limits {name!r}: the presets are {', '.join(PRESETS)}")
    changes = {"max_length": max_length, "nodes": nodes}
    given = {key: value for key, value in changes.items() if value is not None}
    try:
        return Limits.model_validate(PRESETS[name].model_dump() | given)
    except ValidationError as error:
        raise EquimutError(first_fault(error)[1]) from error


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


def find_edit(origin: "SubTokenGraph", mutant: "SubTokenGraph") -> Edit:
    """The tokens between the longest common start and the longest common end."""
    start, origin_end, mutant_end = difference(origin.words, mutant.words)
    return Edit(
        start=int(origin.starts[start]),
        origin_end=int(origin.starts[origin_end]),
        mutant_end=int(mutant.starts[mutant_end]),
        visible_from=_first_difference(origin, mutant),
    )


def pair_windows(
    origin: "SubTokenGraph", mutant: "SubTokenGraph", edit: Edit, limits: Limits, prefix: int = 0
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


def _first_difference(origin: "SubTokenGraph", mutant: "SubTokenGraph") -> int | None:
    shorter, longer = sorted((len(origin.ids), len(mutant.ids)))
    (differs,) = (origin.ids[:shorter] != mutant.ids[:shorter]).nonzero()
    if len(differs):
        return int(differs[0])
    return shorter if shorter < longer else None
