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
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from equimut.oracle.sandbox import process
from equimut.oracle.sandbox.process import Finished, Limits, network_isolated, run_in_sandbox
from oracles.child_processes import running, wait_for

NO_NAMESPACES = "import starter; starter._can_leave = lambda libc: False; starter.main"
"""What a starter finds on a system that does not permit them."""


def run(code: str, folder: Path, seconds: float = 20, memory: int | None = 512) -> Finished:
    command = [sys.executable, "-ISc", code]
    return run_in_sandbox(command, folder, Limits(seconds, memory))


@pytest.fixture
def mark(tmp_path: Path) -> Iterator[str]:
    """A number of seconds to sleep that nobody else sleeps; nobody sleeps on after the test."""
    seconds = f"3600.{random.SystemRandom().randrange(10**9, 10**10)}"
    yield seconds
    for left in (*running(seconds), *running(str(tmp_path))):
        os.kill(left, signal.SIGKILL)


@pytest.fixture(params=["namespaces", "no namespaces"])
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This system, and one that permits no namespaces."""
    if request.param == "namespaces":
        yield
        return
    changed = process.STARTER.replace("import starter; starter.main", NO_NAMESPACES)
    monkeypatch.setattr(process, "STARTER", changed)
    process._starter_of.cache_clear()
    assert not network_isolated()
    yield
    process._starter_of.cache_clear()


def starters() -> list[int]:
    """The processes that start commands for this one."""
    return [found for found in running("import starter") if _parent(found) == os.getpid()]


def _parent(number: int) -> int:
    return int(Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[1])


@pytest.mark.usefixtures("system")
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


@pytest.mark.usefixtures("system")
@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("raise SystemExit(3)", 3),
        ("raise SystemExit(130)", 130),
        ("import signal, time; signal.alarm(1); time.sleep(9)", -14),
        ("import os; os.kill(os.getpid(), 11)", -11),
        ("import os; os.abort()", -6),
        ("import os; os.kill(os.getpid(), 15)", -15),
        ("import os; os.killpg(0, 15)", -15),
        ("import os; os.killpg(0, 9)", -9),
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


def test_nothing_goes_on_while_a_fork_of_the_killed_does(tmp_path: Path, mark: str) -> None:
    code = (
        "import os, sys, threading, time\n"
        "from pathlib import Path\n"
        "from equimut.oracle.sandbox.process import Limits, run_in_sandbox\n"
        f"command = [sys.executable, '-ISc', 'import time; time.sleep({mark})']\n"
        "arguments = command, Path.cwd(), Limits(3600)\n"
        "threading.Thread(target=run_in_sandbox, args=arguments).start()\n"
        "while not os.path.exists('errors.log'): time.sleep(0.01)\n"
        "time.sleep(0.3)\n"
        "os.fork()  # which has a copy of every line: nobody sees their end\n"
        "time.sleep(3600)\n"
    )
    killed = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    try:
        wait_for(lambda: len(running(f"sleep({mark})")) == 3)  # both, and the command
        killed.kill()
        killed.wait()
        wait_for(lambda: len(running(f"sleep({mark})")) == 1)
    finally:
        os.killpg(killed.pid, signal.SIGKILL)


def test_a_starter_that_was_killed_is_replaced(tmp_path: Path) -> None:
    assert run("raise SystemExit(3)", tmp_path).code == 3
    for found in starters():
        os.kill(found, signal.SIGKILL)
    wait_for(lambda: not starters())
    assert run("raise SystemExit(4)", tmp_path).code == 4
    assert len(starters()) == 1


def test_a_fork_has_a_starter_of_its_own(tmp_path: Path) -> None:
    assert run("pass", tmp_path).code == 0
    before = starters()
    fork = os.fork()
    if not fork:
        code = 1
        try:
            code = run("raise SystemExit(3)", tmp_path).code + len(starters())
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(fork, 0)[1]) == 3 + 1
    assert starters() == before
    assert run("raise SystemExit(5)", tmp_path).code == 5


def test_commands_run_at_the_same_time(tmp_path: Path) -> None:
    def one(number: int) -> int:
        folder = tmp_path / str(number)
        folder.mkdir()
        return run(f"import time; time.sleep(1); raise SystemExit({number})", folder).code

    run("pass", tmp_path)
    start = time.monotonic()
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(one, range(8))) == list(range(8))
    assert time.monotonic() - start < 6


@pytest.mark.parametrize("command", ["/no/such/program", "no-such-program", "/"])
def test_a_command_that_cannot_start_is_an_error_here(tmp_path: Path, command: str) -> None:
    with pytest.raises(OSError, match=command):
        run_in_sandbox([command], tmp_path, Limits(20))


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
