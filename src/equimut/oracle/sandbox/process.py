"""The sandbox around other people's code: a child process with limits, and no network.

What it does: own process group, own temporary directory as working directory, closed standard
input, a minimal environment, limits on time, memory, file size and open files, and where the
system permits them a network namespace without interfaces and a namespace of processes that all
end with the first. Whatever ends this process, kill -9 included, ends the child (on Linux). What it
does not do: hide the file system. `docs/oracle.md` says so to the user.
"""

import contextlib
import ctypes
import os
import resource
import signal
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000
PR_SET_PDEATHSIG = 1
FILE_BYTES = 256 << 20
OPEN_FILES = 512
MORE_PROCESSES = 256
"""Processes and threads that a child may start; the kernel counts all of the user's."""
STACK_BYTES = 1 << 30
_STATUS = struct.Struct("i")


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


def _libc() -> ctypes.CDLL | None:
    return ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def _leave_system(libc: ctypes.CDLL) -> bool:
    """Enter namespaces of one's own: an empty network, and processes from the next child on.

    A user namespace makes it possible for those who are not root.
    """
    own = CLONE_NEWNET | CLONE_NEWPID
    return any(libc.unshare(flags) == 0 for flags in (own, CLONE_NEWUSER | own))


def _end_with_parent(libc: ctypes.CDLL, parent: int) -> None:
    """Be killed as soon as the parent is gone, and now if it is gone already."""
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(126)


def _go_on_inside(libc: ctypes.CDLL) -> None:
    """Go on as the second process of the new namespace; return only there.

    The first one ends the namespace with everything in it when the second ends, whatever that has
    started and however far it has gone into the background. Only it may be the first: the first
    process of a namespace is deaf to signals, the alarm of a harness among them. The caller's own
    process stays outside and ends as the second one did.
    """
    heard, told = os.pipe()
    first = os.fork()
    if first:
        _close_all_but(heard)
        os.waitpid(first, 0)
        _end_like(os.read(heard, _STATUS.size))
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    second = os.fork()
    if second:
        _close_all_but(told)
        while True:
            ended, status = os.wait()
            if ended == second:
                os.write(told, _STATUS.pack(status))
                os._exit(0)
    os.close(heard)
    os.close(told)


def _close_all_but(kept: int) -> None:
    """Whoever waits for the end of a file must not wait for a process that only looks on."""
    os.closerange(3, kept)
    os.closerange(kept + 1, 1 << 20)


def _end_like(told: bytes) -> None:
    """End as the process did whose status was told; killed if nothing was told."""
    status = _STATUS.unpack(told)[0] if len(told) == _STATUS.size else signal.SIGKILL
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        if -code not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code if code >= 0 else 128 - code)


@cache
def network_isolated() -> bool:
    """Whether this system lets us take the network away from a child."""
    libc = _libc()
    if libc is None:
        return False

    def attempt() -> None:
        if not _leave_system(libc):
            os._exit(1)
        _go_on_inside(libc)

    try:
        done = subprocess.run([sys.executable, "-ISc", ""], preexec_fn=attempt, check=False)
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def _lower(kind: int, value: int) -> None:
    """Set a limit, as far as the hard limit of the parent permits."""
    hard = resource.getrlimit(kind)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    # macOS refuses some limits; the others still hold
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(kind, (value, hard if kind == resource.RLIMIT_STACK else value))


def _tasks() -> int:
    """How many processes and threads there are now; too many is no harm, where nobody says."""
    try:
        return int(Path("/proc/loadavg").read_text().split()[3].split("/")[1])
    except (OSError, ValueError, IndexError):
        return 32_768


def _enter(limits: Limits) -> Callable[[], None]:
    libc, isolated, parent = _libc(), network_isolated(), os.getpid()
    seconds = int(limits.seconds) + 5
    processes = _tasks() + MORE_PROCESSES

    def enter() -> None:
        _lower(resource.RLIMIT_CORE, 0)
        if libc is not None:
            _end_with_parent(libc, parent)
        if libc is not None and isolated:
            if not _leave_system(libc):
                os._exit(126)
            _go_on_inside(libc)
        _lower(resource.RLIMIT_FSIZE, FILE_BYTES)
        _lower(resource.RLIMIT_NOFILE, OPEN_FILES)
        _lower(resource.RLIMIT_NPROC, processes)
        _lower(resource.RLIMIT_STACK, STACK_BYTES)
        _lower(resource.RLIMIT_CPU, 4 * seconds)  # several threads may burn it at once
        if limits.address_mb is not None:
            _lower(resource.RLIMIT_AS, limits.address_mb << 20)

    return enter


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
    log = directory / "errors.log"
    with log.open("wb") as errors:
        child = subprocess.Popen(
            [str(part) for part in command],
            cwd=directory,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            start_new_session=True,
            preexec_fn=_enter(limits),
        )
        timed_out = False
        try:
            code = child.wait(limits.seconds)
        except subprocess.TimeoutExpired:
            timed_out = True
        finally:
            # The whole group: code under test may have started children of its own.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(child.pid, signal.SIGKILL)
        code = child.wait()
    text = log.read_bytes()[:200_000].decode(errors="replace")
    return Finished(code, text, timed_out)
