"""Ray runs the trials of a grid like the local engine, and again where a worker dies."""

import builtins
import os
import signal
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from conftest import FULL
from equimut.data.store import write_pairs
from equimut.errors import EquimutError
from equimut.sweep.grid import Trial, read_grid, trials
from equimut.sweep.results import ResultsDirectory, TrialResult
from equimut.sweep.session import Engine, run_session
from oracles.child_processes import descendants, wait_for
from oracles.datasets.small_data import small_pairs
from oracles.encoders.tiny_encoder import save_tiny_encoder

GRID = """
[fixed]
"optim.epochs" = 3
"optim.batch_size" = 8
"data.protocol" = "by-origin"
"selection.on" = "last"
[grid]
"loss.name" = ["cpl", "base"]
"""


@pytest.fixture(scope="module")
def grid(tmp_path_factory: pytest.TempPathFactory) -> list[Trial]:
    place = tmp_path_factory.mktemp("ray")
    write_pairs(place / "pairs.jsonl", small_pairs(origins=10))
    encoder = save_tiny_encoder(place / "encoder", layers=1, hidden=16)
    (place / "grid.toml").write_text(GRID)
    found = read_grid(place / "grid.toml")
    return trials(found, str(place / "pairs.jsonl"), {"model.encoder": str(encoder)})


def figures(directory: Path) -> dict[str, tuple[str, Any]]:
    results = ResultsDirectory(directory).results()
    return {each.id: (each.predictions, each.evaluation) for each in results}


@pytest.mark.skipif(not FULL, reason="a minute; make test-full kills a worker of a sweep")
def test_a_killed_worker_costs_no_trial_and_the_numbers_are_the_local_ones(
    grid: list[Trial], tmp_path: Path
) -> None:
    pytest.importorskip("ray")
    come: list[TrialResult] = []
    ray = Engine(name="ray", jobs=2)
    work = Thread(target=run_session, args=(grid, "grid", tmp_path / "ray", ray, come.append))
    work.start()
    started = tmp_path / "ray" / "work"
    wait_for(lambda: started.is_dir() and any(started.glob("*/run.json")))
    victims = descendants("ray::_trial")
    os.kill(victims[0], signal.SIGKILL)
    work.join(timeout=300)
    assert not work.is_alive()
    assert sorted(each.id for each in come) == sorted(trial.id for trial in grid)  # none twice
    assert all(each.status == "done" for each in come)
    run_session(grid, "grid", tmp_path / "local", Engine(jobs=1))
    assert figures(tmp_path / "ray") == figures(tmp_path / "local")


def test_without_ray_the_error_says_how_to_get_it(
    grid: list[Trial], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without_ray(name: str, *rest: Any, **more: Any) -> Any:
        if name == "ray":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without_ray)
    with pytest.raises(EquimutError, match=r"Ray is not installed.*equimut\[ray\]"):
        run_session(grid, "grid", tmp_path, Engine(name="ray"))


def test_an_address_without_ray_is_a_mistake(grid: list[Trial], tmp_path: Path) -> None:
    with pytest.raises(EquimutError, match="--engine ray"):
        run_session(grid, "grid", tmp_path, Engine(address="10.0.0.1:6379"))
