"""One trial from configuration to result, in whatever process it finds itself."""

import shutil
import time
from functools import partial
from pathlib import Path

import torch

from equimut.data.splitting.split import ALL
from equimut.errors import EquimutError
from equimut.evaluation.predictions import read_predictions, write_predictions
from equimut.inputs.cache import EncodingCache
from equimut.sweep.grid import Trial
from equimut.sweep.results import Cost, ResultsDirectory, TrialResult, predictions_digest
from equimut.training.run import train_run
from equimut.training.run_files import PREDICTIONS


def run_trial(trial: Trial, grid: str, directory: Path, threads: int | None) -> TrialResult:
    """Train and evaluate one trial; an expected error becomes a failed result.

    The training stands in `work/` until it is finished, so a killed trial goes on from its last
    checkpoint. Its result is written last, in one step.
    """
    results = ResultsDirectory(directory)
    result = partial(
        TrialResult, id=trial.id, grid=trial.grid or grid, varied=trial.varied, config=trial.config
    )
    if threads is not None:
        torch.set_num_threads(threads)
    place = results.work / trial.id
    started = time.monotonic()
    try:
        if trial.config.data.protocol == ALL:
            raise EquimutError("the protocol all has no test rows to compare trials on")
        record = train_run(
            trial.config,
            place,
            baselines=False,
            cache=EncodingCache(results.path / "encodings"),
        )
    except EquimutError as error:
        failed = result(status="failed", error=f"{type(error).__name__}: {error}")
        results.write(failed)
        return failed
    predictions = read_predictions(place / PREDICTIONS)
    write_predictions(results.predictions / f"{trial.id}.jsonl", predictions)
    done = result(
        status="done",
        best_epoch=record.best_epoch,
        dev=record.best_value,
        history=record.history,
        evaluation=record.evaluation,
        predictions=predictions_digest(predictions),
        cost=Cost(
            seconds=round(time.monotonic() - started, 2),
            training_seconds=round(record.seconds, 2),
            threads=torch.get_num_threads(),
        ),
        environment=record.environment,
    )
    results.write(done)
    shutil.rmtree(place, ignore_errors=True)
    return done
