"""`equimut sweep`: run a grid of trainings, and look at its results."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equimut.cli.console import print_json, print_note, print_table
from equimut.cli.options import (
    Address,
    AsJson,
    Engine,
    Jobs,
    PairsFile,
    SetOptions,
    TrialThreads,
    assignment,
    engine_name,
)
from equimut.cli.progress import trial_progress
from equimut.errors import GateFailed

if TYPE_CHECKING:
    from equimut.sweep.results import TrialResult


def sweep(
    grid: Annotated[
        str,
        typer.Argument(metavar="GRID", help="A grid file (TOML), or the name of a shipped one."),
    ],
    pairs: PairsFile,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The results directory.")],
    jobs: Jobs = None,
    threads: TrialThreads = 1,
    encoder: Annotated[
        str | None, typer.Option(help="Encoder of every trial, if the grid names none.")
    ] = None,
    preset: Annotated[
        str | None, typer.Option(help="Base preset, overriding the one in the grid file.")
    ] = None,
    options: SetOptions = None,
    engine: Engine = "local",
    address: Address = None,
    chosen_from: Annotated[
        list[Path] | None,
        typer.Option(
            "--chosen-from",
            metavar="DIR",
            help="Results whose validation rows choose margins and variants (default: --out).",
        ),
    ] = None,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Run failed trials again.")
    ] = False,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Run at most this many trials now.")
    ] = None,
    pack: Annotated[
        bool, typer.Option("--pack", help="Then put all results into one file (trials.jsonl.gz).")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Run every trial of a grid that has no result yet.

    A sweep that was killed goes on where it stopped; a finished trial is never run again.

    Shipped grids: seed-study, input-pooling, random-vs-pretrained, ablations, triplet, paper-cpl,
    paper-contrastive, paper-base; at the paper's length: full-length-margins, full-length,
    full-length-by-origin, full-length-cpl, full-length-contrastive; short-margins, purge-variants,
    benchmark-by-origin. A trial whose margin another grid chooses waits until that one is complete.

    Example: equimut sweep seed-study emd-java.jsonl --encoder DIR --out sweeps/java
    """
    from equimut.sweep.choosing import Chooser
    from equimut.sweep.grid import read_grid, trials
    from equimut.sweep.results import ResultsDirectory
    from equimut.sweep.session import Engine as SweepEngine
    from equimut.sweep.session import open_trials, run_session

    runs_on = SweepEngine(name=engine_name(engine), jobs=jobs, threads=threads, address=address)
    read = read_grid(grid)
    changes = dict(assignment(option) for option in options or ())
    if encoder is not None:
        changes["model.encoder"] = encoder
    results = ResultsDirectory(out)
    places = [ResultsDirectory(place) for place in chosen_from or [out]]
    chooser = Chooser([each for place in places for each in place.results()], str(pairs))
    everything = trials(read, str(pairs), changes, preset, chooser)
    for grid_name, number in chooser.waiting.items():
        print_note(
            f"{number} trials wait for the choice that {grid_name} makes when it is complete"
        )
    with results.alone():
        left = open_trials(results, everything, retry_failed)
        chosen = left[:limit]
        before = len(everything) - len(left)
        print_note(
            f"{read.name}: {len(everything)} trials, {before} done before, {len(chosen)} now"
        )
        with trial_progress(len(chosen)) as advance:
            session = run_session(chosen, read.name, out, runs_on, advance)
    if pack:
        results.pack()
    known = results.by_trial()
    found = [known[trial.id] for trial in everything if trial.id in known]
    if as_json:
        print_json([result.model_dump(mode="json") for result in found])
    else:
        _print_results(found)
    if session.efficiency is not None:
        print_note(
            f"{session.trials} trials in {session.wall_seconds / 60:.1f} min on {session.jobs} "
            f"jobs: {100 * session.efficiency:.1f} % of the time went into trials"
        )
    failed = [result for result in found if result.status == "failed"]
    if failed:
        raise GateFailed(
            f"{len(failed)} of {len(found)} trials failed (first: {failed[0].error}); "
            "--retry-failed runs them again"
        )


def _print_results(results: "Sequence[TrialResult]") -> None:
    """Trials by what varies, the best first."""

    def rank(result: "TrialResult") -> float:
        return -result.evaluation.scores.macro_f1 if result.evaluation else 1.0

    names = sorted({name for result in results for name in result.varied})
    rows = []
    for result in sorted(results, key=rank):
        varied = [str(result.varied.get(name, "")) for name in names]
        if result.evaluation is None or result.cost is None:
            rows.append([*varied, "", "", "failed", "", "", ""])
            continue
        scores = result.evaluation.scores
        metrics = (scores.macro_precision, scores.macro_recall, scores.macro_f1)
        rows.append(
            [
                *varied,
                *(f"{100 * metric:.2f}" for metric in metrics),
                "-" if scores.average_precision is None else f"{scores.average_precision:.3f}",
                str(result.best_epoch),
                f"{result.cost.seconds / 60:.1f}",
            ]
        )
    print_table([*(n.split(".")[-1] for n in names), "P", "R", "F1", "AP", "epoch", "min"], rows)
