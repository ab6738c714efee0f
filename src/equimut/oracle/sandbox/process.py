"""The fence around other people's code: a child process with limits, and no network.

What it does: own process group, own temporary directory as working directory, closed standard
input, a minimal environment, limits on time, memory, file size and open files, and a network
namespace without interfaces where the system permits one. What it does not do: hide the file
system. `docs/oracle.md` says so to the user.
"""

import contextlib
import ctypes
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

CLONE_NEWUSER = 0x10000000
CLONE_NEWNET = 0x40000000
FILE_BYTES = 256 << 20
OPEN_FILES = 512
MORE_PROCESSES = 256
"""Processes and threads that a child may start; the kernel counts all of the user's."""
STACK_BYTES = 1 << 30


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


def _leave_network(libc: ctypes.CDLL) -> bool:
    """Move this process into an empty network namespace; a user namespace makes it possible."""
    return any(libc.unshare(flags) == 0 for flags in (CLONE_NEWNET, CLONE_NEWUSER | CLONE_NEWNET))


@cache
def network_isolated() -> bool:
    """Whether this system lets us take the network away from a child."""
    libc = _libc()
    if libc is None:
        return False

    def attempt() -> None:
        if not _leave_network(libc):
            os._exit(1)

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
    libc = _libc() if network_isolated() else None
    seconds = int(limits.seconds) + 5
    processes = _tasks() + MORE_PROCESSES

    def enter() -> None:
        if libc is not None and not _leave_network(libc):
            os._exit(126)
        _lower(resource.RLIMIT_CORE, 0)
        _lower(resource.RLIMIT_FSIZE, FILE_BYTES)
        _lower(resource.RLIMIT_NOFILE, OPEN_FILES)
        _lower(resource.RLIMIT_NPROC, processes)
        _lower(resource.RLIMIT_STACK, STACK_BYTES)
        _lower(resource.RLIMIT_CPU, 4 * seconds)  # several threads may burn it at once
        if limits.address_mb is not None:
            _lower(resource.RLIMIT_AS, limits.address_mb << 20)

    return enter


def run_fenced(
    command: Sequence[object],
    directory: Path,
    limits: Limits,
    environment: Mapping[str, str] | None = None,
) -> Finished:
    """Run a command (of texts and paths) inside the fence; its standard output is thrown away."""
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
