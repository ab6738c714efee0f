"""Judging through Ray gives what one process gives, in order, also when a worker dies."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
import torch

from equimut.config import ModelConfig
from equimut.models.bulk.ray_judging import Cluster, judge_with_ray
from equimut.models.detector import Detector
from equimut.models.judging import judge
from equimut.records import Judgement, Query
from equimut.scanning.evidence.ray_predicting import ray_predict
from equimut.scanning.pipeline import local_predict
from equimut.storage.ray_session import ray_session
from oracles.child_processes import descendants, wait_for
from oracles.datasets.small_data import small_pairs
from oracles.encoders.tiny_encoder import save_tiny_encoder


@pytest.fixture(scope="module", autouse=True)
def _one_session() -> Iterator[None]:
    """Both tests share two workers: starting them takes most of the time."""
    pytest.importorskip("ray")
    with ray_session(workers=2, threads=1):
        yield


def test_two_workers_one_killed_say_what_one_process_says(tmp_path: Path) -> None:
    torch.manual_seed(0)
    encoder = save_tiny_encoder(tmp_path / "encoder", layers=1, hidden=16)
    detector = Detector.from_encoder(encoder, ModelConfig(encoder=str(encoder))).eval()
    detector.save_pretrained(tmp_path / "model")
    asked: list[Query | Judgement] = [
        Query(origin=pair.origin, mutant=pair.mutant, language=pair.language)
        for pair in small_pairs(origins=10)
    ]
    asked[7] = Judgement(verdict="unknown", reason="settled before")
    asked[11] = Query(origin="int f() { return 1; }", mutant="", language="cobol")
    together: list[Judgement] = []
    found = judge_with_ray(tmp_path / "model", asked, workers=2, shard=10)
    work = Thread(target=lambda: together.extend(found))
    work.start()
    wait_for(lambda: bool(descendants("ray::_work")))  # at work, its model not yet loaded
    os.kill(descendants("ray::_work")[0], signal.SIGKILL)
    work.join(timeout=300)
    alone = list(judge(detector, asked))
    assert [each.verdict for each in together] == [each.verdict for each in alone]
    assert [each.reason for each in together] == [each.reason for each in alone]
    for mine, other in zip(together, alone, strict=True):
        assert mine.probability == pytest.approx(other.probability, abs=1e-5)
    assert together[7].reason == "settled before"
    assert together[11].verdict == "unknown"


def test_a_scan_through_ray_predicts_what_one_process_predicts(tmp_path: Path) -> None:
    torch.manual_seed(0)
    encoder = save_tiny_encoder(tmp_path / "encoder", layers=1, hidden=16)
    model = tmp_path / "model"
    Detector.from_encoder(encoder, ModelConfig(encoder=str(encoder))).save_pretrained(model)
    asked = [
        Query(origin=pair.origin, mutant=pair.mutant, language=pair.language)
        for pair in small_pairs(origins=4)
    ]
    together = list(ray_predict(model, Cluster(workers=2), shard=10)(iter(asked)))
    alone = list(local_predict(model)(iter(asked)))
    assert len(together) == len(alone) == len(asked)
    for mine, other in zip(together, alone, strict=True):
        assert mine.probability == pytest.approx(other.probability, abs=1e-5)
        assert mine.model_copy(update={"probability": 0, "distance": 0}) == other.model_copy(
            update={"probability": 0, "distance": 0}
        )
    assert list(ray_predict(model, Cluster())(iter([]))) == []
