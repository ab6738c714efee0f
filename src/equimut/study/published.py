"""The figures of "Cluster Purge Loss" (Danilov, Nourbakhsh and Schommer), to stand beside ours.

All in per cent, macro-averaged, as its tables and appendices give them; one run per cell, the best
of a grid chosen on the test rows.
"""

from collections.abc import Mapping

from equimut.records import Record


class Figures(Record):
    """Precision, recall and F1 in per cent."""

    precision: float
    recall: float
    f1: float


class PublishedGrid(Record):
    """The best cell of a published grid."""

    weight: float
    margin: float


SOURCE = "Danilov, Nourbakhsh, Schommer: Cluster Purge Loss"
DATASETS: Mapping[str, str] = {"java": "emd-java", "c": "mutantbench-c"}
"""By language: the data the paper works on."""
MAIN_DATA = "java"
"""The language for whose data the paper also gives margins, triplets and distances."""

BEST: Mapping[str, Mapping[str, Figures]] = {
    "java": {
        "cpl": Figures(precision=95.31, recall=85.41, f1=89.46),
        "contrastive": Figures(precision=92.75, recall=84.84, f1=88.18),
        "base": Figures(precision=90.19, recall=84.84, f1=87.22),
        "base-tian": Figures(precision=94.33, recall=81.81, f1=86.58),
    },
    "c": {
        "cpl": Figures(precision=97.30, recall=95.52, f1=96.38),
        "contrastive": Figures(precision=96.88, recall=93.75, f1=95.22),
        "base": Figures(precision=94.15, recall=95.37, f1=94.74),
    },
}
"""By language and loss; `base-tian` is the earlier publication's own figure for the base."""

BEST_CELLS: Mapping[tuple[str, str], PublishedGrid] = {
    ("java", "cpl"): PublishedGrid(weight=1.15, margin=-0.05),
    ("c", "cpl"): PublishedGrid(weight=1.30, margin=-0.01),
    ("c", "contrastive"): PublishedGrid(weight=1.05, margin=0.09),
}
MEDIANS: Mapping[tuple[str, str], float] = {
    ("java", "cpl"): 87.52,
    ("java", "contrastive"): 86.65,
}
TRIPLET_F1 = 64.37


class PublishedDistances(Record):
    """Mean and deviation of the distance to the origin, base model and CPL."""

    base: tuple[float, float]
    cpl: tuple[float, float]
    p_value: str


DISTANCES: Mapping[str, PublishedDistances] = {
    "non-equivalent": PublishedDistances(
        base=(0.105, 0.133), cpl=(0.398, 0.303), p_value="< 0.0001"
    ),
    "equivalent": PublishedDistances(base=(0.111, 0.215), cpl=(0.189, 0.284), p_value="0.83"),
}
RATIOS = (0.95, 2.11)
"""Non-equivalent over equivalent mean distance: base model, CPL."""
HOURS_PER_RUN: Mapping[str, float] = {"java": 2.25, "c": 1.4}
"""GPU-hours on an RTX 4060."""
HOURS = 351.0
CLASSES = (1408, 2001)
"""The two Java origins whose embeddings are shown."""
