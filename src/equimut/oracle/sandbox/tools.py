"""The programs the oracle needs, and what they make of its harnesses."""

import atexit
import os
import shutil
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from equimut.errors import OracleError
from equimut.oracle.sandbox.process import Limits, run_in_sandbox, work_directory
from equimut.oracle.sandbox.runs import MissingTool
from equimut.storage.user_cache import cache_directory

COMPILE_SECONDS = 180.0


def tool(name: str, what_for: str) -> str:
    """The path of a program, or a clear line."""
    path = shutil.which(name)
    if path is None:
        raise MissingTool(f"{name} is not on the PATH: {what_for}")
    return path


def compiled_once(
    language: str,
    compiler: str,
    sources: Sequence[Path],
    arguments: Callable[[Path], Sequence[object]],
) -> Path:
    """The directory with what a compiler makes of a harness, kept per compiler and content.

    `arguments` are those of the compiler, for the directory that it is to write to.
    """
    release = Path(compiler).resolve().as_posix().encode()
    content = b"\0".join([release, *(path.read_bytes() for path in sources)])
    ready = cache_directory("oracle") / f"{language.lower()}-{sha256(content).hexdigest()[:16]}"
    if ready.is_dir():
        return ready
    with work_directory() as directory:
        made = directory / "made"
        made.mkdir()
        done = run_in_sandbox([compiler, *arguments(made)], directory, Limits(COMPILE_SECONDS))
        if done.code != 0:
            raise OracleError(
                f"the {language} harness does not compile: {done.errors.strip()[:300]}"
            )
        # Copy next to the final place, then rename: another process may do the same right now.
        fresh = ready.with_name(f"{ready.name}.{os.getpid()}")
        try:
            ready.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(made, fresh)
            fresh.rename(ready)
        except (OSError, shutil.Error):
            shutil.rmtree(fresh, ignore_errors=True)
            if not ready.is_dir():  # a cache that cannot be written: this process keeps its own
                own = _own_directory() / ready.name
                shutil.copytree(made, own, dirs_exist_ok=True)
                return own
    return ready


@cache
def _own_directory() -> Path:
    folder = TemporaryDirectory(prefix="equimut-oracle-")
    atexit.register(folder.cleanup)
    return Path(folder.name)
