"""Starts what runs in the sandbox, on behalf of a process that may be too large to fork.

A fork copies page tables: 25 ms in a process of 1.5 GB, and a sandbox takes three. So `process`
starts this file once, without a copy, and asks it for every command. It is small, imports nothing
of ours and as little as it can (each process that uses the sandbox waits for its start), forks a
supervisor for every command, and ends when the process that it serves does.

A request arrives as one byte with two descriptors: a line of its own, and a file for the standard
error. The line carries what to run (its length, then `marshal`: the same interpreter is at both
ends), and back how it ended. Closing the line ends the command.
"""

# `signal` and `socket` take 12 ms to import, for better types of the same names.
import _signal as signal  # type: ignore[import-not-found]
import ctypes
import marshal
import os
import resource
import select
import struct
import sys
from _socket import CMSG_SPACE, MSG_WAITALL, socket

CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000
PR_SET_PDEATHSIG = 1
FILE_BYTES = 256 << 20
OPEN_FILES = 512
MORE_PROCESSES = 256
"""Processes and threads that a child may start; the kernel counts all of the user's."""
STACK_BYTES = 1 << 30
_NUMBER = struct.Struct("i")
_DESCRIPTORS = struct.Struct("2i")

Request = tuple[list[bytes], bytes, dict[bytes, bytes], int, int | None]
"""Command, directory, environment, seconds and megabytes of address space."""


def _libc() -> ctypes.CDLL | None:
    return ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def _leave_system(libc: ctypes.CDLL) -> bool:
    """Enter namespaces of one's own: an empty network, and processes from the next child on.

    A user namespace makes it possible for those who are not root.
    """
    own = CLONE_NEWNET | CLONE_NEWPID
    return any(libc.unshare(flags) == 0 for flags in (own, CLONE_NEWUSER | own))


def _end_with_parent(libc: ctypes.CDLL | None) -> None:
    """Be killed as soon as the parent is gone."""
    if libc is not None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _can_leave(libc: ctypes.CDLL | None) -> bool:
    """Whether this system lets us have namespaces, and processes in them."""
    if libc is None:
        return False
    attempt = os.fork()
    if attempt:
        return os.waitpid(attempt, 0)[1] == 0
    try:
        inside = os.fork() if _leave_system(libc) else None
        if inside:
            os.waitpid(inside, 0)
        os._exit(inside is None)
    except OSError:
        os._exit(1)


def _tasks() -> int:
    """How many processes and threads there are now; too many is no harm, where nobody says."""
    try:
        with open("/proc/loadavg") as load:
            return int(load.read().split()[3].split("/")[1])
    except (OSError, ValueError, IndexError):
        return 32_768


def _lower(kind: int, value: int) -> None:
    """Set a limit, as far as the hard limit of the parent permits."""
    hard = resource.getrlimit(kind)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    try:
        resource.setrlimit(kind, (value, hard if kind == resource.RLIMIT_STACK else value))
    except (ValueError, OSError):
        return  # macOS refuses some limits; the others still hold


def _become(request: Request, errors: int, processes: int) -> None:
    """Be the command, within its limits."""
    command, directory, environment, seconds, address_mb = request
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # ignored by the interpreter, not by others
        signal.signal(number, signal.SIG_DFL)
    os.chdir(directory)
    os.dup2(errors, 2)
    _lower(resource.RLIMIT_FSIZE, FILE_BYTES)
    _lower(resource.RLIMIT_NOFILE, OPEN_FILES)
    _lower(resource.RLIMIT_NPROC, processes)
    _lower(resource.RLIMIT_STACK, STACK_BYTES)
    _lower(resource.RLIMIT_CPU, 4 * seconds)  # several threads may burn it at once
    if address_mb is not None:
        _lower(resource.RLIMIT_AS, address_mb << 20)
    os.execvpe(command[0], command, environment)


def _lead(request: Request, errors: int, told: int, libc: ctypes.CDLL | None) -> None:
    """Be the first process of the namespace, and start the command as the second.

    The first one ends the namespace with everything in it when the second ends, whatever that has
    started and however far it has gone into the background. Only it may be the first: the first
    process of a namespace is deaf to signals, the alarm of a harness among them. Where there are
    no namespaces, it is made deaf: the command may signal its group.
    """
    os.setsid()
    _end_with_parent(libc)
    processes = _tasks() + MORE_PROCESSES
    second = os.fork()
    if not second:
        try:
            _end_with_parent(libc)
            _become(request, errors, processes)
        except OSError as error:
            os.write(told, _NUMBER.pack(-(error.errno or 1)))
        finally:
            os._exit(127)
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    # Whoever waits for the end of a file must not wait for a process that only looks on.
    os.closerange(3, told)
    os.closerange(told + 1, 1 << 20)
    while True:
        ended, status = os.wait()
        if ended == second:
            os.write(told, _NUMBER.pack(status))
            os._exit(0)


def _supervise(line: socket, errors: int, isolated: bool, libc: ctypes.CDLL | None) -> None:
    """Run one command until it ends or the line is closed; say how it ended when all is gone."""
    (size,) = _NUMBER.unpack(line.recv(_NUMBER.size, MSG_WAITALL))
    request: Request = marshal.loads(line.recv(size, MSG_WAITALL))
    _lower(resource.RLIMIT_CORE, 0)
    if isolated and (libc is None or not _leave_system(libc)):
        line.send(_NUMBER.pack(126 << 8))
        return
    heard, told = os.pipe()
    first = os.fork()
    if not first:
        _lead(request, errors, told, libc)
    os.close(told)
    events = select.poll()
    events.register(line, select.POLLIN)
    events.register(heard, select.POLLIN)
    events.poll()
    for end in (os.killpg, os.kill):  # it has no group yet if it was just about to begin
        try:
            end(first, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue
    os.waitpid(first, 0)
    line.send(os.read(heard, _NUMBER.size) or _NUMBER.pack(signal.SIGKILL))


def _bury(*_: object) -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            continue
    except ChildProcessError:
        return  # there are no more


def _served_process(number: int) -> int | None:
    """A descriptor that can be read when the process is gone, where there are such.

    Its copy of our line may live on in a process that it has forked.
    """
    try:
        return os.pidfd_open(number)
    except (AttributeError, OSError):
        return None


def main(parent: int) -> None:
    """Serve the requests of standard input as long as they may come."""
    _serve(parent)
    os._exit(0)  # the interpreter has nothing to tidy up


def _serve(parent: int) -> None:
    libc, me, requests = _libc(), os.getpid(), socket(fileno=0)
    events = select.poll()
    events.register(requests, select.POLLIN)
    served = _served_process(parent)
    if served is not None:
        events.register(served, select.POLLIN)
    isolated = _can_leave(libc)
    signal.signal(signal.SIGCHLD, _bury)
    requests.send(b"1" if isolated else b"0")
    nothing = os.open(os.devnull, os.O_RDWR)
    while os.getppid() == parent:
        if any(descriptor == served for descriptor, _ in events.poll()):
            return
        asked, passed, *_ = requests.recvmsg(1, CMSG_SPACE(_DESCRIPTORS.size))
        if not asked:
            return
        descriptors = _DESCRIPTORS.unpack(passed[0][2])
        if not os.fork():
            try:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                _end_with_parent(libc)
                if os.getppid() == me:
                    os.dup2(nothing, 0)
                    for descriptor in descriptors:
                        os.set_inheritable(descriptor, False)
                    _supervise(socket(fileno=descriptors[0]), descriptors[1], isolated, libc)
            finally:
                os._exit(0)
        for descriptor in descriptors:
            os.close(descriptor)
