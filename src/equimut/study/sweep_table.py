"""The trials of a sweep side by side: means over runs, differences from one of them, curves."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from matplotlib.figure import Figure

from equimut.errors import EquimutError
from equimut.evaluation.evaluation import Evaluation
from equimut.evaluation.predictions import Predictions
from equimut.evaluation.protocols import Outcome
from equimut.evaluation.significance import holm
from equimut.evaluation.tables import Summary, summarise
from equimut.records import Record
from equimut.study.differences import Contrast, contrast
from equimut.study.trials import RUN_OPTIONS, evaluation_of, variant_of
from equimut.sweep.choosing import validation_score
from equimut.sweep.results import TrialResult
from equimut.training.run_files import EpochScores

COMPARED = (
    "macro_f1", "average_precision", "recall_at_precision_90", "recall_at_precision_95",
    "recall_at_precision_99",
)  # fmt: skip
_MARKERS = "osD^v"
CURVES = {"macro_f1": "macro-F1", "average_precision": "average precision"}

ByVariant: TypeAlias = Mapping[str, Sequence[TrialResult]]


class Curve(Record):
    """A metric after some epochs: mean, lowest and highest of the runs."""

    variant: str
    runs: int
    epochs: tuple[int, ...]
    mean: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


class SweepTable(Record):
    """The variants of a sweep under one protocol."""

    data: str
    protocol: str
    against: str
    """The variant that the others are compared with."""
    summaries: tuple[Summary, ...]
    """On test rows; the predictor of each is its variant."""
    validation: Mapping[str, float]
    """By variant, mean over runs: the score by which a variant is chosen (`validation_score`)."""
    contrasts: tuple[Contrast, ...]
    """Each variant minus `against`, run by run; p-values corrected over all of them (Holm)."""
    curves: Mapping[str, tuple[Curve, ...]]
    """By metric."""
    distances: Mapping[str, tuple[float, float]]
    """By variant, on validation rows after the last epoch: non-equivalent, equivalent."""
    hours: float


def sweep_tables(
    trials: Sequence[TrialResult],
    predictions: Callable[[str], Predictions | None],
    against: str | None = None,
) -> tuple[SweepTable, ...]:
    """A table per data set and protocol; `predictions` finds those of a trial by its id."""
    groups: defaultdict[tuple[str, str], dict[str, list[TrialResult]]] = defaultdict(dict)
    finished = [each for each in trials if each.evaluation is not None]
    for name, each in zip(_names(finished), finished, strict=True):
        key = (evaluation_of(each).data, each.config.data.protocol)
        groups[key].setdefault(name, []).append(each)
    if not groups:
        raise EquimutError("no finished trials to compare; run the sweep first")
    return tuple(
        _table(data, protocol, variants, predictions, _chosen(variants, against))
        for (data, protocol), found in groups.items()
        for variants in [dict(sorted(found.items()))]
    )


def _names(trials: Sequence[TrialResult]) -> list[str]:
    """The variant of each trial, with whatever else sets trials of the same variant apart."""
    values: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for each in trials:
        for option, value in each.varied.items():
            values[variant_of(each), option].add(repr(value))
    names = []
    for each in trials:
        variant = variant_of(each)
        apart = [
            f"{option.split('.')[-1]} {value}"
            for option, value in each.varied.items()
            if option not in RUN_OPTIONS and len(values[variant, option]) > 1
        ]
        names.append(", ".join([variant, *apart]))
    return names


def _chosen(variants: ByVariant, against: str | None) -> str:
    """The variant named, or the first that is trained with cross-entropy alone, or the first."""
    if against is not None and against not in variants:
        raise EquimutError(f"no variant {against!r}; there are {', '.join(variants)}")
    plain = [name for name, its in variants.items() if its[0].config.loss.name == "base"]
    return against or [*plain, *variants][0]


def _table(
    data: str,
    protocol: str,
    variants: ByVariant,
    predictions: Callable[[str], Predictions | None],
    against: str,
) -> SweepTable:
    outcomes = {
        name: [
            Outcome(evaluation_of(each), found)
            for each in its
            if (found := predictions(each.id)) is not None
        ]
        for name, its in variants.items()
    }
    contrasts = [
        contrast((name, against), protocol, its, outcomes[against], metrics=COMPARED)
        for name, its in outcomes.items()
        if name != against
    ]
    everything = [each for its in variants.values() for each in its]
    validation = {
        name: float(np.mean(scores))
        for name, its in variants.items()
        if (scores := [one for each in its if (one := validation_score(each)) is not None])
    }
    last = {
        name: [each.history[-1].distances for each in its if each.history]
        for name, its in variants.items()
    }
    return SweepTable(
        data=data,
        protocol=protocol,
        against=against,
        summaries=summarise(
            [_as(name, evaluation_of(each)) for name, its in variants.items() for each in its]
        ),
        validation=validation,
        contrasts=_corrected([each for each in contrasts if each is not None]),
        curves={metric: tuple(_curves(variants, metric)) for metric in CURVES},
        distances={
            name: (float(np.mean([a for a, _ in known])), float(np.mean([b for _, b in known])))
            for name, its in last.items()
            if (known := [each for each in its if each is not None])
        },
        hours=sum(each.cost.seconds for each in everything if each.cost) / 3600,
    )


def _as(variant: str, evaluation: Evaluation) -> Evaluation:
    return evaluation.model_copy(update={"predictor": variant})


def _corrected(contrasts: Sequence[Contrast]) -> tuple[Contrast, ...]:
    """The contrasts with p-values corrected over the whole family of variants and metrics."""
    family = [
        (number, name, gain.wilcoxon_p)
        for number, each in enumerate(contrasts)
        for name, gain in each.gains.items()
        if gain.wilcoxon_p is not None
    ]
    gains = [dict(each.gains) for each in contrasts]
    for (number, name, _), p_value in zip(family, holm([p for *_, p in family]), strict=True):
        gains[number][name] = gains[number][name].model_copy(update={"corrected_p": p_value})
    return tuple(
        each.model_copy(update={"gains": its}) for each, its in zip(contrasts, gains, strict=True)
    )


def _curves(variants: ByVariant, metric: str) -> Iterator[Curve]:
    for name, trials in variants.items():
        histories = [[one for one in each.history if one.dev is not None] for each in trials]
        runs = [_scores(each, metric) for each in histories if each]
        if not runs:
            continue
        shortest = min(len(each) for each in runs)
        yield curve_of(name, range(1, shortest + 1), [each[:shortest] for each in runs])


def curve_of(variant: str, epochs: Sequence[int], runs: Sequence[Sequence[float]]) -> Curve:
    """The curve of runs that were measured after the same epochs."""
    values = np.array(runs)
    return Curve(
        variant=variant,
        runs=len(runs),
        epochs=tuple(epochs),
        mean=tuple(values.mean(axis=0).tolist()),
        low=tuple(values.min(axis=0).tolist()),
        high=tuple(values.max(axis=0).tolist()),
    )


def _scores(history: Sequence[EpochScores], metric: str) -> list[float]:
    found = [getattr(each.dev, metric) for each in history]
    return [float("nan") if value is None else value for value in found]


def draw_curves(table: SweepTable) -> Figure:
    """The learning curves of a table."""
    from matplotlib import colormaps

    colours = colormaps["tab20"].colors  # type: ignore[attr-defined]
    title = f"{table.data}, {table.protocol}: learning curves (runs)"
    return learning_curves(table.curves, title, "validation rows", colours)


def learning_curves(
    curves: Mapping[str, Sequence[Curve]], title: str, rows: str, colours: Sequence[Any]
) -> Figure:
    """Curves by metric, a panel each: mean over runs, and their range."""
    figure = Figure(figsize=(11, 4.6), layout="constrained")
    panels = figure.subplots(1, len(CURVES))
    for panel, (metric, name) in zip(panels, CURVES.items(), strict=True):
        for number, curve in enumerate(curves[metric]):
            colour = colours[number % len(colours)]
            label = f"{curve.variant} ({curve.runs})"
            panel.plot(
                curve.epochs, curve.mean, color=colour, label=label, linewidth=1.8,
                marker=_MARKERS[number % len(_MARKERS)], markersize=5,
            )  # fmt: skip
            if curve.runs > 1:
                panel.fill_between(curve.epochs, curve.low, curve.high, color=colour, alpha=0.15)
        panel.set_xscale("log")
        ticks = [epoch for epoch in (1, 2, 5, 10, 20, 30) if epoch <= panel.get_xlim()[1]]
        panel.set_xticks(ticks, [str(epoch) for epoch in ticks])
        panel.minorticks_off()
        panel.set_xlabel("epochs")
        panel.set_ylabel(f"{name}, {rows}")
        panel.grid(color="#d9dee3", linewidth=0.8)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.suptitle(title, fontsize=12)
    figure.legend(handles, labels, loc="outside lower center", ncols=4, frameon=False, fontsize=8)
    return figure
