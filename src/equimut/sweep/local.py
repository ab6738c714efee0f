"""Trials on this machine: one after the other, or several processes side by side."""

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from equimut.errors import EquimutError
from equimut.sweep.grid import Trial
from equimut.sweep.results import TrialResult

DEATHS = 3
"""How often a trial's process may die before the trial is given up."""


def run_local(
    trials: Sequence[Trial], grid: str, directory: Path, jobs: int = 1, threads: int = 1
) -> Iterator[TrialResult]:
    """Run trials and give their results as they come.

    A trial has the same number of threads however many run side by side, so its numbers do not
    depend on that. A process that dies takes no result with it: its trial is run again, from its
    last checkpoint.
    """
    deaths: dict[str, int] = {}
    waiting = list(trials)
    while waiting:
        with _pool(jobs, threads) as pool:
            under_way: dict[Future[TrialResult], Trial] = {}
            try:
                while waiting or under_way:
                    while waiting and len(under_way) < jobs:
                        trial = waiting.pop(0)
                        under_way[pool.submit(_work(), trial, grid, directory, threads)] = trial
                    done, _ = wait(under_way, return_when=FIRST_COMPLETED)
                    for future in done:
                        result = future.result()
                        under_way.pop(future)
                        yield result
            except BrokenProcessPool as error:
                for trial in under_way.values():
                    deaths[trial.id] = deaths.get(trial.id, 0) + 1
                    if deaths[trial.id] >= DEATHS:
                        raise EquimutError(
                            f"the process of trial {trial.id} ({dict(trial.varied)}) died "
                            f"{DEATHS} times; is there enough memory?"
                        ) from error
                waiting = [*under_way.values(), *waiting]
            except BaseException:  # told to stop: a trial may take hours, and goes on next time
                for worker in multiprocessing.active_children():
                    worker.kill()
                raise


def _pool(jobs: int, threads: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(
        jobs,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_begin,
        initargs=(threads,),
    )


def _begin(threads: int) -> None:
    """Before torch is imported: so many threads, and no bars of others."""
    os.environ["OMP_NUM_THREADS"] = str(threads)
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    threading.Thread(target=_leave_with_the_sweep, daemon=True).start()


def _leave_with_the_sweep() -> None:
    """A sweep that is killed must not leave workers behind that write where the next one works."""
    sweep = multiprocessing.parent_process()
    assert sweep is not None
    sweep.join()
    os._exit(1)


def _work() -> Callable[[Trial, str, Path, int], TrialResult]:
    from equimut.sweep.trial_run import run_trial

    return run_trial
