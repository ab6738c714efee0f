"""Each option of a configuration reaches what it configures: trainings with and without it differ.

The table names every field there is, so a new option without a line here fails the first test.
"""

from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import torch
from accelerate import Accelerator
from accelerate.state import AcceleratorState

from equimut.config import DEFAULT, changed, flattened
from equimut.data.store import write_pairs
from equimut.inputs.batch import Batch
from equimut.losses.functional import half_cosine_distance
from equimut.models.detector import Detector, DetectorOutput
from equimut.models.head import Features
from equimut.training import state
from equimut.training.batches import BatchPlan
from equimut.training.objective import Objective
from equimut.training.run import train_run
from equimut.training.step import take_step
from oracles.datasets.small_data import small_pairs
from oracles.encoders.tiny_encoder import save_tiny_encoder
from oracles.purge_loop import PurgeLoop

Options = Mapping[str, object]
Observe = Callable[[tuple[tuple[str, object], ...]], dict[str, object]]
ABLATION = {"loss.name": "cpl-fixed-verges", "loss.verge": 0.0}
WIDE = {"model.features": True}
TESTED = {"data.protocol": "paper"}
GROUPED = {"data.protocol": "by-origin"}

REACHES: Mapping[str, tuple[Options, object]] = {
    "seed": ({}, 7),
    "threads": ({}, 2),
    "checkpoint_minutes": ({}, 1e-9),
    "curve": (TESTED, (1,)),
    "model.encoder": ({}, "other-encoder"),
    "model.start": ({"model.encoder": "detector"}, "random"),
    "model.input": ({"model.max_length": None, "model.nodes": None}, "paper"),
    "model.max_length": ({}, 20),
    "model.nodes": ({}, 0),
    "model.pooling": ({}, "cls"),
    "model.normalize_embeddings": ({}, True),
    "model.graph_attention": ({}, False),
    "model.features": ({}, True),
    "model.wide": (WIDE, "regressions"),
    "model.mode": ({}, "<mask>"),
    "model.dropout": ({}, 0.4),
    "model.distance": ({}, "cls"),
    "model.frozen": ({}, True),
    "loss.name": ({}, "contrastive"),
    "loss.weight": ({}, 3.0),
    "loss.margin": ({}, 0.3),
    "loss.margin_unit": ({}, "gap"),
    "loss.shared": ({}, 5.0),
    "loss.on": ({}, "edit"),
    "loss.balanced": ({}, True),
    "loss.gamma": ({}, 2.0),
    "loss.alpha": ({}, 1.0),
    "loss.beta": ({}, 1.5),
    "loss.unseen": ({}, "skip"),
    "loss.eps": ({}, 0.5),
    "loss.verge": (ABLATION, 0.4),
    "loss.classes": ({}, "random"),
    "loss.triplets": ({"loss.name": "triplet"}, 9),
    "optim.learning_rate": ({}, 1e-3),
    "optim.encoder_rate": ({}, 1e-5),
    "optim.adam_eps": ({}, 1e-2),
    "optim.weight_decay": ({}, 0.9),
    "optim.warmup": ({}, 0.9),
    "optim.clip": ({}, 0.01),
    "optim.clip_terms": ({"optim.clip": 0.01}, True),
    "optim.batch_size": ({}, 5),
    "optim.accumulate": ({}, 2),
    "optim.epochs": ({}, 1),
    "optim.precision": ({}, "bf16"),
    "data.pairs": ({}, "other-pairs.jsonl"),
    "data.protocol": (TESTED, "by-origin"),
    "data.fold": (GROUPED, 3),
    "data.split_seed": (GROUPED, 5),
    "selection.on": ({}, "last"),
    "selection.units": (TESTED, "origins"),
    "selection.share": ({}, 0.4),
    "selection.metric": ({}, "average_precision"),
    "selection.patience": ({"optim.epochs": 3, "optim.learning_rate": 1e-9}, 1),
    "selection.refit": ({}, True),
}


def test_the_table_names_every_option() -> None:
    assert REACHES.keys() == flattened(DEFAULT.model_dump()).keys()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("settings")
    save_tiny_encoder(place / "encoder", layers=1, hidden=16, dropout=0.1)
    save_tiny_encoder(place / "other-encoder", layers=1, hidden=16, dropout=0.1, seed=3)
    Detector.from_encoder(place / "encoder").save_pretrained(place / "detector")
    rows = small_pairs(origins=8, equivalent=2, others=3)
    write_pairs(place / "pairs.jsonl", rows)
    write_pairs(place / "other-pairs.jsonl", rows[:24])
    return place


@pytest.fixture(scope="module")
def observed(place: Path) -> Observe:
    return cache(lambda options: observe(place, dict(options)))


def observe(place: Path, options: Options) -> dict[str, object]:
    """What a training with these options does, from its log, its weights and its rows."""
    base = {
        "model.encoder": "encoder", "model.max_length": 32, "model.nodes": 8, "threads": 1,
        "optim.epochs": 2, "optim.learning_rate": 0.01, "optim.batch_size": 8,
        "loss.margin": 0.05, "data.pairs": "pairs.jsonl", "data.protocol": "all",
        "selection.share": 0.25,
    }  # fmt: skip
    named = {**base, **options}
    for name in ("model.encoder", "data.pairs"):
        named[name] = str(place / str(named[name]))
    config = changed(DEFAULT, named)  # None: not given
    AcceleratorState._reset_state(reset_partial_state=True)  # one precision for a process, else
    out = place / sha256(repr(sorted(named.items())).encode()).hexdigest()[:12]
    saved: list[int] = []
    original, before = state.save_checkpoint, torch.get_num_threads()
    state.save_checkpoint = lambda d, step, c: saved.append(step) or original(d, step, c)  # type: ignore
    try:
        record = train_run(config, out, baselines=False)
        threads = torch.get_num_threads()
    finally:
        state.save_checkpoint = original
        torch.set_num_threads(before)
    weights = [*sorted((out / "model").rglob("*.safetensors"))]
    return {
        "log": (out / "log.jsonl").read_text(),
        "weights": [sha256(path.read_bytes()).hexdigest() for path in weights],
        "rows": (out / "rows.jsonl.gz").read_bytes(),
        "chosen": (record.best_epoch, record.best_value, record.steps),
        "test": record.data.test,
        "checkpoints": saved,
        "threads": threads,
    }


@pytest.mark.parametrize("name", REACHES)
def test_an_option_changes_what_it_configures(observed: Observe, name: str) -> None:
    base, value = REACHES[name]
    without = observed(tuple(base.items()))
    assert observed(tuple({**base, name: value}.items())) != without


def test_the_numbers_of_the_loss_are_those_of_the_configuration() -> None:
    """Every number unlike its default, classes in another order than their ids, by a plain loop."""
    numbers = {"gamma": 5.0, "alpha": 1.5, "beta": 0.7, "eps": 0.02, "unseen": "skip"}
    options = {f"loss.{name}": value for name, value in numbers.items()}
    config = changed(
        DEFAULT, {**options, "loss.weight": 0.6, "loss.margin": 0.07, "loss.balanced": True}
    )
    generator = torch.Generator().manual_seed(4)
    classes = torch.tensor([90, 5, 33, 90, 5, 33, 7, 90, 33, 5, 90, 33])
    labels = torch.tensor([1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1])
    objective = Objective(config.loss, [90, 7, 33, 5], labels.tolist())
    loop = PurgeLoop(margin=0.07, **numbers)  # type: ignore[arg-type]
    weight = [12 / (2 * int((labels == label).sum())) for label in (0, 1)]
    for _ in range(3):
        output = DetectorOutput(
            torch.randn(12, 2, generator=generator),
            Features(torch.randn(12, 6, generator=generator), None),
            Features(torch.randn(12, 6, generator=generator), None),
        )
        batch = SimpleNamespace(labels=labels, class_ids=classes)
        parts = objective(output, cast(Batch, batch), 12)
        sides = (side.cls.double() for side in (output.origin, output.mutant))
        distances = half_cosine_distance(*sides).tolist()
        loop.fold(distances, labels.tolist(), classes.tolist())
        metric, _ = loop.loss(distances, labels.tolist(), classes.tolist())
        entropies = -torch.log_softmax(output.logits.double(), -1)[range(12), labels]
        entropy = sum(
            weight[label] * float(value) for label, value in zip(labels, entropies, strict=True)
        )
        assert float(parts.metric) == pytest.approx(metric, abs=1e-6)
        assert float(parts.cross_entropy) == pytest.approx(entropy / 12, abs=1e-6)
        assert float(parts.total) == pytest.approx(0.6 * metric + entropy / 12, abs=1e-6)
    assert objective.purge is not None
    assert objective.purge.class_keys.tolist() == [5, 7, 33, 90]
    for row, key in enumerate(objective.purge.class_keys.tolist()):
        for label in (0, 1):
            if (key, label) in loop.verges:
                found = float(objective.purge.verge[row, label])
                assert found == pytest.approx(loop.verges[key, label], abs=1e-6)


def test_terms_that_are_clipped_by_themselves_do_not_take_from_each_other(place: Path) -> None:
    """The step is the sum of the two gradients, each as long as the limit at most."""
    pairs = small_pairs(origins=8, equivalent=2, others=3)
    config = changed(DEFAULT, {
        "model.encoder": str(place / "encoder"), "model.dropout": 0.0, "loss.margin": 0.3,
        "loss.weight": 4e6, "optim.clip": 0.05, "optim.clip_terms": True, "threads": 1,
        "optim.accumulate": 2,
    })  # fmt: skip
    torch.manual_seed(0)
    detector = Detector.from_encoder(place / "encoder", config.model).train()
    objective = Objective(config.loss, [pair.class_id for pair in pairs])
    plan = BatchPlan(detector.encode(pairs), [(n,) for n in range(16)], detector.collator, 16, 0, 2)
    parts = next(iter(plan.epoch(0)))
    trained = list(detector.parameters())
    expected = [torch.zeros_like(p) for p in trained]
    for of_metric, of_entropy in ((4e6, 0.0), (0.0, 1.0)):
        term = Objective(config.loss, [pair.class_id for pair in pairs])
        total = sum(
            part.weight * (of_metric * losses.metric + of_entropy * losses.cross_entropy)
            for part in parts
            for losses in [term(detector(part.batch), part.batch, part.pairs)]
        )
        gradients = torch.autograd.grad(total, trained, allow_unused=True)
        found = [
            torch.zeros_like(p) if g is None else g for p, g in zip(trained, gradients, strict=True)
        ]
        norm = torch.cat([g.flatten() for g in found]).norm()
        assert norm > 0.05  # or there is nothing to clip
        expected = [e + g * 0.05 / norm for e, g in zip(expected, found, strict=True)]
    optimizer = torch.optim.SGD(trained, lr=1.0)
    before = [p.detach().clone() for p in trained]
    values = take_step(Accelerator(cpu=True), detector, objective, optimizer, parts, config.optim)
    for was, now, step in zip(before, trained, expected, strict=True):
        torch.testing.assert_close(was - now.detach(), step, atol=1e-5, rtol=1e-3)
    assert {"metric_norm", "cross_entropy_norm"} <= values.keys()
    assert float(values["gradient_norm"]) <= 0.1
