"""A class in the plane, before and after training: its origin and its mutants."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from equimut.analysis.embeddings import EmbeddedPairs, around_one_origin
from equimut.analysis.pictures.palette import COLOURS, FAINT, INK, MARKERS, NAMES
from equimut.analysis.projection import Projection, pca, tsne
from equimut.evaluation.arrays import Integers

Stage = tuple[str, EmbeddedPairs]


def draw_class(class_id: int, stages: Sequence[Stage]) -> Figure:
    """A row of panels per moment: t-SNE on the left, PCA on the right."""
    figure = Figure(figsize=(8.4, 3.9 * len(stages) + 0.9), layout="constrained")
    rows = figure.subplots(len(stages), 2, squeeze=False)
    for row, (name, group) in zip(rows, stages, strict=True):
        points = around_one_origin(group)
        for panel, projection in zip(row, (tsne(points), pca(points)), strict=True):
            _draw(panel, projection, group.label, name)
    figure.suptitle(f"class {class_id}: the origin and its mutants", fontsize=13)
    figure.legend(
        handles=_legend(stages[-1][1].label),
        loc="outside lower center",
        ncols=3,
        frameon=False,
        fontsize=11,
    )
    return figure


def draw_panel(group: EmbeddedPairs, stage: str, method: str) -> Figure:
    """One panel by itself, for a page whose columns follow the width of the screen."""
    figure = Figure(figsize=(4.4, 4.4), layout="constrained")
    points = around_one_origin(group)
    _draw(figure.subplots(), tsne(points) if method == "t-SNE" else pca(points), group.label, stage)
    figure.legend(
        handles=_legend(group.label),
        loc="outside lower center",
        ncols=3,
        frameon=False,
        fontsize=9,
        handletextpad=0.2,
        columnspacing=1.0,
    )
    return figure


def _draw(panel: Axes, projection: Projection | None, label: Integers, stage: str) -> None:
    panel.set(xticks=[], yticks=[])
    for spine in panel.spines.values():
        spine.set_color(FAINT)
    if projection is None:
        panel.set_title(stage, fontsize=11)
        panel.text(
            0.5,
            0.5,
            "too few different points for t-SNE",
            ha="center",
            va="center",
            transform=panel.transAxes,
            color=INK,
        )
        return
    panel.set_title(f"{stage}\n{projection.method}", fontsize=11)
    mutants = projection.points[1:]
    for value in (0, 1):
        rows = label == value
        panel.scatter(
            mutants[rows, 0],
            mutants[rows, 1],
            s=30,
            marker=MARKERS[value],
            color=COLOURS[value],
            alpha=0.75,
            linewidths=1.4,
        )
    panel.plot(
        *projection.points[0],
        marker="*",
        markersize=17,
        color=INK,
        markeredgecolor="white",
        zorder=4,
    )
    panel.margins(0.09)


def _legend(label: Integers) -> list[Line2D]:
    entries = [Line2D([], [], color=INK, marker="*", markersize=13, linestyle="", label="origin")]
    for value in (1, 0):
        number = int(np.count_nonzero(label == value))
        entries.append(
            Line2D(
                [],
                [],
                color=COLOURS[value],
                marker=MARKERS[value],
                linestyle="",
                label=f"{NAMES[value]} ({number})",
            )
        )
    return entries
