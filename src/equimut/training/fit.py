"""The training loop, read from top to bottom.

`fit` has no test rows to look at: what selects the epoch is what the caller hands it as `dev`.
"""

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from accelerate import Accelerator
from torch import nn

from equimut.config import RunConfig
from equimut.errors import EquimutError
from equimut.evaluation.metrics import Scores
from equimut.evaluation.metrics import score as measure
from equimut.inputs.encode import EncodedPair
from equimut.models.detector import Detector
from equimut.models.scoring import Scored, score
from equimut.training.batches import BatchPlan, Sample
from equimut.training.frozen import FrozenDetector
from equimut.training.objective import Objective
from equimut.training.optimizer import build_optimizer, build_schedule
from equimut.training.state import Fitted, Position, TrainingState
from equimut.training.step import Diverged, take_step
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


class EpochMeasure(NamedTuple):
    """What is measured after an epoch."""

    scores: Scores
    distances: list[float] | None


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
    on_curve: Callable[[], EpochMeasure] | None = None,
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
        on_curve: Called after the epochs of `config.curve`; what it measures goes into the history
            and nowhere else.
        fingerprint: Names the data; a checkpoint of other data is refused.
        tensorboard: Also write TensorBoard's files.
        progress: Called after every step.
        message: Called with what a person should know, in a sentence.
    """
    optim = config.optim
    epochs = epochs or optim.epochs
    accelerator = _accelerator(config)
    if optim.clip_terms and accelerator.num_processes > 1:
        raise EquimutError("optim.clip_terms trains in one process; start it without `accelerate`")
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

    log_file = directory / "log.jsonl"
    with (
        StepLog(log_file, accelerator, size=position.log_size, tensorboard=tensorboard) as log,
        _Stop.on_signals(accelerator.num_processes == 1) as stop,
    ):
        started = saved = time.monotonic()
        before = position.seconds
        while position.epoch < epochs:
            model.train()
            objective.train()
            for parts in plan.epoch(position.epoch, position.step_of_epoch):
                try:
                    values = take_step(accelerator, model, objective, optimizer, parts, optim)
                except Diverged as error:
                    raise _diverged(error, position, config) from error
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
                due = stop.wanted or now - saved > 60 * config.checkpoint_minutes
                if not last and state.all_agree(due):
                    position.seconds = before + now - started
                    state.save(position, log)
                    saved = time.monotonic()
                    stop.now_if_wanted(position.step, message)
            log.flush()
            position.epoch += 1
            position.step_of_epoch = 0
            _look(detector, dev, on_curve, config, position, state, log)
            position.seconds = before + time.monotonic() - started
            state.save(position, log)
            saved = time.monotonic()
            stop.now_if_wanted(position.step, message)
            if _patience_is_over(position, config):
                break
    return state.finish(position, dev)


@dataclass
class _Stop:
    """Whether somebody wants the training to end (Ctrl-C, a batch system): after a step, saved."""

    signal: int = 0

    @property
    def wanted(self) -> bool:
        return self.signal != 0

    @classmethod
    @contextmanager
    def on_signals(cls, possible: bool) -> Iterator["_Stop"]:
        """Note SIGINT and SIGTERM, where this thread gets them; a second one ends it at once."""
        stop = cls()
        if not possible or threading.current_thread() is not threading.main_thread():
            yield stop  # several processes would not stop at the same step
            return
        before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

        def note(number: int, _: object) -> None:
            stop.signal = number
            signal.signal(number, before[signal.Signals(number)])

        for number in before:
            signal.signal(number, note)
        try:
            yield stop
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def now_if_wanted(self, step: int, message: Callable[[str], None] | None) -> None:
        """End the training as the signal would have, now that it is saved."""
        if not self.wanted:
            return
        if message is not None:
            message(f"stopped after step {step}, which is saved: the same command goes on from it")
        if self.signal == signal.SIGINT:
            raise KeyboardInterrupt
        raise SystemExit(128 + self.signal)


def _diverged(error: Diverged, position: Position, config: RunConfig) -> EquimutError:
    return EquimutError(
        f"training diverged at step {position.step + 1} (epoch {position.epoch + 1}): {error}; "
        f"use a lower learning rate than {config.optim.learning_rate:g}, or other weights to begin"
    )


def _look(
    detector: Detector,
    dev: Sequence[EncodedPair] | None,
    on_curve: Callable[[], EpochMeasure] | None,
    config: RunConfig,
    position: Position,
    state: "TrainingState",
    log: StepLog,
) -> None:
    """Score the validation rows, note it, and keep the weights if they are the best so far."""
    record: dict[str, Any] = {"epoch": position.epoch}
    values: dict[str, float] = {}
    if dev is not None:
        scores, distances = measure_epoch(detector, dev)
        found = getattr(scores, config.selection.metric)
        value = -math.inf if found is None else float(found)
        if position.best_value is None or value > position.best_value:
            position.best_value, position.best_epoch = value, position.epoch
            state.keep_best()
        record |= {"dev": scores.model_dump(mode="json"), "distances": distances}
        values["dev"] = value
    if on_curve is not None and position.epoch in config.curve:
        scores, distances = on_curve()
        record["test"] = {"scores": scores.model_dump(mode="json"), "distances": distances}
    if len(record) > 1:
        position.history.append(record)
        log.event({"step": position.step, **record}, position.step, values)


def measure_epoch(detector: Detector, pairs: Sequence[EncodedPair]) -> EpochMeasure:
    """The metrics of pairs at the plain threshold of a half, and their mean distances by label."""
    scored = score(detector, pairs)
    scores = measure([pair.label for pair in pairs], scored.probability)
    return EpochMeasure(scores, _mean_distances(scored, pairs))


def _mean_distances(scored: Scored, pairs: Sequence[EncodedPair]) -> list[float] | None:
    """By label, non-equivalent first; None unless both are there."""
    labels = np.array([pair.label for pair in pairs])
    if not 0 < int(labels.sum()) < len(labels):
        return None
    return [float(scored.distance[labels == label].mean(dtype=np.float64)) for label in (0, 1)]


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
