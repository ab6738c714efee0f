"""Trials as Ray tasks: on this machine, or on a cluster whose machines see the same files."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from equimut.errors import EquimutError
from equimut.storage.ray_session import LIVES, ray_session
from equimut.sweep.grid import Trial
from equimut.sweep.results import TrialResult


def run_ray(
    trials: Sequence[Trial],
    grid: str,
    directory: Path,
    jobs: int = 1,
    threads: int = 1,
    address: str | None = None,
) -> Iterator[TrialResult]:
    """Run trials and give their results as they come.

    A task whose worker dies is started again by Ray; the trial then goes on from its last
    checkpoint. A trial that has its result already (the worker died right after writing it) is not
    run again. On a cluster `directory`, the pairs and the encoder must have the same path on every
    machine, so that results and checkpoints are one.
    """
    with ray_session(jobs, threads, address) as ray:
        remote = ray.remote(num_cpus=threads, max_retries=LIVES - 1)(_trial)
        waiting = list(trials)
        under_way: dict[object, Trial] = {}
        while waiting or under_way:
            while waiting and len(under_way) < jobs:
                trial = waiting.pop(0)
                given = trial.model_dump_json(), grid, str(directory.absolute()), threads
                under_way[remote.remote(*given)] = trial
            done, _ = ray.wait(list(under_way), num_returns=1)
            for reference in done:
                trial = under_way.pop(reference)
                yield _result(ray, reference, trial)


def _result(ray: object, reference: object, trial: Trial) -> TrialResult:
    try:
        text = ray.get(reference)  # type: ignore[attr-defined]
    except ray.exceptions.WorkerCrashedError as error:  # type: ignore[attr-defined]
        raise EquimutError(
            f"the worker of trial {trial.id} ({dict(trial.varied)}) died {LIVES} times; "
            "is there enough memory?"
        ) from error
    return TrialResult.model_validate_json(text)


def _trial(trial: str, grid: str, directory: str, threads: int) -> str:
    """In the worker. Text travels both ways: no pickles of our classes to keep in step."""
    from equimut.sweep.results import ResultsDirectory
    from equimut.sweep.trial_run import run_trial

    wanted = Trial.model_validate_json(trial)
    there = ResultsDirectory(Path(directory)).result(wanted.id)
    if there is not None and there.status == "done":
        return there.model_dump_json()
    return run_trial(wanted, grid, Path(directory), threads).model_dump_json()
