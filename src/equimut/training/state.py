"""Everything that changes in a training, to and from disk."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from accelerate import Accelerator
from torch import Tensor

from equimut.errors import EquimutError
from equimut.inputs.encode import EncodedPair
from equimut.models.detector import Detector
from equimut.models.scoring import Scored, score
from equimut.training.checkpoint import (
    Checkpoint,
    newest_checkpoint,
    optimizer_tensors,
    read_tensors,
    restore_optimizer,
    restore_schedule,
    save_checkpoint,
    schedule_facts,
    write_tensors,
)
from equimut.training.objective import Objective
from equimut.training.step_log import StepLog

BEST = "best.safetensors"


@dataclass
class Position:
    """What changes while training goes on, besides tensors. Goes into every checkpoint as JSON."""

    epoch: int = 0
    step_of_epoch: int = 0
    step: int = 0
    best_epoch: int = 0
    """Counted from 1; 0 before the first."""
    best_value: float | None = None
    history: list[dict[str, Any]] = field(default_factory=list)
    log_size: int = 0
    seconds: float = 0.0
    """Spent training, over all sessions."""


@dataclass(frozen=True)
class Fitted:
    """What came out of a training; the detector holds the weights of the chosen epoch."""

    best_epoch: int
    best_value: float | None
    history: list[dict[str, Any]]
    steps: int
    seconds: float
    dev: Scored | None
    """The chosen epoch's logits on the validation rows, for calibration."""


class TrainingState:
    """Everything that changes in a training, to and from disk."""

    def __init__(
        self,
        accelerator: Accelerator,
        detector: Detector,
        objective: Objective,
        optimizer: torch.optim.AdamW,
        schedule: torch.optim.lr_scheduler.LambdaLR,
        directory: Path,
        fingerprint: str,
    ) -> None:
        self.accelerator = accelerator
        self.detector = detector
        self.objective = objective
        self.optimizer = optimizer
        self.schedule = schedule
        self.directory = directory
        self.fingerprint = fingerprint

    def resume(self, message: Callable[[str], None] | None) -> Position:
        """Go back to the newest whole checkpoint; the position of a new training if none is."""
        checkpoint, problems = newest_checkpoint(self.directory / "checkpoints")
        if message is not None and self.accelerator.is_main_process:
            for problem in problems:
                message(f"{problem}; going on from the one before it")
        if checkpoint is None:
            return Position()
        facts = dict(checkpoint.facts)
        if facts.pop("fingerprint") != self.fingerprint:
            raise EquimutError(
                f"{self.directory}: its checkpoints belong to other data; use another directory"
            )
        if facts.pop("processes") != self.accelerator.num_processes:
            raise EquimutError(
                f"{self.directory}: started with another number of processes; "
                "go on with the same, or start again with --restart"
            )
        self.detector.load_state_dict(checkpoint.part("model."))
        self.objective.load_state_dict(checkpoint.part("objective."))
        restore_optimizer(self.optimizer, checkpoint.part("optimizer."))
        restore_schedule(self.schedule, self.optimizer, facts.pop("schedule"))
        random = checkpoint.part("random.")
        torch.set_rng_state(random[f"cpu.{self.accelerator.process_index}"])
        if self.accelerator.device.type == "cuda":
            torch.cuda.set_rng_state(random[f"cuda.{self.accelerator.process_index}"])
        position = Position(**facts)
        if message is not None and self.accelerator.is_main_process:
            message(f"going on at epoch {position.epoch + 1}, step {position.step + 1}")
        return position

    def save(self, position: Position, log: StepLog) -> None:
        """Write a checkpoint: the first process writes, all contribute their random state."""
        position.log_size = log.size
        random = self._random_states()
        if self.accelerator.is_main_process:
            tensors: dict[str, Tensor] = dict(random)
            for prefix, state in (
                ("model.", self.detector.state_dict()),
                ("objective.", self.objective.state_dict()),
                ("optimizer.", optimizer_tensors(self.optimizer)),
            ):
                tensors |= {prefix + name: tensor for name, tensor in state.items()}
            facts = {
                **vars(position),
                "schedule": schedule_facts(self.schedule),
                "fingerprint": self.fingerprint,
                "processes": self.accelerator.num_processes,
            }
            save_checkpoint(
                self.directory / "checkpoints", position.step, Checkpoint(tensors, facts)
            )
        self.accelerator.wait_for_everyone()

    def keep_best(self) -> None:
        """Write the present weights as the best so far."""
        if self.accelerator.is_main_process:
            write_tensors(self.directory / BEST, self.detector.state_dict(), {})
        self.accelerator.wait_for_everyone()

    def finish(self, position: Position, dev: Sequence[EncodedPair] | None) -> Fitted:
        """Load the chosen weights into the detector."""
        if dev is not None and position.best_epoch:
            self.detector.load_state_dict(dict(read_tensors(self.directory / BEST).tensors))
        self.detector.eval()
        return Fitted(
            best_epoch=position.best_epoch or position.epoch,
            best_value=position.best_value,
            history=position.history,
            steps=position.step,
            seconds=position.seconds,
            dev=None if dev is None else score(self.detector, dev),
        )

    def all_agree(self, here: bool) -> bool:
        """Whether the first process wants it: clocks differ, and all must do the same."""
        if self.accelerator.num_processes == 1:
            return here
        flag = torch.tensor([float(here and self.accelerator.is_main_process)])
        return bool(self.accelerator.reduce(flag.to(self.accelerator.device), "sum") > 0)

    def _random_states(self) -> dict[str, Tensor]:
        states = {"cpu": torch.get_rng_state()}
        if self.accelerator.device.type == "cuda":
            states["cuda"] = torch.cuda.get_rng_state()
        named = {}
        for kind, state in states.items():
            everyone = self.accelerator.gather(state.to(self.accelerator.device).unsqueeze(0))
            for process, row in enumerate(everyone.cpu()):
                named[f"random.{kind}.{process}"] = row.clone()
        return named
