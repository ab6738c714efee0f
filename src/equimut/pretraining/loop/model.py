"""The model of pretraining: an encoder with five questions asked of it.

1. What stood where sub-tokens are hidden? (functions of the corpus)
2. Do origin and mutant behave the same? (mutants with labels)
3. Which positions of the mutant were edited? (the mutant alone, without its origin)
4. How far are the two embeddings apart? Equivalent ones shall be near, others FAR away: the metric
   losses of a later training then find distances they can work with.
5. Between which nodes of the graph were edges hidden? (functions of the corpus; GraphCodeBERT's
   edge prediction, with a learned product: the plain one of two normalised states starts far off)
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from equimut.inputs.batch import Batch
from equimut.losses.functional import half_cosine_distance
from equimut.models.detector import Detector
from equimut.models.head import pool_sides
from equimut.pretraining.loop.masking import HiddenEdges, MaskedBatch

FAR = 0.3
"""Half the cosine distance that mutants which are not equivalent should have at least."""


class Losses(NamedTuple):
    """The five parts, each a mean; 0 where a part was not asked for."""

    masked: Tensor
    equivalent: Tensor
    edited: Tensor
    distance: Tensor
    edges: Tensor


class Pretrainer(nn.Module):
    """A detector, and what only pretraining needs besides it."""

    def __init__(self, detector: Detector, *, edges: bool = False) -> None:
        super().__init__()
        self.detector = detector
        hidden = detector.encoder.hidden_size
        vocabulary = detector.encoder.transformer.config.vocab_size
        self.transform = nn.Sequential(
            nn.Linear(hidden, hidden), nn.GELU(), nn.LayerNorm(hidden, eps=1e-5)
        )
        self.bias = nn.Parameter(torch.zeros(vocabulary))
        self.marks_edits = nn.Linear(hidden, 1)
        self.joins_nodes = nn.Linear(hidden, hidden) if edges else None

    def forward(
        self, masked: MaskedBatch | None, pairs: Batch | None, weights: Sequence[float] = ()
    ) -> Losses:
        """The losses of a batch of functions and a batch of pairs; either may be missing."""
        zero = self.bias.new_zeros(())
        words, edges = (zero, zero) if masked is None else self.masked_losses(masked)
        if pairs is None:
            return Losses(words, zero, zero, zero, edges)
        states = self.detector.encoder(pairs)
        origin, mutant = pool_sides(states, pairs, self.detector.settings.pooling)
        logits = self.detector.head.deep(origin, mutant)
        trust = torch.tensor(list(weights), device=logits.device)
        each = functional.cross_entropy(logits, pairs.labels, reduction="none")
        equivalent = (each * trust).sum() / trust.sum()
        distance = half_cosine_distance(origin.cls, mutant.cls)
        apart = torch.where(pairs.labels == 1, distance, functional.relu(FAR - distance))
        # The share of equivalents in a batch is made; both kinds weigh the same.
        share = (pairs.labels == 1).float().mean().clamp(0.05, 0.95)
        even = torch.where(pairs.labels == 1, 0.5 / share, 0.5 / (1 - share))
        far = (apart * even * trust).sum() / trust.sum()
        return Losses(words, equivalent, self._edited_loss(states, pairs), far, edges)

    def masked_losses(self, masked: MaskedBatch) -> tuple[Tensor, Tensor]:
        """Cross-entropy of the hidden sub-tokens, whose output table is the input's, and of edges.

        The latter is 0 where nothing is asked about them.
        """
        states = self.detector.encoder(masked.batch)
        table = self.detector.encoder.word_embeddings
        hidden = self.transform(states[masked.rows, masked.positions])
        logits = functional.linear(hidden, table, self.bias)
        words = functional.cross_entropy(logits, masked.answers.to(logits.device))
        return words, self._edge_loss(states, masked.edges)

    def _edge_loss(self, states: Tensor, asked: HiddenEdges | None) -> Tensor:
        if asked is None or self.joins_nodes is None:
            return states.new_zeros(())
        first, second = (states[asked.rows, asked.nodes[:, side]] for side in (0, 1))
        joined = (self.joins_nodes(first) * second).sum(-1) / states.shape[-1] ** 0.5
        return functional.binary_cross_entropy_with_logits(joined, asked.answers.to(joined))

    def _edited_loss(self, states: Tensor, pairs: Batch) -> Tensor:
        """Which of the mutant's tokens were edited. Few are: both kinds weigh the same."""
        logits = self.marks_edits(states[pairs.mutant]).squeeze(-1)
        place = torch.arange(logits.shape[1], device=logits.device)
        token = place < pairs.token_counts[pairs.mutant].unsqueeze(1)
        edited = pairs.mutant_edit & token
        plain = token & ~edited
        terms = functional.binary_cross_entropy_with_logits(
            logits, edited.to(logits.dtype), reduction="none"
        )
        return (terms[edited].mean() + terms[plain].mean()) / 2
