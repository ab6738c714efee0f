"""`equimut record`: run the user's tests once and keep what functions are called with."""

from pathlib import Path
from typing import Annotated

import typer

from equimut.cli.console import print_line, print_note
from equimut.errors import NothingToAnalyse


def record(
    command: Annotated[
        list[str],
        typer.Argument(metavar="-- COMMAND...", help="The command that runs the tests."),
    ],
    source: Annotated[
        Path, typer.Option(metavar="DIR", help="The project whose functions are watched.")
    ] = Path(),
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where calls are kept.", show_default=False)
    ] = None,
) -> None:
    """RUN a test command and keep the arguments that the project's functions are called with.

    The command runs as you would run it yourself, outside any sandbox. Kept are plain values and
    objects that can be built again from them, a few dozen calls of each function; `equimut scan
    --oracle` starts from them.

    Example: equimut record -- pytest -q
    """
    from equimut.oracle.project import CALLS_FILE
    from equimut.oracle.python.recorded import record as run_and_record
    from equimut.storage.files import counted

    out = out or source / CALLS_FILE
    print_note(f"running: {' '.join(command)}")
    kept = run_and_record(command, source, out)
    if kept.code:
        print_note(f"note: the command ended with exit code {kept.code}")
    if not kept.calls:
        raise NothingToAnalyse(
            f"no call of a function under {source.resolve()} was seen; is the project there, "
            "and does the command run it with Python?"
        )
    functions = counted(kept.functions, "function")
    print_line(f"{counted(kept.calls, 'call')} of {functions} kept in {out}")
    if kept.unfit:
        without = counted(kept.unfit, "function")
        print_note(f"note: no call of {without} could be kept: the arguments cannot be built again")
