"""A wide part that begins with a regression: against the regression among the baselines."""

from pathlib import Path

import numpy as np
import pytest

from equimut.config import DEFAULT, changed
from equimut.data.store import write_pairs
from equimut.errors import EquimutError
from equimut.evaluation.baselines import SurroundingsRegression
from equimut.models.detector import Detector
from equimut.training.rows import choose_rows
from equimut.training.run import train_run
from equimut.training.wide import begin_with_regression
from oracles.small_data import small_pairs
from oracles.tiny_encoder import save_tiny_encoder

PAIRS = small_pairs(origins=10)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("wide") / "encoder"
    save_tiny_encoder(place, layers=1, hidden=16)
    return place


def test_the_wide_part_begins_with_the_regression_of_the_baseline(encoder: Path) -> None:
    config = changed(DEFAULT, {"model.encoder": str(encoder), "model.features": True}).model
    detector = Detector.from_encoder(encoder, config)
    assert detector.head.wide is not None
    assert not detector.head.wide.weight.any()
    encoded = detector.encode(PAIRS)
    begin_with_regression(detector, encoded)
    weights = detector.head.wide.weight[:, 0].detach().double().numpy()
    ours = np.array([weights[pair.features].sum() for pair in encoded])
    baseline = SurroundingsRegression()
    baseline.fit(PAIRS)
    said = baseline.probabilities(PAIRS)
    apart = np.log(said / (1 - said)) - ours
    # They differ by the baseline's constant, and where two features share a bucket.
    assert np.std(apart) < 0.05 * np.std(ours)


def test_a_run_begins_there_and_goes_on(encoder: Path, tmp_path: Path) -> None:
    write_pairs(tmp_path / "pairs.jsonl", PAIRS)
    config = changed(
        DEFAULT,
        {
            "model.encoder": str(encoder), "data.pairs": str(tmp_path / "pairs.jsonl"),
            "model.features": True, "model.wide_start": "regression", "selection.on": "last",
            "optim.epochs": 1, "optim.learning_rate": 1e-9, "threads": 1,
        },
    )  # fmt: skip
    train_run(config, tmp_path / "run", baselines=False)
    trained = Detector.from_pretrained(tmp_path / "run" / "model")
    begun = Detector.from_encoder(encoder, config.model)
    begin_with_regression(begun, begun.encode(choose_rows(config).train))
    assert trained.head.wide is not None
    assert begun.head.wide is not None
    found, expected = (each.head.wide.weight[:, 0].detach().numpy() for each in (trained, begun))  # type: ignore[union-attr]
    # A rate of next to nothing leaves what it began with.
    assert np.abs(expected).max() > 0.1
    assert np.allclose(found, expected, atol=1e-6)


def test_a_regression_without_a_place_for_features_is_an_error(encoder: Path) -> None:
    detector = Detector.from_encoder(encoder, DEFAULT.model)
    with pytest.raises(EquimutError, match=r"model\.features = true"):
        begin_with_regression(detector, detector.encode(PAIRS))
