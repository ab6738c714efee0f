"""The picture of cluster purging: each origin in the middle of its own mutants."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from equimut.analysis.pictures.purge_demo import Clusters, PurgeDemo

EQUIVALENT, NON_EQUIVALENT = "#1b7f5c", "#c8443c"
COLOURS = {1: EQUIVALENT, 0: NON_EQUIVALENT}
MARKERS = {1: "o", 0: "x"}


def draw_purge(demo: PurgeDemo) -> Figure:
    """Two rows of panels, before and after; the distance from the centre is the loss's own."""
    classes = len(demo.before.verge)
    figure = Figure(figsize=(3.4 * classes, 8.0), layout="constrained")
    axes = figure.subplots(2, classes, squeeze=False)
    moments = (("before", demo.before), (f"after {demo.steps} steps", demo.after))
    for row, (moment, clusters) in zip(axes, moments, strict=True):
        reach = 1.12 * float(clusters.distance.max())
        for class_id, panel in enumerate(row):
            _draw_cluster(panel, clusters, class_id, reach)
        row[0].set_ylabel(
            f"{moment}\n{100 * clusters.in_order:.0f} % on the right side", fontsize=12
        )
    for class_id, panel in enumerate(axes[0]):
        panel.set_title(f"origin {'ABCDEFGH'[class_id]} and its mutants", fontsize=12)
    figure.suptitle("Cluster purging: equivalents inside, non-equivalents outside", fontsize=15)
    figure.legend(handles=_legend(), loc="outside lower center", ncols=3, frameon=False)
    return figure


def _draw_cluster(panel: Axes, clusters: Clusters, class_id: int, reach: float) -> None:
    for label in (0, 1):
        rows = (clusters.class_id == class_id) & (clusters.label == label)
        radius, angle = clusters.distance[rows], clusters.direction[rows]
        panel.scatter(
            radius * np.cos(angle),
            radius * np.sin(angle),
            s=26,
            marker=MARKERS[label],
            color=COLOURS[label],
            alpha=0.8,
            linewidths=1.4,
        )
        turn = np.linspace(0, 2 * np.pi, 200)
        verge = clusters.verge[class_id, label]
        panel.plot(verge * np.cos(turn), verge * np.sin(turn), "--", color=COLOURS[label], lw=1.4)
    panel.plot(0, 0, marker="*", markersize=15, color="black", zorder=3)
    panel.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xticks=[], yticks=[])
    panel.text(
        0.02,
        0.02,
        f"edge of the panel: distance {reach:.2f}",
        transform=panel.transAxes,
        fontsize=8,
        color="#666666",
    )
    for spine in panel.spines.values():
        spine.set_color("#bbbbbb")


def _legend() -> list[Line2D]:
    def entry(colour: str, **style: object) -> Line2D:
        return Line2D([], [], color=colour, **style)  # type: ignore[arg-type]

    return [
        entry("black", marker="*", markersize=12, linestyle="", label="origin"),
        entry(EQUIVALENT, marker="o", linestyle="", label="equivalent mutant"),
        entry(NON_EQUIVALENT, marker="x", linestyle="", label="non-equivalent mutant"),
        entry(EQUIVALENT, linestyle="--", label="verge of the equivalents"),
        entry(NON_EQUIVALENT, linestyle="--", label="verge of the non-equivalents"),
    ]
