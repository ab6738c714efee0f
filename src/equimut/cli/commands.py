"""The table of commands. A command is one module; a group of commands is a `typer.Typer`."""

import typer


def register(app: typer.Typer) -> None:
    """Attach every command to the application."""
    from equimut.cli.code.graph import graph
    from equimut.cli.code.mutate import mutate
    from equimut.cli.code.oracle import oracle
    from equimut.cli.data.bundled import build_bundled, bundled, evidence
    from equimut.cli.data.data import data_app
    from equimut.cli.dev.corpus import corpus_app
    from equimut.cli.dev.demo import demo
    from equimut.cli.dev.labels import labels_app
    from equimut.cli.dev.pretrain import pretrain
    from equimut.cli.dev.ship import ship
    from equimut.cli.dev.tour import tour
    from equimut.cli.scan.accept import accept
    from equimut.cli.scan.judge import judge
    from equimut.cli.scan.registry import registry_app
    from equimut.cli.scan.review import review
    from equimut.cli.scan.scan import scan
    from equimut.cli.train.analyze import analyze
    from equimut.cli.train.baselines import baselines
    from equimut.cli.train.evaluate import evaluate
    from equimut.cli.train.paper import paper
    from equimut.cli.train.runs import compare, runs
    from equimut.cli.train.sweep import sweep
    from equimut.cli.train.train import train

    app.command()(scan)
    app.command()(accept)
    app.command()(review)
    app.command()(baselines)
    app.command()(train)
    app.command()(evaluate)
    app.command()(judge)
    app.command()(runs)
    app.command()(compare)
    app.command()(sweep)
    app.command()(analyze)
    app.command()(paper)
    app.command()(pretrain)
    app.command()(ship)
    app.command()(tour)
    app.command()(demo)
    app.command()(graph)
    app.command()(mutate)
    app.command()(oracle)
    data_app.command()(bundled)
    data_app.command()(evidence)
    data_app.command("build-bundled")(build_bundled)
    app.add_typer(registry_app)
    app.add_typer(data_app)
    app.add_typer(corpus_app)
    app.add_typer(labels_app)
