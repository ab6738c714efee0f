"""`equimut evaluate`: a trained run on rows it has not seen, beside the baselines."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from equimut.cli.console import print_json, print_note


def evaluate(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A directory `equimut train` wrote.")],
    pairs: Annotated[
        Path,
        typer.Argument(metavar="PAIRS", help="A .jsonl or .jsonl.gz file, or bundled[:LANGUAGE]."),
    ],
    min_precision: Annotated[
        float | None,
        typer.Option(help="Decide at the threshold that reached this precision on dev rows."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Also write the predictions, one per line."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Measure a run on pairs: the test rows of its own data, or all rows of other data.

    Rows the run was trained on, or that chose its epoch, are refused, not scored.
    """
    from rich.console import Console

    from equimut.data.pairs import load_pairs
    from equimut.evaluation.predictions import write_predictions
    from equimut.evaluation.tables import print_tables
    from equimut.training.measure import measure_run

    with _bar() as progress:
        measured = measure_run(run, load_pairs(pairs), pairs.name, min_precision, progress)
    for note in measured.notes:
        print_note(note)
    if out is not None:
        write_predictions(out, measured.predictions)
    evaluations = [measured.evaluation, *measured.baselines]
    if as_json:
        print_json(
            {
                "run": str(run),
                "refused": measured.refused,
                "notes": measured.notes,
                "evaluations": [one.model_dump(mode="json") for one in evaluations],
            }
        )
    else:
        print_tables(evaluations, Console())


@contextmanager
def _bar() -> Iterator[Callable[[int], None]]:
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("judging", total=None)
        yield lambda done: bar.advance(task, done)
