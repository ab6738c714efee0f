"""Optimiser and schedule, as configured."""

from collections.abc import Iterable
from typing import Any

from torch import nn
from torch.optim import AdamW
from torch.optim.lr_scheduler import LambdaLR
from transformers import get_linear_schedule_with_warmup

from equimut.config import OptimConfig
from equimut.models.detector import Detector

_NOT_DECAYED = ("bias", "LayerNorm.weight")


def build_optimizer(
    detector: Detector, config: OptimConfig, of_loss: Iterable[nn.Parameter] = ()
) -> AdamW:
    """AdamW over what is to be trained; biases, norms and a loss's own numbers are not decayed."""
    encoder_rate = config.encoder_rate or config.learning_rate
    groups: list[dict[str, Any]] = []
    for part, rate in ((detector.encoder, encoder_rate), (detector.head, config.learning_rate)):
        named = [(name, p) for name, p in part.named_parameters() if p.requires_grad]
        for decay in (True, False):
            chosen = [p for name, p in named if name.endswith(_NOT_DECAYED) is not decay]
            if chosen:
                groups.append(
                    {
                        "params": chosen,
                        "lr": rate,
                        "weight_decay": config.weight_decay if decay else 0.0,
                    }
                )
    learnt = list(of_loss)
    if learnt:
        # First: the rate that the log shows is that of the last group.
        groups.insert(0, {"params": learnt, "lr": config.learning_rate, "weight_decay": 0.0})
    return AdamW(groups, eps=config.adam_eps, fused=True)  # one kernel: a quarter of the time


def build_schedule(optimizer: AdamW, config: OptimConfig, steps: int) -> LambdaLR:
    """A rise over the first share of the steps, then a straight fall to zero."""
    rise = int(config.warmup * steps)
    schedule: LambdaLR = get_linear_schedule_with_warmup(optimizer, rise, steps)  # type: ignore[no-untyped-call]
    return schedule
