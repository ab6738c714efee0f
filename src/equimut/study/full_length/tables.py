"""Losses side by side after a whole training: levels, paired differences, learning curves."""

from collections.abc import Mapping, Sequence

import numpy as np

from equimut.evaluation.comparison import Level, levels_over_runs
from equimut.evaluation.predictions import Predictions
from equimut.evaluation.protocols import Outcome
from equimut.evaluation.significance import holm
from equimut.records import Record
from equimut.study.differences import Contrast, contrast
from equimut.study.result_rows import LOSS_NAMES
from equimut.study.sweep_table import CURVES, Curve, curve_of
from equimut.study.trials import evaluation_of
from equimut.sweep.results import TrialResult

METRICS = (
    "macro_f1", "macro_precision", "macro_recall", "average_precision", "recall_at_precision_90",
    "recall_at_precision_95", "recall_at_precision_99",
)  # fmt: skip
FAMILY = ("macro_f1", "average_precision")
"""What p-values are corrected over, in all tables of a language; the rest has intervals only."""
RESAMPLES = 2000
"""Enough for a p-value that a correction over the family leaves below 0.05."""


class LengthRow(Record):
    """One loss; without runs, it is not run yet."""

    name: str
    margin: float | None
    """As chosen on validation rows."""
    runs: int
    planned: int
    levels: Mapping[str, Level]
    distances: tuple[float, float] | None
    """Of test rows after the last epoch, mean over runs: non-equivalent, equivalent."""


class LengthTable(Record):
    """The losses under one protocol with one pooling."""

    title: str
    protocol: str
    pooling: str
    rows: tuple[LengthRow, ...]
    contrasts: tuple[Contrast, ...]
    curves: Mapping[str, tuple[Curve, ...]]
    """By metric, on test rows."""


def length_table(
    title: str,
    setting: tuple[str, str],
    runs: Mapping[str, Sequence[TrialResult]],
    planned: int,
    predictions: Mapping[str, Predictions],
    compared: Sequence[tuple[str, str]],
) -> LengthTable:
    """A table of finished runs by name; `setting` is protocol and pooling.

    `planned` is the number of runs each should have, `compared` who is subtracted from whom.
    """
    protocol, pooling = setting
    outcomes = {
        name: [
            Outcome(evaluation_of(each), predictions[each.id])
            for each in its
            if each.id in predictions
        ]
        for name, its in runs.items()
    }
    found = [
        contrast(
            (first, second),
            protocol,
            outcomes.get(first, ()),
            outcomes.get(second, ()),
            metrics=METRICS,
            resamples=RESAMPLES,
        )
        for first, second in compared
    ]
    return LengthTable(
        title=title,
        protocol=protocol,
        pooling=pooling,
        rows=tuple(_row(name, its, outcomes[name], planned) for name, its in runs.items()),
        contrasts=tuple(each for each in found if each is not None),
        curves={metric: _curves(runs, metric) for metric in CURVES},
    )


def corrected(tables: Sequence[LengthTable]) -> tuple[LengthTable, ...]:
    """The same tables, p-values corrected over the family of all their comparisons."""
    places = [
        (table, number, name, gain.resampled_p)
        for table, each in enumerate(tables)
        for number, found in enumerate(each.contrasts)
        for name, gain in found.gains.items()
        if name in FAMILY and gain.resampled_p is not None
    ]
    p_values = dict(
        zip(
            [place[:3] for place in places],
            holm([p_value for *_, p_value in places if p_value is not None]),
            strict=True,
        )
    )

    def gains(table: int, number: int, found: Contrast) -> Contrast:
        its = {
            name: gain.model_copy(
                update={"corrected_resampled_p": p_values.get((table, number, name))}
            )
            for name, gain in found.gains.items()
        }
        return found.model_copy(update={"gains": its})

    return tuple(
        each.model_copy(
            update={
                "contrasts": tuple(
                    gains(table, number, found) for number, found in enumerate(each.contrasts)
                )
            }
        )
        for table, each in enumerate(tables)
    )


def _row(
    name: str, trials: Sequence[TrialResult], outcomes: Sequence[Outcome], planned: int
) -> LengthRow:
    ends = [each.history[-1].test for each in trials if each.history]
    known = [end.distances for end in ends if end is not None and end.distances is not None]
    return LengthRow(
        name=LOSS_NAMES.get(name, name),
        margin=trials[0].config.loss.margin if trials else None,
        runs=len(trials),
        planned=planned,
        levels=(
            levels_over_runs([one.predictions for one in outcomes], METRICS, RESAMPLES)
            if outcomes
            else {}
        ),
        distances=(
            (float(np.mean([far for far, _ in known])), float(np.mean([near for _, near in known])))
            if known
            else None
        ),
    )


def _curves(runs: Mapping[str, Sequence[TrialResult]], metric: str) -> tuple[Curve, ...]:
    """Of the runs that were measured after the same epochs as the first."""
    found = []
    for name, trials in runs.items():
        measured = [
            {
                each.epoch: getattr(each.test.scores, metric)
                for each in trial.history
                if each.test is not None
            }
            for trial in trials
        ]
        epochs = list(measured[0]) if measured else []
        values = [
            [float("nan") if each[epoch] is None else each[epoch] for epoch in epochs]
            for each in measured
            if list(each) == epochs
        ]
        if epochs:
            found.append(curve_of(LOSS_NAMES.get(name, name), epochs, values))
    return tuple(found)
