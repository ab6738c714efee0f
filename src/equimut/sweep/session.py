"""A session: the open trials of a grid, run on an engine, and what that cost."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timezone
from pathlib import Path
from typing import Literal

from equimut.errors import DataError, EquimutError
from equimut.records import Record
from equimut.storage.files import read_text
from equimut.storage.jsonl import to_line, validated
from equimut.sweep.grid import Trial
from equimut.sweep.results import ResultsDirectory, TrialResult

SESSIONS = "sessions.jsonl"
_OLD_SESSIONS = "sittings.jsonl"
"""Their file before it got the name above."""
EngineName = Literal["local", "ray"]


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


class Session(Record):
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
        """Trial time / (wall time x jobs): the rest is overhead and idle workers."""
        available = self.wall_seconds * self.jobs
        return self.trial_seconds / available if self.trials and available else None


def run_session(
    trials: Sequence[Trial],
    grid: str,
    directory: Path,
    engine: Engine,
    progress: Callable[[TrialResult], None] = lambda result: None,
) -> Session:
    """Run trials, report each result as it comes, and note the session in the directory."""
    started, wall = datetime.now(timezone.utc), time.monotonic()
    jobs = engine.side_by_side(len(trials))
    found: list[TrialResult] = []
    for result in _work(trials, grid, directory, engine, jobs) if trials else ():
        found.append(result)
        progress(result)
    session = Session(
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
        with (directory / SESSIONS).open("ab") as file:
            file.write(to_line(session))
    return session


def read_sessions(directory: Path) -> tuple[Session, ...]:
    """The sessions of a results directory, oldest first; a line cut short by a kill is left out."""
    found = []
    for path in (directory / _OLD_SESSIONS, directory / SESSIONS):
        lines = read_text(path).splitlines() if path.is_file() else ()
        for line in lines:
            with suppress(DataError):
                found.append(validated(Session, line, str(path)))
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
