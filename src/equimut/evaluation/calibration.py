"""Probabilities that mean what they say, and thresholds that keep a promise.

Everything here is fitted on a validation split. What is fitted on test promises nothing.
"""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from equimut.errors import DataError
from equimut.evaluation.arrays import (
    Floats,
    Integers,
    Labels,
    Probabilities,
    checked,
    checked_labels,
    checked_numbers,
    group_numbers,
)
from equimut.models.settings import CONFIDENCE, Calibration, PrecisionTarget
from equimut.records import Record

Groups: TypeAlias = Sequence[object] | None
"""What rows have in common, such as their origin; None where each stands by itself."""

CALIBRATION_BINS = 10
TEMPERATURES = (0.05, 20.0)
"""Bounds of a fitted temperature. Without them, validation rows that the model separates without
a mistake would ask for temperature 0, that is for certainty."""
OFFSETS = (-10.0, 10.0)
"""Bounds of a fitted offset, for the same reason."""
PRECISIONS = (0.80, 0.90, 0.95, 0.99)
"""Target precisions for which a calibrated detector keeps a threshold."""


class ReliabilityBin(Record):
    """Rows whose probability lies in [low, high), and how many of them are equivalent."""

    low: float
    high: float
    count: int
    mean_probability: float
    observed_rate: float


def calibrate(
    logit_margin: Probabilities,
    labels: Labels,
    source: str,
    *,
    groups: Groups = None,
    shifted: bool = False,
) -> Calibration:
    """Fit a temperature, and a threshold for each target precision that can be promised.

    `groups` are the origins of the rows: see `threshold_for_precision`. `shifted`: training rows
    held another share of equivalents, so an offset is fitted too.
    """
    temperature, offset = (
        fit_scale(logit_margin, labels) if shifted else (fit_temperature(logit_margin, labels), 0.0)
    )
    found = apply_temperature(logit_margin, temperature, offset)
    return Calibration(
        temperature=temperature,
        offset=offset,
        rows=len(labels),
        source=source,
        targets=_reached(labels, found, groups),
        rejections=_reached(1 - np.asarray(labels), 1 - found, groups),
    )


def fit_temperature(logit_margin: Probabilities, labels: Labels) -> float:
    """The temperature under which the labels are most likely.

    The margin is the logit of "equivalent" minus that of "not". Its negative log-likelihood is
    convex in 1 / temperature, so there is one best value within the bounds. A single label says
    nothing about temperature: then it is 1.
    """
    from scipy.optimize import minimize_scalar

    known = checked_labels(labels)
    margin = checked_numbers(logit_margin, len(known), "logit margins")
    if known.min() == known.max():
        return 1.0
    towards_label = np.where(known == 1, margin, -margin)
    if not towards_label.any():
        return 1.0

    def loss(log_inverse: float) -> float:
        return float(np.logaddexp(0, -towards_label * np.exp(log_inverse)).mean())

    bounds = -np.log(TEMPERATURES[1]), -np.log(TEMPERATURES[0])
    best = minimize_scalar(loss, bounds=bounds, method="bounded", options={"xatol": 1e-8})
    # The method never tries the bounds themselves. Where all temperatures are as good, the highest
    # of them comes first: it claims least.
    chosen = min((*bounds, float(best.x)), key=loss)
    return float(np.clip(np.exp(-chosen), *TEMPERATURES))


def fit_scale(logit_margin: Probabilities, labels: Labels) -> tuple[float, float]:
    """The temperature and the offset under which the labels are most likely (Platt's scaling).

    For a model whose training rows held another share of equivalents than the world: a
    temperature alone cannot mend that.
    """
    from equimut.models.edit_regression import bounded_logistic

    known = checked_labels(labels)
    margin = checked_numbers(logit_margin, len(known), "logit margins")
    if known.min() == known.max():
        return 1.0, 0.0
    inverse, offset = bounded_logistic(
        np.stack([margin, np.ones_like(margin)]),
        known,
        start=(1.0, 0.0),
        bounds=((1 / TEMPERATURES[1], 1 / TEMPERATURES[0]), OFFSETS),
    )
    return 1 / inverse, offset


def apply_temperature(
    logit_margin: Probabilities, temperature: float, offset: float = 0.0
) -> Floats:
    """P(equivalent) of logit margins at a temperature, with an offset."""
    from scipy.special import expit

    if not temperature > 0:
        raise DataError(f"temperature {temperature} is not above 0; fit it with `fit_temperature`")
    scaled = np.asarray(logit_margin, dtype=np.float64) / temperature + offset
    return np.asarray(expit(scaled))


def threshold_for_precision(
    labels: Labels, probabilities: Probabilities, precision: float, groups: Groups = None
) -> PrecisionTarget | None:
    """The lowest threshold whose precision is at least this, with 95 % confidence.

    Of all such it has the best recall. None if no threshold has enough rows for it: without a
    single mistake, 0.95 takes 59. Rows of one group (the mutants of one origin) are alike and
    count for less than as many of different ones.
    """
    if not 0 < precision <= 1:
        raise DataError(f"a target precision of {precision} is not above 0 and at most 1")
    known, found = checked(labels, probabilities)
    numbers = np.arange(len(known)) if groups is None else group_numbers(groups, len(known))
    order = np.argsort(-found, kind="stable")
    ranked = found[order]
    hits = np.cumsum(known[order])
    support = np.arange(1, len(known) + 1)
    complete = np.append(ranked[1:] != ranked[:-1], True)  # equal probabilities go together
    lower = _lower_bounds(known[order], numbers[order])
    reached = np.flatnonzero(complete & (lower >= precision))
    if not reached.size:
        return None
    place = int(reached[-1])
    right, chosen = int(hits[place]), int(support[place])
    return PrecisionTarget(
        precision=precision,
        threshold=float(ranked[place]),
        achieved=right / chosen,
        recall=right / int(known.sum()),
        support=chosen,
        lower_bound=float(lower[place]),
    )


def _lower_bounds(ranked_labels: Integers, groups: Integers) -> Floats:
    """Lower bound of the share of ones among the first 1, 2, ... rows: Korn and Graubard (1998).

    Clopper and Pearson's, for as many independent rows as would vary like these groups do. Where
    nothing varies a group counts as one row. 0 where there is no hit.
    """
    from scipy.stats import beta, t

    right, called = np.zeros((2, int(groups.max()) + 1))
    met = 0
    sums = np.zeros(3)  # over groups, of hits * hits, hits * rows, rows * rows
    spread = np.zeros((len(groups), 4))
    for row, (hit, group) in enumerate(zip(ranked_labels, groups, strict=True)):
        met += called[group] == 0
        sums += (
            hit * (2 * right[group] + 1),
            right[group] + hit * (called[group] + 1),
            2 * called[group] + 1,
        )
        right[group] += hit
        called[group] += 1
        spread[row] = (*sums, met)
    rows = np.arange(1, len(groups) + 1)
    hits, met_groups = np.cumsum(ranked_labels), spread[:, 3]
    share = hits / rows
    squares = spread[:, 0] - 2 * share * spread[:, 1] + share**2 * spread[:, 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        # How many times the variance of as many independent rows: that of a ratio of sums.
        design = squares * met_groups / (met_groups - 1) * (rows - 1) / rows**2
        design /= share * (1 - share)
        few = t.ppf(CONFIDENCE, rows - 1) / t.ppf(CONFIDENCE, met_groups - 1)
        effective = np.minimum(rows, rows / design * few**2)
    effective = np.where((share < 1) & (met_groups > 1), effective, met_groups)
    bounds = beta.ppf(1 - CONFIDENCE, share * effective, (1 - share) * effective + 1)
    return np.where(hits > 0, bounds, 0.0)


def _reached(
    labels: Labels, probabilities: Probabilities, groups: Groups
) -> tuple[PrecisionTarget, ...]:
    targets = (threshold_for_precision(labels, probabilities, each, groups) for each in PRECISIONS)
    return tuple(target for target in targets if target is not None)


def bin_numbers(probabilities: Floats, bins: int) -> Integers:
    """The bin of each probability: equal widths, the last one holds 1 too."""
    return np.minimum((probabilities * bins).astype(np.int64), bins - 1)


def reliability(
    labels: Labels, probabilities: Probabilities, bins: int = CALIBRATION_BINS
) -> tuple[ReliabilityBin, ...]:
    """The bins that hold rows, in order: what a reliability diagram shows."""
    known, found = checked(labels, probabilities)
    if bins < 1:
        raise DataError(f"{bins} bins hold nothing; give at least 1")
    numbers = bin_numbers(found, bins)
    counts = np.bincount(numbers, minlength=bins)
    sums = np.bincount(numbers, weights=found, minlength=bins)
    seen = np.bincount(numbers, weights=known, minlength=bins)
    return tuple(
        ReliabilityBin(
            low=number / bins,
            high=(number + 1) / bins,
            count=int(counts[number]),
            mean_probability=float(sums[number] / counts[number]),
            observed_rate=float(seen[number] / counts[number]),
        )
        for number in np.flatnonzero(counts)
    )
