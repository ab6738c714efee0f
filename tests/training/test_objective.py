"""What each loss does in training: verges by the equations, triplets, accumulation, the frozen."""

import json
from pathlib import Path

import pytest
import torch
from torch import Tensor

from equimut.config import DEFAULT, RunConfig, changed
from equimut.data.splitting.triplets import triplets
from equimut.losses.functional import half_cosine_distance
from equimut.models.detector import Detector
from equimut.records import Pair
from equimut.training.batches import BatchPlan, cut
from equimut.training.fit import fit
from equimut.training.objective import Objective
from oracles.datasets.small_data import small_pairs
from oracles.encoders.tiny_encoder import save_tiny_encoder
from oracles.purge_loop import PurgeLoop


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_encoder(tmp_path_factory.mktemp("encoder"), layers=1, hidden=32, dropout=0.0)


def configured(encoder: Path, **options: object) -> RunConfig:
    fixed = {"model.encoder": str(encoder), "optim.batch_size": 8, "optim.epochs": 2, "threads": 1}
    return changed(DEFAULT, fixed | {name.replace("__", "."): v for name, v in options.items()})


def train(
    config: RunConfig, pairs: tuple[Pair, ...], out: Path, observe: object = None
) -> tuple[Detector, Objective, list[dict[str, float]]]:
    torch.manual_seed(1)
    detector = Detector.from_encoder(config.model.encoder, config.model)
    objective = Objective(config.loss, [pair.class_id for pair in pairs])
    if observe is not None and objective.purge is not None:
        objective.purge.register_forward_pre_hook(observe)  # type: ignore[arg-type]
    samples = triplets(pairs, 60, 0) if config.loss.name == "triplet" else None
    fit(detector, objective, detector.encode(pairs), None, config, out, samples=samples)
    lines = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
    return detector, objective, lines


def test_verges_and_statistics_move_as_the_equations_say(encoder: Path, tmp_path: Path) -> None:
    pairs = small_pairs()[:60]
    config = configured(encoder, loss__name="cpl", loss__margin=0.02)
    seen: list[tuple[list[float], list[int], list[int]]] = []

    def observe(module: object, inputs: tuple[Tensor, ...]) -> None:
        origin, mutant, label, class_id, *_ = inputs
        distance = half_cosine_distance(origin.detach().double(), mutant.detach().double())
        seen.append((distance.tolist(), label.tolist(), class_id.tolist()))

    _, objective, lines = train(config, pairs, tmp_path, observe)
    loop = PurgeLoop(margin=0.02)
    assert len(seen) == len(lines) == 16
    for (distances, labels, ids), line in zip(seen, lines, strict=True):
        loop.fold(distances, labels, ids)
        expected, slopes = loop.loss(distances, labels, ids)
        assert line["metric"] == pytest.approx(expected, abs=1e-5)
        assert line["loss"] == pytest.approx(1.15 * line["metric"] + line["cross_entropy"])
        assert line["active"] == pytest.approx(sum(s != 0 for s in slopes) / len(slopes))
        for polarity, name in ((1, "positive_verge"), (0, "negative_verge")):
            verges = [v for (_, label), v in loop.verges.items() if label == polarity]
            if verges:
                assert line[name] == pytest.approx(sum(verges) / len(verges), abs=1e-6)
    assert objective.purge is not None
    for (class_id, label), verge in loop.verges.items():
        assert float(objective.purge.verge[class_id, label]) == pytest.approx(verge, abs=1e-6)
    assert objective.purge.class_keys.tolist() == sorted({pair.class_id for pair in pairs})


@pytest.mark.parametrize("loss", ["base", "contrastive", "triplet", "cpl"])
def test_every_loss_learns(encoder: Path, tmp_path: Path, loss: str) -> None:
    config = configured(
        encoder,
        loss__name=loss,
        loss__margin=0.05,
        optim__epochs=8,
        optim__learning_rate=2e-3,
        optim__warmup=0.1,
    )
    _, _, lines = train(config, small_pairs()[:24], tmp_path)
    per_epoch = len(lines) // 8
    first, last = lines[:per_epoch], lines[-per_epoch:]
    before, after = (sum(x["cross_entropy"] for x in part) / per_epoch for part in (first, last))
    assert after < 0.8 * before
    assert any(line["metric"] > 0 for line in lines) == (loss != "base")
    assert {"step", "epoch", "rate", "loss", "gradient_norm"} <= set(lines[0])


def test_triplet_loss_sees_an_equivalent_and_another_of_one_origin(
    encoder: Path, tmp_path: Path
) -> None:
    pairs = small_pairs()[:36]
    config = configured(encoder, loss__name="triplet")
    torch.manual_seed(1)
    detector = Detector.from_encoder(encoder, config.model).eval()
    encoded = detector.encode(pairs)
    plan = BatchPlan(encoded, triplets(pairs, 20, 0), detector.collator, 8, seed=3)
    objective = Objective(config.loss, [pair.class_id for pair in pairs]).eval()
    for (part,) in plan.epoch(0):
        labels, classes = part.batch.labels, part.batch.class_ids
        assert labels[0::2].eq(1).all()
        assert labels[1::2].eq(0).all()
        assert classes[0::2].equal(classes[1::2])
        with torch.no_grad():
            output = detector(part.batch)
            losses = objective(output, part.batch, part.pairs)
        near = half_cosine_distance(output.origin.cls[0::2], output.mutant.cls[0::2])
        far = half_cosine_distance(output.origin.cls[1::2], output.mutant.cls[1::2])
        expected = torch.relu(near - far + 0.1).mean()
        assert float(losses.metric) == pytest.approx(float(expected), abs=1e-6)


@pytest.mark.parametrize("loss", ["base", "contrastive"])
def test_accumulated_parts_add_up_to_the_whole_batch(
    encoder: Path, tmp_path: Path, loss: str
) -> None:
    pairs = small_pairs()[:21]
    logs = []
    for parts in (1, 3):
        config = configured(encoder, loss__name=loss, optim__accumulate=parts)
        logs.append(train(config, pairs, tmp_path / str(parts))[2])
    for whole, summed in zip(*logs, strict=True):
        for name in ("loss", "cross_entropy", "gradient_norm"):
            assert summed[name] == pytest.approx(whole[name], rel=1e-3, abs=1e-5)


def test_a_frozen_encoder_stays_as_it_was_and_the_head_learns(
    encoder: Path, tmp_path: Path
) -> None:
    pairs = small_pairs()[:24]
    config = configured(encoder, model__frozen=True, optim__epochs=3, loss__name="cpl")
    detector, _, lines = train(config, pairs, tmp_path)
    untouched = Detector.from_encoder(encoder, config.model)
    for name, value in untouched.encoder.state_dict().items():
        assert torch.equal(detector.encoder.state_dict()[name], value)
    assert lines[-1]["cross_entropy"] < lines[0]["cross_entropy"]
    # the features come from a table, and are those of the detector itself
    from equimut.training.frozen import FrozenDetector

    encoded = detector.encode(pairs)
    batch = detector.collator(encoded[5:12])
    detector.eval()
    with torch.no_grad():
        looked_up, computed = FrozenDetector(detector, encoded).eval()(batch), detector(batch)
    torch.testing.assert_close(looked_up.logits, computed.logits, atol=1e-5, rtol=0)


def test_a_plan_shows_every_sample_once_an_epoch_to_one_process_or_several(encoder: Path) -> None:
    detector = Detector.from_encoder(encoder)
    pairs = detector.encode(small_pairs()[:23])
    samples = [(place,) for place in range(23)]
    for processes, accumulate in ((1, 1), (2, 1), (3, 2), (8, 1)):
        plans = [
            BatchPlan(pairs, samples, detector.collator, 5, 9, accumulate, rank, processes)
            for rank in range(processes)
        ]
        shown: list[int] = []
        for steps in zip(*(plan.epoch(2) for plan in plans), strict=True):
            assert sum(part.weight for part in steps[0]) == pytest.approx(1)
            for parts in zip(*steps, strict=True):
                for part in parts:
                    assert len(part.batch) >= 1  # a process without pairs borrows one
                    shown += part.batch.sample_index[: part.pairs].tolist()
        assert sorted(shown) == list(range(23))
        if processes == 1:
            alone = shown
        assert shown == alone  # part by part and rank by rank, it is the order of one process


def test_cutting_keeps_order_and_evens_out() -> None:
    assert [list(part) for part in cut(range(7), 3)] == [[0, 1, 2], [3, 4], [5, 6]]
    assert [list(part) for part in cut(range(2), 3)] == [[0], [1]]
    assert [list(part) for part in cut(range(2), 3, keep_empty=True)] == [[0], [1], []]
