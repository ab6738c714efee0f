"""Histograms of the distance to the origin, by label, with the verges drawn in."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from equimut.analysis.embeddings import EmbeddedPairs
from equimut.analysis.pictures.palette import COLOURS, INK, NAMES

Verge = tuple[float | None, float | None]
"""Of the non-equivalents and of the equivalents."""
BINS = 30


def draw_distances(
    title: str, stages: Sequence[tuple[str, EmbeddedPairs]], verges: Sequence[Verge | None]
) -> Figure:
    """A panel per moment, on one scale; equivalents above the line, the others below it."""
    figure = Figure(figsize=(5.6, 2.3 * len(stages) + 1.5), layout="constrained")
    panels = figure.subplots(len(stages), 1, squeeze=False, sharex=True)[:, 0]
    drawn = [value for verge in verges if verge for value in verge if value is not None]
    reach = max([float(group.distance.max()) for _, group in stages] + drawn + [1e-3]) * 1.05
    for panel, (name, group), verge in zip(panels, stages, verges, strict=True):
        _draw(panel, group, verge, reach)
        panel.set_title(name, fontsize=11)
    panels[-1].set_xlabel("distance to the origin, (1 - cosine) / 2", fontsize=11)
    figure.suptitle(title, fontsize=13)
    handles, names = panels[-1].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=1, frameon=False, fontsize=10)
    return figure


def _draw(panel: Axes, group: EmbeddedPairs, verge: Verge | None, reach: float) -> None:
    edges = np.linspace(0, reach, BINS + 1)
    for label, side in ((1, 1), (0, -1)):
        counts, _ = np.histogram(group.distance[group.label == label], edges)
        share = counts / max(counts.sum(), 1)
        panel.bar(
            edges[:-1],
            side * share,
            width=np.diff(edges),
            align="edge",
            color=COLOURS[label],
            alpha=0.8,
            edgecolor="white",
            linewidth=0.4,
            label=f"{NAMES[label]} ({int(counts.sum())})",
        )
    for label in (1, 0):
        value = verge[label] if verge else None
        if value is not None:
            panel.axvline(
                value,
                color=COLOURS[label],
                linestyle="--" if label else ":",
                linewidth=2.2,
                label=f"verge of the {NAMES[label]} mutants: {value:.3g}",
            )
    panel.axhline(0, color=INK, linewidth=0.8)
    top = max(abs(value) for value in panel.get_ylim())
    panel.set_ylim(-top, top)
    panel.set_xlim(0, reach)
    panel.yaxis.set_major_formatter(lambda value, _: f"{100 * abs(value):.0f} %")
    panel.set_ylabel("share of its label", fontsize=10)
