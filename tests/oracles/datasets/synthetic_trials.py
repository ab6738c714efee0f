"""Trials that nobody trained: predictions drawn with a wished quality, for whole studies."""

from collections.abc import Iterator
from functools import cache

import numpy as np

from equimut.config import DEFAULT, RunConfig, changed
from equimut.evaluation.evaluation import Setting, evaluate_predictions
from equimut.evaluation.predictions import Predictions
from equimut.study.tried import Tried
from equimut.sweep.grid import read_grid, trials

ORIGINS, MUTANTS = 40, 12


def drawn(quality: float, seed: int, rows: int = 0) -> Predictions:
    """Probabilities that lean to the right label by `quality`; `rows` chooses the rows."""
    fixed = np.random.default_rng(1000 + rows)
    labels = (fixed.random(ORIGINS * MUTANTS) < 0.3).astype(int)
    chance = np.random.default_rng(seed)
    margin = quality * (2 * labels - 1) + chance.normal(size=labels.size)
    return Predictions(
        ids=tuple(f"{rows}-{place}" for place in range(labels.size)),
        labels=tuple(labels.tolist()),
        groups=tuple(place // MUTANTS for place in range(labels.size)),
        probabilities=tuple((1 / (1 + np.exp(-2 * margin))).tolist()),
    )


def trial(
    grid: str, quality: float, noise: int, config: RunConfig, varied: dict[str, object]
) -> Tried:
    """A trial with this configuration and quality."""
    said = drawn(quality, noise, rows=config.data.fold)
    setting = Setting(
        data="made", protocol=config.data.protocol, fold=config.data.fold, seed=config.seed
    )
    return Tried(
        grid=grid,
        varied=varied,
        config=config,
        evaluation=evaluate_predictions(config.loss.name, said, setting, resamples=0),
        seconds=60.0,
        predictions=said,
    )


def tried_grid(grid: str, quality: dict[str, float]) -> Iterator[Tried]:
    """All trials of a shipped grid; `quality` by loss, 1.0 where none is given."""
    for number, each in enumerate(trials(read_grid(grid), "made.jsonl", {"model.encoder": "x"})):
        loss = each.config.loss.name
        yield trial(grid, quality.get(loss, 1.0), number, each.config, dict(each.varied))


@cache
def whole_lot() -> tuple[Tried, ...]:
    """Every grid of the study: cluster purge better than contrastive, that better than base."""
    better = {"cpl": 1.6, "contrastive": 1.2, "base": 0.8, "triplet": 0.1}
    names = ("paper-cpl", "paper-contrastive", "paper-base", "triplet", "seed-study")
    more = ("ablations", "input-pooling", "random-vs-pretrained")
    return tuple(each for name in (*names, *more) for each in tried_grid(name, better))


PLAIN = changed(DEFAULT, {"model.encoder": "x", "data.pairs": "made.jsonl"})
