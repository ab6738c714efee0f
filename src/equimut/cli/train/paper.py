"""`equimut paper`: the whole study, from trainings to one page."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from equimut.cli.console import print_json, print_note


def paper(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="For the page and its data.")],
    budget: Annotated[
        str,
        typer.Option(help="smoke: minutes. cpu: days on two cores. full: as published."),
    ] = "cpu",
    encoder: Annotated[
        str | None, typer.Option(help="A Hugging Face name or a directory, if not the budget's.")
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(
            metavar="DIR|bundled",
            help="The directory of the published files, or the benchmark of this package "
            "(default: what `equimut data fetch` fetched; for smoke, bundled).",
        ),
    ] = None,
    results: Annotated[
        list[Path] | None,
        typer.Option(metavar="DIR", help="Results of sweeps to use; new ones go into the first."),
    ] = None,
    engine: Annotated[str, typer.Option(help="local or ray.")] = "local",
    address: Annotated[str | None, typer.Option(help="With --engine ray: a cluster.")] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Trials side by side (default: one per core).")
    ] = None,
    threads: Annotated[int, typer.Option(min=1, help="Of each trial.")] = 1,
    options: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="[GRID:]KEY=VALUE", help="Any option, for all trials or one grid's."
        ),
    ] = None,
    train: Annotated[
        bool, typer.Option("--train/--no-train", help="Only use what is there already.")
    ] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print the claims as JSON.")] = False,
) -> None:
    """Reproduce the paper: tables, grids, embeddings and a verdict per claim, on one page.

    Trials that have a result are not run again, so it may be stopped and started at any time, and
    sweeps made before (`equimut sweep paper-cpl ...`) count, if they were made with the same
    encoder, options and name of the data file (emd-java.jsonl, mutantbench-c.jsonl).

    Example: equimut paper --budget smoke --out out/paper
    """
    from rich.console import Console

    from equimut.cli.train.sweep import engine_name, progress
    from equimut.study.budget import budget_named, encoder_for
    from equimut.study.experiments import Experiments
    from equimut.study.whole_study import PAGE, whole_study
    from equimut.sweep.session import Engine

    chosen = budget_named(budget)
    places = list(results or [out / "results"])
    with progress(None, Console(stderr=True)) as advance:
        study = whole_study(
            Experiments(
                budget=chosen,
                encoder=encoder_for(chosen, encoder),
                results=places[0],
                also=places[1:],
                engine=Engine(
                    name=engine_name(engine), jobs=jobs, threads=threads, address=address
                ),
                options=scoped(options or ()),
                train=train,
                message=print_note,
                progress=advance,
            ),
            data,
            out,
        )
    if as_json:
        print_json([claim.model_dump(mode="json") for claim in study.claims])
    else:
        for claim in study.claims:
            typer.echo(f"{claim.verdict:>19}: {claim.statement} ({claim.ours})")
    print_note(f"page: {out / PAGE}")


def scoped(options: Sequence[str]) -> dict[str, dict[str, Any]]:
    """`GRID:KEY=VALUE` by grid; without a grid, for all of them."""
    from equimut.cli.train.train import assignment
    from equimut.errors import EquimutError
    from equimut.study.budget import EVERYTHING
    from equimut.sweep.grid import shipped_grids

    found: dict[str, dict[str, Any]] = {}
    for option in options:
        before, _, after = option.partition(":")
        grid, text = (before, after) if after and "=" not in before else (EVERYTHING, option)
        if grid != EVERYTHING and grid not in shipped_grids():
            raise EquimutError(
                f"--set {option}: no grid {grid}; there are {', '.join(shipped_grids())}"
            )
        name, value = assignment(text)
        found.setdefault(grid, {})[name] = value
    return found
