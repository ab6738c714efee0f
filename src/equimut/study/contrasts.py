"""Two judges over several seeds or folds: the difference, and how sure it is."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from equimut.analysis.embeddings import Floats
from equimut.errors import DataError
from equimut.evaluation.intervals import Interval, percentile_interval, resampled
from equimut.evaluation.metrics import Scores, score
from equimut.evaluation.predictions import Predictions
from equimut.evaluation.significance import wilcoxon_over_seeds
from equimut.records import Record

METRICS = ("macro_f1", "macro_precision", "macro_recall")
RESAMPLES = 1000
COMMITTEES = "committee "
"""How the names of committees begin."""


class Gain(Record):
    """First minus second in one metric, mean over runs."""

    mean: float
    low: float | None
    high: float | None
    """Ends of the 95 % interval; None where all rows have one origin."""
    better: int
    """Runs in which the first is ahead."""
    wilcoxon_p: float | None
    smallest_p: float
    """What so few runs can show at best."""

    @property
    def settled(self) -> bool:
        """Whether the interval leaves out zero."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


class Contrast(Record):
    """Two judges, run by run on the same rows."""

    first: str
    second: str
    protocol: str
    runs: int
    gains: Mapping[str, Gain]

    @property
    def committees(self) -> bool:
        """Whether the first is a committee."""
        return self.first.startswith(COMMITTEES)


def contrast(
    names: tuple[str, str],
    protocol: str,
    first: Sequence[Predictions],
    second: Sequence[Predictions],
    resamples: int = RESAMPLES,
) -> Contrast | None:
    """Compare runs in pairs; None without any.

    A resample draws runs with repeats, and in each run origins with repeats, the same ones for both
    sides. So the interval holds both kinds of luck: that of the seeds and that of the rows.
    """
    if not first:
        return None
    for one, other in zip(first, second, strict=True):
        if one.ids != other.ids:
            raise DataError(f"{names[0]} and {names[1]} did not judge the same rows")
    gains = {}
    intervals = _intervals(first, second, resamples)
    for metric in METRICS:
        values = [[getattr(_scores(run), metric) for run in side] for side in (first, second)]
        if any(value is None for side in values for value in side):
            continue
        differences = np.subtract(*(np.array(side, dtype=np.float64) for side in values))
        interval = intervals.get(metric)
        test = wilcoxon_over_seeds(*values)
        gains[metric] = Gain(
            mean=float(differences.mean()),
            low=None if interval is None else interval.low,
            high=None if interval is None else interval.high,
            better=int((differences > 0).sum()),
            wilcoxon_p=test.p_value,
            smallest_p=test.smallest_p,
        )
    return Contrast(
        first=names[0], second=names[1], protocol=protocol, runs=len(first), gains=gains
    )


def _intervals(
    first: Sequence[Predictions], second: Sequence[Predictions], resamples: int
) -> dict[str, Interval | None]:
    """By metric; nothing where a run has one origin only."""
    if any(len(set(run.groups)) < 2 for run in first):
        return {}
    same_rows = len({run.ids for run in first}) == 1
    drawn: dict[str, list[Floats]] = {metric: [] for metric in METRICS}
    for number, (one, other) in enumerate(zip(first, second, strict=True)):
        seed = 0 if same_rows else number  # the same origins in every run, where rows are the same
        sides = [_resampled(side, one.groups, resamples, seed) for side in (one, other)]
        for metric in METRICS:
            drawn[metric].append(sides[0][metric] - sides[1][metric])
    found = {}
    for metric, differences in drawn.items():
        together = np.stack(differences)
        chosen = np.random.default_rng(0).integers(0, len(first), size=together.shape)
        means = np.take_along_axis(together, chosen, axis=0).mean(axis=0)
        found[metric] = percentile_interval(means, len(set(first[0].groups)))
    return found


# A study holds the same run against many others.


@lru_cache(maxsize=256)
def _scores(run: Predictions) -> Scores:
    return score(run.labels, run.probabilities)


@lru_cache(maxsize=256)
def _resampled(
    run: Predictions, groups: tuple[int, ...], resamples: int, seed: int
) -> Mapping[str, Floats]:
    return resampled(run.labels, run.probabilities, groups, METRICS, resamples=resamples, seed=seed)
