"""Predictors under a protocol: split, fit, predict, measure, for every fold and seed."""

import os
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import NamedTuple

from equimut.data.pairs import data_fingerprint
from equimut.data.splitting.split import FOLDS, Split, split
from equimut.errors import DataError
from equimut.evaluation.evaluation import (
    Evaluation,
    Setting,
    evaluate_predictions,
)
from equimut.evaluation.predictions import Predictions, pooled, predict
from equimut.evaluation.predictors import TrainablePredictor
from equimut.records import Pair


class Outcome(NamedTuple):
    """An evaluation and the predictions that it measures."""

    evaluation: Evaluation
    predictions: Predictions


def evaluate_split(
    predictor: TrainablePredictor,
    parts: Split,
    setting: Setting | None = None,
    resamples: int = 1000,
) -> Outcome:
    """Fit a predictor on the training part, then measure it on the test part."""
    predictor.fit(parts.train)
    found = predict(predictor, parts.test)
    known = (setting or Setting()).model_copy(
        update={
            "protocol": parts.protocol,
            "fold": parts.fold,
            "seed": parts.seed,
            "trained_on": len(parts.train),
        }
    )
    evaluation = evaluate_predictions(predictor.name, found, known, resamples=resamples)
    return Outcome(evaluation, found)


def evaluate_protocol(
    predictors: Mapping[str, Callable[[], TrainablePredictor]],
    pairs: Sequence[Pair],
    protocol: str,
    data: str = "",
    folds: Sequence[int] | None = None,
    seeds: Sequence[int] = (42,),
    resamples: int = 1000,
) -> Iterator[Outcome]:
    """Every predictor on every fold of every seed, as they get done; `folds=None` takes all.

    Where a protocol has several folds and all are asked for, one more result per predictor and seed
    measures the predictions of all folds together; its fold is None.
    """
    if protocol not in FOLDS:
        raise DataError(f"unknown protocol {protocol!r}; known: {', '.join(FOLDS)}")
    chosen = tuple(range(FOLDS[protocol])) if folds is None else tuple(folds)
    setting = Setting(data=data, fingerprint=data_fingerprint(pairs))
    for seed in seeds:
        done: dict[str, list[Outcome]] = {name: [] for name in predictors}
        for fold in chosen:
            parts = split(pairs, protocol, fold, seed)
            for name, make in predictors.items():
                done[name].append(evaluate_split(make(), parts, setting, resamples))
                yield done[name][-1]
        if FOLDS[protocol] > 1 and set(chosen) == set(range(FOLDS[protocol])):
            yield from (_pooled(outcomes, resamples) for outcomes in done.values())


def fitting_protocols(
    pairs: Sequence[Pair], wanted: Sequence[str] | None = None
) -> tuple[list[str], dict[str, str]]:
    """The protocols to run: those wanted, or all that can split these pairs; why others cannot.

    A wanted protocol that is impossible is an error before any work.
    """
    fitting: list[str] = []
    left_out: dict[str, str] = {}
    for protocol in FOLDS if wanted is None else wanted:
        try:
            split(pairs, protocol)
        except DataError as error:
            if wanted is not None:
                raise
            left_out[protocol] = str(error)
        else:
            fitting.append(protocol)
    return fitting, left_out


def versions_used() -> dict[str, str]:
    """The machine and the libraries that metrics depend on."""
    libraries = ("numpy", "scipy", "scikit-learn")
    return {
        "machine": f"{os.cpu_count()} cores, {platform.machine()}",
        "versions": ", ".join(f"{name} {version(name)}" for name in libraries),
    }


def result_count(protocol: str, predictors: int, folds: Sequence[int] | None, seeds: int) -> int:
    """How many results `evaluate_protocol` gives, for a progress bar."""
    every = FOLDS.get(protocol, 1)
    chosen = every if folds is None else len(folds)
    return seeds * predictors * (chosen + (every > 1 and chosen == every))


def _pooled(outcomes: Sequence[Outcome], resamples: int) -> Outcome:
    first = outcomes[0].evaluation
    setting = Setting(**first.model_dump(include=set(Setting.model_fields))).model_copy(
        update={"fold": None, "trained_on": 0}
    )
    found = pooled([one.predictions for one in outcomes])
    evaluation = evaluate_predictions(first.predictor, found, setting, resamples=resamples)
    return Outcome(evaluation, found)
