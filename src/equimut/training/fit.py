"""The training loop, read from top to bottom.

`fit` has no test rows to look at: what selects the epoch is what the caller hands it as `dev`.
"""

import math
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import torch
from accelerate import Accelerator
from torch import Tensor, nn

from equimut.config import RunConfig
from equimut.errors import EquimutError
from equimut.evaluation.metrics import Scores
from equimut.evaluation.metrics import score as measure
from equimut.inputs.encode import EncodedPair
from equimut.models.detector import Detector
from equimut.models.scoring import Scored, score
from equimut.training.batches import BatchPlan, Part, Sample
from equimut.training.frozen import FrozenDetector
from equimut.training.objective import Objective
from equimut.training.optimizer import build_optimizer, build_schedule
from equimut.training.state import Fitted, Position, TrainingState
from equimut.training.step_log import StepLog


@dataclass(frozen=True)
class Progress:
    """Where a training stands after a step."""

    step: int
    steps: int
    epoch: int
    epochs: int
    loss: float | None
    best: float | None


def fit(
    detector: Detector,
    objective: Objective,
    train: Sequence[EncodedPair],
    dev: Sequence[EncodedPair] | None,
    config: RunConfig,
    directory: Path,
    *,
    samples: Sequence[Sample] | None = None,
    epochs: int | None = None,
    fingerprint: str = "",
    tensorboard: bool = False,
    progress: Callable[[Progress], None] | None = None,
    message: Callable[[str], None] | None = None,
) -> Fitted:
    """Train a detector, from the newest checkpoint in `directory` if there is one.

    Args:
        detector: Trained in place.
        objective: The loss, with the class map of `train`.
        train: Encoded training pairs; `index` is their position.
        dev: The validation split, which chooses the epoch; without any, the last epoch is kept.
        config: Everything else that determines the outcome.
        directory: For checkpoints, the log and the best weights so far.
        samples: What a step draws from: positions in `train`; by default every pair by itself.
        epochs: Train this long instead of `config.optim.epochs`.
        fingerprint: Names the data; a checkpoint of other data is refused.
        tensorboard: Also write TensorBoard's files.
        progress: Called after every step.
        message: Called with what a person should know, in a sentence.
    """
    optim = config.optim
    epochs = epochs or optim.epochs
    accelerator = _accelerator(config)
    torch.manual_seed(config.seed + accelerator.process_index)
    plan = BatchPlan(
        train,
        samples or [(place,) for place in range(len(train))],
        detector.collator,
        optim.batch_size,
        config.seed,
        optim.accumulate,
        accelerator.process_index,
        accelerator.num_processes,
    )
    detector.to(accelerator.device)
    objective.to(accelerator.device)
    body: nn.Module = FrozenDetector(detector, train) if config.model.frozen else detector
    optimizer = build_optimizer(detector, optim, objective.parameters())
    schedule = build_schedule(optimizer, optim, plan.steps_per_epoch * epochs)
    state = TrainingState(
        accelerator, detector, objective, optimizer, schedule, directory, fingerprint
    )
    position = state.resume(message)
    model = accelerator.prepare(body)
    steps = plan.steps_per_epoch * epochs

    with StepLog(
        directory / "log.jsonl", accelerator, size=position.log_size, tensorboard=tensorboard
    ) as log:
        started = saved = time.monotonic()
        before = position.seconds
        while position.epoch < epochs:
            model.train()
            objective.train()
            for parts in plan.epoch(position.epoch, position.step_of_epoch):
                values = _step(accelerator, model, objective, optimizer, parts, optim.clip)
                objective.tell_verges(detector.head)
                rate = optimizer.param_groups[-1]["lr"]
                schedule.step()
                position.step += 1
                position.step_of_epoch += 1
                facts = {"step": position.step, "epoch": position.epoch + 1, "rate": rate}
                log.add(facts, values)
                if progress is not None:
                    loss, best = log.last.get("loss"), position.best_value
                    progress(Progress(position.step, steps, position.epoch, epochs, loss, best))
                now = time.monotonic()
                last = position.step_of_epoch == plan.steps_per_epoch
                if not last and state.all_agree(now - saved > 60 * config.checkpoint_minutes):
                    position.seconds = before + now - started
                    state.save(position, log)
                    saved = time.monotonic()
            log.flush()
            position.epoch += 1
            position.step_of_epoch = 0
            if dev is not None:
                _look_at_dev(detector, dev, config, position, state, log)
            position.seconds = before + time.monotonic() - started
            state.save(position, log)
            saved = time.monotonic()
            if _patience_is_over(position, config):
                break
    return state.finish(position, dev)


def _step(
    accelerator: Accelerator,
    model: nn.Module,
    objective: Objective,
    optimizer: torch.optim.Optimizer,
    parts: Sequence[Part],
    clip: float,
) -> dict[str, Tensor]:
    """One optimiser step over the parts of a batch; returns what the log wants to know."""
    sums: dict[str, Tensor] = {}
    for number, part in enumerate(parts):
        batch = part.batch.to(accelerator.device)
        # Gradients travel between processes once, with the last part.
        with accelerator.no_sync(model) if number + 1 < len(parts) else nullcontext():
            output = model(batch)
            losses = objective(output, batch, part.pairs)
            # The zero keeps every process in step with the others when it has no pairs itself.
            total = losses.total * part.weight + 0.0 * output.logits.sum()
            accelerator.backward(total)
        found = {
            "loss": losses.total,
            "metric": losses.metric,
            "cross_entropy": losses.cross_entropy,
        }
        for name, value in found.items():
            sums[name] = sums.get(name, 0.0) + value.detach() * part.weight
    trained = [p for group in optimizer.param_groups for p in group["params"]]
    sums["gradient_norm"] = torch.as_tensor(accelerator.clip_grad_norm_(trained, clip))
    optimizer.step()
    optimizer.zero_grad()
    return sums | objective.statistics()


def _look_at_dev(
    detector: Detector,
    dev: Sequence[EncodedPair],
    config: RunConfig,
    position: Position,
    state: "TrainingState",
    log: StepLog,
) -> None:
    """Score the validation rows, note it, and keep the weights if they are the best so far."""
    scores = dev_scores(score(detector, dev), dev)
    value = getattr(scores, config.selection.metric)
    value = -math.inf if value is None else float(value)
    if position.best_value is None or value > position.best_value:
        position.best_value, position.best_epoch = value, position.epoch
        state.keep_best()
    record = {"epoch": position.epoch, "dev": scores.model_dump(mode="json")}
    position.history.append(record)
    log.event({"step": position.step, **record}, position.step, {"dev": value})


def dev_scores(scored: Scored, pairs: Sequence[EncodedPair]) -> Scores:
    """The metrics of scored pairs at the plain threshold of a half."""
    probability = torch.softmax(scored.logits.double(), dim=-1)[:, 1].numpy()
    return measure([pair.label for pair in pairs], probability)


def _patience_is_over(position: Position, config: RunConfig) -> bool:
    patience = config.selection.patience
    return patience is not None and position.epoch - position.best_epoch >= patience


def _accelerator(config: RunConfig) -> Accelerator:
    if config.threads is not None:
        torch.set_num_threads(config.threads)
    precision = config.optim.precision
    cuda = torch.cuda.is_available()
    half = cuda and torch.cuda.is_bf16_supported()
    if precision == "bf16" and cuda and not half:
        raise EquimutError("precision bf16: this device does not have it; use fp32 or auto")
    wanted = precision == "bf16" or (precision == "auto" and half)
    return Accelerator(cpu=not cuda, mixed_precision="bf16" if wanted else "no")
