"""Trials that nobody trained: predictions drawn with a given quality, for whole studies."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np

from equimut.config import DEFAULT, RunConfig, changed
from equimut.evaluation.evaluation import Setting, evaluate_predictions
from equimut.evaluation.metrics import score
from equimut.evaluation.predictions import Predictions
from equimut.evaluation.protocols import Outcome
from equimut.study.trials import FULL_LENGTH, MARGINS, SEED_STUDY, VARIANTS, Material, select
from equimut.sweep.grid import planned as planned_trials
from equimut.sweep.grid import read_grid, trials
from equimut.sweep.results import Cost, TrialResult
from equimut.training.run_files import CurvePoint, EpochScores

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
) -> TrialResult:
    """A trial with this configuration and quality."""
    predictions = drawn(quality, noise, rows=config.data.fold)
    setting = Setting(
        data="made", protocol=config.data.protocol, fold=config.data.fold, seed=config.seed
    )
    return TrialResult(
        id=f"{grid} {quality} {noise} {config.data.fold}",
        grid=grid,
        varied=varied,
        config=config,
        status="done",
        evaluation=evaluate_predictions(config.loss.name, predictions, setting, resamples=0),
        cost=Cost(seconds=60.0, training_seconds=50.0, threads=1),
    )


def predictions_of_trial(made: TrialResult) -> Predictions:
    """What a trial of the above predicted."""
    quality, noise, fold = made.id.split()[-3:]
    return drawn(float(quality), int(noise), rows=int(fold))


def outcome(quality: float, seed: int, rows: int = 0) -> Outcome:
    """A run of this quality; its fold is that of the rows."""
    predictions = drawn(quality, seed, rows)
    setting = Setting(data="made", protocol="paper", fold=rows, seed=seed % 9)
    return Outcome(evaluate_predictions("made", predictions, setting, resamples=0), predictions)


def baselines(**seeds: int) -> dict[str, list[Outcome]]:
    """Weak baselines under the paper's protocol, by name with `_` for `-`; each has its noise."""
    found = []
    for name, seed in seeds.items():
        evaluation, predictions = outcome(0.4, seed)
        named = evaluation.model_copy(update={"predictor": name.replace("_", "-")})
        found.append(Outcome(named, predictions))
    return {"paper": found}


def trials_of_grid(grid: str, quality: dict[str, float]) -> Iterator[TrialResult]:
    """All trials of a shipped grid; `quality` by loss, 1.0 where none is given."""
    for number, each in enumerate(trials(read_grid(grid), "made.jsonl", {"model.encoder": "x"})):
        loss = each.config.loss.name
        yield trial(grid, quality.get(loss, 1.0), number, each.config, dict(each.varied))


@cache
def all_trials() -> tuple[TrialResult, ...]:
    """Every grid of the study: cluster purge better than contrastive, that better than base."""
    better = {"cpl": 1.6, "contrastive": 1.2, "base": 0.8, "triplet": 0.1}
    names = ("paper-cpl", "paper-contrastive", "paper-base", "triplet", "seed-study")
    more = ("ablations", "input-pooling", "random-vs-pretrained")
    return tuple(each for name in (*names, *more) for each in trials_of_grid(name, better))


def made_material(language: str, baselines: dict[str, list[Outcome]]) -> Material:
    """All trials of the study as the material of one language."""
    planned = {"paper-cpl": 56, "paper-contrastive": 42}
    seeds = select(all_trials(), SEED_STUDY)
    predictions = {each.id: predictions_of_trial(each) for each in seeds}
    return Material(language, f"{language}-made", all_trials(), planned, baselines, predictions)


@cache
def full_length_trials() -> tuple[TrialResult, ...]:
    """Three losses at the paper's length with the qualities of `all_trials`, each better by epoch.

    Of `full-length-by-origin` nothing of cluster purge with edit pooling is there, of the grids and
    of the margins a part.
    """
    better = {"cpl": 1.6, "contrastive": 1.2, "base": 0.8}
    found: list[TrialResult] = []
    for grid in (*FULL_LENGTH, VARIANTS):
        wanted = trials(
            read_grid(grid), "made.jsonl", {"model.encoder": "x"},
            choose=lambda source, same: {"loss.margin": 0.02},
        )  # fmt: skip
        for number, each in enumerate(wanted):
            loss, pooling = each.config.loss.name, each.config.model.pooling
            absent = (loss, pooling) == ("cpl", "edit") and grid == "full-length-by-origin"
            if absent or (grid in ("full-length-cpl", MARGINS) and number >= 7):
                continue
            made = trial(grid, better[loss], number, each.config, dict(each.varied))
            found.append(made.model_copy(update={"history": _history(made)}))
    return tuple(found)


def _history(made: TrialResult) -> tuple[EpochScores, ...]:
    """Validation rows after every epoch, test rows after the epochs of the curve."""
    quality, noise, fold = made.id.split()[-3:]
    ends = made.config.curve or (1, 2, 3)
    points = []
    for epoch in ends:
        said = drawn(float(quality) * epoch / max(ends), int(noise), rows=int(fold))
        scores = score(said.labels, said.probabilities)
        if made.config.selection.on == "last":
            point = CurvePoint(scores=scores, distances=(0.01 * epoch, 0.005 * epoch))
            points.append(EpochScores(epoch=epoch, test=point))
        else:
            points.append(EpochScores(epoch=epoch, dev=scores, distances=(0.2, 0.1)))
    return tuple(points)


def with_full_length(material: Material) -> Material:
    """The same, and what there is at the paper's length."""
    found = full_length_trials()
    used = {each.id: predictions_of_trial(each) for each in found}
    planned = {grid: planned_trials(read_grid(grid)) for grid in (*FULL_LENGTH, VARIANTS)}
    return replace(
        material,
        trials=(*material.trials, *found),
        planned={**material.planned, **planned},
        predictions={**material.predictions, **used},
    )


PLAIN = changed(DEFAULT, {"model.encoder": "x", "data.pairs": "made.jsonl"})
