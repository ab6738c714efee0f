"""Validation rows of one grid choose the margins of another, and nothing else does."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from equimut.errors import EquimutError
from equimut.evaluation.metrics import Scores, score
from equimut.sweep.choosing import LAST_EPOCHS, Chooser, choice, choices, validation_score
from equimut.sweep.grid import read_grid, trials
from equimut.sweep.results import ResultsDirectory, TrialResult
from equimut.training.run_files import EpochScores
from oracles.command import call_equimut
from oracles.sweeps import run_trials_here

MARGINS = "full-length-margins"
PAIRS = "made.jsonl"


def scores(quality: float, seed: int) -> Scores:
    chance = np.random.default_rng(seed)
    labels = (chance.random(200) < 0.3).astype(int)
    margin = quality * (2 * labels - 1) + chance.normal(size=200)
    return score(labels.tolist(), (1 / (1 + np.exp(-margin))).tolist())


def results(grid: str = MARGINS, pairs: str = PAIRS, seed: int = 0) -> Iterator[TrialResult]:
    """Every trial of a grid, its validation scores drawn; the test rows say the opposite."""
    chance = np.random.default_rng(seed)
    for trial in trials(read_grid(grid), pairs):
        quality = chance.random()
        its = {epoch: scores(quality * epoch, epoch) for epoch in range(1, 9)}
        yield TrialResult(
            id=trial.id, grid=grid, varied=trial.varied, config=trial.config, status="done",
            history=tuple(EpochScores(epoch=epoch, dev=dev) for epoch, dev in its.items()),
            dev=1 - quality,  # the best epoch's score chooses nothing
        )  # fmt: skip


RESULTS = list(results())


def test_the_score_of_a_trial_is_the_mean_of_its_last_epochs() -> None:
    its = [each.dev.average_precision for each in RESULTS[0].history if each.dev is not None]
    assert LAST_EPOCHS == 5
    assert validation_score(RESULTS[0]) == pytest.approx(sum(its[-5:]) / 5)
    assert validation_score(RESULTS[0].model_copy(update={"history": ()})) is None


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_grid_takes_the_margin_with_the_best_validation_score(seed: int) -> None:
    known = list(results(seed=seed))
    chooser = Chooser(known, f"/elsewhere/{PAIRS}.gz")
    found = trials(read_grid("full-length"), PAIRS, choose=chooser)
    assert len(found) == 30
    assert not chooser.waiting
    for trial in found:
        config = trial.config
        if config.loss.name == "base":
            assert config.loss.margin is None
            continue
        best, margin = -1.0, None
        for each in known:  # the plain loop
            same = each.config.loss.name == config.loss.name
            value = validation_score(each) or 0.0
            if same and each.config.model.pooling == config.model.pooling and value > best:
                best, margin = value, each.config.loss.margin
        assert config.loss.margin == trial.varied["loss.margin"] == margin


def test_as_long_as_a_trial_is_missing_nothing_is_chosen() -> None:
    missing = next(
        each for each in RESULTS
        if each.config.loss.name == "cpl" and each.config.model.pooling == "edit"
    )  # fmt: skip
    chooser = Chooser([each for each in RESULTS if each is not missing], PAIRS)
    found = trials(read_grid("full-length"), PAIRS, choose=chooser)
    assert len(found) == 25
    assert chooser.waiting == {MARGINS: 5}
    assert not [t for t in found if (t.config.loss.name, t.config.model.pooling) == ("cpl", "edit")]
    open_ = choice(Chooser([], PAIRS).results, MARGINS, {"loss.name": "cpl"})
    assert (open_.done, open_.among, open_.options) == (0, 14, None)
    with pytest.raises(EquimutError, match="no trial with"):
        choice(RESULTS, MARGINS, {"loss.name": "triplet"})


def test_results_on_the_same_pairs_choose_before_those_on_others() -> None:
    other = list(results(pairs="other.jsonl", seed=5))
    asked = {"loss.name": "cpl", "model.pooling": "cls"}
    here = Chooser(RESULTS, PAIRS)(MARGINS, asked)
    there = Chooser(other, "other.jsonl")(MARGINS, asked)
    assert here != there
    assert Chooser([*other, *RESULTS], PAIRS)(MARGINS, asked) == here
    assert Chooser(other, PAIRS)(MARGINS, asked) == there  # the only ones there are
    with pytest.raises(EquimutError, match="several data sets"):
        Chooser([*other, *RESULTS], "third.jsonl")(MARGINS, asked)


def test_the_best_variant_brings_all_its_options() -> None:
    known = [*RESULTS, *results("purge-variants")]
    found = trials(read_grid("benchmark-by-origin"), "b.jsonl", choose=Chooser(known, "b.jsonl"))
    best = [t.config for t in found if t.varied["variant"] == "cpl, best variant"]
    purge = [e for e in known if e.grid == "purge-variants" and e.config.loss.name == "cpl"]
    winner = max(purge, key=lambda each: validation_score(each) or 0.0).config
    assert {each.seed for each in best} == {0, 1, 2}
    for each in best:
        assert each.loss == winner.loss
        assert each.model.distance == winner.model.distance


def test_the_commands_tell_what_is_chosen_and_what_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_trials_here(monkeypatch)
    place = ResultsDirectory(tmp_path / "results")
    for each in RESULTS:
        if each.config.loss.name != "contrastive":
            place.write(each)
    told = {tuple(each.shared.values()): each.options for each in choices(RESULTS, MARGINS)}
    assert len(told) == 4
    assert all(options is not None and set(options) == {"loss.margin"} for options in told.values())
    (tmp_path / PAIRS).write_text("")
    done = call_equimut(
        "sweep", "full-length", tmp_path / PAIRS, "--out", tmp_path / "out", "--chosen-from",
        place.path,
    )  # fmt: skip
    assert "10 trials wait for the choice that full-length-margins makes" in done.stderr
