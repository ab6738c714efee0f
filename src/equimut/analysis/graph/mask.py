"""The attention mask of a whole graph, one place per token, by the reason a place sees another."""

from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch

from equimut.inputs.encode import encode_graph
from equimut.inputs.sequences import attention_mask
from equimut.inputs.subtokens import SpecialIds, SubTokenGraph
from equimut.inputs.window import Limits
from equimut.parsing.flow.graph import DataFlowGraph

KINDS = (
    "does not see it",
    "a token sees a token",
    "<s> and </s> see everything",
    "a node and its own token see each other",
    "a node sees where its value comes from",
    "a node that is alone sees itself",
)
COLOURS = ("#ffffff", "#dbe7f5", "#9dbbe0", "#f0a35e", "#c8553d", "#8c959f")
_INK, _FRAME = "#24292f", "#d8dee4"
_SMALLEST_PRINT = 3.5


def mask_kinds(graph: DataFlowGraph) -> npt.NDArray[np.int8]:
    """[places, places] index into `KINDS`: what the row's place sees, and why."""
    tokens, nodes = len(graph.tokens), len(graph.nodes)
    whole = SubTokenGraph(
        words=tuple(token.text for token in graph.tokens),
        ids=np.zeros(tokens, np.int32),
        starts=np.arange(tokens + 1, dtype=np.int32),
        node_words=np.array([node.token for node in graph.nodes], np.int32),
        sources=tuple(node.sources for node in graph.nodes),
    )
    limits = Limits(
        name="whole", max_length=tokens + nodes + 4, nodes=nodes, code=tokens + 1, window="start"
    )
    encoded = encode_graph(whole, SpecialIds(0, 0, 0, 0), limits)
    mask = attention_mask(encoded)
    code = encoded.token_count
    kinds = np.zeros(mask.shape, np.int8)
    kinds[:code, :code] = 1
    kinds[:code, code:] = 3
    kinds[code:, :code] = 3
    kinds[code:, code:] = 4
    alone = code + np.flatnonzero(~mask[code:, :code].any(axis=1))
    kinds[alone, alone] = 5
    kinds[[0, code - 1], :] = 2
    return np.where(mask, kinds, 0)


def draw_mask(axes: Axes, graph: DataFlowGraph, inches: float) -> None:
    """Who sees whom, on square axes of this size: rows look at columns."""
    kinds = mask_kinds(graph)
    tokens, places = len(graph.tokens) + 2, len(kinds)
    colours = ListedColormap(COLOURS)
    axes.imshow(kinds, cmap=colours, vmin=0, vmax=len(COLOURS) - 1, interpolation="nearest")
    for edge in (0.5, tokens - 1.5, tokens - 0.5):
        axes.axhline(edge, color=_FRAME, lw=0.6)
        axes.axvline(edge, color=_FRAME, lw=0.6)
    texts = [_shortened(token.text) for token in graph.tokens]
    labels = ["<s>", *texts, "</s>", *(texts[node.token] for node in graph.nodes)]
    size = min(inches * 66 / places, 8.0)
    if size >= _SMALLEST_PRINT:
        print_style: dict[str, Any] = {"size": size, "family": "monospace", "parse_math": False}
        axes.set_xticks(range(places), labels, rotation=90, **print_style)
        axes.set_yticks(range(places), labels, **print_style)
    else:  # too many to read: name the two parts
        middles = ((tokens - 1) / 2, (tokens + places - 1) / 2)
        names = ("tokens", "nodes") if places > tokens else ("tokens", "")
        axes.set_xticks(middles, names, size=8)
        axes.set_yticks(middles, names, size=8, rotation=90, va="center")
    axes.tick_params(length=0, pad=2, colors=_INK, labeltop=True, labelbottom=False)
    for spine in axes.spines.values():
        spine.set_color(_FRAME)
    present = [kind for kind in range(1, len(KINDS)) if (kinds == kind).any()]
    axes.legend(
        handles=[Patch(fc=COLOURS[kind], ec=_FRAME, label=KINDS[kind]) for kind in present],
        title="attention: a row sees its coloured columns",
        title_fontsize=8.5,
        alignment="left",
        loc="upper left",
        bbox_to_anchor=(0, -0.01),
        borderaxespad=0,
        borderpad=0.2,
        frameon=False,
        fontsize=8,
        labelcolor=_INK,
    )


def _shortened(text: str) -> str:
    return text if len(text) <= 12 else text[:11] + "…"
