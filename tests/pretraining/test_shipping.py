"""A detector that ships: features with their fair share, calibrated, measured, with checksums."""

from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
import torch

from equimut.config import ModelConfig
from equimut.errors import DataError
from equimut.evaluation.metrics import score as measure
from equimut.models.detector import Detector
from equimut.models.edit_regression import add_edit_features, weigh_edit_features
from equimut.models.judging import probabilities
from equimut.models.scoring import score
from equimut.models.settings import Provenance
from equimut.pretraining.loop.pairs import halves
from equimut.pretraining.shipping import (
    CHECKSUMS,
    ShippingRows,
    cleaned,
    prepare,
    with_features,
    write_checksums,
)
from equimut.records import Pair
from oracles.datasets.small_data import small_pairs
from oracles.encoders.tiny_encoder import save_tiny_encoder

PAIRS = small_pairs(origins=20)
TRAIN, HELD = PAIRS[:144], PAIRS[144:]


@pytest.fixture
def detector(tmp_path: Path) -> Detector:
    encoder = str(save_tiny_encoder(tmp_path / "encoder", layers=1, hidden=16))
    torch.manual_seed(0)
    return Detector.from_encoder(encoder, ModelConfig(encoder=encoder)).eval()


def precision(detector: Detector, pairs: "tuple[Pair, ...] | list[Pair]") -> float:
    found = probabilities(detector, score(detector, detector.encode(pairs)), pairs)
    return measure([pair.label for pair in pairs], found).average_precision or 0.0


def test_halves_share_no_origin_and_lose_no_pair() -> None:
    first, second = halves(HELD)
    assert not {pair.origin for pair in first} & {pair.origin for pair in second}
    assert sorted(pair.id for pair in (*first, *second)) == sorted(pair.id for pair in HELD)
    assert first
    assert second
    assert halves(HELD[::-1])[0][::-1] == first
    others = [pair.model_copy(update={"language": "c"}) for pair in HELD[:24]]
    assert [pair for pair in halves([*others, *HELD])[0] if pair.language == "java"] == first


def test_cleaning_drops_doubles_and_contradictions() -> None:
    pair = PAIRS[0]
    liar = pair.model_copy(update={"id": "liar", "label": 1 - pair.label})
    double = PAIRS[1].model_copy(update={"id": "double"})
    assert cleaned([pair, PAIRS[1], liar, double, PAIRS[2]]) == [PAIRS[1], PAIRS[2]]


def test_features_that_tell_labels_get_a_share_and_noise_gets_none(detector: Detector) -> None:
    wide = with_features(detector)
    before = precision(wide, HELD)
    network, features = add_edit_features(wide, TRAIN, HELD)
    assert features > 0
    assert network >= 0
    assert precision(wide, HELD) > before
    noise = with_features(detector)
    chance = np.random.default_rng(0)
    _, share = weigh_edit_features(
        noise, chance.normal(0, 3, noise.head.wide.weight.shape[0]), HELD
    )  # type: ignore[union-attr]
    assert share < features / 3


def test_a_place_for_features_changes_no_logit(detector: Detector) -> None:
    wide = with_features(detector)
    ours, theirs = (score(each, each.encode(HELD[:20])).logits for each in (detector, wide))
    np.testing.assert_array_equal(ours, theirs)
    with pytest.raises(DataError, match="features"):
        weigh_edit_features(detector, np.zeros(1), HELD[:4])


def test_what_ships_is_calibrated_measured_small_and_summed(
    detector: Detector, tmp_path: Path
) -> None:
    calibration, test = halves(HELD)
    rows = ShippingRows(TRAIN, calibration, {"held out": test})
    made, evaluations = prepare(
        with_features(detector), rows, Provenance(loss="cpl", languages=("java",))
    )
    place = tmp_path / "detector"
    made.save_pretrained(place, half=True)
    size = write_checksums(place)
    files = [path for path in place.rglob("*") if path.is_file() and path.name != CHECKSUMS]
    assert size == sum(path.stat().st_size for path in files)
    assert len((place / CHECKSUMS).read_text().splitlines()) == len(files)
    for line in (place / CHECKSUMS).read_text().splitlines():
        digest, name = line.split("  ")
        assert sha256((place / name).read_bytes()).hexdigest() == digest
    back = Detector.from_pretrained(place)
    (measured,) = back.settings.measured
    assert measured.pairs == len(test)
    assert measured.average_precision == pytest.approx(precision(made, test))
    assert measured.base_rate == pytest.approx(np.mean([pair.label for pair in test]))
    assert [one.predictor for one in evaluations] == ["equimut", "surroundings-lr"]
    card = (place / "README.md").read_text()
    assert "held out" in card
    assert f"{measured.average_precision:.3f}" in card
    assert precision(back, test) == pytest.approx(measured.average_precision, abs=0.03)
    # the calibrated probabilities of the calibration rows are right on average
    scored = score(made, made.encode(calibration))
    share = np.mean([pair.label for pair in calibration])
    assert float(probabilities(made, scored, calibration).mean()) == pytest.approx(share, abs=0.02)
