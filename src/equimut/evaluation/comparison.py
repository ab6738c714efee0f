"""Two predictors compared: on the same pairs, and over several runs."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from equimut.errors import DataError
from equimut.evaluation.arrays import Floats, Integers
from equimut.evaluation.intervals import Interval, percentile_interval, resampled
from equimut.evaluation.metrics import Scores, score
from equimut.evaluation.predictions import Predictions, aligned
from equimut.evaluation.significance import McNemar, holm, mcnemar, p_text, wilcoxon_over_seeds
from equimut.records import Record

COMPARED = ("macro_f1", "average_precision")
"""What two predictors are compared by: decisions at the threshold, and the order of the pairs."""
RESAMPLES = 1000


class Difference(Record):
    """First minus second, and the interval of it over resampled origins."""

    first: float | None
    second: float | None
    value: float | None
    interval: Interval | None
    """None where all pairs have one origin, or where the metric is undefined."""


class Comparison(Record):
    """Two predictors on the same pairs."""

    count: int
    mcnemar: McNemar
    differences: Mapping[str, Difference]


class Gain(Record):
    """First minus second in one metric, mean over the runs in which both are defined."""

    mean: float
    low: float | None
    high: float | None
    """Ends of the 95 % interval over resampled runs and origins; None if a run has one origin."""
    better: int
    """Runs in which the first is ahead."""
    runs: int = 0
    wilcoxon_p: float | None
    corrected_p: float | None = None
    """The same, corrected for there being several metrics (Holm)."""
    smallest_p: float
    """The smallest p-value that so few runs can give."""
    rank_biserial: float | None = None
    resampled_p: float | None = None
    """Twice the share of resamples on the other side of zero: what goes with the interval."""
    corrected_resampled_p: float | None = None
    """The same, corrected over a family of comparisons (Holm), where one was named."""

    @property
    def settled(self) -> bool:
        """Whether the interval leaves out zero."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


class Level(Record):
    """One predictor in one metric, mean over the runs in which it is defined."""

    mean: float
    low: float | None
    high: float | None
    """Ends of the 95 % interval over resampled runs and origins."""
    runs: int


class RunsComparison(Record):
    """Two predictors over several runs: run i of both has the same seed, fold and pairs."""

    runs: tuple[Comparison, ...]
    mcnemar_corrected: tuple[float, ...]
    """The p-value of each run's McNemar test, corrected for there being several (Holm)."""
    gains: Mapping[str, Gain]
    """By metric; a metric that is undefined in every run is left out."""


def compare(
    first: Predictions,
    second: Predictions,
    threshold: float | tuple[float, float] = 0.5,
    resamples: int = RESAMPLES,
) -> Comparison:
    """Compare two predictors on the same pairs; the order of the rows does not matter.

    Each may have its own threshold. The resamples of both are the same, so the interval is that of
    paired differences, much narrower than the two intervals by themselves suggest.
    """
    second = aligned(first, second)
    thresholds = threshold if isinstance(threshold, tuple) else (threshold, threshold)
    sides = tuple(zip((first, second), thresholds, strict=True))
    scores = [score(side.labels, side.probabilities, at) for side, at in sides]
    groups = len(set(first.groups))
    drawn: list[Mapping[str, Floats]] = []
    if groups > 1 and resamples:
        drawn = [
            # The groups of the first for both: numbers of groups may differ between files.
            resampled(side.labels, side.probabilities, first.groups, COMPARED, at, resamples)
            for side, at in sides
        ]
    return Comparison(
        count=len(first),
        mcnemar=mcnemar(*(_right(side, at) for side, at in sides)),
        differences={name: _difference(name, scores, drawn, groups) for name in COMPARED},
    )


def compare_runs(
    first: Sequence[Predictions], second: Sequence[Predictions], resamples: int = RESAMPLES
) -> RunsComparison:
    """Compare two predictors over several runs (seeds or folds): each run, and their mean."""
    gains = gains_over_runs(first, second, COMPARED, resamples)
    pairs = zip(first, second, strict=True)
    runs = tuple(compare(one, other, resamples=resamples) for one, other in pairs)
    corrected = holm([run.mcnemar.p_value for run in runs])
    return RunsComparison(runs=runs, mcnemar_corrected=corrected, gains=gains)


def gains_over_runs(
    first: Sequence[Predictions],
    second: Sequence[Predictions],
    metrics: Sequence[str] = COMPARED,
    resamples: int = RESAMPLES,
) -> dict[str, Gain]:
    """The mean difference over runs by metric, with its interval and Wilcoxon's test.

    A resample draws runs with repeats, and in each run origins with repeats, the same ones for both
    sides. So the interval covers variance over seeds and variance over test origins.
    """
    if len(first) != len(second) or not first:
        raise DataError(
            f"runs are compared in pairs of the same seed and fold: {len(first)} on one side, "
            f"{len(second)} on the other"
        )
    pairs = [(one, aligned(one, other)) for one, other in zip(first, second, strict=True)]
    found = {}
    for name in metrics:
        values = [[getattr(_scores(side), name) for side in pair] for pair in pairs]
        known = [number for number, pair in enumerate(values) if None not in pair]
        if not known:
            continue
        sides = np.array([values[number] for number in known], dtype=np.float64).T
        drawn = _resampled_means(name, pairs, known, tuple(metrics), resamples)
        interval = None if drawn is None else _interval(drawn, pairs)
        test = wilcoxon_over_seeds(*sides)
        found[name] = Gain(
            mean=float((sides[0] - sides[1]).mean()),
            low=None if interval is None else interval.low,
            high=None if interval is None else interval.high,
            better=int((sides[0] > sides[1]).sum()),
            runs=len(known),
            wilcoxon_p=test.p_value,
            smallest_p=test.smallest_p,
            rank_biserial=test.effect,
            resampled_p=None if drawn is None else _two_sided(drawn),
        )
    corrected = holm([gain.wilcoxon_p or 0.0 for gain in found.values()])
    return {
        name: gain.model_copy(update={"corrected_p": p_value})
        for (name, gain), p_value in zip(found.items(), corrected, strict=True)
    }


def levels_over_runs(
    runs: Sequence[Predictions], metrics: Sequence[str], resamples: int = RESAMPLES
) -> dict[str, Level]:
    """The mean over runs by metric, with an interval drawn as that of a difference."""
    sides = [(one,) for one in runs]
    found = {}
    for name in metrics:
        values = [getattr(_scores(one), name) for one in runs]
        known = [number for number, value in enumerate(values) if value is not None]
        if not known:
            continue
        drawn = _resampled_means(name, sides, known, tuple(metrics), resamples)
        interval = None if drawn is None else _interval(drawn, sides)
        found[name] = Level(
            mean=float(np.mean([values[number] for number in known])),
            low=None if interval is None else interval.low,
            high=None if interval is None else interval.high,
            runs=len(known),
        )
    return found


def read_comparison(found: Comparison, first: str, second: str) -> tuple[str, ...]:
    """One line per metric and one for McNemar, for two predictors on the same pairs."""
    lines = [
        f"{_title(name)}: {_in_words(difference, first, second)}"
        for name, difference in found.differences.items()
    ]
    counts = found.mcnemar
    lines.append(
        f"McNemar on {found.count:,} pairs: only {first} is right on {counts.only_first:,}, "
        f"only {second} on {counts.only_second:,}; {p_text(counts.p_value)} (exact), "
        f"odds ratio {counts.odds_ratio:.2f}"
    )
    return tuple(lines)


def read_runs(found: RunsComparison, first: str, second: str) -> tuple[str, ...]:
    """One line per metric over all runs, and one for the runs' own McNemar tests."""
    lines = []
    for name, gain in found.gains.items():
        interval = "no interval"
        if gain.low is not None and gain.high is not None:
            interval = f"95 % interval over runs and origins {gain.low:+.4f} to {gain.high:+.4f}"
        lines.append(
            f"{_title(name)}: {first} is better in {gain.better} of {gain.runs} runs, mean "
            f"difference {gain.mean:+.4f}, {interval}; Wilcoxon signed-rank "
            f"{p_text(gain.wilcoxon_p)}, corrected {p_text(gain.corrected_p)} (so few runs can "
            f"show {gain.smallest_p:.4f} at best); rank-biserial correlation "
            f"{gain.rank_biserial:+.2f}"
        )
    settled = sum(p_value < 0.05 for p_value in found.mcnemar_corrected)
    lines.append(
        f"McNemar, corrected for {len(found.runs)} runs: p < 0.05 between {first} and {second} "
        f"in {settled} of them"
    )
    return tuple(lines)


def _resampled_means(
    metric: str,
    runs: Sequence[tuple[Predictions, ...]],
    known: Sequence[int],
    metrics: tuple[str, ...],
    resamples: int,
) -> Floats | None:
    """[resamples] means over runs of one side, or of the first minus the second.

    None where a run has one origin only, or no interval is wanted.
    """
    if not resamples or any(len(set(sides[0].groups)) < 2 for sides in runs):
        return None
    same_rows = len({sides[0].ids for sides in runs}) == 1
    differences = []
    for number in known:
        seed = 0 if same_rows else number  # the same origins in every run, where rows are the same
        first, *others = [
            _resampled(side, runs[number][0].groups, metrics, resamples, seed)[metric]
            for side in runs[number]
        ]
        differences.append(first - others[0] if others else first)
    stacked = np.stack(differences)
    chosen = np.random.default_rng(0).integers(0, len(known), size=stacked.shape)
    means: Floats = np.take_along_axis(stacked, chosen, axis=0).mean(axis=0)
    return means


def _interval(means: Floats, runs: Sequence[tuple[Predictions, ...]]) -> Interval | None:
    return percentile_interval(means, len(set(runs[0][0].groups)))


def _two_sided(differences: Floats) -> float | None:
    """The p-value of no difference, never 0: so many resamples cannot show that."""
    known = differences[~np.isnan(differences)]
    if not known.size:
        return None
    fewer = min(int((known <= 0).sum()), int((known >= 0).sum()))
    return min(1.0, 2 * (fewer + 1) / (known.size + 1))


# A study compares the same run with many others.


@lru_cache(maxsize=256)
def _scores(run: Predictions) -> Scores:
    return score(run.labels, run.probabilities)


@lru_cache(maxsize=256)
def _resampled(
    run: Predictions, groups: tuple[int, ...], metrics: tuple[str, ...], resamples: int, seed: int
) -> Mapping[str, Floats]:
    return resampled(run.labels, run.probabilities, groups, metrics, resamples=resamples, seed=seed)


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


def _in_words(found: Difference, first: str, second: str) -> str:
    if found.value is None:
        return "undefined on these pairs"
    text = f"{first} {found.first:.4f}, {second} {found.second:.4f}, difference {found.value:+.4f}"
    if found.interval is None:
        return f"{text}; no interval, since all pairs have one origin or none was asked for"
    low, high = found.interval.low, found.interval.high
    verdict = "not settled by these pairs"
    if low > 0 or high < 0:
        verdict = f"{first if low > 0 else second} is better"
    return f"{text}, {found.interval.level:.0%} interval {low:+.4f} to {high:+.4f}: {verdict}"


def _title(name: str) -> str:
    macro = "macro-" if name.startswith("macro_") else ""
    return f"{macro}{Scores.model_fields[name].title}"
