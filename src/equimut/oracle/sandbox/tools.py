"""The programs the oracle needs."""

import shutil

from equimut.oracle.sandbox.runs import MissingTool


def tool(name: str, what_for: str) -> str:
    """The path of a program, or a clear line."""
    path = shutil.which(name)
    if path is None:
        raise MissingTool(f"{name} is not on the PATH: {what_for}")
    return path
