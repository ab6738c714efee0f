"""`equimut sweep`: run a grid of trainings, and look at its results."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equimut.cli.console import print_json, print_note
from equimut.errors import EquimutError, GateFailed

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from equimut.sweep.results import TrialResult
    from equimut.sweep.session import EngineName


def sweep(
    grid: Annotated[
        str,
        typer.Argument(metavar="GRID", help="A grid file (TOML), or the name of a shipped one."),
    ],
    pairs: Annotated[
        Path,
        typer.Argument(metavar="PAIRS", help="A .jsonl or .jsonl.gz file, or bundled[:LANGUAGE]."),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The results directory.")],
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Trials side by side (default: one per core).")
    ] = None,
    threads: Annotated[
        int, typer.Option(min=1, help="Of each trial: its numbers depend on it, to the last digit.")
    ] = 1,
    encoder: Annotated[
        str | None, typer.Option(help="The encoder of every trial, if the grid names none.")
    ] = None,
    preset: Annotated[
        str | None, typer.Option(help="What lies below the grid, if not the preset it names.")
    ] = None,
    options: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Any other option, for every trial."),
    ] = None,
    engine: Annotated[
        str, typer.Option(help="local: processes of this machine. ray: the same through Ray.")
    ] = "local",
    address: Annotated[
        str | None, typer.Option(help="With --engine ray: a cluster, whose machines see the files.")
    ] = None,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Run trials again that failed before.")
    ] = False,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Run at most this many trials now.")
    ] = None,
    pack: Annotated[
        bool, typer.Option("--pack", help="Then put all results into one file (trials.jsonl.gz).")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print all results as JSON.")] = False,
) -> None:
    """Run every trial of a grid that has no result yet.

    A sweep that was killed goes on where it stopped; a finished trial is never run again.

    Shipped grids: seed-study, input-pooling, random-vs-pretrained, ablations, triplet, paper-cpl,
    paper-contrastive, paper-base.

    Example: equimut sweep seed-study emd-java.jsonl --encoder DIR --out sweeps/java
    """
    from rich.console import Console

    from equimut.cli.train.train import assignment
    from equimut.sweep.grid import read_grid, trials
    from equimut.sweep.results import ResultsDirectory
    from equimut.sweep.session import Engine, open_trials, run_session

    runs_on = Engine(name=engine_name(engine), jobs=jobs, threads=threads, address=address)
    read = read_grid(grid)
    changes = dict(assignment(option) for option in options or ())
    if encoder is not None:
        changes["model.encoder"] = encoder
    everything = trials(read, str(pairs), changes, preset)
    results = ResultsDirectory(out)
    with results.alone():
        results.tidy()
        left = open_trials(results, everything, retry_failed)
        chosen = left[:limit]
        before = len(everything) - len(left)
        print_note(
            f"{read.name}: {len(everything)} trials, {before} done before, {len(chosen)} now"
        )
        with progress(len(chosen), Console(stderr=True)) as advance:
            session = run_session(chosen, read.name, out, runs_on, advance)
    if pack:
        results.pack()
    known = results.by_trial()
    found = [known[trial.id] for trial in everything if trial.id in known]
    if as_json:
        print_json([result.model_dump(mode="json") for result in found])
    else:
        Console().print(results_table(found))
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


def engine_name(name: str) -> "EngineName":
    """The engine of this name, or an error that lists them."""
    from equimut.sweep.session import ENGINES

    for known in ENGINES:
        if name == known:
            return known
    raise EquimutError(f"no engine {name!r}: the engines are {', '.join(ENGINES)}")


@contextmanager
def progress(number: int | None, console: "Console") -> "Iterator[Callable[[TrialResult], None]]":
    """A live line with the last result and the time that is left."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[said]}"), Remaining())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=number, said="")
        yield lambda result: bar.update(task, advance=1, said=_said(result))


def _said(result: "TrialResult") -> str:
    what = ", ".join(f"{name.split('.')[-1]} {value}" for name, value in result.varied.items())
    if result.evaluation is None:
        return f"{what}: failed"
    return f"{what}: F1 {100 * result.evaluation.scores.macro_f1:.2f}"


def results_table(results: "Sequence[TrialResult]") -> "Table":
    """Trials by what varies, the best first."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    names = sorted({name for result in results for name in result.varied})
    table = Table(
        *(name.split(".")[-1] for name in names), "P", "R", "F1", "AP", "epoch", "min",
        box=SIMPLE_HEAD,
    )  # fmt: skip

    def value(result: "TrialResult") -> float:
        return -result.evaluation.scores.macro_f1 if result.evaluation else 1.0

    for result in sorted(results, key=value):
        varied = [str(result.varied.get(name, "")) for name in names]
        if result.evaluation is None or result.cost is None:
            table.add_row(*varied, "", "", "failed", "", "", "")
            continue
        scores = result.evaluation.scores
        figures = (scores.macro_precision, scores.macro_recall, scores.macro_f1)
        table.add_row(
            *varied,
            *(f"{100 * figure:.2f}" for figure in figures),
            "-" if scores.average_precision is None else f"{scores.average_precision:.3f}",
            str(result.best_epoch),
            f"{result.cost.seconds / 60:.1f}",
        )
    return table
