"""Pictures of the study: differences between losses with intervals, and grids as heat maps."""

from collections.abc import Iterator, Sequence

from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import ListedColormap, Normalize, to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from equimut.evaluation.comparison import Gain
from equimut.study.assembly import LanguageStudy, Study
from equimut.study.matrix import Matrix
from equimut.study.published import LANGUAGES
from equimut.study.result_rows import FEW_RUNS, LOSS_NAMES
from equimut.study.sweep_table import learning_curves

# Even in lightness, and the same for eyes that miss red or green; without its ends, on which
# neither black nor white ink stands out.
SCALE = ListedColormap([colormaps["cividis"](0.12 + 0.83 * step / 255) for step in range(256)])
SHOWN_METRICS = {"macro_f1": "macro-F1", "average_precision": "average precision"}
_LOSSES = {"cpl": ("#00629b", "o", -0.18), "contrastive": ("#a63c00", "s", 0.18)}
"""Colour, marker and offset of a loss."""


def heat_colours(value: float, low: float, high: float) -> tuple[str, str]:
    """Background and ink of a value on a scale from low to high."""
    share = 0.5 if high <= low else (value - low) / (high - low)
    colour = SCALE(min(max(share, 0.0), 1.0))[:3]
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
        figsize=(1.15 * len(margins) + 2.6, 0.85 * len(weights) + 1.5), layout="constrained"
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
            text = f"P {cell.precision:.2f}\nR {cell.recall:.2f}\nF1 {cell.f1:.2f}"
            weight_of_text = "bold" if cell == found.best else "normal"
            panel.text(
                column, row, text, ha="center", va="center", color=ink, fontsize=8.5,
                fontweight=weight_of_text,
            )  # fmt: skip
    panel.set_xticks(range(len(margins)), [f"{margin:.2f}" for margin in margins])
    panel.set_yticks(range(len(weights)), [f"{weight:.2f}" for weight in weights])
    panel.set_xlim(-0.5, len(margins) - 0.5)
    panel.set_ylim(len(weights) - 0.5, -0.5)
    panel.set_xlabel("margin (the paper's zeta)")
    panel.set_ylabel("weight (the paper's lambda)")
    panel.set_title(f"{found.loss}, {found.data}: median F1 {found.median_f1:.2f}", fontsize=11)
    scale = ScalarMappable(Normalize(min(values), max(values)), SCALE)
    figure.colorbar(scale, ax=panel, label="macro-F1, %", fraction=0.05)
    return figure


def draw_differences(languages: Sequence[LanguageStudy], metric: str) -> Figure | None:
    """Each loss minus cross-entropy alone in one metric, by language and protocol; None if none."""
    rows = list(_rows(languages, metric))
    if not rows:
        return None
    figure = Figure(figsize=(5.2, 0.62 * len(rows) + 1.5), layout="constrained")
    panel: Axes = figure.subplots()
    panel.axvline(0, color="#1d2329", linewidth=1)
    for row, (_, gains) in enumerate(rows):
        for loss, gain in gains.items():
            colour, marker, offset = _LOSSES[loss]
            if gain.low is not None and gain.high is not None:
                panel.plot(
                    (100 * gain.low, 100 * gain.high), (row + offset, row + offset), color=colour,
                    linewidth=1.8, linestyle=":" if gain.runs <= FEW_RUNS else "-",
                )  # fmt: skip
            panel.plot(
                100 * gain.mean, row + offset, color=colour, marker=marker, markersize=7,
                markerfacecolor=colour if gain.settled else "white", markeredgewidth=1.6,
            )  # fmt: skip
    panel.set_yticks(range(len(rows)), [label for label, _ in rows], fontsize=11)
    panel.set_ylim(len(rows) - 0.5, -0.5)
    panel.tick_params(axis="y", length=0)
    panel.grid(axis="x", color="#d9dee3", linewidth=0.8)
    panel.set_axisbelow(True)
    for side in ("top", "right", "left"):
        panel.spines[side].set_visible(False)
    panel.set_xlabel(f"difference in {SHOWN_METRICS[metric]}, points", fontsize=11)
    for text, side in (("← worse ", "right"), (" better →", "left")):
        panel.annotate(text, (0, 1), (0, 4), ("data", "axes fraction"), "offset points", ha=side)
    handles = [
        Line2D([], [], color=colour, marker=marker, label=f"{LOSS_NAMES[loss]} loss")
        for loss, (colour, marker, _) in _LOSSES.items()
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=2, frameon=False, fontsize=11)
    return figure


def length_pictures(study: Study) -> dict[str, Figure | None]:
    """Learning curves at the paper's length, by the name the page gives them."""
    tables = {
        f"curves-{each.language}-{table.protocol}-{table.pooling}": (
            LANGUAGES[each.language],
            table,
        )
        for each in study.languages
        if each.full_length is not None
        for table in each.full_length.tables
    }
    if study.benchmark is not None:
        tables["curves-benchmark"] = ("benchmark", study.benchmark)
    colours = ["#5b6670", _LOSSES["contrastive"][0], _LOSSES["cpl"][0], "#7a3e9d"]
    return {
        name: learning_curves(table.curves, f"{data}, {table.title} (runs)", "test rows", colours)
        for name, (data, table) in tables.items()
        if any(table.curves.values())
    }


def _rows(languages: Sequence[LanguageStudy], metric: str) -> Iterator[tuple[str, dict[str, Gain]]]:
    for study in languages:
        for table in study.protocols:
            gains = {
                each.first: each.gains[metric]
                for each in table.contrasts
                if each.second == "base" and each.first in _LOSSES and metric in each.gains
            }
            if gains:
                runs = max(gain.runs for gain in gains.values())
                yield f"{LANGUAGES[study.language]}, {table.protocol}\n{runs} runs", gains
