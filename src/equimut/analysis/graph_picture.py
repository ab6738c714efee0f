"""A picture of what the model is given: code, the flow of values through it, and the mask."""

import warnings
from io import BytesIO
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Patch

from equimut.analysis.graph_layout import PlacedToken, names_by_first_use, place_tokens
from equimut.analysis.graph_mask import KINDS, mask_kinds
from equimut.errors import EquimutError
from equimut.parsing.dataflow import DataFlowGraph

FORMATS = ("svg", "png", "pdf")
PALETTE = ("#3b6fb6", "#c8553d", "#2e8b6f", "#8a5fb0", "#b8860b", "#c2528b", "#4a7c23", "#1f8a9e")
_INK, _FAINT, _MARGIN_INK = "#24292f", "#d8dee4", "#8c959f"
_MASK_COLOURS = ("#ffffff", "#dbe7f5", "#9dbbe0", "#f0a35e", "#c8553d", "#eceff2")
_WIDEST = 100
_COLUMN, _ROW = 0.088, 0.30
"""Inches of a character and of a row of code."""


def draw_graph(graph: DataFlowGraph, source: bytes, title: str) -> Figure:
    """Draw code with its data flow on the left and the attention mask on the right."""
    placed = place_tokens(graph, source, _WIDEST)
    rows = placed[-1].row + 1 if placed else 1
    columns = max((token.end for token in placed), default=10)
    code_width = max(columns * _COLUMN + 0.6, 3.5)
    places = len(graph.tokens) + len(graph.nodes) + 2
    side = min(max(3.2, places * 0.055), 11.0)
    height = max(rows * _ROW, side) + 1.5
    width = code_width + side + 1.9
    figure = Figure(figsize=(width, height), facecolor="white")
    FigureCanvasAgg(figure)
    figure.text(
        0.3 / width,
        1 - 0.32 / height,
        title,
        size=13,
        weight="bold",
        color=_INK,
        va="center",
        parse_math=False,
    )
    counts = f"{len(graph.tokens)} tokens, {len(graph.nodes)} graph nodes"
    figure.text(0.3 / width, 1 - 0.6 / height, counts, size=9, color=_MARGIN_INK, va="center")
    code = figure.add_axes((0.3 / width, 0.5 / height, code_width / width, 1 - 1.4 / height))
    _draw_code(code, graph, placed, rows, columns, height - 1.4)
    mask = figure.add_axes(
        ((code_width + 1.4) / width, 1 - (0.9 + side) / height, side / width, side / height)
    )
    _draw_mask(mask, graph)
    return figure


def picture_bytes(figure: Figure, picture_format: str) -> bytes:
    """The file of a picture; the same graph gives the same file."""
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(picture_format, {})
    picture = BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "equimut"}), warnings.catch_warnings():
        # A letter the font does not have is drawn as a box: nothing to talk about.
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        figure.savefig(picture, format=picture_format, dpi=150, metadata=metadata)
    return picture.getvalue()


def format_of(path: Path) -> str:
    """The picture format that a file's suffix asks for."""
    suffix = path.suffix.lower().removeprefix(".")
    if suffix not in FORMATS:
        raise EquimutError(f"{path}: cannot draw {suffix or 'that'!r}; use one of {FORMATS}")
    return suffix


def _draw_code(
    axes: Axes,
    graph: DataFlowGraph,
    placed: tuple[PlacedToken, ...],
    rows: int,
    columns: int,
    height: float,
) -> None:
    """Tokens where the source has them, boxes around nodes, arrows along the flow."""
    axes.set_axis_off()
    axes.set_xlim(-5, columns + 1)
    axes.set_ylim(height / _ROW - 0.5, -0.8)
    colours = {
        name: PALETTE[number % len(PALETTE)] for name, number in names_by_first_use(graph).items()
    }
    nodes = {node.token for node in graph.nodes}
    last_line = 0
    for token in placed:
        if token.line != last_line:
            axes.text(
                -2.2,
                token.row,
                str(token.line),
                size=7.5,
                color=_MARGIN_INK,
                ha="right",
                va="center",
                family="monospace",
            )
            last_line = token.line
        colour = colours[graph.tokens[token.index].text] if token.index in nodes else None
        if colour:
            axes.add_patch(
                FancyBboxPatch(
                    (token.column - 0.15, token.row - 0.30),
                    len(token.text) + 0.3,
                    0.60,
                    boxstyle="round,pad=0,rounding_size=0.25",
                    mutation_aspect=0.4,
                    facecolor=colour,
                    alpha=0.16,
                    linewidth=0,
                    zorder=1,
                )
            )
        # One text per character keeps the columns of the source, whatever the font's width.
        for offset, letter in enumerate(token.text):
            axes.text(
                token.column + offset + 0.5,
                token.row,
                letter,
                size=9.2,
                ha="center",
                va="center",
                family="monospace",
                color=colour or _INK,
                zorder=3,
                weight="bold" if colour else "normal",
                parse_math=False,
            )
    for node in graph.nodes:
        for source in node.sources:
            colour = colours.get(graph.tokens[source].text, _MARGIN_INK)
            _draw_arrow(axes, placed[source], placed[node.token], colour, node.relation)
    axes.legend(
        handles=[
            Line2D([], [], color=_INK, lw=1.1, label="comesFrom: the same value"),
            Line2D([], [], color=_INK, lw=1.1, ls=(0, (3, 2)), label="computedFrom"),
        ],
        loc="lower left",
        bbox_to_anchor=(0, -0.06),
        ncols=2,
        frameon=False,
        fontsize=8,
        labelcolor=_INK,
        handlelength=2.6,
    )


def _draw_arrow(
    axes: Axes, source: PlacedToken, node: PlacedToken, colour: str, relation: str
) -> None:
    """From the place a value comes from to the place it reaches."""
    start = ((source.column + source.end) / 2, source.row)
    end = ((node.column + node.end) / 2, node.row)
    if source.row == node.row:  # an arch above the line
        start, end = (start[0], source.row - 0.28), (end[0], node.row - 0.28)
        span = abs(end[0] - start[0])
        bend = min(0.45, 3.2 / max(span, 1.0)) * (-1 if end[0] > start[0] else 1)
    else:
        down = 1 if node.row > source.row else -1
        start, end = (start[0], source.row + 0.28 * down), (end[0], node.row - 0.28 * down)
        bend = 0.12
    axes.add_patch(
        FancyArrowPatch(
            start,
            end,
            connectionstyle=f"arc3,rad={bend}",
            arrowstyle="-|>",
            mutation_scale=7,
            color=colour,
            linewidth=0.9,
            alpha=0.75,
            shrinkA=0,
            shrinkB=0,
            zorder=2,
            linestyle="-" if relation == "comesFrom" else (0, (3, 2)),
        )
    )


def _draw_mask(axes: Axes, graph: DataFlowGraph) -> None:
    """Who sees whom: rows look at columns."""
    kinds = mask_kinds(graph)
    tokens, places = len(graph.tokens) + 2, len(kinds)
    axes.imshow(
        kinds,
        cmap=ListedColormap(_MASK_COLOURS),
        vmin=0,
        vmax=len(_MASK_COLOURS) - 1,
        interpolation="nearest",
    )
    for edge in (0.5, tokens - 1.5, tokens - 0.5):
        axes.axhline(edge, color="white", lw=0.8)
        axes.axvline(edge, color="white", lw=0.8)
    texts = [token.text for token in graph.tokens]
    labels = ["<s>", *texts, "</s>", *(texts[node.token] for node in graph.nodes)]
    size = float(
        np.clip(axes.figure.get_figwidth() * axes.get_position().width * 62 / places, 0, 8)
    )
    if size >= 3:
        short = [label if len(label) <= 12 else label[:11] + "…" for label in labels]
        axes.set_xticks(
            range(places), short, rotation=90, size=size, family="monospace", parse_math=False
        )
        axes.set_yticks(range(places), short, size=size, family="monospace", parse_math=False)
    else:
        middles = ((tokens - 1) / 2, (tokens + places - 1) / 2)
        names = ("tokens", "nodes")
        axes.set_xticks(middles, names, size=8)
        axes.set_yticks(middles, names, size=8, rotation=90, va="center")
    axes.tick_params(
        length=0, pad=2, colors=_INK, top=True, labeltop=True, bottom=False, labelbottom=False
    )
    for spine in axes.spines.values():
        spine.set_color(_FAINT)
    axes.set_title(
        "attention: a row sees its coloured columns", size=9, color=_INK, loc="left", pad=6
    )
    axes.legend(
        handles=[
            Patch(facecolor=colour, edgecolor=_FAINT, label=kind)
            for colour, kind in zip(_MASK_COLOURS[1:], KINDS[1:], strict=True)
        ],
        loc="upper left",
        bbox_to_anchor=(0, -0.02),
        frameon=False,
        fontsize=8,
        ncols=1,
        labelcolor=_INK,
    )
