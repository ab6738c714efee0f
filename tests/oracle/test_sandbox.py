"""The sandbox holds: time, memory, files, network, and nothing survives it."""

import ast
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from equimut.oracle.sandbox.process import Finished, Limits, network_isolated, run_in_sandbox
from oracles.child_processes import running, wait_for


def run(code: str, folder: Path, seconds: float = 20, memory: int | None = 512) -> Finished:
    command = [sys.executable, "-ISc", code]
    return run_in_sandbox(command, folder, Limits(seconds, memory))


@pytest.fixture
def mark(tmp_path: Path) -> Iterator[str]:
    """A number of seconds to sleep that nobody else sleeps; nobody sleeps on after the test."""
    seconds = f"3600.{random.SystemRandom().randrange(10**9, 10**10)}"
    yield seconds
    for process in (*running(seconds), *running(str(tmp_path))):
        os.kill(process, signal.SIGKILL)


@pytest.mark.parametrize("own_session", [False, True])
@pytest.mark.parametrize("waits", [False, True])
def test_the_whole_family_ends(tmp_path: Path, mark: str, own_session: bool, waits: bool) -> None:
    if own_session and not network_isolated():
        pytest.skip("no namespaces on this system: a daemon gets away")
    sleep = ("import subprocess, sys, time\n"
        f"subprocess.Popen([sys.executable, '-ISc', 'import time; time.sleep({mark})'], "
        f"start_new_session={own_session})\n"
        "print('there', file=open('there', 'w'), flush=True)\n")  # fmt: skip
    done = run(sleep + "time.sleep(60)\n" * waits, tmp_path, seconds=3)
    assert (tmp_path / "there").exists()
    assert done.timed_out == waits
    assert done.code == (-9 if waits else 0)
    wait_for(lambda: not running(mark))


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("raise SystemExit(3)", 3),
        ("raise SystemExit(130)", 130),
        ("import signal, time; signal.alarm(1); time.sleep(9)", -14),
        ("import os; os.kill(os.getpid(), 11)", -11),
        ("import os; os.abort()", -6),
        ("import os; os.kill(os.getpid(), 15)", -15),
    ],
)
def test_an_end_is_told_as_it_was(tmp_path: Path, code: str, expected: int) -> None:
    assert run(code, tmp_path, seconds=30).code == expected


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL])
def test_whatever_ends_the_oracle_nothing_goes_on(
    tmp_path: Path, mark: str, number: signal.Signals
) -> None:
    for name, value in (("origin", "a"), ("mutant", "a + 0")):
        (tmp_path / f"{name}.py").write_text(
            "import signal, time\n"
            "def f(a: int) -> int:\n"
            "    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})  # deaf\n"
            f"    time.sleep({mark})\n"
            f"    return {value}\n"
        )
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "equimut", "oracle", tmp_path / "origin.py", tmp_path / "mutant.py"],
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    harness = str(temporary)  # the job's path is in its command line
    wait_for(lambda: bool(running(harness)) or process.poll() is not None)
    time.sleep(0.3)
    assert running(harness)
    process.send_signal(number)
    process.wait(timeout=240)
    assert process.returncode in (-number, 128 + number)
    wait_for(lambda: not running(harness))
    if number != signal.SIGKILL:
        assert not list(temporary.iterdir())


def test_memory_is_limited(tmp_path: Path) -> None:
    done = run("x = bytearray(1 << 30)", tmp_path)
    assert done.code == 1
    assert "MemoryError" in done.errors


def test_processes_are_limited(tmp_path: Path) -> None:
    code = (
        "import resource; open('limit', 'w').write(str(resource.getrlimit(resource.RLIMIT_NPROC)))"
    )
    run_in_sandbox([sys.executable, "-c", code], tmp_path, Limits(30))
    soft, hard = ast.literal_eval((tmp_path / "limit").read_text())
    assert 0 < soft == hard < 40_000


def test_files_cannot_grow_without_end(tmp_path: Path) -> None:
    code = "f = open('big', 'wb')\nfor _ in range(1000): f.write(bytes(1 << 20))"
    assert run(code, tmp_path).code != 0
    assert (tmp_path / "big").stat().st_size <= 256 << 20


def test_no_input_no_secrets_own_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "x")
    code = (
        "import os, sys\nassert sys.stdin.read() == ''\nassert 'SECRET_TOKEN' not in os.environ\n"
        "assert os.environ['HOME'] == os.getcwd()\nopen('here', 'w').close()"
    )
    done = run(code, tmp_path)
    assert done.code == 0, done.errors
    assert (tmp_path / "here").exists()


def test_no_network(tmp_path: Path) -> None:
    if not network_isolated():
        pytest.skip("this system does not permit network namespaces; the verdict says so")
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = server.getsockname()
        with socket.create_connection(address):
            pass  # reachable from here ...
        done = run(f"import socket; socket.create_connection({address!r}, 3)", tmp_path)
    assert done.code == 1  # ... and not from inside
    assert "OSError" in done.errors or "ConnectionRefused" in done.errors


def test_the_parent_keeps_its_own_limits(tmp_path: Path) -> None:
    before = os.getcwd(), dict(os.environ)
    run("pass", tmp_path)
    assert before == (os.getcwd(), dict(os.environ))
    bytearray(600 << 20)  # more than the child may have
