"""`train` from pairs in memory: the run that the same pairs in a file give, without the file."""

import json
from pathlib import Path

import pytest
import torch

from equimut.config import DEFAULT, RunConfig, changed
from equimut.data.labelled import complete_pairs
from equimut.data.store import write_pairs
from equimut.errors import DataError, EquimutError, NothingToAnalyse
from equimut.models.scoring import score
from equimut.sweep.grid import Trial
from equimut.sweep.trial_run import run_trial
from equimut.training.measure import measure_run
from equimut.training.rows import choose_rows
from equimut.training.run import train, train_run
from oracles.command import call_equimut
from oracles.datasets.small_data import small_pairs
from oracles.encoders.tiny_encoder import save_tiny_encoder

PAIRS = small_pairs(origins=10)
ROWS = [pair.model_dump(include={"origin", "mutant", "language", "label"}) for pair in PAIRS]


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> RunConfig:
    place = tmp_path_factory.mktemp("train") / "encoder"
    save_tiny_encoder(place, layers=1, hidden=16)
    return changed(DEFAULT, {
        "model.encoder": str(place), "optim.epochs": 2, "optim.learning_rate": 0.02, "threads": 1,
    })  # fmt: skip


def test_pairs_in_memory_give_the_run_of_the_same_pairs_in_a_file(
    config: RunConfig, tmp_path: Path
) -> None:
    write_pairs(tmp_path / "pairs.jsonl", PAIRS)
    named = changed(config, {"data.pairs": str(tmp_path / "pairs.jsonl")})
    filed = train_run(named, tmp_path / "file", baselines=False)
    run = train(PAIRS, config=config, out=tmp_path / "memory", baselines=False)
    assert run.record.evaluation is not None
    assert filed.evaluation is not None
    assert run.record.evaluation.scores == filed.evaluation.scores
    assert run.record.history == filed.history
    assert run.record.data.fingerprint == filed.data.fingerprint
    assert run.detector.judge(PAIRS[0].origin, PAIRS[0].mutant, "java").probability is not None
    again = train(PAIRS, config=config, out=tmp_path / "memory")
    assert again.record == run.record
    with pytest.raises(EquimutError, match="pairs in memory has changed"):
        train(PAIRS[1:], config=config, out=tmp_path / "memory")
    with pytest.raises(DataError, match="never in a file"):
        choose_rows(run.record.config)


@pytest.mark.parametrize("selection", ["last", "dev"])
def test_a_curve_measures_the_test_rows_and_changes_nothing(
    config: RunConfig, tmp_path: Path, selection: str
) -> None:
    plain = changed(config, {"optim.epochs": 3, "selection.on": selection})
    watched = changed(plain, {"curve": [1, 3]})
    runs = [
        train(PAIRS, config=each, out=tmp_path / name, baselines=False)
        for name, each in (("plain", plain), ("watched", watched))
    ]
    for one, other in zip(*(run.detector.state_dict().values() for run in runs), strict=True):
        assert torch.equal(one, other)
    before, after = (run.record for run in runs)
    assert after.evaluation == before.evaluation
    assert [each.model_copy(update={"test": None}) for each in after.history if each.dev] == [
        *before.history
    ]
    points = {each.epoch: each.test for each in after.history if each.test is not None}
    assert points.keys() == {1, 3}
    assert all(each.test is None for each in before.history)
    last = points[3]
    assert last is not None
    assert points[1] != last
    if selection == "last":  # the weights of the last epoch are those that are measured
        assert after.evaluation is not None
        assert last.scores == after.evaluation.scores
        test = choose_rows(changed(watched, {"data.pairs": "x"}), PAIRS).parts.test
        far = [(pair.label, float(d)) for pair, d in zip(
            test, score(runs[1].detector, runs[1].detector.encode(test)).distance, strict=True
        )]  # fmt: skip
        for label in (0, 1):
            its = [distance for kind, distance in far if kind == label]
            assert last.distances is not None
            assert last.distances[label] == pytest.approx(sum(its) / len(its), abs=1e-6)


def test_four_fields_and_the_protocol_all_train_on_everything(
    config: RunConfig, tmp_path: Path
) -> None:
    run = train(ROWS, config=config, out=tmp_path / "all", protocol="all")
    record = run.record
    assert record.evaluation is None
    assert record.baselines == ()
    assert (record.data.protocol, record.data.test) == ("all", 0)
    assert record.data.train + record.data.dev == len(ROWS)
    assert record.best_value is not None
    assert run.detector.settings.calibration is not None
    with pytest.raises(NothingToAnalyse, match="trained on all"):
        measure_run(tmp_path / "all", complete_pairs(ROWS), "pairs")
    with pytest.raises(DataError, match="selection on test"):
        train(ROWS, config=changed(config, {"selection.on": "test"}), out=tmp_path / "x",
              protocol="all")  # fmt: skip


def test_rows_of_ones_own_measure_a_run(config: RunConfig, tmp_path: Path) -> None:
    heard: list[str] = []
    rows, test = ROWS[:96], ROWS[94:]
    run = train(rows, test=test, config=config, out=tmp_path / "own", message=heard.append)
    assert heard == [f"2 of {len(test)} test rows are also trained on"]
    assert run.record.evaluation is not None
    assert run.record.evaluation.count == len(test)
    assert run.record.data.train + run.record.data.dev == 96
    assert len(run.record.baselines) > 2


def test_a_trial_needs_test_rows(config: RunConfig, tmp_path: Path) -> None:
    asked = changed(config, {"data.pairs": "x", "data.protocol": "all"})
    trial = Trial(id="all", varied={}, config=asked)
    result = run_trial(trial, "grid", tmp_path, None)
    assert (result.status, "no test rows" in result.error) == ("failed", True)


def test_the_command_trains_on_all_of_a_file_of_four_fields(
    config: RunConfig, tmp_path: Path
) -> None:
    (tmp_path / "mine.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    done = call_equimut(
        "train", str(tmp_path / "mine.jsonl"), "--protocol", "all", "--encoder",
        config.model.encoder, "--epochs", "1", "--out", str(tmp_path / "run"),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "chosen on" in done.stdout
    listed = call_equimut("runs", str(tmp_path))
    assert "all" in listed.stdout


def test_a_few_rows_of_ones_own_are_not_cut_into_slivers(config: RunConfig, tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    heard: list[str] = []
    record = train(path, config=config, out=tmp_path / "own", message=heard.append).record
    assert (record.data.protocol, record.data.test) == ("all", 0)
    assert record.data.train + record.data.dev == len(ROWS)
    assert heard == [
        f"{len(ROWS)} rows of your own: all are for training, none tests it; {record.data.dev} of "
        "them only choose the epoch and calibrate (--protocol by-origin tests on a fifth of the "
        "origins)"
    ]
    asked = train(path, config=config, out=tmp_path / "asked", protocol="paper", baselines=False)
    assert asked.record.data.test == len(ROWS) // 2
    few = [row for row in ROWS if row["origin"] in (ROWS[0]["origin"], ROWS[-1]["origin"])]
    last = train(few, config=config, out=tmp_path / "few", message=heard.append).record
    assert last.config.selection.on == "last"
    assert "too few to choose an epoch by" in heard[-1]
    assert last.data.train == len(few)


@pytest.mark.parametrize("asked", [["--protocol", "paper"], ["--set", "data.protocol=paper"]])
def test_a_protocol_that_is_named_on_the_command_line_is_kept(
    config: RunConfig, tmp_path: Path, asked: list[str]
) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    given = ["train", path, "--encoder", config.model.encoder, "--epochs", "1", "--threads", "1"]
    found = call_equimut(*given, *asked, "--out", tmp_path / "run")
    assert found.returncode == 0, found.stderr
    assert json.loads((tmp_path / "run" / "run.json").read_text())["data"]["test"] > 0
