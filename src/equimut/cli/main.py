"""The `equimut` command: global options, error lines and exit codes."""

import os
import sys
from typing import Annotated

import typer

import equimut
from equimut.cli.console import print_error
from equimut.errors import EquimutError

app = typer.Typer(
    name="equimut",
    help="Find equivalent mutants: the survivors of mutation testing that no test can kill.",
    epilog="Exit codes: 0 fine, 1 a gate failed, 2 usage or unreadable input, "
    "3 nothing could be analysed.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"equimut {equimut.__version__}")
        raise typer.Exit


@app.callback()
def _global_options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
    debug: Annotated[
        bool,
        typer.Option("--debug", help="Show the traceback of an error (works anywhere)."),
    ] = False,
) -> None:
    """Find equivalent mutants: the survivors of mutation testing that no test can kill."""


def main() -> None:
    """Run the command line; an expected error becomes one line and an exit code."""
    from equimut.cli.commands import register

    if not app.registered_commands:  # a second call in one process must not add them again
        register(app)
    arguments = [argument for argument in sys.argv[1:] if argument != "--debug"]
    debug = len(arguments) < len(sys.argv) - 1
    try:
        app(arguments)
    except BrokenPipeError:  # the reader (head, less) has gone: not our error
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except EquimutError as error:
        if debug:
            raise
        print_error(str(error))
        sys.exit(error.exit_code)
    except OSError as error:
        if debug:
            raise
        where = f"{error.filename}: " if error.filename else ""
        print_error(f"{where}{error.strerror or error}")
        sys.exit(2)
