"""The layers of an encoder in numpy: dense layers, norms, attention, gelu.

States are [hidden, positions], a column for each position: what is done to all of them alike then
runs along the memory. Work is done in place, on blocks that fit the processor's cache.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Weights = Mapping[str, Floats]

_BLOCK = 1 << 16
"""Numbers worked on at a time: more do not fit the processor's cache."""
_LARGEST_SCORE = 60
"""Of attention, up to which a sum of exponentials is far from the ends of single precision."""
_HALF_LOG_ODDS = tuple(
    np.float32(value / 2)
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
"""Of x²: half the log-odds of the normal distribution at x, over x. Fitted so that gelu is nowhere
farther from the exact one than 7e-8, which is what single precision rounds. Five coefficients, at
4e-6, would spare a sixth of its time; a small network of large weights made 3e-5 of that."""


@dataclass(frozen=True)
class EncoderShape:
    """What the weights of an encoder of the RoBERTa family do not tell."""

    layers: int
    heads: int
    epsilon: float


@dataclass(frozen=True)
class Dense:
    """A dense layer: [out, in] and [out, 1]."""

    weight: Floats
    bias: Floats

    @classmethod
    def of(cls, weights: Weights, name: str) -> "Dense":
        """By its name."""
        return cls(weights[f"{name}.weight"], weights[f"{name}.bias"][:, None])

    def __call__(self, value: Floats) -> Floats:
        found: Floats = self.weight @ value
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
        weight, bias = (weights[f"{name}.{part}"][:, None] for part in ("weight", "bias"))
        return cls(weight, bias, epsilon)

    def __call__(self, value: Floats) -> Floats:
        mean = np.full(len(value), 1 / len(value), np.float32)
        value -= mean @ value
        scale = np.einsum("ep,ep->p", value, value)
        scale *= mean[0]
        scale += self.epsilon
        value *= np.reciprocal(np.sqrt(scale, out=scale), out=scale)
        value *= self.weight
        value += self.bias
        return value


class Run(NamedTuple):
    """Sequences of the same length that follow each other."""

    columns: slice
    """Their positions."""
    mask: Floats
    """[sequences, 1, length, length]: what is added where the column's position looks at the
    row's."""

    def heads(self, value: Floats, heads: int) -> Floats:
        """[sequences, heads, width, length] of [heads x width, positions], the same memory."""
        count, length = len(self.mask), self.mask.shape[-1]
        parts = value[:, self.columns].reshape(heads, -1, count, length)
        return parts.transpose(2, 0, 1, 3)


@dataclass(frozen=True)
class Layer:
    """What a query gains from the bias of the keys is the same for all keys, so attention does not
    change; what it sees of the bias of the values is that bias, which `seen` adds."""

    heads: int
    projection: Floats
    """[3 x hidden, hidden] of queries (scaled), keys and values."""
    query_bias: Floats
    seen: Dense
    seen_norm: Norm
    inner: Dense
    outer: Dense
    """Of half the weight, since `double_gelu` is before it."""
    outer_norm: Norm

    @classmethod
    def of(cls, weights: Weights, number: int, shape: EncoderShape) -> "Layer":
        """The layer of this number."""
        name = f"encoder.layer.{number}"
        own = f"{name}.attention"
        query, key, value = (
            Dense.of(weights, f"{own}.self.{part}") for part in ("query", "key", "value")
        )
        scale = np.float32((len(query.bias) // shape.heads) ** -0.5)
        seen = Dense.of(weights, f"{own}.output.dense")
        outer = Dense.of(weights, f"{name}.output.dense")
        return cls(
            shape.heads,
            np.concatenate([query.weight * scale, key.weight, value.weight]),
            query.bias * scale,
            Dense(seen.weight, seen(value.bias)),
            Norm.of(weights, f"{own}.output.LayerNorm", shape.epsilon),
            Dense.of(weights, f"{name}.intermediate.dense"),
            Dense(outer.weight * np.float32(0.5), outer.bias),
            Norm.of(weights, f"{name}.output.LayerNorm", shape.epsilon),
        )

    def projected(self, states: Floats) -> Floats:
        """[3 x hidden, positions] Queries, keys and values."""
        found: Floats = self.projection @ states
        found[: len(states)] += self.query_bias
        return found

    def attend(self, projected: Floats, runs: Sequence[Run]) -> Floats:
        """[hidden, positions] What each position sees of the values of its sequence."""
        positions = projected.shape[1]
        query, key, value = projected.reshape(3, -1, positions)
        seen = np.empty((len(query), positions), np.float32)
        sums = np.empty((self.heads, 1, positions), np.float32)
        for run in runs:
            weight = run.heads(key, self.heads).swapaxes(2, 3) @ run.heads(query, self.heads)
            large = max(weight.max(), -weight.min()) > _LARGEST_SCORE
            weight += run.mask
            if large:
                weight -= weight.max(axis=2, keepdims=True)
            np.exp(weight, out=weight)
            np.matmul(run.heads(value, self.heads), weight, out=run.heads(seen, self.heads))
            ones = np.ones((1, weight.shape[2]), np.float32)
            np.matmul(ones, weight, out=run.heads(sums[:, 0], self.heads))
        by_head = seen.reshape(self.heads, -1, positions)
        by_head /= sums
        return seen

    def look(self, looking: Floats, sequences: Sequence[tuple[Floats, Floats]]) -> Floats:
        """[hidden, P] What a few positions see of their sequences: states [hidden, L], mask [L, p].

        So few that no keys and values are made: queries are multiplied with the weights of the
        keys instead, and what they see of the states with those of the values.
        """
        hidden, count = looking.shape
        query, key, value = self.projection.reshape(3, self.heads, -1, hidden)
        asked = query.reshape(-1, hidden) @ looking
        asked += self.query_bias
        asked = key.swapaxes(1, 2) @ asked.reshape(self.heads, -1, count)
        by_position = np.ascontiguousarray(asked.transpose(1, 2, 0))  # [hidden, P, heads]
        seen = np.empty_like(by_position)
        start = 0
        for states, mask in sequences:
            own = slice(start, start := start + mask.shape[1])
            scores = states.T @ by_position[:, own].reshape(hidden, -1)
            weight = scores.reshape(*mask.shape, self.heads)
            weight += mask[:, :, None]
            weight -= weight.max(axis=0)
            np.exp(weight, out=weight)
            weight /= weight.sum(axis=0)
            seen[:, own] = (states @ scores).reshape(hidden, -1, self.heads)
        found: Floats = value @ seen.transpose(2, 0, 1)
        return found.reshape(-1, count)

    def feed(self, states: Floats, seen: Floats) -> Floats:
        """The states after the layer, from those before and what attention saw."""
        joined = self.seen(seen)
        joined += states
        states = self.seen_norm(joined)
        joined = self.outer(double_gelu(self.inner.weight @ states, self.inner.bias))
        joined += states
        return self.outer_norm(joined)


def double_gelu(value: Floats, bias: Floats) -> Floats:
    """Twice the gelu of value and bias, written over the value: x times 1 + tanh(half log-odds)."""
    rows = max(_BLOCK // value.shape[1], 1)
    with np.errstate(over="ignore"):  # of the odds of what is large, which are certain
        for start in range(0, len(value), rows):
            block = value[start : start + rows]
            block += bias[start : start + rows]
            square = block * block
            odds = square * _HALF_LOG_ODDS[0]
            for coefficient in _HALF_LOG_ODDS[1:-1]:
                odds += coefficient
                odds *= square
            odds += _HALF_LOG_ODDS[-1]
            odds *= block
            np.tanh(odds, out=odds)
            odds += 1
            block *= odds
    return value
