"""A process that workers are forked from: what is imported when it is made, they need not import.

It is a fork of the process that asks, made before that one opens what must not be shared (a
database), and only where no thread could hold a lock at that moment. It does nothing but
fork workers and bury them, and it ends, with all of them, when nobody holds its line any more.
"""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle, send_handle
from pathlib import Path

_TASKS = Path("/proc/self/task")
"""The threads of this process, those of libraries included."""


class Template:
    """The template as its owner sees it."""

    def __init__(self, process: int, line: Connection) -> None:
        self._process = process
        self._line = line

    def start(self, line: Connection) -> int:
        """The id of a new worker, which serves this line."""
        self._line.send(None)
        send_handle(self._line, line.fileno(), self._process)
        return int(self._line.recv())

    def end(self, worker: int) -> int:
        """End a worker, whatever it does; its exit code."""
        self._line.send(worker)
        return int(self._line.recv())

    def close(self) -> None:
        """End the template and all workers."""
        self._line.close()
        os.waitpid(self._process, 0)


@contextmanager
def worker_template(serve: Callable[[int, int], None]) -> Iterator[Template | None]:
    """A template whose workers run `serve(descriptor, parent)`; None where forks are not safe."""
    if not _alone():
        yield None
        return
    ours, theirs = Pipe()
    process = os.fork()
    if not process:
        ours.close()
        _run(theirs, serve)
    theirs.close()
    template = Template(process, ours)
    try:
        yield template
    finally:
        template.close()


def _alone() -> bool:
    """Whether this process has one thread only, as far as the system tells."""
    try:
        return threading.active_count() == 1 == len(list(_TASKS.iterdir()))
    except OSError:  # not Linux
        return False


def _run(line: Connection, serve: Callable[[int, int], None]) -> None:
    """In the template, which never returns into the code that it is a copy of."""
    try:
        os.setsid()  # Ctrl-C in a terminal is for the owner, who ends this
        _quiet()
        _serve_owner(line, serve)
    finally:
        os._exit(1)


def _quiet() -> None:
    """Nothing is read from the terminal or written there; signals do what they do by default."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def _serve_owner(line: Connection, serve: Callable[[int, int], None]) -> None:
    workers: set[int] = set()
    own = os.getpid()
    with suppress(EOFError, OSError):  # the owner is gone
        while True:
            wanted = line.recv()
            if wanted is None:
                descriptor = recv_handle(line)
                worker = os.fork()
                if not worker:
                    line.close()
                    try:
                        serve(descriptor, own)
                    finally:
                        os._exit(0)
                os.close(descriptor)
                workers.add(worker)
                line.send(worker)
            else:
                workers.discard(wanted)
                line.send(_ended(wanted))
    for worker in workers:
        _ended(worker)
    os._exit(0)


def _ended(worker: int) -> int:
    with suppress(ProcessLookupError):
        os.kill(worker, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1])
