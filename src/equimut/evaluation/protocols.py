"""Judges under a protocol: split, fit, judge, measure, for every fold and seed."""

import os
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import NamedTuple

from equimut.data.splitting.split import FOLDS, Split, split
from equimut.errors import DataError
from equimut.evaluation.evaluation import (
    Evaluation,
    Setting,
    data_fingerprint,
    evaluate_predictions,
)
from equimut.evaluation.predictions import Predictions, pooled, predict
from equimut.evaluation.predictors import Judge
from equimut.records import Pair


class Judged(NamedTuple):
    """An evaluation and the predictions that it measures."""

    evaluation: Evaluation
    predictions: Predictions


def judge_split(
    judge: Judge, parts: Split, setting: Setting | None = None, resamples: int = 1000
) -> Judged:
    """Fit a judge on the training part, then measure it on the test part."""
    judge.fit(parts.train)
    found = predict(judge, parts.test)
    known = (setting or Setting()).model_copy(
        update={
            "protocol": parts.protocol,
            "fold": parts.fold,
            "seed": parts.seed,
            "trained_on": len(parts.train),
        }
    )
    evaluation = evaluate_predictions(judge.name, found, known, resamples=resamples)
    return Judged(evaluation, found)


def judge_protocol(
    judges: Mapping[str, Callable[[], Judge]],
    pairs: Sequence[Pair],
    protocol: str,
    data: str = "",
    folds: Sequence[int] | None = None,
    seeds: Sequence[int] = (42,),
    resamples: int = 1000,
) -> Iterator[Judged]:
    """Every judge on every fold of every seed, as they get done; `folds=None` takes all.

    Where a protocol has several folds and all are asked for, one more result per judge and seed
    measures the predictions of all folds together; its fold is None.
    """
    if protocol not in FOLDS:
        raise DataError(f"unknown protocol {protocol!r}; known: {', '.join(FOLDS)}")
    chosen = tuple(range(FOLDS[protocol])) if folds is None else tuple(folds)
    setting = Setting(data=data, fingerprint=data_fingerprint(pairs))
    for seed in seeds:
        done: dict[str, list[Judged]] = {name: [] for name in judges}
        for fold in chosen:
            parts = split(pairs, protocol, fold, seed)
            for name, make in judges.items():
                done[name].append(judge_split(make(), parts, setting, resamples))
                yield done[name][-1]
        if FOLDS[protocol] > 1 and set(chosen) == set(range(FOLDS[protocol])):
            yield from (_together(judged, resamples) for judged in done.values())


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


def result_count(protocol: str, judges: int, folds: Sequence[int] | None, seeds: int) -> int:
    """How many results `judge_protocol` gives, for a progress bar."""
    every = FOLDS.get(protocol, 1)
    chosen = every if folds is None else len(folds)
    return seeds * judges * (chosen + (every > 1 and chosen == every))


def _together(judged: Sequence[Judged], resamples: int) -> Judged:
    first = judged[0].evaluation
    setting = Setting(**first.model_dump(include=set(Setting.model_fields))).model_copy(
        update={"fold": None, "trained_on": 0}
    )
    found = pooled([one.predictions for one in judged])
    evaluation = evaluate_predictions(first.judge, found, setting, resamples=resamples)
    return Judged(evaluation, found)
