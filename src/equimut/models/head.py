"""From the states of both sides to logits: what is pooled, and the head on top of it."""

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from equimut.config import Compared, Pooling
from equimut.errors import EquimutError
from equimut.inputs.batch import Batch
from equimut.inputs.edit_features.surroundings import BUCKETS
from equimut.losses.functional import EQUIVALENT, NON_EQUIVALENT, half_cosine_distance

FlatFeatures = tuple[Tensor, Tensor]
"""Buckets in a row, and where each pair's start."""


_SMALLEST_GAP = 1e-3
"""Between the verges; below it a place between them says nothing."""


class Features(NamedTuple):
    """What is known of one side of each pair."""

    cls: Tensor
    """[B, hidden] state of `<s>`: the embedding whose distance the metric losses see."""
    edit: Tensor | None
    """[B, hidden] mean state of the edited positions, where the head asks for it."""

    def map(self, change: Callable[[Tensor], Tensor]) -> "Features":
        """The same features, each tensor changed."""
        return Features(change(self.cls), None if self.edit is None else change(self.edit))


def compared(side: Features, which: Compared) -> Tensor:
    """[B, h] one embedding per pair; that of `both` has the mean of the two distances."""
    if which == "cls":
        return side.cls
    if side.edit is None:
        raise EquimutError(f"embeddings {which!r} need model.pooling = 'edit'")
    if which == "edit":
        return side.edit
    return torch.cat([functional.normalize(each, dim=-1) for each in (side.cls, side.edit)], dim=-1)


def wanted_positions(batch: Batch, pooling: Pooling) -> Tensor:
    """[U, L] bool: the positions of a batch's sequences whose states `pool_sides` looks at."""
    times = torch.zeros_like(batch.input_ids)
    times[:, 0] = 1
    if pooling == "edit":
        times.index_add_(0, batch.origin, batch.origin_edit.to(times.dtype))
        times.index_add_(0, batch.mutant, batch.mutant_edit.to(times.dtype))
    return times > 0


def pool_sides(
    states: Tensor, batch: Batch, pooling: Pooling, wanted: Tensor | None = None
) -> tuple[Features, Features]:
    """Both sides of a batch, from the states of its distinct sequences.

    `states` are those of all positions [U, L, h] or, with `wanted` [U, L], of these only [P, h].
    """
    everything = wanted is None
    there = torch.ones_like(batch.input_ids) if wanted is None else wanted.long()
    row_of = (there.flatten().cumsum(0) - 1).view_as(there)
    flat = states.flatten(0, 1) if everything else states
    edited = pooling == "edit"
    return (
        _pool(flat, row_of, batch.origin, batch.origin_edit if edited else None),
        _pool(flat, row_of, batch.mutant, batch.mutant_edit if edited else None),
    )


def _pool(states: Tensor, row_of: Tensor, rows: Tensor, edited: Tensor | None) -> Features:
    """One side of the pairs: states [P, h], their rows [U, L], sequences [B], edits [B, L]."""
    cls = states.index_select(0, row_of[rows, 0])
    if edited is None:
        return Features(cls, None)
    pair, position = edited.nonzero(as_tuple=True)
    share = 1 / edited.sum(dim=1).to(states.dtype)
    parts = states.index_select(0, row_of[rows[pair], position]) * share[pair].unsqueeze(1)
    return Features(cls, torch.zeros_like(cls).index_add(0, pair, parts))


class PairHead(nn.Module):
    """Dropout, dense to the hidden size, tanh, dropout, dense to two logits.

    With `cls` pooling the input is the two CLS embeddings, as published. With `edit` pooling it
    is these, the mean over the edited positions of each side, and the difference of the means.

    With `features`, named features of the edit count too: a weight each, added to the margin
    between the logits, as in a regression. The weights begin at 0.

    With `distance`, so do the distance of those embeddings, and its place between the mean verges
    of training: 0 where the equivalents lie on average, 1 where the others do.
    """

    verges: Tensor
    """[2] mean verges by label, with `distance`; until training tells them, the ends of it."""

    def __init__(
        self,
        hidden: int,
        pooling: Pooling,
        *,
        dropout: float = 0.1,
        normalize: bool = False,
        features: bool = False,
        distance: Compared | None = None,
    ) -> None:
        super().__init__()
        self.pooling: Pooling = pooling
        self.normalize = normalize
        self.dense = nn.Linear({"cls": 2, "edit": 5}[pooling] * hidden, hidden)
        self.out = nn.Linear(hidden, 2)
        self.dropout = nn.Dropout(dropout)
        self.wide = nn.EmbeddingBag(BUCKETS, 1, mode="sum") if features else None
        if self.wide is not None:
            nn.init.zeros_(self.wide.weight)
        self.distance = distance
        self.near = nn.Linear(2, 1) if distance is not None else None
        if self.near is not None:
            nn.init.zeros_(self.near.weight)
            nn.init.zeros_(self.near.bias)
            self.register_buffer("verges", torch.tensor([1.0, 0.0]))

    def forward(
        self, origin: Features, mutant: Features, features: FlatFeatures | None = None
    ) -> Tensor:
        """[B, 2] logits; the second is the equivalents'."""
        return self.logits(self.state(origin, mutant), origin, mutant, features)

    def logits(
        self,
        state: Tensor,
        origin: Features,
        mutant: Features,
        features: FlatFeatures | None = None,
    ) -> Tensor:
        """[B, 2] logits from the hidden layer, what it was made of, and the features."""
        logits = self._deep(state, origin, mutant)
        if self.wide is None:
            return logits
        if features is None:
            raise EquimutError("the head was made for edits with features, and there are none")
        return _moved(logits, self.wide(*features))

    def deep(self, origin: Features, mutant: Features) -> Tensor:
        """[B, 2] logits of the network alone, whatever the features say."""
        return self._deep(self.state(origin, mutant), origin, mutant)

    def _deep(self, state: Tensor, origin: Features, mutant: Features) -> Tensor:
        logits: Tensor = self.out(self.dropout(state))
        if self.near is None or self.distance is None:
            return logits
        sides = (compared(side, self.distance) for side in (origin, mutant))
        distance = half_cosine_distance(*sides).to(logits.dtype)
        inner, outer = self.verges[EQUIVALENT], self.verges[NON_EQUIVALENT]
        place = (distance - inner) / (outer - inner).clamp(min=_SMALLEST_GAP)
        return _moved(logits, self.near(torch.stack([distance, place.clamp(-4, 5)], dim=-1)))

    def state(self, origin: Features, mutant: Features) -> Tensor:
        """[B, hidden] the hidden layer."""
        sides = [origin.cls, mutant.cls]
        if self.normalize:
            sides = [functional.normalize(side, dim=-1) for side in sides]
        if origin.edit is not None and mutant.edit is not None:
            sides += [origin.edit, mutant.edit, mutant.edit - origin.edit]
        return torch.tanh(self.dense(self.dropout(torch.cat(sides, dim=-1))))


def _moved(logits: Tensor, margin: Tensor) -> Tensor:
    """[B, 2] logits whose difference is larger by a margin [B, 1]."""
    return logits + torch.cat([-margin, margin], dim=-1) / 2
