"""The ablations in training: what is learnt, what is dealt out anew, what a run keeps of verges."""

import json
from collections import Counter
from pathlib import Path

import pytest
import torch

from equimut.config import DEFAULT, RunConfig, changed
from equimut.data.store import write_pairs
from equimut.losses.ablations import PurgeWithLearnedVerges
from equimut.models.bulk import ray_judging
from equimut.models.bulk.ray_judging import Cluster
from equimut.models.detector import Detector
from equimut.records import Judgement
from equimut.training.fit import fit
from equimut.training.objective import Objective
from equimut.training.rows import with_random_classes
from equimut.training.run import train_run
from equimut.training.run_files import read_verges
from oracles.datasets.small_data import small_pairs
from oracles.encoders.tiny_encoder import save_tiny_encoder


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("ablations")
    write_pairs(place / "pairs.jsonl", small_pairs(origins=10))
    save_tiny_encoder(place / "encoder", layers=1, hidden=16)
    return place


def configured(place: Path, **options: object) -> RunConfig:
    fixed = {
        "model.encoder": str(place / "encoder"), "data.pairs": str(place / "pairs.jsonl"),
        "optim.epochs": 2, "optim.batch_size": 16, "selection.on": "last", "threads": 1,
    }  # fmt: skip
    return changed(DEFAULT, fixed | {name.replace("__", "."): v for name, v in options.items()})


def test_learned_boundaries_are_trained_with_the_model_and_survive_a_checkpoint(
    place: Path, tmp_path: Path
) -> None:
    pairs = small_pairs(origins=10)[:32]
    config = configured(place, loss__name="cpl-learned-verges", loss__margin=0.05)
    found = []
    for stop in (1, 2, None):  # one epoch, then its second from the checkpoint; and both at once
        torch.manual_seed(0)
        detector = Detector.from_encoder(place / "encoder", config.model)
        objective = Objective(config.loss, [pair.class_id for pair in pairs])
        assert isinstance(objective.joint.metric, PurgeWithLearnedVerges)
        directory = tmp_path / ("parts" if stop else "whole")
        if stop == 1:  # a schedule for two epochs, broken off after one
            with pytest.raises(KeyboardInterrupt):
                fit(detector, objective, detector.encode(pairs), None, config, directory,
                    progress=lambda progress: _break_off(progress.step))  # fmt: skip
            continue
        fit(detector, objective, detector.encode(pairs), None, config, directory)
        found.append(objective.joint.metric.boundary.detach().clone())
    assert not torch.allclose(found[0], torch.full_like(found[0], 0.1))  # they moved
    assert torch.equal(*found)


def _break_off(step: int) -> None:
    if step == 3:
        raise KeyboardInterrupt


def test_random_classes_keep_their_sizes_and_lose_their_origins() -> None:
    pairs = small_pairs(origins=10)
    dealt = with_random_classes(pairs, seed=3)
    assert Counter(p.class_id for p in dealt) == Counter(p.class_id for p in pairs)
    assert [p.id for p in dealt] == [p.id for p in pairs]
    moved = sum(a.class_id != b.class_id for a, b in zip(dealt, pairs, strict=True))
    assert moved > 0.7 * len(pairs)
    assert dealt == with_random_classes(pairs, seed=3)
    assert dealt != with_random_classes(pairs, seed=4)


def test_random_classes_change_the_training_of_a_run(place: Path, tmp_path: Path) -> None:
    first = []
    for classes in ("own", "random"):
        # A margin at which every class matters from the first step on.
        config = configured(place, loss__classes=classes, loss__margin=0.3, optim__epochs=1)
        train_run(config, tmp_path / classes, baselines=False)
        lines = (tmp_path / classes / "log.jsonl").read_text().splitlines()
        first.append([json.loads(line).get("metric") for line in lines])
    assert first[0] != first[1]


@pytest.mark.parametrize("refit", [False, True])
def test_a_run_keeps_where_its_verges_stood(place: Path, tmp_path: Path, refit: bool) -> None:
    options = {"selection__on": "dev", "selection__refit": True} if refit else {}
    config = configured(place, optim__epochs=1, **options)
    train_run(config, tmp_path / "run", baselines=False)
    verges = read_verges(tmp_path / "run")
    assert verges is not None
    assert verges.epochs == 1
    classes = {pair.class_id for pair in small_pairs(origins=10)}
    assert set(verges.of_class) == classes  # after a refit: of all training, not of a part
    known = [value for both in verges.of_class.values() for value in both if value is not None]
    assert len(known) > len(classes)
    assert all(0 <= value <= 1 for value in known)


def test_a_run_without_verges_keeps_none(place: Path, tmp_path: Path) -> None:
    train_run(configured(place, loss__name="base", optim__epochs=1), tmp_path, baselines=False)
    assert read_verges(tmp_path) is None


def test_judge_hands_its_questions_to_ray(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: dict[str, object] = {}

    def instead(model: Path, questions: object, **options: object) -> list[Judgement]:
        asked.update(options, model=model, questions=questions)
        return []

    monkeypatch.setattr(ray_judging, "judge_with_ray", instead)
    ray_judging.ray_judging(tmp_path, Cluster(3, 1, "10.0.0.1:6379"))(iter(()), 0.7)
    assert asked["model"] == tmp_path.absolute()
    assert (asked["workers"], asked["threshold"], asked["address"]) == (3, 0.7, "10.0.0.1:6379")
