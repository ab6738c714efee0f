"""The sandbox around other people's code: a child process with limits, and no network.

What it does: own process group, own temporary directory as working directory, closed standard
input, a minimal environment, limits on time, memory, file size and open files, and where the
system permits them a network namespace without interfaces and a namespace of processes that all
end with the first. Whatever ends this process, kill -9 included, ends the child (on Linux). What it
does not do: hide the file system. `docs/oracle.md` says so to the user.
"""

import atexit
import contextlib
import marshal
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from equimut.errors import OracleError

STARTER = "import sys; sys.path.append(sys.argv[1]); import starter; starter.main(int(sys.argv[2]))"
"""An import, since a file that is run is compiled each time."""
_NUMBER = struct.Struct("i")


@dataclass(frozen=True)
class Limits:
    """The limits of one child."""

    seconds: float
    address_mb: int | None = None
    """RLIMIT_AS; None for runtimes that reserve address space freely (JVM, AddressSanitizer)."""


@dataclass(frozen=True)
class Finished:
    """How a child ended."""

    code: int
    """Exit code; negative for a signal, as `subprocess` has it."""
    errors: str
    timed_out: bool


@contextlib.contextmanager
def work_directory() -> Iterator[Path]:
    """A temporary directory that is gone afterwards, whatever happens."""
    with tempfile.TemporaryDirectory(prefix="equimut-oracle-", ignore_cleanup_errors=True) as name:
        yield Path(name).resolve()


class _Starter:
    """The process that starts commands for this one, which may be too large to fork."""

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._line, theirs = socket.socketpair()
        with theirs:
            # Nothing here may keep `subprocess` from using vfork: no preexec_fn, no other user.
            self._process = subprocess.Popen(
                [sys.executable, "-ISc", STARTER, os.path.dirname(__file__), str(self._owner)],
                cwd="/",
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        answer = self._line.recv(1)
        if not answer:
            raise OracleError(f"the sandbox does not start with {sys.executable}")
        self.isolated = answer == b"1"
        atexit.register(self._close)

    def start(self, line: socket.socket, errors: int) -> None:
        """Ask for a command, which the other end of the line will describe."""
        socket.send_fds(self._line, [b"?"], [line.fileno(), errors])

    def _close(self) -> None:
        if os.getpid() == self._owner:  # not in a fork of it
            with contextlib.suppress(OSError):
                self._line.shutdown(socket.SHUT_RDWR)  # a fork may hold a copy
            self._process.wait()


@cache
def _starter_of(process: int) -> _Starter:
    """The starter of this process: a fork gets one of its own."""
    return _Starter()


def network_isolated() -> bool:
    """Whether this system lets us take the network away from a child."""
    return _starter_of(os.getpid()).isolated


def _start(errors: int) -> socket.socket:
    """The line to a command that is about to start; a starter that is gone is replaced once."""
    ours, theirs = socket.socketpair()
    with theirs:
        try:
            _starter_of(os.getpid()).start(theirs, errors)
        except (BrokenPipeError, ConnectionResetError):
            _starter_of.cache_clear()
            _starter_of(os.getpid()).start(theirs, errors)
    return ours


def _outcome(line: socket.socket, seconds: float) -> tuple[bytes, bool]:
    """What the supervisor tells, and whether the time was up; the command is gone afterwards."""
    line.settimeout(seconds)
    try:
        return line.recv(_NUMBER.size), False
    except TimeoutError:
        return b"", True
    finally:  # also when this process is interrupted
        line.settimeout(None)
        with contextlib.suppress(OSError):  # the supervisor is gone already
            line.shutdown(socket.SHUT_WR)
            line.recv(_NUMBER.size)


def run_in_sandbox(
    command: Sequence[object],
    directory: Path,
    limits: Limits,
    environment: Mapping[str, str] | None = None,
) -> Finished:
    """Run a command (of texts and paths) inside the sandbox; its standard output is thrown away."""
    variables = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(directory),
        "TMPDIR": str(directory),
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        **(environment or {}),
    }
    request = marshal.dumps(
        (
            [os.fsencode(str(part)) for part in command],
            os.fsencode(directory),
            {os.fsencode(name): os.fsencode(value) for name, value in variables.items()},
            int(limits.seconds) + 5,
            limits.address_mb,
        )
    )
    log = directory / "errors.log"
    with log.open("wb") as errors, _start(errors.fileno()) as line:
        line.sendall(_NUMBER.pack(len(request)) + request)
        told, timed_out = _outcome(line, limits.seconds)
    status = _NUMBER.unpack(told)[0] if told else signal.SIGKILL
    if status < 0:
        raise OSError(-status, os.strerror(-status), str(command[0]))
    text = log.read_bytes()[:200_000].decode(errors="replace")
    return Finished(os.waitstatus_to_exitcode(status), text, timed_out)
