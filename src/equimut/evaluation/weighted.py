"""All metrics of many resamples at once: a resample is how often each row counts.

A row that was drawn three times has weight 3. Counts then come from one matrix product, ranks from
one cumulative sum, and no row is ever copied. Undefined metrics are NaN here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from equimut.evaluation.arrays import Floats, Integers
from equimut.evaluation.calibration import CALIBRATION_BINS, bin_numbers

PRECISIONS = {
    "recall_at_precision_90": 0.90,
    "recall_at_precision_95": 0.95,
    "recall_at_precision_99": 0.99,
}
"""Fields of `Scores` and the precision each of them asks for."""


@dataclass(frozen=True, eq=False)
class WeightedRows:
    """Predicted rows, and weights for each: one line per resample, one column per row."""

    labels: Integers
    probabilities: Floats
    threshold: float
    weights: Floats

    @cached_property
    def counts(self) -> tuple[Floats, Floats, Floats, Floats]:
        """tn, fp, fn, tp of every resample."""
        guesses = self.probabilities >= self.threshold
        cell = 2 * self.labels + guesses
        found = self.weights @ np.eye(4)[cell]
        return found[:, 0], found[:, 1], found[:, 2], found[:, 3]

    @cached_property
    def total(self) -> Floats:
        """Rows of every resample."""
        return np.asarray(self.weights.sum(axis=1))

    @cached_property
    def curve(self) -> tuple[Floats, Floats]:
        """Precision and recall at every distinct probability, from the highest down."""
        order = np.argsort(-self.probabilities, kind="stable")
        ranked = self.probabilities[order]
        ends = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True))
        ordered = self.weights[:, order]
        hits = np.cumsum(ordered * self.labels[order], axis=1)[:, ends]
        called = np.cumsum(ordered, axis=1)[:, ends]
        # Positions before the first drawn row call nothing: they add no recall and promise nothing.
        precision = _divided(hits, called, 0.0)
        return precision, _divided(hits, hits[:, -1:], np.nan)


def macro(part: Callable[[Floats, Floats, Floats], Floats], rows: WeightedRows) -> Floats:
    """The mean of a metric of (true, false positives, false negatives) over both labels."""
    tn, fp, fn, tp = rows.counts
    return (part(tn, fn, fp) + part(tp, fp, fn)) / 2


def precision(tp: Floats, fp: Floats, fn: Floats) -> Floats:
    """Of those called so, the share that is."""
    return _divided(tp, tp + fp, 0.0)


def recall(tp: Floats, fp: Floats, fn: Floats) -> Floats:
    """Of those that are, the share called so."""
    return _divided(tp, tp + fn, 0.0)


def f1(tp: Floats, fp: Floats, fn: Floats) -> Floats:
    """The harmonic mean of both."""
    return _divided(2 * tp, 2 * tp + fp + fn, 0.0)


def average_precision(rows: WeightedRows) -> Floats:
    """Precision, weighed by the recall that each distinct probability adds."""
    reached, found = rows.curve
    return np.asarray((np.diff(found, axis=1, prepend=0.0) * reached).sum(axis=1))


def recall_at(target: float) -> Callable[[WeightedRows], Floats]:
    """The highest recall with at least this precision."""

    def highest(rows: WeightedRows) -> Floats:
        reached, found = rows.curve
        best = np.where(reached >= target, found, 0.0).max(axis=1)
        return np.where(np.isnan(found[:, -1]), np.nan, best)

    return highest


def brier(rows: WeightedRows) -> Floats:
    """Mean squared difference of probability and label."""
    return rows.weights @ (rows.probabilities - rows.labels) ** 2 / rows.total


def calibration_error(rows: WeightedRows) -> Floats:
    """Sum over bins of |summed probability - equivalent|, by rows: the counts cancel out."""
    member = np.eye(CALIBRATION_BINS)[bin_numbers(rows.probabilities, CALIBRATION_BINS)]
    gaps = rows.weights @ (member * (rows.probabilities - rows.labels)[:, None])
    return np.asarray(np.abs(gaps).sum(axis=1) / rows.total)


def mcc(rows: WeightedRows) -> Floats:
    """Matthews' correlation coefficient."""
    tn, fp, fn, tp = rows.counts
    scale = np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    return _divided(tp * tn - fp * fn, scale, 0.0)


def _equivalent(
    part: Callable[[Floats, Floats, Floats], Floats],
) -> Callable[[WeightedRows], Floats]:
    def of(rows: WeightedRows) -> Floats:
        _, fp, fn, tp = rows.counts
        return part(tp, fp, fn)

    return of


WEIGHTED: Mapping[str, Callable[[WeightedRows], Floats]] = {
    "macro_precision": lambda rows: macro(precision, rows),
    "macro_recall": lambda rows: macro(recall, rows),
    "macro_f1": lambda rows: macro(f1, rows),
    "equivalent_precision": _equivalent(precision),
    "equivalent_recall": _equivalent(recall),
    "equivalent_f1": _equivalent(f1),
    "accuracy": lambda rows: (rows.counts[0] + rows.counts[3]) / rows.total,
    "mcc": mcc,
    "average_precision": average_precision,
    **{name: recall_at(target) for name, target in PRECISIONS.items()},
    "brier": brier,
    "calibration_error": calibration_error,
}
"""Every metric of `Scores`, over resamples."""


def _divided(above: Floats, below: Floats, otherwise: float) -> Floats:
    """above / below, and `otherwise` where there is nothing to divide by."""
    shape = np.broadcast_shapes(above.shape, below.shape)
    result = np.full(shape, otherwise)
    np.divide(above, below, out=result, where=np.broadcast_to(below != 0, shape))
    return result
