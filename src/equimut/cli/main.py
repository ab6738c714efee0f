"""The `equimut` command: its commands in panels, global options, error lines and exit codes."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

import equimut
from equimut.cli.console import print_error
from equimut.errors import EquimutError, MissingExtra

SCAN, TRAIN, DATA, CODE = "Scan a report", "Judge and train", "Data", "Inspect code"
MAINTAIN = "Maintain equimut"


def register(app: typer.Typer) -> None:
    """Attach every command to the application, in the order and under the headings of the help."""
    from equimut.cli.code.graph import graph
    from equimut.cli.code.mutate import mutate
    from equimut.cli.code.oracle import oracle
    from equimut.cli.code.prove import prove
    from equimut.cli.data.audit import audit
    from equimut.cli.data.bundled import bundled, evidence
    from equimut.cli.data.data import data_app
    from equimut.cli.dev.build_bundled import build_bundled
    from equimut.cli.dev.corpus import corpus_app
    from equimut.cli.dev.demo import demo
    from equimut.cli.dev.labels import labels_app
    from equimut.cli.dev.pretrain import pretrain
    from equimut.cli.dev.ship import ship
    from equimut.cli.dev.stack import stack
    from equimut.cli.dev.tour import tour
    from equimut.cli.scan.accept import accept, reject
    from equimut.cli.scan.record import record
    from equimut.cli.scan.registry import registry_app
    from equimut.cli.scan.review import review
    from equimut.cli.scan.scan import scan
    from equimut.cli.train.analyze import analyze
    from equimut.cli.train.baselines import baselines
    from equimut.cli.train.evaluate import evaluate
    from equimut.cli.train.judge import judge
    from equimut.cli.train.paper import paper
    from equimut.cli.train.runs import compare, runs
    from equimut.cli.train.sweep import sweep
    from equimut.cli.train.train import train
    from equimut.cli.train.trials import trials

    _add(app, SCAN, scan, review, accept, reject, record)
    app.add_typer(registry_app, rich_help_panel=SCAN)
    _add(app, TRAIN, judge, train, evaluate, runs, compare, baselines)
    _add(app, TRAIN, sweep, trials, analyze, paper)
    _add(data_app, None, audit, bundled, evidence)
    app.add_typer(data_app, rich_help_panel=DATA)
    _add(app, CODE, mutate, graph, oracle, prove)
    dev_app = typer.Typer(
        name="dev",
        help="Make what ships with equimut: corpus, labels, encoder, detector, benchmark.",
        no_args_is_help=True,
    )
    dev_app.add_typer(corpus_app)
    dev_app.add_typer(labels_app)
    _add(dev_app, None, pretrain, ship, stack, build_bundled, tour, demo)
    app.add_typer(dev_app, rich_help_panel=MAINTAIN)


def _add(app: typer.Typer, panel: str | None, *commands: Callable[..., None]) -> None:
    for command in commands:
        app.command(rich_help_panel=panel)(command)


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


_ENDS = (signal.SIGTERM, signal.SIGHUP)


def _leave(number: int, frame: object) -> None:
    """Leave as after an error, so that children are ended and temporary files removed."""
    for again in _ENDS:  # once is enough: nothing disturbs the leaving
        signal.signal(again, signal.SIG_IGN)
    sys.exit(128 + number)


@contextmanager
def _signals_leave() -> Iterator[None]:
    """Have signals that end a process clean up first; a caller in Python gets its own back."""
    taken = [number for number in _ENDS if signal.getsignal(number) is signal.SIG_DFL]
    for number in taken:  # `nohup` has one ignored
        signal.signal(number, _leave)
    try:
        yield
    finally:
        for number in taken:
            if signal.getsignal(number) is _leave:
                signal.signal(number, signal.SIG_DFL)


def main() -> None:
    """Run the command line; an expected error becomes one line and an exit code."""
    from equimut.cli.main import register

    if not app.registered_commands:  # a second call in one process must not add them again
        register(app)
    arguments = [argument for argument in sys.argv[1:] if argument != "--debug"]
    debug = len(arguments) < len(sys.argv) - 1
    try:
        with _signals_leave():
            app(arguments)
    except BrokenPipeError:  # the reader (head, less) has gone: not our error
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except EquimutError as error:
        if debug:
            raise
        print_error(str(error))
        sys.exit(error.exit_code)
    except ModuleNotFoundError as error:
        missing = MissingExtra.of(error, "this command")
        if debug or missing is None:
            raise
        print_error(str(missing))
        sys.exit(missing.exit_code)
    except OSError as error:
        if debug:
            raise
        where = f"{error.filename}: " if error.filename else ""
        print_error(f"{where}{error.strerror or error}")
        sys.exit(2)
