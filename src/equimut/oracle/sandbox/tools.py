"""The programs the oracle needs, and where it keeps what it compiled for itself."""

import os
import shutil
from pathlib import Path

from equimut.oracle.sandbox.runs import MissingTool


def tool(name: str, what_for: str) -> str:
    """The path of a program, or a clear line."""
    path = shutil.which(name)
    if path is None:
        raise MissingTool(f"{name} is not on the PATH: {what_for}")
    return path


def cache_directory() -> Path:
    """Where compiled harnesses are kept between runs."""
    root = os.environ.get("EQUIMUT_CACHE") or os.environ.get("XDG_CACHE_HOME")
    return (Path(root) if root else Path.home() / ".cache") / "equimut" / "oracle"
