"""Bootstrap intervals that resample whole origins.

Mutants of one origin stand and fall together, so rows are not independent and an interval over
rows is too narrow. Here a resample draws as many origins as there are, with repeats, and takes all
mutants of each.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equimut.errors import DataError
from equimut.evaluation.arrays import Floats, Labels, Probabilities, checked, group_numbers
from equimut.evaluation.metrics import METRICS
from equimut.evaluation.weighted import WEIGHTED, WeightedRows
from equimut.records import Record

CELLS = 2_000_000
"""Weights held at a time: about 16 megabytes, whatever the number of rows and resamples."""


class Interval(Record):
    """A percentile interval."""

    low: float
    high: float
    level: float
    resamples: int
    """Resamples in which the metric was defined; without an equivalent pair, some are not."""
    groups: int
    """Origins that were drawn from. With few of them the interval is rough."""


def bootstrap(
    labels: Labels,
    probabilities: Probabilities,
    groups: Sequence[object] | NDArray[Any],
    metrics: Sequence[str] = METRICS,
    threshold: float = 0.5,
    resamples: int = 1000,
    seed: int = 0,
    level: float = 0.95,
) -> Mapping[str, Interval]:
    """An interval per metric; a metric that no resample defines is left out."""
    drawn = resampled(labels, probabilities, groups, metrics, threshold, resamples, seed)
    number = len(set(groups))
    intervals = {name: percentile_interval(drawn[name], number, level) for name in metrics}
    return {name: found for name, found in intervals.items() if found is not None}


def resampled(
    labels: Labels,
    probabilities: Probabilities,
    groups: Sequence[object] | NDArray[Any],
    metrics: Sequence[str] = METRICS,
    threshold: float = 0.5,
    resamples: int = 1000,
    seed: int = 0,
) -> Mapping[str, Floats]:
    """Every metric in every resample; NaN where it is undefined.

    The same groups and seed draw the same resamples, so the results of two predictors on the same
    rows may be subtracted one by one.
    """
    known, found = checked(labels, probabilities)
    numbers = group_numbers(groups, len(known))
    unknown = [name for name in metrics if name not in WEIGHTED]
    if unknown:
        raise DataError(f"unknown metric {unknown[0]!r}; known: {', '.join(WEIGHTED)}")
    if resamples < 1:
        raise DataError(f"{resamples} resamples give no interval; ask for at least 1")
    if numbers.max() == 0:
        raise DataError(
            "all pairs have the same origin: an interval needs at least two origins to draw from"
        )
    parts = [
        {name: WEIGHTED[name](rows) for name in metrics}
        for rows in (
            WeightedRows(known, found, threshold, weights[:, numbers])
            for weights in _draws(int(numbers.max()) + 1, len(known), resamples, seed)
        )
    ]
    return {name: np.concatenate([part[name] for part in parts]) for name in metrics}


def percentile_interval(values: Floats, groups: int, level: float = 0.95) -> Interval | None:
    """The middle of the values that are numbers; None if none is."""
    if not 0 < level < 1:
        raise DataError(f"level {level} is not between 0 and 1")
    defined = values[~np.isnan(values)]
    if not defined.size:
        return None
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return Interval(
        low=float(low), high=float(high), level=level, resamples=int(defined.size), groups=groups
    )


def _draws(groups: int, rows: int, resamples: int, seed: int) -> Iterator[Floats]:
    """How often each group is drawn, some resamples at a time."""
    chance = np.random.default_rng(seed)
    shares = np.full(groups, 1 / groups)
    size = max(1, CELLS // rows)
    for start in range(0, resamples, size):
        number = min(size, resamples - start)
        yield chance.multinomial(groups, shares, size=number).astype(np.float64)
