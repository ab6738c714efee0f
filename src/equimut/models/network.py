"""Encoder and head of a detector in numpy: what `Detector` computes with torch, without it.

Most of the time are matrix products, which numpy hands to the processor's own library. Sequences
are laid end to end, not padded; what is equal in several of them is computed once where the layer
allows it, and of the last layer only the positions are computed that the head looks at.
"""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from equimut.config import Compared
from equimut.errors import EquimutError
from equimut.inputs.encode import EncodedSnippet
from equimut.inputs.sequences import ROBERTA, LongArray, fill_mask
from equimut.models.network_layers import (
    Dense,
    EncoderShape,
    Floats,
    Layer,
    Norm,
    Run,
    Weights,
)

WORDS, POSITIONS = "embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight"

_SEEN, _UNSEEN = np.float32(0), np.float32(-1e30)
"""Added to what a position sees and does not see; the exponential of the latter is 0."""
_INNER_KEPT = 256
"""Sequences, of some 50 KB each."""
_RUN_POSITIONS = 256
"""Of the sequences whose attention is computed at a time: more do not fit the cache."""
_SMALLEST_GAP, _SMALLEST_NORM = 1e-3, 1e-12
"""Between the verges, and of an embedding that divides: as in the head that is trained."""


class Embeddings:
    """Words and positions, before the first layer."""

    def __init__(self, weights: Weights, epsilon: float) -> None:
        self.words = weights[WORDS]
        # One type for all tokens, so its embedding is a part of every position's.
        self._positions = weights[POSITIONS] + weights["embeddings.token_type_embeddings.weight"][0]
        self._norm = Norm.of(weights, "embeddings.LayerNorm", epsilon)

    def __call__(self, snippets: Sequence[EncodedSnippet]) -> tuple[Floats, LongArray]:
        """[hidden, D] The distinct ones, and which of them stands at each position."""
        ids = np.concatenate([snippet.ids for snippet in snippets])
        at = np.concatenate([np.arange(snippet.token_count) for snippet in snippets])
        coded, of_tokens = np.unique(at * len(self.words) + ids, return_inverse=True)
        nodes: dict[tuple[int, ...], int] = {}
        places, first = [], 0
        for snippet in snippets:
            tokens = snippet.ids.tolist()
            places.append(of_tokens[first : first + len(tokens)])
            first += len(tokens)
            pieces = (tuple(tokens[start:end]) for start, end in snippet.node_spans.tolist())
            of_nodes = [nodes.setdefault(each, len(nodes)) for each in pieces]
            places.append(np.array(of_nodes, np.int64) + len(coded))
        at, ids = np.divmod(coded, len(self.words))
        tokens = self.words[ids] + self._positions[ROBERTA.first_token + at]
        embedded = np.concatenate([tokens, self._of_nodes(list(nodes))])
        return self._norm(np.ascontiguousarray(embedded.T)), np.concatenate(places)

    def _of_nodes(self, nodes: Sequence[tuple[int, ...]]) -> Floats:
        """[N, hidden] A node is the mean of its sub-tokens, nothing if it was cut off."""
        sizes = np.array([len(node) for node in nodes], np.int64)
        found = np.repeat(self._positions[ROBERTA.node][None], len(nodes), axis=0)
        there = np.flatnonzero(sizes)
        if len(there):
            words = self.words[[id for node in nodes for id in node]]
            sums = np.add.reduceat(words, (np.cumsum(sizes) - sizes)[there], axis=0)
            found[there] += sums / sizes[there, None].astype(np.float32)
        return found


class Encoder:
    """An encoder of the RoBERTa family with graph-guided attention."""

    def __init__(self, weights: Weights, shape: EncoderShape) -> None:
        self._embed = Embeddings(weights, shape.epsilon)
        self._layers = [Layer.of(weights, number, shape) for number in range(shape.layers)]
        self._inner: OrderedDict[EncodedSnippet, tuple[Floats, Floats]] = OrderedDict()
        """Sequences seen lately, before the last layer: another edit looks elsewhere in one."""
        self.encoded = 0
        """Sequences that passed the layers before the last."""

    @property
    def hidden_size(self) -> int:
        """Width of a state."""
        return int(self._embed.words.shape[1])

    def states(self, snippets: Sequence[EncodedSnippet], wanted: Sequence[LongArray]) -> Floats:
        """[P, hidden] of the positions that are wanted of each sequence, one after the other."""
        if missing := [each for each in snippets if each not in self._inner]:
            self._encode(missing)
        inner = [self._inner[snippet] for snippet in snippets]
        while len(self._inner) > _INNER_KEPT:
            self._inner.popitem(last=False)
        chosen = list(zip(inner, wanted, strict=True))
        looking = np.concatenate([states[:, at] for (states, _), at in chosen], axis=1)
        if self._layers:
            seen = self._layers[-1].look(looking, [(s, mask[:, at]) for (s, mask), at in chosen])
            looking = self._layers[-1].feed(looking, seen)
        return looking.T

    def _encode(self, snippets: Sequence[EncodedSnippet]) -> None:
        """All layers but the last, for all positions."""
        distinct, places = self._embed(snippets)
        states = distinct[:, places]
        runs = list(_runs(snippets))
        for number, layer in enumerate(self._layers[:-1]):
            # Equal tokens at equal positions have equal queries, keys and values at first.
            projected = layer.projected(states) if number else layer.projected(distinct)[:, places]
            states = layer.feed(states, layer.attend(projected, runs))
        ends = np.cumsum([snippet.length for snippet in snippets])
        parts = np.split(states, ends[:-1], axis=1)
        masks = (mask for run in runs for mask in run.mask[:, 0])
        self._inner.update(zip(snippets, zip(parts, masks, strict=True), strict=True))
        self.encoded += len(snippets)


def _runs(snippets: Sequence[EncodedSnippet]) -> Iterator[Run]:
    """Neighbours of the same length, so many that the cache holds their attention."""
    start = 0
    for length, alike in groupby(snippets, lambda snippet: snippet.length):
        group = list(alike)
        most = max(_RUN_POSITIONS // length, 1)
        for first in range(0, len(group), most):
            part = group[first : first + most]
            mask = np.full((len(part), 1, length, length), _UNSEEN)
            for each, snippet in zip(mask[:, 0], part, strict=True):
                fill_mask(each.T, snippet, _SEEN)
            end = start + length * len(part)
            yield Run(slice(start, end), mask)
            start = end


class Head:
    """Logits of pairs from the rows of both sides."""

    def __init__(
        self, weights: Weights, *, edits: bool, normalize: bool, distance: Compared | None
    ) -> None:
        if distance in ("edit", "both") and not edits:
            raise EquimutError(f"embeddings {distance!r} need model.pooling = 'edit'")
        self._dense, self._out = Dense.of(weights, "dense"), Dense.of(weights, "out")
        self._edits, self._normalize, self._distance = edits, normalize, distance
        self.wide = weights.get("wide.weight")
        if distance is not None:
            self._near = Dense.of(weights, "near")
            outer, self._inner = (float(value) for value in weights["verges"])
            self._gap = max(outer - self._inner, _SMALLEST_GAP)

    def __call__(
        self, origin: Floats, mutant: Floats, buckets: tuple[LongArray, LongArray]
    ) -> tuple[Floats, Floats]:
        """[N, 2] logits and [N, hidden] states; `buckets` in a row, and where each pair's start."""
        width = origin.shape[1] // (1 + self._edits)
        whole = [side[:, :width] for side in (origin, mutant)]
        edited = [side[:, width:] for side in (origin, mutant)]
        parts = [_normalized(side) for side in whole] if self._normalize else list(whole)
        if self._edits:
            parts += [*edited, edited[1] - edited[0]]
        state: Floats = np.tanh(self._dense(np.concatenate(parts, axis=1).T)).T
        logits = self._out(state.T).T
        if self._distance is not None:
            compared = {"cls": [whole], "edit": [edited], "both": [whole, edited]}[self._distance]
            _move(logits, self._nearness(compared))
        if self.wide is not None:
            flat, starts = buckets
            sums = np.zeros(len(flat) + 1, np.float64)
            np.cumsum(self.wide[flat, 0], out=sums[1:])
            _move(logits, np.diff(sums[np.append(starts, len(flat))]).astype(np.float32))
        return logits, state

    def _nearness(self, compared: Sequence[Sequence[Floats]]) -> Floats:
        """[N] What the distance of the embeddings adds: itself, and where between the verges."""
        cosines = [
            np.einsum("ne,ne->n", _normalized(first), _normalized(second))
            for first, second in compared
        ]
        apart = np.clip((1 - sum(cosines) / np.float32(len(cosines))) / 2, 0, 1)
        place = np.clip((apart - np.float32(self._inner)) / np.float32(self._gap), -4, 5)
        found: Floats = self._near(np.stack([apart, place]).astype(np.float32))[0]
        return found


def _normalized(value: Floats) -> Floats:
    """Of length 1; nothing stays nothing."""
    found: Floats = value / np.maximum(
        np.linalg.norm(value, axis=1, keepdims=True), np.float32(_SMALLEST_NORM)
    )
    return found


def _move(logits: Floats, margin: Floats) -> None:
    """Add a margin: half to the second logit, half taken off the first."""
    logits[:, 0] -= margin / 2
    logits[:, 1] += margin / 2
