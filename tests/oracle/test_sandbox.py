"""The fence holds: time, memory, files, network, and nothing survives it."""

import ast
import os
import socket
import sys
import time
from pathlib import Path

import pytest

from equimut.oracle.sandbox.process import Finished, Limits, network_isolated, run_fenced


def run(code: str, folder: Path, seconds: float = 20, memory: int | None = 512) -> Finished:
    command = [sys.executable, "-ISc", code]
    return run_fenced(command, folder, Limits(seconds, memory))


def test_time_ends_the_whole_family(tmp_path: Path) -> None:
    code = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-ISc', 'import time; time.sleep(60)'])\n"
        "print(child.pid, file=open('pid', 'w'), flush=True)\n"
        "time.sleep(60)\n"
    )
    start = time.monotonic()
    done = run(code, tmp_path, seconds=3)
    assert done.timed_out
    assert time.monotonic() - start < 30
    pid = int((tmp_path / "pid").read_text())
    for _ in range(100):
        state = Path(f"/proc/{pid}/stat")
        if not state.exists() or ") Z" in state.read_text():
            return
        time.sleep(0.05)
    pytest.fail("the child of the child is still running")


def test_memory_is_limited(tmp_path: Path) -> None:
    done = run("x = bytearray(1 << 30)", tmp_path)
    assert done.code == 1
    assert "MemoryError" in done.errors


def test_processes_are_limited(tmp_path: Path) -> None:
    code = (
        "import resource; open('limit', 'w').write(str(resource.getrlimit(resource.RLIMIT_NPROC)))"
    )
    run_fenced([sys.executable, "-c", code], tmp_path, Limits(30))
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
