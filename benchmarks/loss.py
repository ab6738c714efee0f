"""How much Cluster Purge Loss costs, as ratios taken in one run.

python benchmarks/loss.py [--json]
"""

import argparse
import json
import time
from collections.abc import Callable

import torch
from pytorch_metric_learning.losses import ContrastiveLoss as TheirContrastiveLoss
from torch import Tensor, nn
from transformers import RobertaConfig, RobertaModel

from equimut.losses import ClusterPurgeLoss, half_cosine_distance

CLASSES, WIDTH = 53, 768


class NaivePurge:
    """The same loss, one sample at a time, the way it reads in the paper."""

    def __init__(self) -> None:
        self.verges: dict[tuple[int, int], Tensor] = {}

    def __call__(self, origin: Tensor, mutant: Tensor, label: Tensor, class_id: Tensor) -> Tensor:
        s = 2 / 13
        keys = list(zip(class_id.tolist(), label.tolist(), strict=True))
        distances = [half_cosine_distance(o, m) for o, m in zip(origin, mutant, strict=True)]
        for distance, key in zip(distances, keys, strict=True):
            previous = self.verges.get(key, distance.detach())
            self.verges[key] = previous * (1 - s) + distance.detach() * s
        total = origin.new_zeros(())
        for distance, (class_key, y) in zip(distances, keys, strict=True):
            verge = self.verges.get((class_key, 1 - y), origin.new_zeros(()))
            x = (distance - verge if y == 1 else verge - distance) - 0.05
            if x > 0:
                total = total + (x**2 if y == 1 else x**0.5)
        return total / len(label)


def make_batch(m: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    torch.manual_seed(0)
    origin = torch.randn(m, WIDTH)
    mutant = (origin + 0.5 * torch.randn(m, WIDTH)).requires_grad_()
    return origin, mutant, torch.randint(0, 2, (m,)), torch.randint(0, CLASSES, (m,))


def seconds(work: Callable[[], object], repeats: int) -> float:
    """Median time of one call: the machine may be busy with other things."""
    work()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return sorted(times)[len(times) // 2]


def loss_step(loss: Callable[..., Tensor], *arguments: Tensor) -> Callable[[], None]:
    def step() -> None:
        value = loss(*arguments)
        if value.requires_grad:
            value.backward()

    return step


def compare_losses(m: int, repeats: int) -> dict[str, float]:
    """CPL against the naive loop and against pytorch-metric-learning's ContrastiveLoss."""
    origin, mutant, label, class_id = make_batch(m)
    ours = seconds(loss_step(ClusterPurgeLoss(CLASSES), origin, mutant, label, class_id), repeats)
    naive = seconds(loss_step(NaivePurge(), origin, mutant, label, class_id), max(repeats // 5, 3))
    theirs = TheirContrastiveLoss()

    def library_step() -> None:
        theirs(mutant, class_id, ref_emb=origin, ref_labels=class_id).backward()

    library = seconds(library_step, repeats)
    return {"naive_over_ours": naive / ours, "library_contrastive_over_ours": library / ours}


def compare_with_training_step(m: int, length: int = 128) -> dict[str, float]:
    """CPL's share of a training step: forward and backward of both sides and of the loss.

    Snippets of 128 tokens: shorter than usual, so the share given is an upper bound.
    """
    torch.manual_seed(0)
    encoder = RobertaModel(
        RobertaConfig(hidden_size=WIDTH, num_hidden_layers=12, num_attention_heads=12,
                      intermediate_size=4 * WIDTH, vocab_size=1000, max_position_embeddings=514),
        add_pooling_layer=False,
    )  # fmt: skip
    loss = ClusterPurgeLoss(CLASSES)
    optimiser = torch.optim.AdamW(encoder.parameters())
    ids = torch.randint(5, 1000, (2 * m, length))
    label, class_id = torch.randint(0, 2, (m,)), torch.randint(0, CLASSES, (m,))

    def encoder_step() -> None:
        cls = encoder(ids).last_hidden_state[:, 0]
        nn.functional.mse_loss(cls[:m], cls[m:] + 1).backward()
        optimiser.step()
        optimiser.zero_grad()

    start = time.perf_counter()
    encoder_step()  # minutes of work on a laptop at batch 32: once is enough
    step = time.perf_counter() - start
    origin, mutant, label, class_id = make_batch(m)
    alone = seconds(loss_step(loss, origin, mutant, label, class_id), 200)
    return {"seconds_per_step": step, "cpl_percent_of_step": 100 * alone / (step + alone)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    result: dict[str, dict[str, float]] = {}
    for m in (4, 32, 256):
        result[f"loss, batch {m}"] = compare_losses(m, 100)
    for classes in (53, 100_000):
        origin, mutant, label, class_id = make_batch(32)
        step = loss_step(ClusterPurgeLoss(classes), origin, mutant, label, class_id)
        result[f"{classes} classes, batch 32"] = {"milliseconds": 1000 * seconds(step, 200)}
    for m in (4, 32):
        result[f"12 layers x 768, 128 tokens, batch {m}"] = compare_with_training_step(m)
    if arguments.json:
        print(json.dumps(result, indent=2))
        return
    for title, numbers in result.items():
        told = ", ".join(f"{name.replace('_', ' ')} {value:.3g}" for name, value in numbers.items())
        print(f"{title}: {told}")


if __name__ == "__main__":
    main()
