"""A picture of what the model is given: code, the flow of values through it, and the mask."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from equimut.analysis.graph.layout import PlacedToken, names_by_first_use, place_tokens
from equimut.analysis.graph.mask import draw_mask
from equimut.parsing.flow.graph import DataFlowGraph

PALETTE = ("#3b6fb6", "#c8553d", "#2e8b6f", "#8a5fb0", "#b8860b", "#c2528b", "#4a7c23", "#1f8a9e")
INK, FAINT = "#24292f", "#8c959f"
_WIDEST = 100
"""Characters of a row of code."""
_COLUMN, _ROW = 0.088, 0.34
"""Inches of a character and of a row of code."""
_MARGIN, _HEADING, _LEGEND, _LABELS = 0.3, 0.95, 1.15, 1.1
"""Inches around everything, above the code, below the mask, left of the mask."""


def draw_graph(graph: DataFlowGraph, source: bytes, title: str, first_line: int = 1) -> Figure:
    """Draw code with its data flow on the left and the attention mask on the right."""
    placed = place_tokens(graph, source, _WIDEST, first_line)
    rows = placed[-1].row + 1 if placed else 1
    columns = max((token.end for token in placed), default=10)
    places = len(graph.tokens) + len(graph.nodes) + 2
    code_width, code_height = max((columns + 6) * _COLUMN, 4.2), rows * _ROW + 0.3
    side = min(max(4.0, places * 0.075), 12.0)
    width = code_width + _LABELS + side + 2 * _MARGIN
    height = _HEADING + max(code_height, side + _LEGEND) + _MARGIN
    figure = Figure(figsize=(width, height), facecolor="white")

    def axes(left: float, across: float, down: float) -> Axes:
        """Axes below the heading, all in inches."""
        bottom = height - _HEADING - down
        box = (left / width, bottom / height, across / width, down / height)
        return figure.add_axes(box)

    _head(figure, title, f"{len(graph.tokens)} tokens, {len(graph.nodes)} graph nodes")
    code = axes(_MARGIN, code_width, code_height)
    code.set_xlim(-5, code_width / _COLUMN - 5)
    code.set_ylim(rows + 0.3 / _ROW - 0.8, -0.8)
    code.set_axis_off()
    _draw_code(code, graph, placed)
    draw_mask(axes(_MARGIN + code_width + _LABELS, side, side), graph, side)
    return figure


def _head(figure: Figure, title: str, counts: str) -> None:
    """Title, counts and what the two kinds of arrows mean."""
    width, height = figure.get_size_inches()
    left = _MARGIN / width
    plain: dict[str, Any] = {"va": "center", "parse_math": False}
    figure.text(left, 1 - 0.32 / height, title, size=13, weight="bold", color=INK, **plain)
    figure.text(left, 1 - 0.58 / height, counts, size=9, color=FAINT, **plain)
    arrows = [
        Line2D([], [], color=INK, lw=1.1, label="comesFrom: the value itself"),
        Line2D([], [], color=INK, lw=1.1, ls=(0, (3, 2)), label="computedFrom: a part of it"),
    ]
    figure.legend(
        handles=arrows,
        loc="center left",
        bbox_to_anchor=(left - 0.08 / width, 1 - 0.8 / height),
        ncols=2,
        frameon=False,
        fontsize=8,
        labelcolor=INK,
        handlelength=2.6,
        borderpad=0.2,
    )


def _draw_code(axes: Axes, graph: DataFlowGraph, placed: tuple[PlacedToken, ...]) -> None:
    """Tokens where the source has them, boxes around nodes, arrows along the flow."""
    colours = {
        name: PALETTE[number % len(PALETTE)] for name, number in names_by_first_use(graph).items()
    }
    nodes = {node.token for node in graph.nodes}
    line = 0
    for token in placed:
        if token.line != line:
            line = token.line
            axes.text(-2.2, token.row, str(line), size=7.5, color=FAINT, ha="right", va="center")
        name = graph.tokens[token.index].text
        _draw_token(axes, token, colours[name] if token.index in nodes else None)
    for node in graph.nodes:
        for source in node.sources:
            colour = colours.get(graph.tokens[source].text, FAINT)
            _draw_arrow(axes, placed[source], placed[node.token], colour, node.relation)


def _draw_token(axes: Axes, token: PlacedToken, colour: str | None) -> None:
    """A token; a node of the graph stands in a box of its variable's colour."""
    if colour is not None:
        box = FancyBboxPatch(
            (token.column - 0.15, token.row - 0.28),
            len(token.text) + 0.3,
            0.56,
            boxstyle="round,pad=0,rounding_size=0.25",
            mutation_aspect=0.4,
            facecolor=colour,
            alpha=0.16,
            linewidth=0,
            zorder=1,
        )
        axes.add_patch(box)
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
            weight="bold" if colour else "normal",
            color=colour or INK,
            parse_math=False,
            zorder=3,
        )


def _draw_arrow(
    axes: Axes, source: PlacedToken, node: PlacedToken, colour: str, relation: str
) -> None:
    """From the place a value comes from to the place it reaches."""
    (left, right), edge = ((token.column + token.end) / 2 for token in (source, node)), 0.27
    if source.row == node.row:  # an arch above the line
        start, end = (left, source.row - edge), (right, node.row - edge)
        bend = min(0.45, 3.2 / max(abs(right - left), 1.0)) * (-1 if right > left else 1)
    else:
        down = edge if node.row > source.row else -edge
        start, end = (left, source.row + down), (right, node.row - down)
        bend = 0.12
    arrow = FancyArrowPatch(
        start,
        end,
        connectionstyle=f"arc3,rad={bend}",
        arrowstyle="-|>",
        mutation_scale=7,
        color=colour,
        linewidth=0.9,
        linestyle="-" if relation == "comesFrom" else (0, (3, 2)),
        alpha=0.75,
        shrinkA=0,
        shrinkB=0,
        zorder=2,
    )
    axes.add_patch(arrow)
