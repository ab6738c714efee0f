"""Workers on all cores: answers in order, a lost worker costs one answer, nobody stays behind."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from equimut.errors import EquimutError
from equimut.storage.worker_pool import LOOK_AHEAD, Lost, WorkerLimits, answers
from oracles import worker_tasks
from oracles.child_processes import descendants, wait_for
from oracles.worker_tasks import task

LIMITS = WorkerLimits(seconds=60, megabytes=2_000, patience=120)


def asked(*questions: str, jobs: int = 2, limits: WorkerLimits = LIMITS) -> list[str | Lost]:
    return list(answers(task, questions, jobs, limits))


def alive(process: int) -> bool:
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return status[status.rindex(")") + 2] != "Z"


def test_answers_come_in_the_order_of_the_questions() -> None:
    questions = ["sleep 0.3", *(f"word {number}" for number in range(300))]
    assert asked(*questions) == questions
    assert asked() == []


def test_a_worker_has_one_thread_whatever_its_parent_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "7")
    assert asked("variable OPENBLAS_NUM_THREADS") == ["1"]


def test_workers_work_at_the_same_time(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    questions = [f"meet {one} {other}", f"meet {other} {one}"]
    assert asked(*questions) == questions


@pytest.mark.parametrize(
    ("deadly", "reason"),
    [
        ("die", "its process died"),
        ("crash", "its process died"),
        ("sleep 300", "it took longer than 3 seconds"),
        ("burn", "it took longer than 1 seconds of processor time"),
        ("fill 4000", "MemoryError: "),
        ("fail hard", "ValueError: hard"),
    ],
)
def test_what_goes_wrong_costs_one_answer(deadly: str, reason: str) -> None:
    limits = WorkerLimits(
        seconds=1, megabytes=1_000, patience=3 if deadly.startswith("sleep") else 60
    )
    found = asked("a", deadly, "b", deadly, "c", "d", limits=limits)
    assert found == ["a", Lost(reason), "b", Lost(reason), "c", "d"]


def test_few_questions_are_taken_at_a_time() -> None:
    taken = 0

    def questions() -> Iterator[str]:
        nonlocal taken
        for taken in range(1, 1_001):
            yield f"word {taken}"

    for given, _ in enumerate(answers(task, questions(), 2, LIMITS)):
        assert taken <= given + 1 + 2 * LOOK_AHEAD
    assert taken == 1_000


def test_no_more_workers_start_than_there_is_work() -> None:
    assert len(set(asked("process", jobs=8))) == 1
    assert len(set(asked(*["process"] * 50, jobs=8))) == 1  # done before another is ready


def test_another_worker_starts_where_nobody_knows_how_much_is_to_come() -> None:
    found = answers(task, ["doze"] * 80, 2, LIMITS, ahead=2)
    assert len(set(found)) == 2


def test_who_stops_listening_leaves_no_process_behind() -> None:
    others = {*descendants(sys.executable)}  # of tests before it, Ray's for one
    found = answers(task, ["process", *["sleep 300"] * 4], 2, LIMITS)
    process = int(str(next(found)))
    assert alive(process)
    found.close()
    assert not alive(process)
    assert {*descendants(sys.executable)} <= others


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_program_that_is_killed_leaves_no_process_behind(how: signal.Signals) -> None:
    program = subprocess.Popen(
        [sys.executable, str(worker_tasks.__file__)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert program.stdout is not None
    workers = {int(program.stdout.readline()) for _ in range(8)}
    assert workers
    assert all(map(alive, workers))
    program.send_signal(how)
    program.wait(120)
    wait_for(lambda: not any(map(alive, workers)))


def test_workers_that_cannot_start_are_an_error() -> None:
    def not_importable(question: str) -> str:
        return question

    not_importable.__module__, not_importable.__qualname__ = "oracles.worker_tasks", "nothing"
    worker_tasks.nothing = not_importable  # type: ignore[attr-defined]
    with pytest.raises(EquimutError, match="cannot be started: AttributeError"):
        list(answers(not_importable, ["a"], 2, LIMITS))
