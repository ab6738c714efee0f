"""The table of commands. A command is one module; a group of commands is a `typer.Typer`."""

import typer


def register(app: typer.Typer) -> None:
    """Attach every command to the application."""
    from equimut.cli.accept import accept
    from equimut.cli.analyze import analyze
    from equimut.cli.baselines import baselines
    from equimut.cli.bundled import build_bundled, bundled, evidence
    from equimut.cli.data import data_app
    from equimut.cli.demo import demo
    from equimut.cli.evaluate import evaluate
    from equimut.cli.graph import graph
    from equimut.cli.judge import judge
    from equimut.cli.mutate import mutate
    from equimut.cli.oracle import oracle
    from equimut.cli.paper import paper
    from equimut.cli.pretrain import pretrain
    from equimut.cli.pretrain_corpus import corpus_app
    from equimut.cli.pretrain_labels import labels_app
    from equimut.cli.registry import registry_app
    from equimut.cli.review import review
    from equimut.cli.runs import compare, runs
    from equimut.cli.scan import scan
    from equimut.cli.ship import ship
    from equimut.cli.sweep import sweep
    from equimut.cli.tour import tour
    from equimut.cli.train import train

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
