"""The results of a sweep: one atomic JSON file per trial, or all of them packed into one."""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from equimut.config import RunConfig
from equimut.evaluation.evaluation import Evaluation
from equimut.evaluation.predictions import Predictions, read_predictions
from equimut.records import Record
from equimut.storage.files import HALF_WRITTEN, write_bytes
from equimut.storage.jsonl import read_document, read_records, to_line, write_lines
from equimut.storage.locks import alone_in
from equimut.sweep.grid import Varied, trial_id
from equimut.training.run_files import EpochScores


class Cost(Record):
    """What a trial took."""

    seconds: float
    """From its start to its end, in the session that finished it."""
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
    history: tuple[EpochScores, ...] = ()
    """What each epoch scored on the validation rows."""
    evaluation: Evaluation | None = None
    predictions: str = ""
    """Digest of the predictions on the test rows."""
    cost: Cost | None = None
    environment: Mapping[str, str] = Field(default_factory=dict)


def predictions_digest(predictions: Predictions) -> str:
    """Equal for the same probabilities of the same rows, to the last bit."""
    rows = sorted(zip(predictions.ids, predictions.probabilities, strict=True))
    return blake2b(json.dumps(rows).encode(), digest_size=16).hexdigest()


class TrialPredictions(Record):
    """The predictions of one trial: a line of the packed file."""

    id: str
    predictions: Predictions


class ResultsDirectory:
    """Results as a sweep writes them, as `pack` leaves them, or both: what came later counts.

    `trials/` has one result per file and `predictions/` what each trial predicted; packed, both
    are one file of JSON lines. `work/` holds trainings under way.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.trials = path / "trials"
        self.work = path / "work"
        self.predictions = path / "predictions"
        self._packed_trials = path / "trials.jsonl.gz"
        self._packed_predictions = path / "predictions.jsonl.gz"

    def result(self, trial_id: str) -> TrialResult | None:
        """The result of a trial, if it is there and whole."""
        path = self.trials / f"{trial_id}.json"
        if path.is_file():
            return read_document(path, TrialResult, "delete it, and the trial is run again")
        return self._earlier_results().get(trial_id)

    def results(self) -> list[TrialResult]:
        """All results, by name."""
        found = self._earlier_results()
        for path in self.trials.glob("*.json"):
            result = self.result(path.stem)
            assert result is not None
            found[path.stem] = result
        return [found[name] for name in sorted(found)]

    def predictions_of(self, trial_id: str) -> Predictions | None:
        """The predictions of a trial, if they are kept."""
        path = self.predictions / f"{trial_id}.jsonl"
        return read_predictions(path) if path.is_file() else self._earlier_predictions.get(trial_id)

    def pack(self) -> int:
        """Put all results into one file, and their predictions into another; returns how many.

        The same results give the same bytes. The small files go when the packed ones are there.
        """
        with self.alone():
            results = self.results()
            kept = [
                TrialPredictions(id=result.id, predictions=predictions)
                for result in results
                if (predictions := self.predictions_of(result.id)) is not None
            ]
            if kept:
                write_lines(self._packed_predictions, map(to_line, kept))
                self._earlier_predictions = {each.id: each.predictions for each in kept}
            write_lines(self._packed_trials, (to_line(_to_publish(each)) for each in results))
            for place in (self.trials, self.predictions):
                shutil.rmtree(place, ignore_errors=True)
        return len(results)

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

    def _tidy(self) -> None:
        """Remove trainings whose result is there, and what a process that was killed half wrote."""
        for place in self.work.glob("*"):
            if (self.trials / f"{place.name}.json").is_file():
                shutil.rmtree(place, ignore_errors=True)
        for half in self.path.rglob(HALF_WRITTEN):
            half.unlink(missing_ok=True)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Only one sweep at a time works in a directory; a killed one leaves no lock behind."""
        with alone_in(self.path, f"{self.path}: another sweep is at work there"):
            self._tidy()
            try:
                yield
            finally:
                self._tidy()

    def _earlier_results(self) -> dict[str, TrialResult]:
        if not self._packed_trials.is_file():
            return {}
        return {result.id: result for result in read_records(self._packed_trials, TrialResult)}

    @cached_property
    def _earlier_predictions(self) -> dict[str, Predictions]:
        if not self._packed_predictions.is_file():
            return {}
        rows = read_records(self._packed_predictions, TrialPredictions)
        return {row.id: row.predictions for row in rows}


def _to_publish(result: TrialResult) -> dict[str, Any]:
    """A result without the directories of the machine it was made on; its id names none either.

    Only what was set: an option that did not exist then must stay open to its default.
    """
    content = result.model_dump(mode="json", exclude_unset=True)
    for section, option in (("data", "pairs"), ("model", "encoder")):
        options = content["config"].get(section, {})
        path = Path(options.get(option, ""))
        if path.is_absolute():
            options[option] = path.name
    return content
