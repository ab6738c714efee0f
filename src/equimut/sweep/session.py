"""A sitting: the open trials of a grid, run on an engine, with what that cost beside the trials."""

import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Literal

from equimut.errors import EquimutError
from equimut.records import Record
from equimut.storage.files import read_text
from equimut.sweep.grid import Trial
from equimut.sweep.results import ResultsDirectory, TrialResult

SITTINGS = "sittings.jsonl"
EngineName = Literal["local", "ray"]
ENGINES: tuple[EngineName, ...] = ("local", "ray")


class Engine(Record):
    """What runs the trials: the same numbers come out whichever it is."""

    name: EngineName = "local"
    jobs: int | None = None
    """Trials side by side; by default one per core."""
    threads: int = 1
    """Of each trial."""
    address: str | None = None
    """Of a Ray cluster; None starts Ray on this machine."""

    def side_by_side(self, trials: int) -> int:
        """How many of so many trials run at a time."""
        return max(1, min(self.jobs or (os.cpu_count() or 1) // self.threads, trials))


class Sitting(Record):
    """What one call of a sweep did, and how much of the time went into trials."""

    grid: str
    engine: EngineName
    jobs: int
    started: str
    trials: int
    failed: int
    trial_seconds: float
    """Sum over the trials."""
    wall_seconds: float

    @property
    def efficiency(self) -> float | None:
        """Trial time / (wall time x jobs): what is missing to 1 is overhead and idle workers."""
        available = self.wall_seconds * self.jobs
        return self.trial_seconds / available if self.trials and available else None


def run_sitting(
    trials: Sequence[Trial],
    grid: str,
    directory: Path,
    engine: Engine,
    progress: Callable[[TrialResult], None] = lambda result: None,
) -> Sitting:
    """Run trials, tell each result as it comes, and note the sitting in the directory."""
    started, wall = datetime.now(timezone.utc), time.monotonic()
    jobs = engine.side_by_side(len(trials))
    found: list[TrialResult] = []
    for result in _work(trials, grid, directory, engine, jobs) if trials else ():
        found.append(result)
        progress(result)
    sitting = Sitting(
        grid=grid,
        engine=engine.name,
        jobs=jobs,
        started=started.isoformat(timespec="seconds"),
        trials=len(found),
        failed=sum(result.status == "failed" for result in found),
        trial_seconds=round(sum(r.cost.seconds for r in found if r.cost is not None), 2),
        wall_seconds=round(time.monotonic() - wall, 2),
    )
    if found:
        with (directory / SITTINGS).open("a") as file:
            file.write(sitting.model_dump_json() + "\n")
    return sitting


def read_sittings(directory: Path) -> tuple[Sitting, ...]:
    """The sittings of a results directory, oldest first; a line cut short by a kill is left out."""
    path = directory / SITTINGS
    if not path.is_file():
        return ()
    found = []
    for line in read_text(path).splitlines():
        try:
            found.append(Sitting.model_validate(json.loads(line)))
        except ValueError:
            continue
    return tuple(found)


def open_trials(
    results: ResultsDirectory, trials: Sequence[Trial], retry_failed: bool = False
) -> list[Trial]:
    """The trials that have no result yet."""
    to_do = set(results.to_do([trial.id for trial in trials], retry_failed))
    return [trial for trial in trials if trial.id in to_do]


def _work(
    trials: Sequence[Trial], grid: str, directory: Path, engine: Engine, jobs: int
) -> Iterator[TrialResult]:
    if engine.name == "ray":
        from equimut.sweep.ray_engine import run_ray

        return run_ray(trials, grid, directory, jobs, engine.threads, engine.address)
    if engine.address is not None:
        raise EquimutError("--address names a Ray cluster; it goes with --engine ray")
    from equimut.sweep.local import run_local

    return run_local(trials, grid, directory, jobs, engine.threads)
