"""How far mutants lie from their origin, by label, before and after training.

A mutant is one observation in these tests. Mutants of one origin hang together, so the p-values
are too small; the same is true of the published ones.
"""

from collections.abc import Mapping

import numpy as np

from equimut.analysis.embeddings import EmbeddedPairs
from equimut.evaluation.arrays import Floats, Integers
from equimut.evaluation.significance import Significance, mann_whitney, welch, wilcoxon_over_seeds
from equimut.records import Record

LABELS: Mapping[int, str] = {0: "non-equivalent", 1: "equivalent"}


class Spread(Record):
    """Distances of one label at one moment."""

    mean: float
    deviation: float
    median: float
    count: int

    @classmethod
    def of(cls, values: Floats) -> "Spread | None":
        """None without values."""
        if not values.size:
            return None
        deviation = float(values.std(ddof=1)) if values.size > 1 else 0.0
        return cls(
            mean=float(values.mean()),
            deviation=deviation,
            median=float(np.median(values)),
            count=int(values.size),
        )


class Moment(Record):
    """The two labels at one moment."""

    name: str
    non_equivalent: Spread | None
    equivalent: Spread | None
    between_labels: tuple[Significance, ...]
    """Welch and Mann-Whitney: non-equivalents against equivalents."""
    ratio: float | None
    """Mean distance of the non-equivalents over that of the equivalents."""


class DistanceTable(Record):
    """The same mutants at two moments."""

    rows: str
    """Which rows these are."""
    before: Moment
    after: Moment
    change: Mapping[str, tuple[Significance, ...]]
    """By label: the paired Wilcoxon test of before against after, then Mann-Whitney and Welch."""
    moved_more: Significance | None = None
    """Mann-Whitney: the changes of the non-equivalents against those of the equivalents."""


def moment(name: str, distance: Floats, label: Integers) -> Moment:
    """Distances by label, and whether the labels differ."""
    others, equivalents = distance[label == 0], distance[label == 1]
    tests: tuple[Significance, ...] = ()
    if others.size and equivalents.size:
        tests = welch(others, equivalents), mann_whitney(others, equivalents)
    return Moment(
        name=name,
        non_equivalent=Spread.of(others),
        equivalent=Spread.of(equivalents),
        between_labels=tests,
        ratio=_ratio(others, equivalents),
    )


def _ratio(others: Floats, equivalents: Floats) -> float | None:
    """None where there is nothing to divide, or nothing to divide by."""
    if not others.size or not equivalents.size or not equivalents.mean():
        return None
    return float(others.mean() / equivalents.mean())


def distance_table(
    rows: str, before: tuple[str, EmbeddedPairs], after: tuple[str, EmbeddedPairs]
) -> DistanceTable:
    """Two models on the same pairs, in the same order."""
    label = after[1].label
    change = {}
    for value, name in LABELS.items():
        old, new = (group.distance[label == value] for _, group in (before, after))
        if old.size:
            change[name] = (wilcoxon_over_seeds(new, old), mann_whitney(new, old), welch(new, old))
    moved = after[1].distance - before[1].distance
    both = moved[label == 0], moved[label == 1]
    return DistanceTable(
        moved_more=mann_whitney(*both) if both[0].size and both[1].size else None,
        rows=rows,
        before=moment(before[0], before[1].distance, label),
        after=moment(after[0], after[1].distance, label),
        change=change,
    )
