"""Regressions beside a network, in one head: against the judges asked one by one."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from equimut.config import DEFAULT, RunConfig, changed
from equimut.data.store import write_pairs
from equimut.errors import EquimutError
from equimut.evaluation.baselines import EditRegression, SurroundingsRegression
from equimut.evaluation.predictions import Predictions, average_log_odds, predict
from equimut.evaluation.predictors import DetectorPredictor
from equimut.models.detector import Detector
from equimut.models.edit_regression import add_edit_regressions, freeze_edit_features
from equimut.training.rows import choose_rows
from equimut.training.run import train_run
from oracles.datasets.small_data import small_pairs
from oracles.encoders.tiny_encoder import save_tiny_encoder

PAIRS = small_pairs(origins=10)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("wide")
    save_tiny_encoder(place / "encoder", layers=1, hidden=16)
    write_pairs(place / "pairs.jsonl", PAIRS)
    return place


def configured(place: Path, **options: object) -> RunConfig:
    fixed = {
        "model.encoder": str(place / "encoder"), "data.pairs": str(place / "pairs.jsonl"),
        "optim.epochs": 2, "optim.learning_rate": 0.02, "selection.on": "dev",
        "selection.refit": True, "model.dropout": 0.0, "threads": 1,
    }  # fmt: skip
    return changed(DEFAULT, fixed | {name.replace("__", "."): v for name, v in options.items()})


def test_a_run_with_regressions_is_a_committee_of_its_network_and_the_baselines(
    place: Path, tmp_path: Path
) -> None:
    wide = configured(place, model__features=True, model__wide="regressions")
    plain = configured(place)
    for name, config in (("wide", wide), ("plain", plain)):
        train_run(config, tmp_path / name, baselines=False)
    parts = choose_rows(wide).parts
    members = [predict(_judge(tmp_path / "plain"), parts.test)]
    for make in (EditRegression, SurroundingsRegression):
        judge = make()
        judge.fit(parts.train)
        members.append(predict(judge, parts.test))
    found = predict(_judge(tmp_path / "wide"), parts.test)
    expected = average_log_odds(members)
    ours, theirs, alone = (_log_odds(each) for each in (found, expected, members[0]))
    # The model has a temperature of its own on top, so the odds agree up to a factor. Two features
    # may share a bucket: then a weight differs a little.
    factor = ours @ theirs / (theirs @ theirs)
    assert factor > 0.2
    assert np.abs(ours - factor * theirs).max() < 0.05 * np.abs(ours).max()
    assert np.corrcoef(ours, alone)[0, 1] < 0.9


def _log_odds(said: Predictions) -> NDArray[np.float64]:
    found = np.array(said.probabilities)
    return np.asarray(np.log(found / (1 - found)))


def _judge(run: Path) -> DetectorPredictor:
    return DetectorPredictor(Detector.from_pretrained(run / "model"), "judge")


def test_regressions_without_features_are_an_error(place: Path) -> None:
    with pytest.raises(EquimutError, match="needs features = true"):
        configured(place, model__wide="regressions")
    detector = Detector.from_encoder(place / "encoder", DEFAULT.model)
    with pytest.raises(EquimutError, match="no place for features"):
        add_edit_regressions(detector, PAIRS)


def test_while_it_waits_the_wide_part_says_nothing_and_does_not_learn(place: Path) -> None:
    config = configured(place, model__features=True, model__wide="regressions")
    detector = Detector.from_encoder(place / "encoder", config.model)
    assert detector.head.wide is not None
    detector.head.wide.weight.data.fill_(3.0)  # as that of a detector one starts from
    freeze_edit_features(detector)
    assert not detector.head.wide.weight.any()
    assert not detector.head.wide.weight.requires_grad
