"""A sweep that is killed loses no trial and runs none twice."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from conftest import FULL, count
from equimut.data.store import write_pairs
from equimut.errors import EquimutError
from equimut.storage.files import HALF_WRITTEN
from equimut.sweep.results import ResultsDirectory
from oracles.child_processes import group_is_alive, wait_for
from oracles.command import call_equimut
from oracles.datasets.small_data import small_pairs
from oracles.encoders.tiny_encoder import save_tiny_encoder
from oracles.sweeps import run_trials_here

GRID = """
[fixed]
"optim.epochs" = 1
"optim.batch_size" = 8
"data.protocol" = "by-origin"
[grid]
"loss.name" = ["cpl", "base"]
seed = [1, 2]
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("sweep")
    write_pairs(place / "pairs.jsonl", small_pairs(origins=10))
    save_tiny_encoder(place / "encoder", layers=1, hidden=16)
    (place / "grid.toml").write_text(GRID)
    return place


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    run_trials_here(monkeypatch)


def command(place: Path, out: str, *more: str) -> list[str]:
    names = [place / "grid.toml", place / "pairs.jsonl", "--encoder", place / "encoder"]
    return ["sweep", *map(str, names), "--out", str(place / out), *more]


def results(directory: Path) -> dict[str, dict[str, object]]:
    found = {}
    for path in sorted((directory / "trials").glob("*.json")):
        content = json.loads(path.read_text())
        content.pop("cost")
        content.pop("environment")
        found[path.stem] = content
    return found


@pytest.mark.parametrize("jobs", ["1", "2"] if FULL else ["1"])
def test_killed_and_started_again_it_has_the_same_table(
    place: Path, jobs: str, request: pytest.FixtureRequest
) -> None:
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    run = subprocess.Popen(
        [sys.executable, "-m", "equimut", *command(place, f"killed-{jobs}", "--jobs", jobs)],
        env=environment,
        stderr=(place / "errors").open("w"),
        start_new_session=True,
    )
    trials = place / f"killed-{jobs}" / "trials"
    wait_for(lambda: any(trials.glob("*.json")) or run.poll() is not None)
    run.kill()  # the sweep alone: its workers have to notice
    run.wait()
    wait_for(lambda: not group_is_alive(run.pid))
    before = {path.name: path.stat().st_mtime_ns for path in trials.glob("*.json")}
    assert 1 <= len(before) < 4, (place / "errors").read_text()
    if not FULL:
        request.getfixturevalue("here")
    again = call_equimut(*command(place, f"killed-{jobs}", "--jobs", jobs))
    assert again.returncode == 0, again.stderr
    assert f"4 trials, {len(before)} done before, {4 - len(before)} now" in again.stderr
    for name, stamp in before.items():
        assert (trials / name).stat().st_mtime_ns == stamp  # never run again
    if not (place / "straight").exists():
        request.getfixturevalue("here")
        assert call_equimut(*command(place, "straight", "--jobs", "1")).returncode == 0
    assert results(place / f"killed-{jobs}") == results(place / "straight")
    assert all(result["history"] for result in results(place / "straight").values())
    assert not list((place / f"killed-{jobs}" / "work").iterdir())


@pytest.mark.parametrize(
    ("number", "send"),
    [
        (signal.SIGTERM, os.kill),  # to the sweep alone, not to its workers
        *([(signal.SIGINT, os.killpg), (signal.SIGINT, os.kill)] if FULL else []),
    ],
)
def test_told_to_stop_it_ends_its_workers_at_once(
    place: Path, number: signal.Signals, send: Callable[[int, int], None]
) -> None:
    (place / "long.toml").write_text(GRID.replace("= 1\n", "= 100000\n", 1))
    out = place / f"stopped-{number}-{send.__name__}"
    arguments = command(place, out.name, "--jobs", str(count(1, 2)))
    arguments[1] = str(place / "long.toml")
    run = subprocess.Popen(
        [sys.executable, "-m", "equimut", *arguments],
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        wait_for(lambda: any(out.glob("work/*/log.jsonl")) or run.poll() is not None)
        send(run.pid, number)
        assert run.wait(timeout=240) in (128 + number, -number)
        wait_for(lambda: not group_is_alive(run.pid))
    finally:
        with suppress(ProcessLookupError):
            os.killpg(run.pid, signal.SIGKILL)
    assert not list(out.rglob(HALF_WRITTEN))
    assert not (out / "trials").exists()
    for path in out.rglob("*.json"):
        json.loads(path.read_text())


@pytest.mark.usefixtures("here")
def test_a_sweep_may_pack_its_results_and_go_on(place: Path) -> None:
    first = call_equimut(*command(place, "packed", "--limit", "1", "--pack"))
    assert first.returncode == 0, first.stderr
    names = {path.name for path in (place / "packed").iterdir()}
    assert {"trials.jsonl.gz", "predictions.jsonl.gz"} <= names
    assert not {"trials", "predictions"} & names
    again = call_equimut(*command(place, "packed", "--limit", "1"))
    assert "4 trials, 1 done before, 1 now" in again.stderr
    assert len(ResultsDirectory(place / "packed").results()) == 2


@pytest.mark.usefixtures("here")
def test_a_failed_trial_is_kept_with_its_error_and_retried_on_request(place: Path) -> None:
    arguments = command(place, "failing", "--limit", "1")
    arguments[arguments.index("--encoder") + 1] = str(place / "grid.toml")
    result = call_equimut(*arguments)
    assert result.returncode == 1
    (failed,) = ResultsDirectory(place / "failing").results()
    assert failed.status == "failed"
    assert "grid.toml" in failed.error
    assert "0 now" not in result.stderr
    stamp = next((place / "failing" / "trials").iterdir()).stat().st_mtime_ns
    again = call_equimut(*arguments, "--retry-failed")
    assert "4 trials, 0 done before, 1 now" in again.stderr
    assert next((place / "failing" / "trials").iterdir()).stat().st_mtime_ns > stamp
    left = ResultsDirectory(place / "failing").to_do([failed.id, "new"], retry_failed=False)
    assert left == ["new"]  # not run again unless asked for


def test_what_a_killed_sweep_left_of_a_finished_trial_is_removed(tmp_path: Path) -> None:
    directory = ResultsDirectory(tmp_path)
    for name in ("finished", "under-way"):
        (directory.work / name).mkdir(parents=True)
    directory.trials.mkdir()
    (directory.trials / "finished.json").write_text("{}")
    half = directory.work / "under-way" / ".step-00000001.safetensors.abc.tmp"
    half.touch()
    with directory.alone():
        assert [path.name for path in directory.work.iterdir()] == ["under-way"]
        assert not half.exists()
        half.touch()  # a worker that is killed now
    assert not half.exists()


def test_two_sweeps_do_not_work_in_one_directory(place: Path) -> None:
    with (
        ResultsDirectory(place / "busy").alone(),
        pytest.raises(EquimutError, match="another sweep is at work"),
        ResultsDirectory(place / "busy").alone(),
    ):
        pass


def test_a_damaged_result_is_named(place: Path) -> None:
    directory = ResultsDirectory(place / "damaged")
    directory.trials.mkdir(parents=True)
    (directory.trials / "abc.json").write_text('{"id": "abc"')
    with pytest.raises(EquimutError, match=r"abc\.json: .*delete it, and the trial is run again"):
        directory.results()
