"""A detector as it is among predictors that learn."""

import numpy as np

from equimut.evaluation.predictors import DetectorPredictor, ZeroShot
from equimut.models.detector import Detector
from equimut.models.settings import SHIPPED
from oracles.datasets.small_data import small_pairs


def test_it_predicts_what_the_detector_predicts_once_per_pair_and_learns_nothing() -> None:
    pairs = small_pairs(origins=4)
    asked: list[int] = []
    plain = DetectorPredictor(Detector.from_pretrained(SHIPPED), "shipped")
    zero_shot = ZeroShot(DetectorPredictor(plain.detector, "shipped", progress=asked.append))
    expected = plain.probabilities(pairs)
    liars = [pair.model_copy(update={"label": 1 - pair.label}) for pair in pairs]
    found = zero_shot.probabilities(pairs[:20])
    zero_shot.fit(liars)
    again = zero_shot.probabilities(pairs[::-1])
    assert np.allclose(found, expected[:20], atol=1e-5)
    assert np.allclose(again, expected[::-1], atol=1e-5)
    assert sum(asked) == len(pairs)  # twenty first, then the others alone
    assert zero_shot.name == "shipped"
