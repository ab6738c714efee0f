"""Colours of a heat map: a scale that grows darker evenly, and ink that can be read on it."""

from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from equimut.study.matrix import Matrix

SCALE = "cividis"
"""Even in lightness, and the same for eyes that miss red or green."""


def heat_colours(value: float, low: float, high: float) -> tuple[str, str]:
    """Background and ink of a value on a scale from low to high."""
    share = 0.5 if high <= low else (value - low) / (high - low)
    colour = colormaps[SCALE](0.12 + 0.83 * min(max(share, 0.0), 1.0))[:3]
    # Of black and white the one with more contrast, by the light the eye sees (WCAG 2).
    linear = [
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in colour
    ]
    light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return to_hex(colour), "#000000" if (light + 0.05) ** 2 > 0.05 * 1.05 else "#ffffff"


def draw_matrix(found: Matrix) -> Figure:
    """The matrix as a picture: P, R and F1 in each cell, coloured by F1."""
    margins, weights = found.margins, found.weights
    figure = Figure(
        figsize=(1.15 * len(margins) + 1.6, 0.85 * len(weights) + 1.5), layout="constrained"
    )
    panel: Axes = figure.subplots()
    values = [cell.f1 for cell in found.cells]
    for row, weight in enumerate(weights):
        for column, margin in enumerate(margins):
            cell = found.at(margin, weight)
            if cell is None:
                panel.text(column, row, "-", ha="center", va="center", color="#666666")
                continue
            background, ink = heat_colours(cell.f1, min(values), max(values))
            panel.fill_between(
                (column - 0.5, column + 0.5), row - 0.5, row + 0.5, color=background, linewidth=0
            )
            text = f"P {cell.precision:.1f}\nR {cell.recall:.1f}\nF1 {cell.f1:.2f}"
            weight_of_text = "bold" if cell == found.best else "normal"
            panel.text(
                column, row, text, ha="center", va="center", color=ink, fontsize=8.5,
                fontweight=weight_of_text,
            )  # fmt: skip
    panel.set_xticks(range(len(margins)), [f"{margin:g}" for margin in margins])
    panel.set_yticks(range(len(weights)), [f"{weight:g}" for weight in weights])
    panel.set_xlim(-0.5, len(margins) - 0.5)
    panel.set_ylim(len(weights) - 0.5, -0.5)
    panel.set_xlabel("margin (the paper's zeta)")
    panel.set_ylabel("weight (the paper's lambda)")
    panel.set_title(f"{found.loss}, {found.data}: median F1 {found.median_f1:.2f}", fontsize=11)
    return figure
