"""`equimut paper`: the whole study, from trainings to one page."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from equimut.cli.console import print_json, print_line, print_note
from equimut.cli.options import Address, AsJson, Engine, Jobs, TrialThreads, assignment, engine_name
from equimut.cli.progress import trial_progress


def paper(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="For the page and its data.")],
    budget: Annotated[
        str,
        typer.Option(help="smoke: minutes. cpu: days on two cores. full: as published."),
    ] = "cpu",
    encoder: Annotated[
        str | None, typer.Option(help="A Hugging Face name or a directory (default: the budget's).")
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(
            metavar="DIR|bundled",
            help="Directory of the published files, or the bundled benchmark "
            "(default: what `equimut data fetch` fetched; for smoke, bundled).",
        ),
    ] = None,
    results: Annotated[
        list[Path] | None,
        typer.Option(metavar="DIR", help="Results of earlier sweeps; new ones go into the first."),
    ] = None,
    engine: Engine = "local",
    address: Address = None,
    jobs: Jobs = None,
    threads: TrialThreads = 1,
    options: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="[GRID:]KEY=VALUE", help="Any option, for all trials or one grid's."
        ),
    ] = None,
    train: Annotated[
        bool,
        typer.Option(
            "--train/--no-train",
            help="Run the trials that have no result yet, or use existing results only.",
        ),
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Reproduce the paper: tables, grids, embeddings and a verdict per claim, on one page.

    Trials that have a result are not run again, so it may be stopped and started at any time, and
    sweeps made before (`equimut sweep paper-cpl ...`) count, if they were made with the same
    encoder, options and name of the data file (emd-java.jsonl, mutantbench-c.jsonl).

    Example: equimut paper --budget smoke --out out/paper
    """
    from equimut.study.budget import budget_named, encoder_for
    from equimut.study.reproduce import PAGE, reproduce
    from equimut.study.trials import Experiments
    from equimut.sweep.session import Engine as SweepEngine

    chosen = budget_named(budget)
    places = list(results or [out / "results"])
    with trial_progress() as advance:
        study = reproduce(
            Experiments(
                budget=chosen,
                encoder=encoder_for(chosen, encoder),
                results=places[0],
                also=places[1:],
                engine=SweepEngine(
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
            print_line(f"{claim.verdict:>13}: {claim.statement} ({claim.ours})")
    print_note(f"page: {out / PAGE}")


def scoped(options: Sequence[str]) -> dict[str, dict[str, Any]]:
    """`GRID:KEY=VALUE` by grid; without a grid, for all of them."""
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
