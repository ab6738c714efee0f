"""The table of commands. A command is one module; a group of commands is a `typer.Typer`."""

from collections.abc import Callable

import typer

SCAN, TRAIN, DATA, CODE = "Scan a report", "Judge and train", "Data", "Inspect code"
MAINTAIN = "Maintain equimut"


def register(app: typer.Typer) -> None:
    """Attach every command to the application, in the order and under the headings of the help."""
    from equimut.cli.code.graph import graph
    from equimut.cli.code.mutate import mutate
    from equimut.cli.code.oracle import oracle
    from equimut.cli.data.audit import audit
    from equimut.cli.data.bundled import bundled, evidence
    from equimut.cli.data.data import data_app
    from equimut.cli.dev.build_bundled import build_bundled
    from equimut.cli.dev.corpus import corpus_app
    from equimut.cli.dev.demo import demo
    from equimut.cli.dev.labels import labels_app
    from equimut.cli.dev.pretrain import pretrain
    from equimut.cli.dev.ship import ship
    from equimut.cli.dev.tour import tour
    from equimut.cli.scan.accept import accept
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

    _add(app, SCAN, scan, review, accept)
    app.add_typer(registry_app, rich_help_panel=SCAN)
    _add(app, TRAIN, judge, train, evaluate, runs, compare, baselines, sweep, analyze, paper)
    _add(data_app, None, audit, bundled, evidence)
    app.add_typer(data_app, rich_help_panel=DATA)
    _add(app, CODE, mutate, graph, oracle)
    dev_app = typer.Typer(
        name="dev",
        help="Make what ships with equimut: corpus, labels, encoder, detector, benchmark.",
        no_args_is_help=True,
    )
    dev_app.add_typer(corpus_app)
    dev_app.add_typer(labels_app)
    _add(dev_app, None, pretrain, ship, build_bundled, tour, demo)
    app.add_typer(dev_app, rich_help_panel=MAINTAIN)


def _add(app: typer.Typer, panel: str | None, *commands: Callable[..., None]) -> None:
    for command in commands:
        app.command(rich_help_panel=panel)(command)
