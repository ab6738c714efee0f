"""What predictors reach on whole projects that nothing was fitted on, at a realistic base rate."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from equimut.evaluation.arrays import group_numbers
from equimut.evaluation.intervals import Interval, percentile_interval
from equimut.evaluation.weighted import (
    PRECISIONS,
    WeightedRows,
    average_precision,
    calibration_error,
    f1,
    macro,
    recall_at,
)
from equimut.mutation.table import family
from equimut.pretraining.stacking.rows import Floats, StackRow, base_rate_weights
from equimut.records import Record

RESAMPLES = 400
LEAST = 10
"""Equivalents, below which a group gets no figures."""
METRICS: Mapping[str, Callable[[WeightedRows], Floats]] = {
    "average_precision": average_precision,
    **{name: recall_at(target) for name, target in PRECISIONS.items()},
    "calibration_error": calibration_error,
    "macro_f1": lambda rows: macro(f1, rows),
}


class GroupMeasured(Record):
    """What one predictor reaches on one group of rows."""

    predictor: str
    group: str
    """All rows, a language, or a family of operators."""
    rows: int
    equivalent: int
    projects: int
    base_rate: float
    """That rows were weighed to."""
    metrics: dict[str, float]
    intervals: dict[str, Interval]
    """Over projects."""


def measured(
    name: str, rows: Sequence[StackRow], probabilities: Floats, base_rate: float
) -> Iterator[GroupMeasured]:
    """A predictor on all rows, by language and by family of operators."""
    for group, places in _groups(rows).items():
        own = [rows[place] for place in places]
        equivalent = sum(row.pair.label for row in own)
        if LEAST <= equivalent <= len(own) - LEAST:
            yield _measured(name, group, own, probabilities[places], base_rate)


def _groups(rows: Sequence[StackRow]) -> Mapping[str, list[int]]:
    found: dict[str, list[int]] = {"all": list(range(len(rows)))}
    for place, row in enumerate(rows):
        for group in (row.pair.language, f"operators: {family(row.pair.operators[0])}"):
            found.setdefault(group, []).append(place)
    return dict(sorted(found.items()))


def _measured(
    name: str, group: str, rows: Sequence[StackRow], probabilities: Floats, base_rate: float
) -> GroupMeasured:
    labels = np.array([row.pair.label for row in rows], np.int64)
    projects = [row.pair.project for row in rows]
    weights = base_rate_weights(rows, base_rate)
    number_of = group_numbers(projects, len(rows))
    count = int(number_of.max()) + 1
    draws = np.random.default_rng(0).multinomial(count, [1 / count] * count, RESAMPLES)
    lines = np.vstack([weights, weights * draws[:, number_of]])
    values = WeightedRows(labels, probabilities, 0.5, lines)
    metrics: dict[str, float] = {}
    intervals: dict[str, Interval] = {}
    for metric, function in METRICS.items():
        found = function(values)
        metrics[metric] = float(found[0])
        interval = percentile_interval(found[1:], count)
        if interval is not None:
            intervals[metric] = interval
    return GroupMeasured(
        predictor=name,
        group=group,
        rows=len(rows),
        equivalent=int(labels.sum()),
        projects=count,
        base_rate=base_rate,
        metrics=metrics,
        intervals=intervals,
    )
