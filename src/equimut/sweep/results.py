"""The results of a sweep: one atomic JSON file per trial, the same whichever engine ran it."""

import fcntl
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from equimut.config import RunConfig
from equimut.errors import DataError, EquimutError
from equimut.evaluation.evaluation import Evaluation
from equimut.evaluation.predictions import Predictions
from equimut.records import Record
from equimut.storage.files import read_text, write_bytes
from equimut.sweep.grid import Varied, trial_id


class Cost(Record):
    """What a trial took."""

    seconds: float
    """From its start to its end, in the sitting that finished it."""
    training_seconds: float
    threads: int


class TrialResult(Record):
    """One finished or failed trial."""

    id: str
    grid: str
    varied: Varied
    config: RunConfig
    status: Literal["done", "failed"]
    error: str = ""
    best_epoch: int = 0
    dev: float | None = None
    """The score that chose the epoch, on the rows it was chosen on."""
    evaluation: Evaluation | None = None
    predictions: str = ""
    """Digest of what it said of the test rows."""
    cost: Cost | None = None
    environment: Mapping[str, str] = Field(default_factory=dict)


def predictions_digest(predictions: Predictions) -> str:
    """Equal for the same probabilities of the same rows, to the last bit."""
    rows = sorted(zip(predictions.ids, predictions.probabilities, strict=True))
    return blake2b(json.dumps(rows).encode(), digest_size=16).hexdigest()


class ResultsDirectory:
    """`trials/` holds the results, `work/` trainings under way, `predictions/` what was said."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.trials = path / "trials"
        self.work = path / "work"
        self.predictions = path / "predictions"

    def result(self, trial_id: str) -> TrialResult | None:
        """The result of a trial, if it is there and whole."""
        path = self.trials / f"{trial_id}.json"
        if not path.is_file():
            return None
        try:
            return TrialResult.model_validate_json(read_text(path))
        except (ValidationError, ValueError) as error:
            first = str(error).split("\n")[0]
            raise DataError(
                f"{path} is damaged ({first}); delete it, and the trial is run again"
            ) from error

    def results(self) -> list[TrialResult]:
        """All results, by name."""
        found = [self.result(path.stem) for path in sorted(self.trials.glob("*.json"))]
        return [result for result in found if result is not None]

    def write(self, result: TrialResult) -> None:
        """Write a result, whole or not at all."""
        text = json.dumps(result.model_dump(mode="json"), indent=1, ensure_ascii=False)
        write_bytes(self.trials / f"{result.id}.json", (text + "\n").encode())

    def to_do(self, ids: Sequence[str], retry_failed: bool) -> list[str]:
        """Which of these trials are still to be run."""
        known = self.by_trial()
        return [
            each
            for each in ids
            if each not in known or (retry_failed and known[each].status == "failed")
        ]

    def by_trial(self) -> dict[str, TrialResult]:
        """The results by the id their configuration has now.

        An option that did not exist when a trial was run has changed the ids since; the trial has
        it at its default, so the result still counts.
        """
        return {trial_id(result.config): result for result in self.results()}

    def tidy(self) -> None:
        """Remove trainings whose result is there: a sweep was killed before it could."""
        for place in self.work.glob("*"):
            if (self.trials / f"{place.name}.json").is_file():
                shutil.rmtree(place, ignore_errors=True)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Only one sweep at a time works in a directory; a killed one leaves no lock behind."""
        self.path.mkdir(parents=True, exist_ok=True)
        handle = os.open(self.path / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
        except BlockingIOError as error:
            raise EquimutError(f"{self.path}: another sweep is at work there") from error
        finally:
            os.close(handle)
