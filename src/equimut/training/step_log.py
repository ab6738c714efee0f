"""The log of a training: one JSON line per step, and TensorBoard on request."""

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import torch
from accelerate import Accelerator
from torch import Tensor

from equimut.errors import EquimutError

FLUSH_STEPS = 20


class StepLog:
    """Collects the values of steps and writes them now and then, since reading them waits.

    Values are averaged over the processes, which therefore all take part; only the first
    process writes. A training that goes on cuts the file back to its checkpoint first, so that
    no step stands there twice.
    """

    def __init__(
        self, path: Path, accelerator: Accelerator, *, size: int = 0, tensorboard: bool = False
    ) -> None:
        self.accelerator = accelerator
        self.last: dict[str, float | None] = {}
        self._waiting: list[tuple[dict[str, Any], dict[str, Tensor]]] = []
        self._file = None
        self._board: Any = None
        if accelerator.is_main_process:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("ab")
            self._file.truncate(size)
            self._file.seek(0, os.SEEK_END)
            self._board = _board(path.parent / "tensorboard") if tensorboard else None

    def add(self, facts: Mapping[str, Any], values: Mapping[str, Tensor]) -> None:
        """Note a step: plain facts, and tensors that are read later."""
        self._waiting.append((dict(facts), dict(values)))
        if len(self._waiting) >= FLUSH_STEPS:
            self.flush()

    def flush(self) -> None:
        """Write what waits."""
        if not self._waiting:
            return
        names = list(self._waiting[-1][1])
        rows = torch.stack(
            [torch.stack([v[name].detach().double() for name in names]) for _, v in self._waiting]
        )
        for (facts, _), row in zip(self._waiting, self._over_processes(rows).tolist(), strict=True):
            values = {
                name: value if math.isfinite(value) else None
                for name, value in zip(names, row, strict=True)
            }
            self.last = values
            self._write({**facts, **values}, facts["step"], values)
        self._waiting.clear()

    def event(self, facts: Mapping[str, Any], step: int, values: Mapping[str, float]) -> None:
        """Write a line that is not a step, for example the scores of an epoch."""
        self.flush()
        self._write(facts, step, values)

    @property
    def size(self) -> int:
        """Bytes written so far."""
        self.flush()
        if self._file is None:
            return 0
        self._file.flush()
        return self._file.tell()

    def _write(self, line: Mapping[str, Any], step: int, values: Mapping[str, Any]) -> None:
        if self._file is not None:
            self._file.write(json.dumps(line).encode() + b"\n")
        if self._board is not None:
            for name, value in values.items():
                if value is not None:
                    self._board.add_scalar(name, value, step)

    def _over_processes(self, rows: Tensor) -> Tensor:
        """Mean over the processes, of those that have a value."""
        if self.accelerator.num_processes == 1:
            return rows
        known = torch.isfinite(rows)
        both = torch.stack([torch.where(known, rows, 0.0), known.double()])
        total: Tensor = self.accelerator.reduce(both, "sum")
        return total[0] / total[1]

    def __enter__(self) -> "StepLog":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:  # after an error the other processes may not be there to communicate
            self.flush()
        if self._file is not None:
            self._file.close()
        if self._board is not None:
            self._board.close()


def _board(directory: Path) -> Any:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError as error:
        raise EquimutError(
            "TensorBoard is not installed: pip install 'equimut[tensorboard]', or leave it out"
        ) from error
    return SummaryWriter(str(directory))
