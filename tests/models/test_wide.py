"""Named features beside the network: a regression in the same model, the same on every road."""

from pathlib import Path

import numpy as np
import pytest
import torch

from equimut.config import ModelConfig
from equimut.errors import EquimutError
from equimut.inputs.cache import EncodingCache
from equimut.inputs.edit_features.edit import edit_features
from equimut.inputs.edit_features.surroundings import BUCKETS, hashed_features, surrounding_features
from equimut.models.detector import Detector
from equimut.models.head import Features, pool_sides
from equimut.models.scoring import score
from oracles.datasets.small_data import small_pairs
from oracles.encoders.tiny_encoder import save_tiny_encoder


@pytest.fixture(scope="module")
def detector(tmp_path_factory: pytest.TempPathFactory) -> Detector:
    encoder = save_tiny_encoder(tmp_path_factory.mktemp("encoder"), layers=1, hidden=16)
    torch.manual_seed(0)
    made = Detector.from_encoder(encoder, ModelConfig(encoder=str(encoder), features=True))
    assert made.head.wide is not None
    torch.nn.init.normal_(made.head.wide.weight)
    return made.eval()


def test_the_margin_grows_by_the_weights_of_the_features(detector: Detector) -> None:
    pairs = small_pairs()[:6]
    encoded = detector.encode(pairs)
    batch = detector.collator(encoded)
    detector.requires_grad_(False)
    sides = pool_sides(detector.encoder(batch), batch, "edit")
    deep = detector.head.deep(*sides)
    assert detector.head.wide is not None
    weights = detector.head.wide.weight[:, 0].tolist()
    for row, (pair, logits) in enumerate(zip(pairs, detector(batch).logits, strict=True)):
        buckets = set(hashed_features(pair.origin, pair.mutant, pair.language).tolist())
        names = edit_features(pair) | surrounding_features(pair)
        assert 0 < len(buckets) <= len(names)
        assert max(buckets) < BUCKETS
        added = sum(weights[bucket] for bucket in buckets)
        grown = (logits[1] - logits[0]) - (deep[row, 1] - deep[row, 0])
        assert float(grown) == pytest.approx(added, abs=1e-4)
        assert float(logits.sum()) == pytest.approx(float(deep[row].sum()), abs=1e-4)


def test_scoring_judging_and_the_forward_pass_agree(detector: Detector, tmp_path: Path) -> None:
    pairs = small_pairs()[:12]
    cache = EncodingCache(tmp_path)
    first, again = detector.encode(pairs, cache), detector.encode(pairs, cache)
    for one, other in zip(first, again, strict=True):
        assert one.features.tolist() == other.features.tolist()
    logits = detector(detector.collator(first)).logits
    torch.testing.assert_close(
        torch.from_numpy(score(detector, again).logits), logits, rtol=1e-4, atol=1e-5
    )
    said = [judgement.probability for judgement in detector.judge_all(pairs)]
    expected = torch.softmax(logits.double(), -1)[:, 1].tolist()
    assert said == pytest.approx(expected, abs=1e-5)


def test_a_saved_detector_keeps_its_features(detector: Detector, tmp_path: Path) -> None:
    detector.save_pretrained(tmp_path / "saved")
    back = Detector.from_pretrained(tmp_path / "saved")
    assert back.settings.features
    pairs = small_pairs()[:4]
    ours, theirs = (score(each, each.encode(pairs)).logits for each in (detector, back))
    np.testing.assert_array_equal(ours, theirs)


def test_features_begin_at_nothing_and_without_them_there_are_none(tmp_path: Path) -> None:
    encoder = str(save_tiny_encoder(tmp_path, layers=1, hidden=16))
    torch.manual_seed(0)
    wide = Detector.from_encoder(encoder, ModelConfig(encoder=encoder, features=True)).eval()
    torch.manual_seed(0)
    plain = Detector.from_encoder(encoder, ModelConfig(encoder=encoder)).eval()
    pairs = small_pairs()[:4]
    assert not plain.encode(pairs)[0].features.size
    logits = [score(each, each.encode(pairs)).logits for each in (wide, plain)]
    np.testing.assert_array_equal(*logits)
    side = Features(torch.zeros(1, 16), torch.zeros(1, 16))
    with pytest.raises(EquimutError, match="features"):
        wide.head(side, side)
