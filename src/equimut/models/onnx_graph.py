"""A detector as two ONNX graphs, encoder and head, from its settings and weights: no torch.

A graph is a function of the settings, so it is made when a detector is loaded. There is no export
that could be missing or out of date, and no graph of a stranger is ever executed.
"""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from equimut.config import Compared
from equimut.errors import EquimutError

Floats = npt.NDArray[np.float32]
Weights = Mapping[str, Floats]

FLOAT, INT64, BOOL = 1, 7, 9
"""Types of elements, by their number in the format."""
_IR_VERSION, _OPSET = 10, 23
_SMALLEST_GAP = 1e-3
"""Between the verges, as in the head that is trained."""


@dataclass(frozen=True)
class EncoderShape:
    """What a graph needs to know of an encoder of the RoBERTa family."""

    layers: int
    heads: int
    epsilon: float


@dataclass
class Graph:
    """A graph in the making: nodes in order, and the weights they use."""

    hidden: int = 0
    """Width of a state."""
    nodes: list[bytes] = field(default_factory=list)
    weights: dict[str, npt.NDArray[np.generic]] = field(default_factory=dict)
    _made: int = 0

    def weight(self, name: str, value: npt.ArrayLike, kind: type = np.float32) -> str:
        """Keep a constant; its name."""
        self.weights[name] = np.asarray(value, kind, order="C")
        return name

    def add(self, operator: str, *inputs: str, to: str = "", **settings: object) -> str:
        """One node with one result; the name of that."""
        self._made += 1
        name = to or f"{operator}_{self._made}"
        parts = [_text(1, each) for each in inputs]
        parts += [_text(2, name), _text(4, operator)]
        parts += [_bytes(5, _attribute(key, value)) for key, value in settings.items()]
        self.nodes.append(b"".join(parts))
        return name

    def linear(self, value: str, weights: Weights, *names: str) -> str:
        """A dense layer, or several side by side."""
        name = names[0]
        matrix = np.concatenate([weights[f"{each}.weight"] for each in names]).T
        bias = np.concatenate([weights[f"{each}.bias"] for each in names])
        product = self.add("MatMul", value, self.weight(f"{name}.weight", matrix))
        return self.add("Add", product, self.weight(f"{name}.bias", bias))

    def norm(self, value: str, weights: Weights, name: str, epsilon: float) -> str:
        """A layer norm over the last dimension."""
        known = [self.weight(f"{name}.{part}", weights[f"{name}.{part}"]) for part in _NORM]
        return self.add("LayerNormalization", value, *known, axis=-1, epsilon=epsilon)

    def model(
        self, inputs: Mapping[str, tuple[int, Sequence[str | int]]], outputs: Sequence[str]
    ) -> bytes:
        """The model in the ONNX format; the weights lie outside it and are given to the session."""
        graph = [_bytes(1, node) for node in self.nodes]
        graph.append(_text(2, "equimut"))
        graph += [_bytes(5, _outside(name, value)) for name, value in self.weights.items()]
        graph += [_bytes(11, _value(name, *kind)) for name, kind in inputs.items()]
        graph += [_bytes(12, _text(1, name)) for name in outputs]
        return b"".join(
            (
                _number(1, _IR_VERSION),
                _text(2, "equimut"),
                _bytes(7, b"".join(graph)),
                _bytes(8, _number(2, _OPSET)),
            )
        )


_NORM = ("weight", "bias")


def encoder_graph(weights: Weights, shape: EncoderShape, *, edits: bool) -> tuple[Graph, bytes]:
    """Sequences in, [V, hidden] states of `<s>` out; with `edits` also the mean of the edited.

    Inputs are the arrays of `inputs.sequences.Sequences`, and `places`, the positions that a view
    needs of all sequences in a row: `starts` says which of these are the views' `<s>`, `edited`
    which are edited positions, with the view of each and its share of the mean.
    """
    graph = Graph(hidden=_width(weights))
    states = _embedded(graph, weights, shape)
    mask = graph.add(
        "Where",
        "attention_mask",
        graph.weight("seen", np.float32(0)),
        graph.weight("hidden", np.float32(np.finfo(np.float32).min)),
    )
    flat = graph.weight("flat", [-1, _width(weights)], np.int64)
    for layer in range(shape.layers):
        name = f"encoder.layer.{layer}"
        seen = _attention(graph, weights, shape, name, states, mask)
        if layer == shape.layers - 1:  # nobody looks at the other positions any more
            states, seen = (
                graph.add("Gather", graph.add("Reshape", each, flat), "places", axis=0)
                for each in (states, seen)
            )
        states = _dense(graph, weights, shape, name, states, seen)
    parts = [graph.add("Gather", states, "starts", axis=0)]
    if edits:
        each = graph.add("Mul", graph.add("Gather", states, "edited", axis=0), "edited_share")
        parts.append(_sums(graph, each, "edited_of", graph.add("Shape", "starts", end=1), "edits"))
    graph.add("Concat", *parts, to="features", axis=-1)
    inputs: dict[str, tuple[int, Sequence[str | int]]] = {
        "input_ids": (INT64, ("U", "L")),
        "position_ids": (INT64, ("U", "L")),
        "attention_mask": (BOOL, ("U", 1, "L", "L")),
        "node_places": (INT64, ("M", 2)),
        "node_ids": (INT64, ("K",)),
        "node_of": (INT64, ("K", 1)),
        "node_share": (FLOAT, ("K", 1)),
        "places": (INT64, ("P",)),
        "starts": (INT64, ("V",)),
    }
    if edits:
        inputs |= {
            "edited": (INT64, ("E",)),
            "edited_of": (INT64, ("E", 1)),
            "edited_share": (FLOAT, ("E", 1)),
        }
    return graph, graph.model(inputs, ["features"])


def head_graph(
    weights: Weights, hidden: int, *, edits: bool, normalize: bool, distance: Compared | None
) -> tuple[Graph, bytes]:
    """Features of both sides in, [N, 2] logits and [N, hidden] states out."""
    graph = Graph()
    ends = [graph.weight(f"at_{at}", [at * hidden], np.int64) for at in range(3)]
    last = graph.weight("last_axis", [-1], np.int64)
    sides = {}
    for side in ("origin", "mutant"):
        sides[side, "cls"] = graph.add("Slice", side, ends[0], ends[1], last)
        if edits:
            sides[side, "edit"] = graph.add("Slice", side, ends[1], ends[2], last)
    parts = [sides["origin", "cls"], sides["mutant", "cls"]]
    if normalize:
        parts = [_normalized(graph, part) for part in parts]
    if edits:
        both = sides["origin", "edit"], sides["mutant", "edit"]
        parts += [*both, graph.add("Sub", both[1], both[0])]
    dense = graph.linear(graph.add("Concat", *parts, axis=-1), weights, "dense")
    state = graph.add("Tanh", dense, to="state")
    logits = graph.linear(state, weights, "out")
    graph.weight("half_each", [[-0.5, 0.5]])
    inputs: dict[str, tuple[int, Sequence[str | int]]] = {
        "origin": (FLOAT, ("N", (1 + edits) * hidden)),
        "mutant": (FLOAT, ("N", (1 + edits) * hidden)),
    }
    if distance is not None:
        logits = _moved(graph, logits, _near(graph, weights, sides, distance))
    if "wide.weight" in weights:
        inputs |= {"buckets": (INT64, ("K",)), "bucket_of": (INT64, ("K", 1))}
        table = graph.weight("wide.weight", weights["wide.weight"])
        count = graph.add("Shape", logits, end=1)
        none = graph.add("Expand", graph.weight("zero", [[0.0]]), graph.add(
            "Concat", count, graph.weight("width", [1], np.int64), axis=0))  # fmt: skip
        each = graph.add("Gather", table, "buckets", axis=0)
        total = graph.add("ScatterElements", none, "bucket_of", each, axis=0, reduction="add")
        logits = _moved(graph, logits, total)
    graph.add("Identity", logits, to="logits")
    return graph, graph.model(inputs, ["logits", "state"])


def _embedded(graph: Graph, weights: Weights, shape: EncoderShape) -> str:
    """Words, nodes as the mean of their sub-tokens, and positions."""
    table = graph.weight("words", weights["embeddings.word_embeddings.weight"])
    words = graph.add("Gather", table, "input_ids", axis=0)
    pieces = graph.add("Mul", graph.add("Gather", table, "node_ids", axis=0), "node_share")
    nodes = _sums(graph, pieces, "node_of", graph.add("Shape", "node_places", end=1), "nodes")
    embedded = graph.add("ScatterND", words, "node_places", nodes)
    # One type for all tokens, so its embedding is a part of every position's.
    places = weights["embeddings.position_embeddings.weight"]
    places = places + weights["embeddings.token_type_embeddings.weight"][0]
    at = graph.add("Gather", graph.weight("position_table", places), "position_ids", axis=0)
    placed = graph.add("Add", embedded, at)
    return graph.norm(placed, weights, "embeddings.LayerNorm", shape.epsilon)


def _width(weights: Weights) -> int:
    return int(weights["embeddings.word_embeddings.weight"].shape[1])


def _sums(graph: Graph, parts: str, group: str, number: str, name: str) -> str:
    """[groups, hidden] The sum of the parts of each group; a group without parts is nothing."""
    width = graph.weight(f"{name}.width", [graph.hidden], np.int64)
    size = graph.add("Concat", number, width, axis=0)
    nothing = graph.add("Expand", graph.weight(f"{name}.nothing", [0.0]), size)
    return graph.add("ScatterND", nothing, group, parts, reduction="add")


def _attention(
    graph: Graph, weights: Weights, shape: EncoderShape, name: str, states: str, mask: str
) -> str:
    names = [f"{name}.attention.self.{part}" for part in ("query", "key", "value")]
    parts = [graph.linear(states, weights, each) for each in names]
    return graph.add("Attention", *parts, mask, q_num_heads=shape.heads, kv_num_heads=shape.heads)


def _dense(
    graph: Graph, weights: Weights, shape: EncoderShape, name: str, states: str, seen: str
) -> str:
    own = f"{name}.attention"
    joined = graph.add("Add", graph.linear(seen, weights, f"{own}.output.dense"), states)
    states = graph.norm(joined, weights, f"{own}.output.LayerNorm", shape.epsilon)
    inner = graph.add("Gelu", graph.linear(states, weights, f"{name}.intermediate.dense"))
    joined = graph.add("Add", graph.linear(inner, weights, f"{name}.output.dense"), states)
    return graph.norm(joined, weights, f"{name}.output.LayerNorm", shape.epsilon)


def _normalized(graph: Graph, value: str) -> str:
    """Of length 1; nothing stays nothing."""
    axes = graph.weight("norm_axes", [-1], np.int64)
    length = graph.add("ReduceL2", value, axes, keepdims=1)
    least = graph.weight("least", np.float32(1e-12))
    return graph.add("Div", value, graph.add("Max", length, least))


def _near(
    graph: Graph, weights: Weights, sides: Mapping[tuple[str, str], str], distance: Compared
) -> str:
    """What the distance of the embeddings adds: itself, and its place between the verges."""
    parts = ("cls", "edit") if distance == "both" else (distance,)
    found = []
    for part in parts:
        if ("origin", part) not in sides:
            raise EquimutError(f"embeddings {distance!r} need model.pooling = 'edit'")
        both = [_normalized(graph, sides[side, part]) for side in ("origin", "mutant")]
        axes = graph.weight("norm_axes", [-1], np.int64)
        found.append(graph.add("ReduceSum", graph.add("Mul", *both), axes, keepdims=1))
    cosine = graph.add("Mean", *found)
    half = graph.weight("half", np.float32(0.5))
    apart = graph.add("Sub", half, graph.add("Mul", cosine, half))
    low, high = graph.weight("nought", np.float32(0)), graph.weight("whole", np.float32(1))
    apart = graph.add("Clip", apart, low, high)
    outer, inner = (float(value) for value in weights["verges"])
    gap = graph.weight("gap", np.float32(max(outer - inner, _SMALLEST_GAP)))
    place = graph.add("Div", graph.add("Sub", apart, graph.weight("inner", np.float32(inner))), gap)
    bounds = [graph.weight(f"bound_{at}", np.float32(at)) for at in (-4, 5)]
    both_ = graph.add("Concat", apart, graph.add("Clip", place, *bounds), axis=-1)
    return graph.linear(both_, weights, "near")


def _moved(graph: Graph, logits: str, margin: str) -> str:
    return graph.add("Add", logits, graph.add("Mul", margin, "half_each"))


# The format: fields of a number and a value, https://protobuf.dev/programming-guides/encoding.


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)


def _number(field_number: int, value: int) -> bytes:
    return _varint(field_number << 3) + _varint(value)


def _bytes(field_number: int, value: bytes) -> bytes:
    return _varint(field_number << 3 | 2) + _varint(len(value)) + value


def _text(field_number: int, value: str) -> bytes:
    return _bytes(field_number, value.encode())


def _attribute(name: str, value: object) -> bytes:
    if isinstance(value, int):
        return _text(1, name) + _number(3, value) + _number(20, 2)
    if isinstance(value, float):
        return _text(1, name) + _varint(2 << 3 | 5) + struct.pack("<f", value) + _number(20, 1)
    return _text(1, name) + _text(4, str(value)) + _number(20, 3)


def _outside(name: str, value: npt.NDArray[np.generic]) -> bytes:
    """A tensor whose values the session is given by name."""
    kind = INT64 if value.dtype == np.int64 else FLOAT
    dimensions = b"".join(_number(1, size) for size in value.shape)
    if value.nbytes < _SMALL:
        return dimensions + _number(2, kind) + _text(8, name) + _bytes(9, value.tobytes())
    place = _bytes(13, _text(1, "location") + _text(2, "weights"))
    return dimensions + _number(2, kind) + _text(8, name) + place + _number(14, 1)


_SMALL = 128
"""Bytes of a weight below which it is a part of the graph: shapes are worked out from these."""


def outside(graph: Graph) -> dict[str, npt.NDArray[np.generic]]:
    """The weights that a session must be given."""
    return {name: value for name, value in graph.weights.items() if value.nbytes >= _SMALL}


def _value(name: str, kind: int, shape: Sequence[str | int]) -> bytes:
    sizes = b"".join(
        _bytes(1, _number(1, size) if isinstance(size, int) else _text(2, size)) for size in shape
    )
    return _text(1, name) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, sizes)))
