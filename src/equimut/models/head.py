"""From the states of both sides to logits: what is pooled, and the head on top of it."""

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from equimut.config import Pooling
from equimut.errors import EquimutError
from equimut.inputs.batch import Batch
from equimut.inputs.edit_features.surroundings import BUCKETS

FlatFeatures = tuple[Tensor, Tensor]
"""Buckets in a row, and where each pair's start."""


class Features(NamedTuple):
    """What is known of one side of each pair."""

    cls: Tensor
    """[B, hidden] state of `<s>`: the embedding whose distance the metric losses see."""
    edit: Tensor | None
    """[B, hidden] mean state of the edited positions, where the head asks for it."""

    def map(self, change: Callable[[Tensor], Tensor]) -> "Features":
        """The same features, each tensor changed."""
        return Features(change(self.cls), None if self.edit is None else change(self.edit))


def pool(states: Tensor, rows: Tensor, edited: Tensor | None) -> Features:
    """Gather one side of the pairs: states [U, L, h], rows [B], edited positions [B, L]."""
    cls = states[rows, 0]
    if edited is None:
        return Features(cls, None)
    weight = edited.to(states.dtype)
    weight = weight / weight.sum(dim=1, keepdim=True)
    # [B, 1, L] x [B, L, h]: the mean without a [B, L, h] product being kept
    mean = torch.bmm(weight.unsqueeze(1), states[rows]).squeeze(1)
    return Features(cls, mean)


def pool_sides(states: Tensor, batch: Batch, pooling: Pooling) -> tuple[Features, Features]:
    """Both sides of a batch, from the states of its distinct sequences."""
    edited = pooling == "edit"
    return (
        pool(states, batch.origin, batch.origin_edit if edited else None),
        pool(states, batch.mutant, batch.mutant_edit if edited else None),
    )


class PairHead(nn.Module):
    """Dropout, dense to the hidden size, tanh, dropout, dense to two logits.

    With `cls` pooling the input is the two CLS embeddings, as published. With `edit` pooling it
    is these, the mean over the edited positions of each side, and the difference of the means.

    With `features`, named features of the edit count too: a weight each, added to the margin
    between the logits, as in a regression. The weights begin at 0.
    """

    def __init__(
        self,
        hidden: int,
        pooling: Pooling,
        *,
        dropout: float = 0.1,
        normalize: bool = False,
        features: bool = False,
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

    def forward(
        self, origin: Features, mutant: Features, features: FlatFeatures | None = None
    ) -> Tensor:
        """[B, 2] logits; the second is the equivalents'."""
        return self.logits(self.state(origin, mutant), features)

    def logits(self, state: Tensor, features: FlatFeatures | None = None) -> Tensor:
        """[B, 2] logits from the hidden layer and the features."""
        logits: Tensor = self.out(self.dropout(state))
        if self.wide is None:
            return logits
        if features is None:
            raise EquimutError("the head was made for edits with features, and there are none")
        margin: Tensor = self.wide(*features) / 2
        return logits + torch.cat([-margin, margin], dim=-1)

    def deep(self, origin: Features, mutant: Features) -> Tensor:
        """[B, 2] logits of the network alone, whatever the features say."""
        logits: Tensor = self.out(self.dropout(self.state(origin, mutant)))
        return logits

    def state(self, origin: Features, mutant: Features) -> Tensor:
        """[B, hidden] the hidden layer."""
        sides = [origin.cls, mutant.cls]
        if self.normalize:
            sides = [functional.normalize(side, dim=-1) for side in sides]
        if origin.edit is not None and mutant.edit is not None:
            sides += [origin.edit, mutant.edit, mutant.edit - origin.edit]
        return torch.tanh(self.dense(self.dropout(torch.cat(sides, dim=-1))))
