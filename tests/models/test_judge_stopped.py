"""`equimut judge` told to stop: what was there stays, and nothing half-written is left."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import FULL
from equimut.models.detector import Detector
from oracles.child_processes import group_is_alive, wait_for
from oracles.encoders.tiny_encoder import save_tiny_encoder

ROW = {"origin": "int f(int a) { return a; }", "mutant": "int f(int a) { return -a; }"}


@pytest.mark.parametrize(
    ("number", "send"),
    [
        (signal.SIGINT, os.killpg),  # Ctrl-C reaches everybody at the terminal, workers too
        *([(signal.SIGTERM, os.kill), (signal.SIGHUP, os.killpg)] if FULL else []),
    ],
)
def test_what_was_there_stays(
    tmp_path: Path, number: signal.Signals, send: Callable[[int, int], None]
) -> None:
    encoder = save_tiny_encoder(tmp_path / "encoder", layers=1, hidden=16)
    Detector.from_encoder(encoder).save_pretrained(tmp_path / "model")
    out = tmp_path / "out" / "verdicts.jsonl"
    out.parent.mkdir()
    out.write_text("before\n")
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "equimut",
            "judge",
            "-",
            "--model",
            tmp_path / "model",
            "--out",
            out,
        ],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert process.stdin is not None
    try:
        process.stdin.write(json.dumps({**ROW, "language": "java"}) + "\n")
        process.stdin.flush()  # more is to come: it stays in the middle of its work
        wait_for(lambda: len(list(out.parent.iterdir())) == 2 or process.poll() is not None)
        assert process.poll() is None
        send(process.pid, number)
        assert process.wait(timeout=240) in (128 + number, -number)
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
    assert [path.name for path in out.parent.iterdir()] == [out.name]
    assert out.read_text() == "before\n"
    wait_for(lambda: not group_is_alive(process.pid))  # nobody of its family is left
