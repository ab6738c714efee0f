"""Everything a training needs to go on, in one file that is written whole or not at all.

A checkpoint is a safetensors file: tensors by name, everything else as JSON in its header, and a
digest of both. A file that was cut short, or in which a bit has flipped, is recognised and named,
and the one before it is taken.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor
from torch.optim.lr_scheduler import LambdaLR

from equimut.errors import DataError, EquimutError
from equimut.storage.files import replacing

KEPT = 2
_NAME = "step-{:08d}.safetensors"


@dataclass(frozen=True)
class Checkpoint:
    """Tensors by name, and what is not a tensor."""

    tensors: Mapping[str, Tensor]
    facts: Mapping[str, Any]

    def part(self, prefix: str) -> dict[str, Tensor]:
        """The tensors under a prefix, without it."""
        return {
            name.removeprefix(prefix): tensor
            for name, tensor in self.tensors.items()
            if name.startswith(prefix)
        }


class CheckpointError(EquimutError):
    """A checkpoint that cannot be written or read."""


def save_checkpoint(directory: Path, step: int, checkpoint: Checkpoint) -> Path:
    """Write a checkpoint beside the older ones, then let go of all but the last two."""
    path = directory / _NAME.format(step)
    write_tensors(path, checkpoint.tensors, checkpoint.facts)
    for old in sorted(directory.glob("step-*.safetensors"))[:-KEPT]:
        old.unlink(missing_ok=True)
    return path


def newest_checkpoint(directory: Path) -> tuple[Checkpoint | None, list[str]]:
    """The newest checkpoint that is whole, and what is wrong with newer ones."""
    problems: list[str] = []
    for path in sorted(directory.glob("step-*.safetensors"), reverse=True):
        try:
            return read_tensors(path), problems
        except CheckpointError as error:
            problems.append(str(error))
    if problems:
        raise CheckpointError(
            f"no checkpoint in {directory} is whole ({'; '.join(problems)}); "
            "start again with --restart"
        )
    return None, problems


def write_tensors(path: Path, tensors: Mapping[str, Tensor], facts: Mapping[str, Any]) -> None:
    """Write tensors and facts with their digest; a full disk leaves what was there before."""
    exact = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    text = json.dumps(facts)
    content = save(exact, {"facts": text, "digest": _digest(exact, text)})
    try:
        with replacing(path) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except (OSError, DataError) as error:
        raise CheckpointError(
            f"cannot write the checkpoint {path}: {error}; earlier ones are untouched, "
            "make room and start the same command again"
        ) from error


def read_tensors(path: Path) -> Checkpoint:
    """Read what `write_tensors` wrote, or say what is wrong with it."""
    try:
        with safe_open(path, framework="pt") as file:
            header = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError) as error:
        raise CheckpointError(f"checkpoint {path.name} is damaged: {error}") from error
    text = header.get("facts", "")
    if header.get("digest") != _digest(tensors, text):
        raise CheckpointError(f"checkpoint {path.name} is damaged: its content has changed")
    return Checkpoint(tensors, json.loads(text))


def optimizer_tensors(optimizer: torch.optim.Optimizer) -> dict[str, Tensor]:
    """The state of every parameter, named by its number."""
    state = optimizer.state_dict()["state"]
    return {
        f"{number}.{name}": torch.as_tensor(value)
        for number, values in state.items()
        for name, value in values.items()
    }


def restore_optimizer(optimizer: torch.optim.Optimizer, tensors: Mapping[str, Tensor]) -> None:
    """Put the state back, under the present parameter groups."""
    state: dict[int, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        number, key = name.split(".", 1)
        state.setdefault(int(number), {})[key] = tensor
    groups = optimizer.state_dict()["param_groups"]
    optimizer.load_state_dict({"state": state, "param_groups": groups})


def schedule_facts(schedule: LambdaLR) -> dict[str, Any]:
    """The state of a schedule without its functions, which the configuration determines."""
    state = schedule.state_dict()
    return state | {"lr_lambdas": [None] * len(state["lr_lambdas"])}


def restore_schedule(
    schedule: LambdaLR, optimizer: torch.optim.Optimizer, facts: Mapping[str, Any]
) -> None:
    """Put the state back; the optimiser gets the rate that goes with it."""
    schedule.load_state_dict(dict(facts))
    for group, rate in zip(optimizer.param_groups, schedule.get_last_lr(), strict=True):
        group["lr"] = rate


def _digest(tensors: Mapping[str, Tensor], text: str) -> str:
    digest = blake2b(text.encode(), digest_size=16)
    for name in sorted(tensors):
        tensor = tensors[name]
        digest.update(f"{name} {tensor.dtype} {list(tensor.shape)}".encode())
        digest.update(tensor.reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()
