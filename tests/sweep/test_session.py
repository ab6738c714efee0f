"""What a session cost, and results that outlive new options."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from equimut.config import DEFAULT, RunConfig, changed
from equimut.sweep import local
from equimut.sweep.grid import Trial, trial_id
from equimut.sweep.results import Cost, ResultsDirectory, TrialResult
from equimut.sweep.session import SESSIONS, Engine, Session, read_sessions, run_session


def finished(config: RunConfig, seconds: float = 0.0, name: str = "") -> TrialResult:
    cost = Cost(seconds=seconds, training_seconds=seconds, threads=1)
    its_id = name or trial_id(config)
    return TrialResult(id=its_id, grid="g", varied={}, config=config, status="done", cost=cost)


def session(**values: Any) -> Session:
    fields = {"grid": "g", "engine": "local", "jobs": 2, "started": "", "trials": 4, "failed": 0}
    return Session.model_validate(fields | values)


def test_efficiency_is_trial_time_over_what_was_available() -> None:
    assert session(trial_seconds=190, wall_seconds=100).efficiency == pytest.approx(0.95)
    assert session(trials=0, trial_seconds=0, wall_seconds=1).efficiency is None


def test_a_session_adds_up_its_trials_and_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configs = [changed(DEFAULT, {"seed": seed}) for seed in range(3)]
    lot = [Trial(id=trial_id(config), varied={}, config=config) for config in configs]

    def engine(trials: list[Trial], *_: object) -> Iterator[TrialResult]:
        for number, trial in enumerate(trials, start=1):
            yield finished(trial.config, seconds=float(number))

    monkeypatch.setattr(local, "run_local", engine)
    come: list[str] = []
    done = run_session(lot, "g", tmp_path, Engine(jobs=8), lambda result: come.append(result.id))
    assert come == [trial.id for trial in lot]
    assert (done.trials, done.trial_seconds, done.jobs) == (3, 6.0, 3)  # no more jobs than trials
    run_session([], "g", tmp_path, Engine())  # nothing to do leaves no line
    with (tmp_path / SESSIONS).open("a") as file:
        file.write('{"grid": "cut sho')
    assert read_sessions(tmp_path) == (done,)


def test_a_result_from_before_an_option_existed_still_counts(tmp_path: Path) -> None:
    config = changed(DEFAULT, {"seed": 7})
    directory = ResultsDirectory(tmp_path)
    directory.write(finished(config, name="named-when-there-were-fewer-options"))
    path = directory.trials / "named-when-there-were-fewer-options.json"
    content = json.loads(path.read_text())
    del content["config"]["model"]["mode"]
    path.write_text(json.dumps(content))
    other = trial_id(changed(config, {"model.mode": "<encoder-only>"}))
    assert directory.to_do([trial_id(config), other], retry_failed=False) == [other]


def test_sessions_are_read_under_their_old_name_too(tmp_path: Path) -> None:
    old, new = (session(trial_seconds=1, wall_seconds=seconds) for seconds in (1, 2))
    (tmp_path / "sittings.jsonl").write_text(old.model_dump_json() + "\n")
    (tmp_path / SESSIONS).write_text(new.model_dump_json() + "\n")
    assert read_sessions(tmp_path) == (old, new)
