"""The distance in the head: what it adds, the verges it is told, the same on every road."""

from pathlib import Path
from typing import Literal

import pytest
import torch

from equimut.config import DEFAULT, ModelConfig, changed
from equimut.errors import EquimutError
from equimut.losses.functional import mean_verges
from equimut.models.detector import Detector
from equimut.models.head import pool_sides
from equimut.models.scoring import score
from equimut.training.fit import fit
from equimut.training.objective import Objective
from oracles.datasets.small_data import small_pairs
from oracles.encoders.tiny_encoder import save_tiny_encoder
from oracles.purge_loop import distance

WHICH: tuple[Literal["cls", "edit", "both"], ...] = ("cls", "edit", "both")


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_encoder(tmp_path_factory.mktemp("encoder"), layers=1, hidden=16, dropout=0.0)


def told(encoder: Path, which: Literal["cls", "edit", "both"]) -> Detector:
    torch.manual_seed(0)
    made = Detector.from_encoder(encoder, ModelConfig(encoder=str(encoder), distance=which))
    assert made.head.near is not None
    torch.nn.init.normal_(made.head.near.weight)
    made.head.verges.copy_(torch.tensor([0.4, 0.1]))
    return made.eval().requires_grad_(False)


@pytest.mark.parametrize("which", WHICH)
def test_distance_and_place_move_the_margin_by_their_weights(
    encoder: Path, which: Literal["cls", "edit", "both"]
) -> None:
    detector = told(encoder, which)
    pairs = small_pairs()[:6]
    batch = detector.collator(detector.encode(pairs))
    origin, mutant = pool_sides(detector.encoder(batch), batch, "edit")
    plain = detector.head.out(detector.head.state(origin, mutant))
    assert detector.head.near is not None
    (by_distance, by_place), bias = detector.head.near.weight[0].tolist(), detector.head.near.bias
    assert origin.edit is not None
    assert mutant.edit is not None
    for row, logits in enumerate(detector(batch).logits):
        far = {
            "cls": distance(origin.cls[row].tolist(), mutant.cls[row].tolist()),
            "edit": distance(origin.edit[row].tolist(), mutant.edit[row].tolist()),
        }
        far["both"] = (far["cls"] + far["edit"]) / 2
        place = min(max((far[which] - 0.1) / 0.3, -4), 5)
        grown = (logits[1] - logits[0]) - (plain[row, 1] - plain[row, 0])
        expected = by_distance * far[which] + by_place * place + float(bias)
        assert float(grown) == pytest.approx(expected, abs=1e-4)


def test_scoring_saving_and_the_forward_pass_agree(encoder: Path, tmp_path: Path) -> None:
    detector, pairs = told(encoder, "both"), small_pairs()[:12]
    detector.save_pretrained(tmp_path / "saved")
    again = Detector.from_pretrained(tmp_path / "saved")
    encoded = detector.encode(pairs)
    logits = detector(detector.collator(encoded)).logits
    for each in (detector, again):
        found = torch.from_numpy(score(each, encoded).logits)
        torch.testing.assert_close(found, logits, rtol=1e-4, atol=1e-5)
    assert again.head.verges.tolist() == pytest.approx([0.4, 0.1])


def test_training_tells_the_head_where_the_labels_lie(encoder: Path, tmp_path: Path) -> None:
    fixed = {
        "model.encoder": str(encoder), "model.distance": "edit", "loss.on": "edit", "threads": 1,
        "loss.margin": 0.1, "loss.shared": 4.0, "optim.epochs": 2, "optim.batch_size": 8,
    }  # fmt: skip
    config, pairs = changed(DEFAULT, fixed), small_pairs()[:60]
    detector = Detector.from_encoder(encoder, config.model)
    objective = Objective(config.loss, [pair.class_id for pair in pairs])
    fit(detector, objective, detector.encode(pairs), None, config, tmp_path)
    assert objective.purge is not None
    assert objective.purge.shared == 4
    means = mean_verges(objective.purge.verge, objective.purge.count)
    assert detector.head.verges.tolist() == means.tolist()
    assert detector.head.near is not None
    assert detector.head.near.weight.abs().min() > 0


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"loss.on": "edit", "model.pooling": "cls"}, "needs model.pooling = edit"),
        ({"model.distance": "both", "model.pooling": "cls"}, "needs model.pooling = edit"),
        ({"model.distance": "edit"}, "must be that of loss.on"),
    ],
)
def test_embeddings_that_are_not_there_are_refused(options: dict[str, str], why: str) -> None:
    with pytest.raises(EquimutError, match=why):
        changed(DEFAULT, options)
