"""How much of a snippet the model sees, and which part of it: the presets `paper` and `edit`."""

from typing import Annotated, Literal

from pydantic import Field, ValidationError, model_validator

from equimut.errors import EquimutError
from equimut.records import NonEmpty, Record
from equimut.storage.validated import first_fault

Count = Annotated[int, Field(ge=0)]


class Limits(Record):
    """The places of a sequence and what they are for.

    A sequence is `<s>`, code sub-tokens, `</s>`, graph nodes. Long code leaves `nodes` places to
    the nodes (fewer when the graph is smaller); short code leaves them all that remains.
    """

    name: NonEmpty
    places: Count = 320
    """Length of the whole sequence."""
    nodes: Count = 64
    """Places that long code may not take from the nodes."""
    code: Count = 509
    """Code sub-tokens there may ever be: the encoder has no more positions."""
    window: Literal["start", "edit"]
    """Which part of long code is kept: its start, or the part around the edit."""

    @model_validator(mode="after")
    def _leave_room_for_code(self) -> "Limits":
        if self.code < 1 or self.places < self.nodes + 4:
            raise ValueError(
                f"limits {self.name!r}: {self.places} places, {self.nodes} of them for nodes and "
                f"at most {self.code} for code leave no room for code; "
                "places must be at least nodes + 4 and code at least 1"
            )
        return self

    def code_room(self, node_count: int) -> int:
        """Code sub-tokens that fit beside this many nodes: `places - 3 - min(nodes, 64)`.

        `<s>` and `</s>` take two places; the third stays free in the published conversion, and
        here too, so that both presets agree on code that fits.
        """
        return min(self.places - 3 - min(node_count, self.nodes), self.code)

    def node_room(self, token_count: int) -> int:
        """Nodes that fit beside this many tokens (`<s>` and `</s>` included)."""
        return self.places - token_count


PAPER = Limits(name="paper", window="start")
"""The published baseline: 256 + 64 places, cut from the end."""

EDIT = Limits(name="edit", places=64, nodes=16, window="edit")
"""Fewer places, cut around the edit, so that no edit is invisible and much less is computed."""

PRESETS = {limits.name: limits for limits in (PAPER, EDIT)}


def preset(name: str, places: int | None = None, nodes: int | None = None) -> Limits:
    """The preset of this name, perhaps with other numbers."""
    if name not in PRESETS:
        raise EquimutError(f"no input limits {name!r}: the presets are {', '.join(PRESETS)}")
    changes = {"places": places, "nodes": nodes}
    given = {key: value for key, value in changes.items() if value is not None}
    try:
        return Limits.model_validate(PRESETS[name].model_dump() | given)
    except ValidationError as error:
        raise EquimutError(first_fault(error)[1]) from error
