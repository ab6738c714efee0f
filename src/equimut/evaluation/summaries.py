"""Evaluations that differ in seed or fold only, as one: mean, spread and interval."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from equimut.evaluation.arrays import Floats
from equimut.evaluation.evaluation import Evaluation
from equimut.evaluation.metrics import METRICS
from equimut.records import Record

LEVEL = 0.95


class Figure(Record):
    """One metric over the runs of a summary."""

    mean: float
    deviation: float | None
    """Sample standard deviation over runs; None for a single run."""
    low: float | None
    high: float | None
    interval_over: Literal["origins", "runs"]
    """A single run has the bootstrap interval over its origins, several have Student's interval of
    their mean. The latter is rough: folds share training pairs."""


class Summary(Record):
    """A judge in one setting, over all its runs."""

    data: str
    protocol: str
    selection: str
    encoder: str
    judge: str
    pooled: bool
    """The predictions of all folds together, measured once."""
    runs: int
    pairs: float
    """Judged pairs, mean over runs."""
    figures: Mapping[str, Figure]
    """By metric; a metric that is undefined in every run is left out."""


def summarise(evaluations: Sequence[Evaluation]) -> tuple[Summary, ...]:
    """One summary per judge and setting, in the order of their first evaluation."""
    lots: defaultdict[tuple[str, str, str, str, str, bool], list[Evaluation]] = defaultdict(list)
    for one in evaluations:
        key = (one.data, one.protocol, one.selection, one.encoder, one.judge, one.fold is None)
        lots[key].append(one)
    return tuple(_summary(lot) for lot in lots.values())


def _summary(lot: Sequence[Evaluation]) -> Summary:
    first = lot[0]
    figures = {name: _figure(name, lot) for name in METRICS}
    return Summary(
        data=first.data,
        protocol=first.protocol,
        selection=first.selection,
        encoder=first.encoder,
        judge=first.judge,
        pooled=first.fold is None,
        runs=len(lot),
        pairs=sum(one.count for one in lot) / len(lot),
        figures={name: figure for name, figure in figures.items() if figure is not None},
    )


def _figure(name: str, lot: Sequence[Evaluation]) -> Figure | None:
    found = [getattr(one.scores, name) for one in lot]
    values = np.array([value for value in found if value is not None])
    if not values.size:
        return None
    if values.size > 1:
        return over_runs(values, lowest=-1.0 if name == "mcc" else 0.0)
    interval = lot[0].intervals.get(name) if len(lot) == 1 else None
    return Figure(
        mean=float(values[0]),
        deviation=None,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        interval_over="origins",
    )


def over_runs(values: Floats, lowest: float) -> Figure:
    """Mean, deviation and Student's interval of at least two runs' figures, of at most 1."""
    from scipy.stats import t

    mean, deviation = float(values.mean()), float(values.std(ddof=1))
    reach = float(t.ppf((1 + LEVEL) / 2, values.size - 1)) * deviation / np.sqrt(values.size)
    return Figure(
        mean=mean,
        deviation=deviation,
        low=max(float(mean - reach), lowest),  # Student does not know that figures have bounds
        high=min(float(mean + reach), 1.0),
        interval_over="runs",
    )
