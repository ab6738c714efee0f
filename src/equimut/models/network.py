"""Encoder and head of a detector in numpy: what `Detector` computes with torch, without it.

Two thirds of the time are matrix products, which numpy hands to the processor's own library. The
rest works in place on blocks that fit its cache. Sequences are laid end to end, not padded, and of
the last layer only the positions are computed that the head looks at.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from equimut.config import Compared
from equimut.errors import EquimutError
from equimut.inputs.encode import EncodedSnippet
from equimut.inputs.sequences import ROBERTA, LongArray, attention_mask

Floats = npt.NDArray[np.float32]
Weights = Mapping[str, Floats]
WORDS, POSITIONS = "embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight"

_ZERO, _UNSEEN = np.float32(0), np.float32(-1e30)
"""Added to what a position does not see; its exponential is 0."""
_INNER_KEPT = 256
"""Sequences, of some 50 KB each."""
_BLOCK = 1 << 16
"""Numbers worked on at a time: more do not fit the processor's cache."""
_SMALLEST_GAP, _SMALLEST_NORM = 1e-3, 1e-12
"""Between the verges, and of an embedding that divides: as in the head that is trained."""
_LOG_ODDS = tuple(
    np.float32(-value)
    for value in (
        3.627849735e-09,
        -2.675661846e-07,
        7.948138083e-06,
        -1.105467484e-04,
        -6.605348578e-05,
        7.266829835e-02,
        1.595768537,
    )
)
"""Of x²: the log-odds of the normal distribution at x, over x, and negative. Fitted so that `gelu`
is nowhere farther from the exact one than 7e-8, which is what single precision rounds."""


@dataclass(frozen=True)
class EncoderShape:
    """What the weights of an encoder of the RoBERTa family do not tell."""

    layers: int
    heads: int
    epsilon: float


@dataclass(frozen=True)
class Dense:
    """A dense layer, its weights in the order of the product."""

    weight: Floats
    bias: Floats

    @classmethod
    def of(cls, weights: Weights, *names: str) -> "Dense":
        """One layer, or several side by side."""
        matrix = np.concatenate([weights[f"{name}.weight"] for name in names]).T
        bias = np.concatenate([weights[f"{name}.bias"] for name in names])
        return cls(np.ascontiguousarray(matrix), bias)

    def __call__(self, value: Floats) -> Floats:
        found: Floats = value @ self.weight
        found += self.bias
        return found


@dataclass(frozen=True)
class Norm:
    """A layer norm; it writes over what it is given."""

    weight: Floats
    bias: Floats
    epsilon: float

    @classmethod
    def of(cls, weights: Weights, name: str, epsilon: float) -> "Norm":
        """By its name."""
        return cls(weights[f"{name}.weight"], weights[f"{name}.bias"], epsilon)

    def __call__(self, value: Floats) -> Floats:
        for block in _blocks(value):
            block -= block.mean(axis=1, keepdims=True)
            spread = np.einsum("pe,pe->p", block, block)
            spread *= 1 / value.shape[1]
            spread += self.epsilon
            block /= np.sqrt(spread, out=spread)[:, None]
            block *= self.weight
            block += self.bias
        return value


@dataclass(frozen=True)
class _Layer:
    """What a query gains from the bias of the keys is the same for all keys, so attention does not
    change; what it sees of the bias of the values is that bias, which `seen` adds."""

    query: Dense
    key_value: Floats
    seen: Dense
    seen_norm: Norm
    inner: Dense
    outer: Dense
    outer_norm: Norm

    @classmethod
    def of(cls, weights: Weights, number: int, shape: EncoderShape) -> "_Layer":
        name = f"encoder.layer.{number}"
        own = f"{name}.attention"
        query = Dense.of(weights, f"{own}.self.query")
        scale = np.float32((query.bias.shape[0] // shape.heads) ** -0.5)
        seen = Dense.of(weights, f"{own}.output.dense")
        return cls(
            Dense(query.weight * scale, query.bias * scale),
            Dense.of(weights, f"{own}.self.key", f"{own}.self.value").weight,
            Dense(seen.weight, seen.bias + weights[f"{own}.self.value.bias"] @ seen.weight),
            Norm.of(weights, f"{own}.output.LayerNorm", shape.epsilon),
            Dense.of(weights, f"{name}.intermediate.dense"),
            Dense.of(weights, f"{name}.output.dense"),
            Norm.of(weights, f"{name}.output.LayerNorm", shape.epsilon),
        )

    def feed(self, states: Floats, seen: Floats) -> Floats:
        """The states after the layer, from those before and what attention saw."""
        joined = self.seen(seen)
        joined += states
        states = self.seen_norm(joined)
        joined = self.outer(gelu(self.inner(states)))
        joined += states
        return self.outer_norm(joined)


class Encoder:
    """An encoder of the RoBERTa family with graph-guided attention."""

    def __init__(self, weights: Weights, shape: EncoderShape) -> None:
        self.shape = shape
        self.words = weights[WORDS]
        # One type for all tokens, so its embedding is a part of every position's.
        self._positions = weights[POSITIONS] + weights["embeddings.token_type_embeddings.weight"][0]
        self._norm = Norm.of(weights, "embeddings.LayerNorm", shape.epsilon)
        self._layers = [_Layer.of(weights, number, shape) for number in range(shape.layers)]
        self._inner: OrderedDict[EncodedSnippet, Floats] = OrderedDict()
        """Sequences seen lately, before the last layer: another edit looks elsewhere in one."""
        self.encoded = 0
        """Sequences that passed the layers before the last."""

    def states(self, snippets: Sequence[EncodedSnippet], wanted: Sequence[LongArray]) -> Floats:
        """[P, hidden] of the positions that are wanted of each sequence, one after the other."""
        masks = [np.where(attention_mask(snippet), _ZERO, _UNSEEN) for snippet in snippets]
        missing = [number for number, each in enumerate(snippets) if each not in self._inner]
        if missing:
            self._encode([snippets[at] for at in missing], [masks[at] for at in missing])
        states = np.concatenate([self._inner[snippet] for snippet in snippets])
        while len(self._inner) > _INNER_KEPT:
            self._inner.popitem(last=False)
        spans, starts = _spans(snippets)
        looking = _rows(states, wanted, starts)
        if not self._layers:
            return looking
        layer = self._layers[-1]
        ends = np.cumsum([len(places) for places in wanted])
        own = [slice(end - len(each), end) for end, each in zip(ends.tolist(), wanted, strict=True)]
        masks = [mask[places] for mask, places in zip(masks, wanted, strict=True)]
        return layer.feed(looking, self._attend(layer, looking, states, own, spans, masks))

    def _encode(self, snippets: Sequence[EncodedSnippet], masks: Sequence[Floats]) -> None:
        """All layers but the last, for all positions."""
        spans, _ = _spans(snippets)
        states = np.empty((spans[-1].stop, self.words.shape[1]), np.float32)
        for snippet, span in zip(snippets, spans, strict=True):
            self._embed(states[span], snippet)
        self._norm(states)
        for layer in self._layers[:-1]:
            states = layer.feed(states, self._attend(layer, states, states, spans, spans, masks))
        for snippet, span in zip(snippets, spans, strict=True):
            self._inner[snippet] = states[span]
        self.encoded += len(snippets)

    def _embed(self, rows: Floats, snippet: EncodedSnippet) -> None:
        """Words and positions; a node is the mean of its sub-tokens, nothing if it was cut off."""
        tokens, first = snippet.token_count, ROBERTA.first_token
        words = self.words[snippet.ids]
        rows[:tokens] = words
        rows[:tokens] += self._positions[first : first + tokens]
        rows[tokens:] = self._positions[ROBERTA.node]
        sizes = np.diff(snippet.node_spans)[:, 0]
        there = np.flatnonzero(sizes)
        if len(there):
            begin = (np.cumsum(sizes) - sizes)[there]
            sums = np.add.reduceat(words[snippet.node_pieces[1]], begin, axis=0)
            rows[tokens + there] += sums / sizes[there, None].astype(np.float32)

    def _attend(
        self,
        layer: _Layer,
        looking: Floats,
        states: Floats,
        own: Sequence[slice],
        spans: Sequence[slice],
        masks: Sequence[Floats],
    ) -> Floats:
        """[P, hidden] What the positions that look see of the states of their sequence."""
        query, key_value = layer.query(looking), states @ layer.key_value
        width = query.shape[1]
        key, value = key_value[:, :width], key_value[:, width:]
        seen = np.empty_like(query)
        for rows, span, mask in zip(own, spans, masks, strict=True):
            weight = self._heads(query[rows]) @ self._heads(key[span]).swapaxes(1, 2)
            weight += mask
            weight -= weight.max(axis=2, keepdims=True)
            np.exp(weight, out=weight)
            found = weight @ self._heads(value[span])
            found /= weight.sum(axis=2, keepdims=True)
            self._heads(seen[rows])[:] = found
        return seen

    def _heads(self, value: Floats) -> Floats:
        """[heads, positions, width of a head], the same memory."""
        return value.reshape(len(value), self.shape.heads, -1).swapaxes(0, 1)


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
        state: Floats = np.tanh(self._dense(np.concatenate(parts, axis=1)))
        logits = self._out(state)
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
        return self._near(np.stack([apart, place], axis=1).astype(np.float32))[:, 0]


def gelu(value: Floats) -> Floats:
    """x times the normal distribution at x, written over what is given."""
    with np.errstate(over="ignore"):  # far below 0 it divides by infinity, and nothing is left
        for block in _blocks(value):
            square = block * block
            odds = square * _LOG_ODDS[0]
            for coefficient in _LOG_ODDS[1:-1]:
                odds += coefficient
                odds *= square
            odds += _LOG_ODDS[-1]
            odds *= block
            np.exp(odds, out=odds)
            odds += 1
            block /= odds
    return value


def _spans(snippets: Sequence[EncodedSnippet]) -> tuple[list[slice], LongArray]:
    """Where each sequence stands when they are laid end to end, and where they start."""
    ends = np.cumsum([snippet.length for snippet in snippets])
    starts = ends - [snippet.length for snippet in snippets]
    return [slice(*span) for span in zip(starts.tolist(), ends.tolist(), strict=True)], starts


def _blocks(value: Floats) -> Iterator[Floats]:
    rows = max(_BLOCK // value.shape[1], 1)
    return (value[start : start + rows] for start in range(0, len(value), rows))


def _rows(states: Floats, wanted: Sequence[LongArray], starts: LongArray) -> Floats:
    places = [at + start for at, start in zip(wanted, starts, strict=True)]
    found: Floats = states[np.concatenate(places)]
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
