"""The real command in a process of its own, as a person runs it."""

import os
import subprocess
import sys

Result = subprocess.CompletedProcess[str]


def run_equimut(*arguments: object, **environment: str) -> Result:
    """Run `equimut` with these arguments, in a wide terminal and without a proxy."""
    return subprocess.run(
        [sys.executable, "-m", "equimut", *map(str, arguments)],
        capture_output=True,
        text=True,
        env={**os.environ, "no_proxy": "*", "COLUMNS": "120", **environment},
        timeout=600,
        check=False,
    )


def says_one_line(result: Result, *words: str) -> bool:
    """Exit code 2, nothing on standard output, and one line with these words."""
    lines = result.stderr.strip().split("\n")
    return (
        result.returncode == 2
        and result.stdout == ""
        and len(lines) == 1
        and lines[0].startswith("error: ")
        and all(word in lines[0] for word in words)
    )
