"""Work shared between processes of this machine, with answers in the order of the questions.

A worker that dies or takes too long costs the one answer it was working on: another takes its
place. Workers are plain child processes and import the function they are given, so a program that
uses this needs no `if __name__ == "__main__"`. They end with the process that started them.
"""

import gc
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from math import ceil
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import Generic, TypeVar

from equimut.errors import EquimutError
from equimut.storage.worker_template import Template

Question = TypeVar("Question")
Answer = TypeVar("Answer")

LOOK_AHEAD = 64
"""Questions under way for each worker: a slow one does not keep the others waiting for long."""
_START = (
    f"import sys; sys.path[:] = sys.argv[3:]; from {__name__} import serve; "
    "serve(int(sys.argv[1]), int(sys.argv[2]))"
)
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}
"""For processes that do matrix products with numpy. Processes share the work; threads of one spin
while they wait for each other, and the products of small networks are short (three times the
processor time, measured)."""


def one_thread() -> None:
    """Before numpy is imported: worker processes share the work, not threads of this one."""
    for name, value in ONE_THREAD.items():
        os.environ.setdefault(name, value)


_START_SECONDS = 120
_WORTH_A_START = 6
"""Times that the start of a worker fits into the work that waits, from which on another is started:
a start takes processor time, too, and what is left may be done before it is ready."""
_WATCH_SECONDS = 0.5
_GARBAGE = (100_000, 20, 50)
"""How many objects make a worker look for cycles."""


@dataclass(frozen=True)
class WorkerLimits:
    """What one answer may cost before its worker is replaced."""

    seconds: int
    """Of processor time: what else runs on the machine does not matter."""
    megabytes: int
    """Of address space."""
    patience: float
    """Seconds on the clock, for a worker that waits for something that never comes."""


@dataclass(frozen=True)
class Lost:
    """In the place of an answer: why there is none."""

    reason: str


def cores() -> int:
    """Processor cores this process may use."""
    with suppress(AttributeError):  # not everywhere
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def answers(
    work: Callable[[Question], Answer],
    questions: Iterable[Question],
    jobs: int,
    limits: WorkerLimits,
    ahead: int = LOOK_AHEAD,
    template: Template | None = None,
) -> Generator[Answer | Lost, None, None]:
    """The answers of up to `jobs` workers, in order; only a few questions are under way at a time.

    `work` is a function of a module. Workers start when there is something to do for them: the
    first with the first question, the others when something has waited for a while, or, where they
    come from a template, at once.
    """
    pool = _Pool(work, jobs, limits, ahead, template)
    try:
        yield from pool.answers(iter(questions))
    finally:
        for worker in pool.workers:
            worker.stop()


@dataclass(eq=False)
class _Asked(Generic[Question, Answer]):
    question: Question
    answers: "list[Answer | Lost]" = field(default_factory=list)
    """None or one."""


@dataclass(eq=False)
class _Worker(Generic[Question, Answer]):
    end: Callable[[], int]
    """Ends it, whatever it does; its exit code."""
    line: Connection
    deadline: float
    born: float = field(default_factory=time.monotonic)
    ready: bool = False
    asked: "_Asked[Question, Answer] | None" = None

    def stop(self) -> int:
        """End it and hang up; its exit code."""
        self.line.close()
        return self.end()


@dataclass
class _Pool(Generic[Question, Answer]):
    work: Callable[[Question], Answer]
    jobs: int
    limits: WorkerLimits
    ahead: int = LOOK_AHEAD
    template: Template | None = None
    workers: list[_Worker[Question, Answer]] = field(default_factory=list)
    waiting: deque[_Asked[Question, Answer]] = field(default_factory=deque)
    started: float = 0.0
    """When the first worker came to work; 0 until then."""
    start_seconds: float = 0.0
    """That it took to come."""
    answered: int = 0
    all_known: bool = False
    """Whether no more questions come than those that are under way."""

    def answers(self, questions: Iterator[Question]) -> Iterator[Answer | Lost]:
        """Ask as workers become free, give what is ready in order."""
        under_way: deque[_Asked[Question, Answer]] = deque()
        while True:
            room = self.ahead * self.jobs - len(under_way)
            for question in islice(questions, room):
                under_way.append(_Asked(question))
                self.waiting.append(under_way[-1])
                room -= 1
            self.all_known = self.all_known or room > 0
            if not under_way:
                return
            self._give_out()
            while under_way and under_way[0].answers:
                yield under_way.popleft().answers[0]
            if under_way:
                self._listen()

    def _give_out(self) -> None:
        while self.waiting:
            free = next((worker for worker in self.workers if worker.asked is None), None)
            if free is None and self._others_start_in() == 0:
                free = self._start()
            if free is None:
                return
            free.asked = self.waiting.popleft()
            if free.ready:
                free.deadline = self._deadline()
            with suppress(OSError):  # it has died: the line tells
                free.line.send(free.asked.question)

    def _others_start_in(self) -> float | None:
        """Seconds until another worker is worth its start; None for never."""
        if not self.workers and self.waiting:
            return 0
        if not self.waiting or len(self.workers) >= self.jobs:
            return None
        if self.template is not None:
            return 0
        if not self.started:
            return None
        least = self.start_seconds
        if self.all_known:  # the pace so far, with what is under way as done, tells of the rest
            least *= max(_WORTH_A_START * (self.answered + 1) / len(self.waiting), 1)
        return max(self.started + least - time.monotonic(), 0)

    def _listen(self) -> None:
        """Until somebody answers, dies or is out of time, or another worker is worth its start."""
        busy = {worker.line: worker for worker in self.workers if worker.asked is not None}
        patience = min(worker.deadline for worker in busy.values()) - time.monotonic()
        starts = self._others_start_in()
        patience = patience if starts is None else min(patience, starts)
        for line in wait(list(busy), max(patience, 0)):
            worker = busy.pop(line)  # type: ignore[call-overload]
            try:
                self._heard(worker, worker.line.recv())
            except (EOFError, OSError):
                self._lost(worker, "its process died")
        for worker in busy.values():
            if time.monotonic() >= worker.deadline:
                self._lost(worker, f"it took longer than {self.limits.patience:g} seconds")

    def _heard(self, worker: _Worker[Question, Answer], message: "Answer | Lost | str") -> None:
        """The first message says why the worker cannot work; nothing where it can."""
        if worker.ready:
            assert worker.asked is not None
            worker.asked.answers.append(message)  # type: ignore[arg-type]
            worker.asked = None
            self.answered += 1
        elif message:
            raise EquimutError(f"a worker process cannot be started: {message}")
        else:
            worker.ready = True
            if not self.started:
                self.started = time.monotonic()
                self.start_seconds = self.started - worker.born
            worker.deadline = self._deadline()

    def _lost(self, worker: _Worker[Question, Answer], reason: str) -> None:
        self.workers.remove(worker)
        code = worker.stop()
        if not self.started:
            raise EquimutError(f"a worker process cannot be started: {reason} (exit code {code})")
        if code == -signal.SIGXCPU:
            reason = f"it took longer than {self.limits.seconds} seconds of processor time"
        assert worker.asked is not None
        worker.asked.answers.append(Lost(reason))

    def _deadline(self) -> float:
        return time.monotonic() + self.limits.patience

    def _start(self) -> _Worker[Question, Answer]:
        ours, theirs = Pipe()
        with theirs:
            if self.template is not None:
                end: Callable[[], int] = partial(self.template.end, self.template.start(theirs))
            else:
                end = _spawned(theirs)
        worker: _Worker[Question, Answer] = _Worker(end, ours, time.monotonic() + _START_SECONDS)
        self.workers.append(worker)
        with suppress(OSError):  # it has died: the line tells
            ours.send((self.limits, self.work))
        return worker


def _spawned(line: Connection) -> Callable[[], int]:
    """Start a worker that serves a line; how to end it."""
    process = subprocess.Popen(
        [sys.executable, "-c", _START, str(line.fileno()), str(os.getpid()), *sys.path],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=[line.fileno()],
        env={**os.environ, **ONE_THREAD},
        start_new_session=True,  # Ctrl-C in a terminal is for the parent, which ends this
    )

    def end() -> int:
        process.kill()
        return process.wait()

    return end


def serve(descriptor: int, parent: int) -> None:
    """In the worker: answer questions until the line is cut, or its parent ends."""
    os.environ.update(ONE_THREAD)
    line = Connection(descriptor)
    try:
        limits, work = line.recv()
    except (ImportError, AttributeError) as error:
        line.send(f"{type(error).__name__}: {error}")
        return
    _limit(resource.RLIMIT_AS, limits.megabytes << 20)
    _limit(resource.RLIMIT_CORE, 0)
    # What was imported stays; cycles among what is read are few (a tenth less processor time).
    gc.freeze()
    gc.set_threshold(*_GARBAGE)
    threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()
    line.send("")
    with suppress(EOFError, OSError):  # nobody asks any more
        while True:
            question = line.recv()
            allow(limits.seconds)
            line.send(_answered(work, question))


def _answered(work: Callable[[Question], Answer], question: Question) -> Answer | Lost:
    try:
        return work(question)
    except Exception as error:  # noqa: BLE001  # one answer is lost, and whoever asked says so
        return Lost(f"{type(error).__name__}: {error}"[:200])


def allow(seconds: int) -> None:
    """In the worker: so much processor time from now on, for a part of one answer."""
    _limit(resource.RLIMIT_CPU, ceil(time.process_time()) + seconds)


def _limit(kind: int, value: int) -> None:
    hard = resource.getrlimit(kind)[1]
    most = value if hard == resource.RLIM_INFINITY else min(value, hard)
    with suppress(ValueError, OSError):  # macOS refuses some limits
        resource.setrlimit(kind, (most, hard))


def _leave_with(parent: int) -> None:
    """A process that was killed cannot end its workers."""
    while os.getppid() == parent:
        time.sleep(_WATCH_SECONDS)
    os._exit(1)
