"""The trials of a sweep side by side: who is compared with whom, and by how much."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from equimut.config import changed
from equimut.errors import EquimutError
from equimut.evaluation.metrics import score
from equimut.evaluation.predictions import write_predictions
from equimut.study.sweep_table import COMPARED, SweepTable, draw_curves, sweep_tables
from equimut.sweep.results import ResultsDirectory, TrialResult
from equimut.training.run_files import EpochScores
from oracles.command import call_equimut
from oracles.datasets.synthetic_trials import PLAIN, drawn, predictions_of_trial, trial

QUALITY = {"base": 0.8, "cpl": 1.6}
SEEDS = range(6)


def made(loss: str, pooling: str, seed: int, epochs: int = 3) -> TrialResult:
    options = {"loss.name": loss, "model.pooling": pooling, "seed": seed}
    quality = QUALITY[loss] + (0.3 if pooling == "edit" else 0.0)
    found = trial("made", quality, seed, changed(PLAIN, options), {"variant": loss, **options})
    history = []
    for epoch in range(1, epochs + 1):
        said = drawn(quality * epoch / epochs, 50 + seed)
        scores = score(said.labels, said.probabilities)
        history.append(EpochScores(epoch=epoch, dev=scores, distances=(0.1 * epoch, 0.05)))
    best = history[-1].dev.average_precision
    return found.model_copy(update={"history": tuple(history), "dev": best})


TRIALS = [made(loss, way, seed) for loss in QUALITY for way in ("cls", "edit") for seed in SEEDS]
BY_ID = {each.id: predictions_of_trial(each) for each in TRIALS}


@cache
def compared(against: str | None = None) -> SweepTable:
    (table,) = sweep_tables(TRIALS, BY_ID.get, against)
    return table


def test_variants_are_told_apart_and_compared_with_cross_entropy() -> None:
    table = compared()
    names = [each.predictor for each in table.summaries]
    assert names == ["base, pooling cls", "base, pooling edit", "cpl, pooling cls",
                     "cpl, pooling edit"]  # fmt: skip
    assert table.against == "base, pooling cls"
    assert [each.runs for each in table.summaries] == [6] * 4
    assert table.hours == pytest.approx(24 / 60)


def test_means_differences_and_distances_are_those_of_a_plain_loop() -> None:
    table = compared("base, pooling edit")
    values = {}
    for name in ("base", "cpl"):
        its = [each for each in TRIALS if each.varied["variant"] == name]
        said = [BY_ID[each.id] for each in its if each.varied["model.pooling"] == "edit"]
        values[name] = [score(one.labels, one.probabilities).macro_f1 for one in said]
    shown = {each.predictor: each.metrics["macro_f1"].mean for each in table.summaries}
    assert shown["cpl, pooling edit"] == pytest.approx(np.mean(values["cpl"]))
    gain = {each.first: each.gains for each in table.contrasts}["cpl, pooling edit"]["macro_f1"]
    assert gain.mean == pytest.approx(np.mean(values["cpl"]) - np.mean(values["base"]))
    assert gain.low is not None
    assert 0 < gain.low < gain.mean
    assert table.distances["cpl, pooling cls"] == pytest.approx((0.3, 0.05))


def test_p_values_are_corrected_over_all_variants_and_metrics() -> None:
    table = compared()
    family = [gain for each in table.contrasts for gain in each.gains.values()]
    assert len(family) == 3 * len(COMPARED)
    smallest = min(family, key=lambda gain: gain.wilcoxon_p or 1.0)
    assert smallest.wilcoxon_p is not None
    assert smallest.corrected_p == pytest.approx(min(1.0, len(family) * smallest.wilcoxon_p))


def test_curves_rise_with_the_epochs_and_have_the_range_of_the_runs() -> None:
    table = compared()
    for curve in table.curves["average_precision"]:
        assert curve.epochs == (1, 2, 3)
        assert curve.mean[0] < curve.mean[-1]
        assert all(a <= b <= c for a, b, c in zip(curve.low, curve.mean, curve.high, strict=True))
    figure = draw_curves(table)
    assert [len(panel.lines) for panel in figure.axes] == [4, 4]


def test_what_cannot_be_compared_is_an_error() -> None:
    with pytest.raises(EquimutError, match="no variant 'x'; there are base, pooling cls"):
        sweep_tables(TRIALS, BY_ID.get, against="x")
    with pytest.raises(EquimutError, match="no finished trials"):
        sweep_tables([], BY_ID.get)


def test_the_command_reads_a_results_directory(tmp_path: Path) -> None:
    results = ResultsDirectory(tmp_path / "results")
    for each in TRIALS[::3]:
        name = each.id.replace(" ", "_")
        results.write(each.model_copy(update={"id": name}))
        write_predictions(results.predictions / f"{name}.jsonl", BY_ID[each.id])
    picture = tmp_path / "curves.png"
    wanted = ("--grid", "made", "--json", "--curves", picture)
    done = call_equimut("trials", results.path, *wanted)
    assert done.returncode == 0, done.stderr
    (table,) = json.loads(done.stdout)
    assert table["against"] == "base, pooling cls"
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "cpl, pooling edit" in {each["first"] for each in table["contrasts"]}
    assert call_equimut("trials", results.path, "--grid", "none").returncode == 2
