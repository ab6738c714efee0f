"""How much of a snippet the model sees, and which part of it: the presets `paper` and `edit`."""

from typing import Annotated, Literal

from pydantic import AliasChoices, Field, ValidationError, model_validator

from equimut.errors import EquimutError
from equimut.records import NonEmpty, Record
from equimut.storage.jsonl import first_fault

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
