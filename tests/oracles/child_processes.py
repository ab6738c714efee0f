"""Processes that descend from this one: made for trainings, or found in /proc.

A test that looks for its own kills nobody else's.
"""

import multiprocessing
import os
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from multiprocessing.context import ForkServerContext
from pathlib import Path


@cache
def training_processes() -> ForkServerContext:
    """Real processes that need not import torch anew each time."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["equimut.training.run", "sklearn.metrics", "oracles.two_ranks"])
    return context


def descendants(named: str) -> list[int]:
    """Ids of the descendants of this process whose command line starts with `named`."""
    parents: dict[int, int] = {}
    names: dict[int, str] = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            status = (place / "stat").read_text()
            names[int(place.name)] = (place / "cmdline").read_text(errors="replace")
        except OSError:
            continue
        parents[int(place.name)] = int(status[status.rindex(")") + 1 :].split()[1])
    found = []
    for process, name in names.items():
        ancestor = process
        while ancestor in parents and ancestor != os.getpid():
            ancestor = parents[ancestor]
        if ancestor == os.getpid() and process != os.getpid() and name.startswith(named):
            found.append(process)
    return found


def running(mark: str) -> list[int]:
    """Ids of processes with this in their command line, whoever started them."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            dead = b") Z" in (place / "stat").read_bytes()
            if mark.encode() in (place / "cmdline").read_bytes() and not dead:
                found.append(int(place.name))
    return found


def group_is_alive(group: int) -> bool:
    """Whether anybody of a process group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def wait_for(condition: Callable[[], bool], seconds: float = 240) -> None:
    """Until it holds; an assertion fails if that takes too long."""
    patience = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < patience, "waited too long"
        time.sleep(0.05)
