"""What workers are asked to do in tests: simple, slow, deadly."""

import ctypes
import os
import signal
import time
from pathlib import Path

from equimut.storage.worker_pool import WorkerLimits, answers


def task(name: str) -> str:
    """Do what the first word says; the answer is the question."""
    what, _, rest = name.partition(" ")
    if what == "sleep":
        time.sleep(float(rest))
    elif what == "burn":
        while True:
            pass
    elif what == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    elif what == "crash":
        ctypes.string_at(0)
    elif what == "fill":
        bytearray(int(rest) << 20)
    elif what == "fail":
        raise ValueError(rest)
    elif what == "meet":
        mine, other = map(Path, rest.split())
        mine.touch()
        while not other.exists():
            time.sleep(0.01)
    elif what == "variable":
        return os.environ.get(rest, "")
    elif what in ("process", "doze"):
        time.sleep(0.05 if what == "doze" else 0)
        return str(os.getpid())
    return name


if __name__ == "__main__":  # a program that is killed while its workers work
    asked = [*(f"process {number}" for number in range(8)), *(["sleep 300"] * 2)]
    from oracles.worker_tasks import task as importable

    for answer in answers(importable, asked, 2, WorkerLimits(600, 2_000, 600)):
        print(answer, flush=True)
