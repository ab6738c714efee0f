"""One optimiser step over the parts of a batch: gradients, clipping, and a stop at nonsense."""

from collections.abc import Sequence
from contextlib import nullcontext

import torch
from accelerate import Accelerator
from torch import Tensor, nn

from equimut.config import OptimConfig
from equimut.errors import EquimutError
from equimut.training.batches import Part
from equimut.training.objective import Objective


class Diverged(EquimutError):
    """A loss or a gradient that is not a number: no later step could mend the weights."""


def take_step(
    accelerator: Accelerator,
    model: nn.Module,
    objective: Objective,
    optimizer: torch.optim.Optimizer,
    parts: Sequence[Part],
    config: OptimConfig,
) -> dict[str, Tensor]:
    """Move the weights once; returns what the log wants to know."""
    trained = [p for group in optimizer.param_groups for p in group["params"]]
    by_term: list[dict[int, Tensor]] = [{}, {}]  # of the metric loss, of the cross-entropy
    sums: dict[str, Tensor] = {}
    for number, part in enumerate(parts):
        batch = part.batch.to(accelerator.device)
        # Gradients travel between processes once, with the last part.
        with accelerator.no_sync(model) if number + 1 < len(parts) else nullcontext():
            output = model(batch)
            losses = objective(output, batch, part.pairs)
            # The zero keeps every process in step with the others when it has no pairs itself.
            nothing = 0.0 * output.logits.sum()
            if config.clip_terms:
                terms = (losses.total - losses.cross_entropy, losses.cross_entropy)
                for term, kept in zip(terms, by_term, strict=True):
                    _add_gradients((term + nothing) * part.weight, trained, kept)
            else:
                accelerator.backward(losses.total * part.weight + nothing)
        found = {
            "loss": losses.total,
            "metric": losses.metric,
            "cross_entropy": losses.cross_entropy,
        }
        for name, value in found.items():
            sums[name] = sums.get(name, 0.0) + value.detach() * part.weight
    if config.clip_terms:
        for name, kept in zip(("metric_norm", "cross_entropy_norm"), by_term, strict=True):
            sums[name] = _clip(kept, trained, config.clip)
        sums["gradient_norm"] = _norm([p.grad for p in trained if p.grad is not None])
    else:
        sums["gradient_norm"] = torch.as_tensor(accelerator.clip_grad_norm_(trained, config.clip))
    _check_finite(sums)
    optimizer.step()
    optimizer.zero_grad()
    return sums | objective.statistics()


def _add_gradients(value: Tensor, trained: Sequence[Tensor], kept: dict[int, Tensor]) -> None:
    found = torch.autograd.grad(value, trained, retain_graph=True, allow_unused=True)
    for place, gradient in enumerate(found):
        if gradient is not None:
            kept[place] = kept[place] + gradient if place in kept else gradient


def _clip(kept: dict[int, Tensor], trained: Sequence[Tensor], most: float) -> Tensor:
    """Add gradients, scaled to a norm of at most this, to the parameters; the norm they had."""
    norm = _norm(list(kept.values()))
    scale = (most / (norm + 1e-6)).clamp(max=1.0)
    for place, gradient in kept.items():
        before = trained[place].grad
        trained[place].grad = gradient * scale if before is None else before + gradient * scale
    return norm


def _norm(gradients: Sequence[Tensor]) -> Tensor:
    if not gradients:
        return torch.zeros(())
    norm: Tensor = torch.linalg.vector_norm(torch.stack([g.float().norm() for g in gradients]))
    return norm


def _check_finite(sums: dict[str, Tensor]) -> None:
    """A loss may be no number where its gradient is one, behind a hinge; and the other way."""
    if bool(torch.isfinite(sums["gradient_norm"] + sums["loss"])):
        return
    seen = ", ".join(f"{name.replace('_', '-')} {float(value):g}" for name, value in sums.items())
    raise Diverged(seen)
