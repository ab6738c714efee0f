"""Files written under older names still load: detectors, runs, pretrainings, grids, results."""

import json
from pathlib import Path

import pytest

from conftest import ROOT
from equimut.config import CPU, changed, read_config
from equimut.errors import EquimutError
from equimut.models.settings import SHIPPED, DetectorSettings, model_directory, read_settings
from equimut.pretraining.loop.config import CONFIG, PretrainConfig, check_same
from equimut.sweep.grid import ADDED_LATER, Grid, read_grid, trial_id, trials
from equimut.sweep.results import ResultsDirectory
from equimut.training.run_files import read_record

OLD = Path(__file__).parent / "old_files"


def test_a_detector_with_places_and_wished_precisions_is_the_one_that_ships() -> None:
    old = DetectorSettings.model_validate_json((OLD / "shipped-detector.json").read_text())
    now = read_settings(model_directory(SHIPPED))
    came = {
        "provenance": old.provenance.model_copy(update={"loss": now.provenance.loss}),
        "calibration": now.calibration,  # fitted anew
    }
    assert old.model_copy(update=came) == now
    assert old.limits.max_length == 64
    assert old.calibration is not None
    assert [target.precision for target in old.calibration.targets] == [0.8, 0.9, 0.95, 0.99]
    promised = old.thresholds(0.9).equivalent_from
    assert promised == old.calibration.targets[2].threshold  # at least 0.93; the one for 0.9, 0.88
    assert old.measured[0].baseline
    written = now.model_dump_json()
    assert not [name for name in ("places", "wished", "beside") if f'"{name}"' in written]


def test_a_run_with_places_is_read_and_has_the_options_it_had() -> None:
    record = read_record(OLD / "run")
    assert record.status == "finished"
    assert record.config.model.max_length == 32
    assert record.config == read_config(OLD / "run" / "config.toml")
    assert record.history[0].dev is not None
    assert record.history[0].dev.count == record.data.dev
    again = json.loads(record.model_dump_json())
    before = json.loads((OLD / "run" / "run.json").read_text())
    assert again["config"]["model"].pop("max_length") == before["config"]["model"].pop("places")
    for evaluation in (before["evaluation"], *before["baselines"]):
        evaluation["predictor"] = evaluation.pop("judge")
    for section, options in ADDED_LATER.items():
        for option in options:
            del again["config"][section][option]
    for later in ("distances", "test"):
        assert [epoch.pop(later) for epoch in again["history"]] == [None] * len(before["history"])
    assert again["config"].pop("curve") == []
    assert (again.pop("code"), again.pop("continued")) == ("", [])
    assert again == before
    settings = read_settings(OLD / "run" / "model")
    assert (settings.limits.max_length, settings.limits.nodes) == (32, 8)


def test_a_pretraining_with_places_goes_on(tmp_path: Path) -> None:
    (tmp_path / CONFIG).write_text((OLD / "pretrain.json").read_text())
    check_same(PretrainConfig(max_length=48), tmp_path)
    assert json.loads((tmp_path / CONFIG).read_text())["max_length"] == 48
    with pytest.raises(EquimutError, match="other options"):
        check_same(PretrainConfig(max_length=64), tmp_path)


def test_the_old_name_of_an_option_means_the_new_one(tmp_path: Path) -> None:
    new = changed(CPU, {"model.max_length": 48})
    assert changed(CPU, {"model.places": 48}) == new
    (tmp_path / "run.toml").write_text("[model]\nplaces = 48\n")
    assert read_config(tmp_path / "run.toml", CPU) == new
    grid = Grid(name="old", preset="cpu", grid={"model.places": [48]})
    (trial,) = trials(grid, "pairs.jsonl", {"model.max_length": 99})
    assert trial.config.model.max_length == 48
    assert dict(trial.varied) == {"model.max_length": 48}


def test_results_are_found_under_the_ids_they_were_stored_with() -> None:
    found = 0
    for directory in ("grids/c", "grids/java", "sweeps/c", "sweeps/java"):
        for name, result in ResultsDirectory(ROOT / "results" / directory).by_trial().items():
            assert name == result.id
            assert not [key for key in result.varied if "places" in key]
            found += 1
    assert found > 300
    # of a grid that is still being run by the older code
    wanted = trials(read_grid("input-pooling"), "emd-java.jsonl", {"model.encoder": "equimut"})
    there = ResultsDirectory(ROOT / "results" / "sweeps" / "java").by_trial()
    assert {trial_id(trial.config) for trial in wanted} <= there.keys()
