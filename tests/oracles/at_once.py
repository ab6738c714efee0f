"""Many commands at once, each in a process of its own, with one start of the interpreter."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from oracles.command import Result

_PROGRAM = """
import json, os, sys
from equimut.cli.main import app, main, register
import equimut.scanning.api, equimut.scanning.registry.registry, rich.markdown, typer.rich_utils

register(app)
folder, commands = sys.argv[1], json.loads(sys.argv[2])
children = []
for number, command in enumerate(commands):
    child = os.fork()
    if child == 0:
        for stream, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(f"{folder}/{number}.{name}", os.O_WRONLY | os.O_CREAT), stream)
        sys.argv = ["equimut", *command]
        main()
        sys.exit(0)
    children.append(child)
codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
print(json.dumps(codes))
"""


def run_at_once(*commands: Sequence[str]) -> list[Result]:
    """Run `equimut` with each of these arguments: the processes begin together, all imports done.

    They get in each other's way more often than those that a shell starts one by one.
    """
    with TemporaryDirectory() as folder:
        told = subprocess.run(
            [sys.executable, "-c", _PROGRAM, folder, json.dumps(commands)],
            capture_output=True, text=True, timeout=400, check=False,
        )  # fmt: skip
        assert told.returncode == 0, told.stderr
        return [
            Result(
                command, code, *((Path(folder) / f"{number}.{name}").read_text() for name in
                                 ("out", "err"))
            )
            for number, (command, code) in enumerate(
                zip(commands, json.loads(told.stdout), strict=True)
            )
        ]  # fmt: skip
