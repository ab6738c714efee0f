"""One process at a time in a directory: nothing is lost between two, and no lock is left behind."""

import errno
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from equimut.errors import EquimutError

_UNSUPPORTED = (errno.ENOLCK, errno.EOPNOTSUPP, errno.EBADF)
"""A file system without locks: there, two processes are as careful as they were without."""


@contextmanager
def alone_in(directory: Path, busy: str, seconds: float = 0) -> Iterator[None]:
    """Hold the directory for the block; `busy` says what is wrong if somebody else does.

    The directory itself is locked, not a file in it: the lock ends with the process, however that
    ends, and the user's repository gets no file that nobody asked for.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise EquimutError(f"cannot work in {directory}: {error.strerror}") from error
    try:
        _lock(handle, busy, time.monotonic() + seconds)
        yield
    finally:
        os.close(handle)


def _lock(handle: int, busy: str, until: float) -> None:
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError as error:
            if time.monotonic() >= until:
                raise EquimutError(busy) from error
            time.sleep(0.02)
        except OSError as error:
            if error.errno in _UNSUPPORTED:
                return
            raise
