"""Two judges side by side: on the same pairs, and over several runs."""

from collections.abc import Mapping, Sequence

import numpy as np

from equimut.errors import DataError
from equimut.evaluation.arrays import Floats, Integers
from equimut.evaluation.intervals import Interval, percentile_interval, resampled
from equimut.evaluation.metrics import Scores, score
from equimut.evaluation.predictions import Predictions
from equimut.evaluation.significance import (
    McNemar,
    Significance,
    holm,
    mcnemar,
    wilcoxon_over_seeds,
)
from equimut.records import Record

COMPARED = ("macro_f1", "average_precision")
"""What two judges are compared by: decisions at the threshold, and the order of the pairs."""


class Difference(Record):
    """First minus second, and the interval of it over resampled origins."""

    first: float | None
    second: float | None
    value: float | None
    interval: Interval | None
    """None where all pairs have one origin, or where the figure is undefined."""


class Comparison(Record):
    """Two judges on the same pairs."""

    count: int
    mcnemar: McNemar
    differences: Mapping[str, Difference]


class RunsComparison(Record):
    """Two judges over several runs: run i of both has the same seed, fold and pairs."""

    runs: tuple[Comparison, ...]
    mcnemar_corrected: tuple[float, ...]
    """The p-value of each run's McNemar test, corrected for there being several (Holm)."""
    over_runs: Mapping[str, Significance]
    """Wilcoxon's test per metric."""
    over_runs_corrected: Mapping[str, float]
    """Its p-values, corrected for there being several metrics (Holm)."""


def compare(
    first: Predictions,
    second: Predictions,
    threshold: float | tuple[float, float] = 0.5,
    metrics: Sequence[str] = COMPARED,
    resamples: int = 1000,
    seed: int = 0,
) -> Comparison:
    """Compare two judges on the same pairs; the order of the rows does not matter.

    Each judge may have its own threshold. The resamples of both are the same, so the interval is
    that of paired differences, much narrower than the two intervals by themselves suggest.
    """
    second = _aligned(first, second)
    thresholds = threshold if isinstance(threshold, tuple) else (threshold, threshold)
    sides = tuple(zip((first, second), thresholds, strict=True))
    scores = [score(side.labels, side.probabilities, at) for side, at in sides]
    groups = len(set(first.groups))
    drawn: list[Mapping[str, Floats]] = []
    if groups > 1 and resamples:
        drawn = [
            # The groups of the first for both: numbers of groups may differ between files.
            resampled(side.labels, side.probabilities, first.groups, metrics, at, resamples, seed)
            for side, at in sides
        ]
    return Comparison(
        count=len(first),
        mcnemar=mcnemar(*(_right(side, at) for side, at in sides)),
        differences={name: _difference(name, scores, drawn, groups) for name in metrics},
    )


def compare_runs(
    first: Sequence[Predictions],
    second: Sequence[Predictions],
    threshold: float | tuple[float, float] = 0.5,
    metrics: Sequence[str] = COMPARED,
    resamples: int = 1000,
) -> RunsComparison:
    """Compare two judges over several runs (seeds or folds), run by run and all together."""
    if len(first) != len(second) or not first:
        raise DataError(
            f"runs are compared in pairs of the same seed and fold: {len(first)} on one side, "
            f"{len(second)} on the other"
        )
    pairs = zip(first, second, strict=True)
    runs = tuple(compare(one, other, threshold, metrics, resamples) for one, other in pairs)
    tests: dict[str, Significance] = {}
    for name in metrics:
        values = [(run.differences[name].first, run.differences[name].second) for run in runs]
        known = [(one, other) for one, other in values if one is not None and other is not None]
        if known:
            tests[name] = wilcoxon_over_seeds(*(list(side) for side in zip(*known, strict=True)))
    corrected = holm([test.p_value or 0.0 for test in tests.values()])
    return RunsComparison(
        runs=runs,
        mcnemar_corrected=holm([run.mcnemar.p_value for run in runs]),
        over_runs=tests,
        over_runs_corrected=dict(zip(tests, corrected, strict=True)),
    )


def _aligned(first: Predictions, second: Predictions) -> Predictions:
    """The second's rows in the order of the first; an error if they are not the same pairs."""
    places = {one: place for place, one in enumerate(second.ids)}
    missing = [one for one in first.ids if one not in places]
    if missing or len(first) != len(second):
        strangers = sorted(set(second.ids) - set(first.ids))
        example = (missing or strangers or ["a repeated id"])[0]
        raise DataError(
            f"the two judged different pairs: {len(missing)} only on the first side, "
            f"{len(strangers)} only on the second (such as {example}); "
            "evaluate both under the same protocol, fold and seed"
        )
    order = [places[one] for one in first.ids]
    moved = Predictions(
        ids=first.ids,
        labels=tuple(second.labels[place] for place in order),
        groups=tuple(second.groups[place] for place in order),
        probabilities=tuple(second.probabilities[place] for place in order),
    )
    for one, mine, other in zip(first.ids, first.labels, moved.labels, strict=True):
        if mine != other:
            raise DataError(
                f"{one} is labelled {mine} on the first side and {other} on the second; "
                "the two were judged on different versions of the data"
            )
    return moved


def _right(side: Predictions, threshold: float) -> Integers:
    guesses = np.asarray(side.probabilities) >= threshold
    return np.asarray(guesses == np.asarray(side.labels), dtype=np.int64)


def _difference(
    name: str, scores: Sequence[Scores], drawn: Sequence[Mapping[str, Floats]], groups: int
) -> Difference:
    one, other = (getattr(side, name) for side in scores)
    defined = one is not None and other is not None
    return Difference(
        first=one,
        second=other,
        value=one - other if defined else None,
        interval=percentile_interval(drawn[0][name] - drawn[1][name], groups) if drawn else None,
    )
