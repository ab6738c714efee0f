"""Workers forked from a template: what is there is there at once, and nothing stays behind."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from equimut.storage import worker_template as module
from equimut.storage.worker_pool import Lost, WorkerLimits, answers, serve
from equimut.storage.worker_template import Template, worker_template
from oracles.child_processes import wait_for
from oracles.worker_tasks import task

LIMITS = WorkerLimits(seconds=60, megabytes=4_000, patience=120)
PROGRAM = """
from equimut.storage.worker_pool import WorkerLimits, answers, serve
from equimut.storage.worker_template import worker_template
from oracles.worker_tasks import task
with worker_template(serve) as template:
    assert template is not None
    asked = [*(f"process {number}" for number in range(8)), *(["sleep 300"] * 2)]
    for answer in answers(task, asked, 2, WorkerLimits(600, 2_000, 600), template=template):
        print(answer, flush=True)
"""


def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads of this test process belong to libraries that no worker uses."""
    monkeypatch.setattr(module, "_alone", lambda: True)


def alive(process: int) -> bool:
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return status[status.rindex(")") + 2] != "Z"


def test_forked_workers_answer_in_order_and_cost_one_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    alone(monkeypatch)
    limits = WorkerLimits(seconds=1, megabytes=4_000, patience=60)
    questions = ["sleep 0.2", "die", *map(str, range(40)), "burn", "last"]
    with worker_template(serve) as template:
        assert template is not None
        found = list(answers(task, questions, 2, limits, template=template))
    burnt = Lost("it took longer than 1 seconds of processor time")
    assert found == [questions[0], Lost("its process died"), *questions[2:-2], burnt, "last"]


def test_all_workers_start_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone(monkeypatch)
    one, other = tmp_path / "one", tmp_path / "other"
    questions = [f"meet {one} {other}", f"meet {other} {one}"]
    with worker_template(serve) as template:
        assert list(answers(task, questions, 2, LIMITS, template=template)) == questions


def test_who_stops_listening_leaves_no_process_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    alone(monkeypatch)
    with worker_template(serve) as template:
        assert isinstance(template, Template)
        found = answers(task, ["process", *["sleep 300"] * 4], 2, LIMITS, template=template)
        worker = int(str(next(found)))
        assert alive(worker)
        found.close()
        assert not alive(worker)
    assert not alive(template._process)


def test_threads_prevent_a_fork() -> None:
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        with worker_template(serve) as template:
            assert template is None
    finally:
        done.set()
        thread.join()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_program_that_is_killed_leaves_no_process_behind(how: signal.Signals) -> None:
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "OPENBLAS_NUM_THREADS": "1"},
    )
    assert program.stdout is not None
    workers = {int(program.stdout.readline()) for _ in range(8)}
    assert all(map(alive, workers))
    # The template is their parent.
    parents = {
        int(Path(f"/proc/{each}/stat").read_text().rsplit(")")[1].split()[1]) for each in workers
    }
    assert program.pid not in parents
    program.send_signal(how)
    program.wait(120)
    wait_for(lambda: not any(map(alive, workers | parents)))
