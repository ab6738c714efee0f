"""Two real processes: same verges, and together the gradient of one process."""

from itertools import product

import pytest
import torch
from torch import Tensor, nn
from torch import distributed as dist
from torch import multiprocessing as mp

from equimut.losses import ClusterPurgeLoss, ContrastiveLoss, JointLoss

CLASSES, WIDTH = 4, 6
METRICS = ("cpl", "contrastive")
Histories = dict[tuple[str, bool], dict[str, list[Tensor]]]
"""Gradients, verges and losses step by step: of each metric, in blocks and by sample index."""
# Samples of each rank, step by step: equal, uneven, and one rank without any.
STEPS = [(4, 4), (4, 4), (3, 1), (5, 2), (0, 3)]


def make_steps() -> list[dict[str, Tensor]]:
    """The whole batch of every step, in sample order."""
    generator = torch.Generator().manual_seed(7)
    steps = []
    for first, second in STEPS:
        m = first + second
        steps.append(
            {
                "x": torch.randn(m, 2, WIDTH, dtype=torch.float64, generator=generator),
                "label": torch.randint(0, 2, (m,), generator=generator),
                "class_id": torch.randint(0, CLASSES, (m,), generator=generator),
            }
        )
    return steps


def make_model() -> tuple[nn.Linear, nn.Linear]:
    torch.manual_seed(1)
    return nn.Linear(WIDTH, WIDTH).double(), nn.Linear(2 * WIDTH, 2).double()


def run(joint: JointLoss, steps: list[dict[str, Tensor]]) -> dict[str, list[Tensor]]:
    """Gradient and verges after every step; plain SGD in between."""
    encoder, head = make_model()
    parameters = [*encoder.parameters(), *head.parameters()]
    history: dict[str, list[Tensor]] = {"gradient": [], "verge": [], "loss": []}
    for step in steps:
        pair = encoder(step["x"])
        logits = head(pair.flatten(1))
        index = step.get("sample_index")
        parts = joint(logits, pair[:, 0], pair[:, 1], step["label"], step["class_id"], index)
        gradients = torch.autograd.grad(parts.total, parameters)
        loss = parts.total.detach()
        if dist.is_initialized():  # what data-parallel training does
            for tensor in (*gradients, loss):
                dist.all_reduce(tensor)
                tensor /= dist.get_world_size()
        history["gradient"].append(torch.cat([g.flatten() for g in gradients]))
        history["loss"].append(loss)
        if isinstance(joint.metric, ClusterPurgeLoss):
            history["verge"].append(joint.metric.verge.clone())
        with torch.no_grad():
            for parameter, gradient in zip(parameters, gradients, strict=True):
                parameter -= 0.5 * gradient
    return history


def make_joint(metric: str) -> JointLoss:
    return JointLoss(
        ClusterPurgeLoss(CLASSES, margin=0.05) if metric == "cpl" else ContrastiveLoss(margin=0.3)
    )


def rank_part(step: dict[str, Tensor], sizes: tuple[int, int], rank: int, interleaved: bool):
    """A rank's samples: a contiguous block, or every other one with its sample index."""
    m = sum(sizes)
    rows = torch.arange(m)
    if interleaved:
        order = torch.randperm(m, generator=torch.Generator().manual_seed(m))
        rows = order[: sizes[0]] if rank == 0 else order[sizes[0] :]
    else:
        rows = rows[: sizes[0]] if rank == 0 else rows[sizes[0] :]
    part = {name: value[rows] for name, value in step.items()}
    return {**part, "sample_index": rows} if interleaved else part


def worker(rank: int, folder: str) -> None:
    torch.set_num_threads(1)
    dist.init_process_group(
        "gloo", init_method=f"file://{folder}/rendezvous", rank=rank, world_size=2
    )
    found = {}
    for metric, interleaved in product(METRICS, (False, True)):
        parts = [
            rank_part(step, sizes, rank, interleaved)
            for step, sizes in zip(make_steps(), STEPS, strict=True)
        ]
        found[metric, interleaved] = run(make_joint(metric), parts)
    torch.save(found, f"{folder}/rank{rank}.pt")
    dist.destroy_process_group()


@pytest.fixture(scope="module")
def ranks(tmp_path_factory: pytest.TempPathFactory) -> list[Histories]:
    """What two processes see, of each metric: both import torch, so they do all in one go."""
    folder = tmp_path_factory.mktemp("ranks")
    mp.spawn(worker, args=(str(folder),), nprocs=2)  # type: ignore[no-untyped-call]
    return [torch.load(folder / f"rank{rank}.pt") for rank in (0, 1)]


@pytest.mark.parametrize("interleaved", [False, True], ids=["blocks", "sample_index"])
@pytest.mark.parametrize("metric", METRICS)
def test_two_ranks_fold_and_learn_like_one_process(
    ranks: list[Histories], metric: str, interleaved: bool
) -> None:
    alone = run(make_joint(metric), make_steps())
    first, second = (found[metric, interleaved] for found in ranks)
    for step in range(len(STEPS)):
        torch.testing.assert_close(first["gradient"][step], alone["gradient"][step])
        torch.testing.assert_close(first["loss"][step], alone["loss"][step])
        if metric == "cpl":
            assert torch.equal(first["verge"][step], second["verge"][step])
            torch.testing.assert_close(first["verge"][step], alone["verge"][step])
            assert alone["verge"][step].any()
