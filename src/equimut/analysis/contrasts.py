"""Two judges over several seeds or folds: the difference, and how sure it is."""

from collections.abc import Mapping, Sequence

import numpy as np

from equimut.analysis.embeddings import Floats
from equimut.errors import DataError
from equimut.evaluation.intervals import percentile_interval, resampled
from equimut.evaluation.metrics import score
from equimut.evaluation.predictions import Predictions
from equimut.evaluation.significance import wilcoxon_over_seeds
from equimut.records import Record

METRICS = ("macro_f1", "macro_precision", "macro_recall")
RESAMPLES = 1000


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
    for metric in METRICS:
        values = [
            [getattr(score(run.labels, run.probabilities), metric) for run in side]
            for side in (first, second)
        ]
        if any(value is None for side in values for value in side):
            continue
        differences = np.subtract(*(np.array(side, dtype=np.float64) for side in values))
        interval = _interval(metric, first, second, resamples)
        test = wilcoxon_over_seeds(*values)
        gains[metric] = Gain(
            mean=float(differences.mean()),
            low=None if interval is None else interval[0],
            high=None if interval is None else interval[1],
            better=int((differences > 0).sum()),
            wilcoxon_p=test.p_value,
            smallest_p=test.smallest_p,
        )
    return Contrast(
        first=names[0], second=names[1], protocol=protocol, runs=len(first), gains=gains
    )


def _interval(
    metric: str, first: Sequence[Predictions], second: Sequence[Predictions], resamples: int
) -> tuple[float, float] | None:
    if any(len(set(run.groups)) < 2 for run in first):
        return None
    same_rows = len({run.ids for run in first}) == 1
    drawn: list[Floats] = []
    for number, (one, other) in enumerate(zip(first, second, strict=True)):
        seed = 0 if same_rows else number  # the same origins in every run, where rows are the same
        sides = [
            resampled(
                side.labels, side.probabilities, one.groups, [metric],
                resamples=resamples, seed=seed,
            )[metric]
            for side in (one, other)
        ]  # fmt: skip
        drawn.append(sides[0] - sides[1])
    together = np.stack(drawn)
    chosen = np.random.default_rng(0).integers(0, len(first), size=together.shape)
    means = np.take_along_axis(together, chosen, axis=0).mean(axis=0)
    found = percentile_interval(means, len(set(first[0].groups)))
    return None if found is None else (found.low, found.high)
