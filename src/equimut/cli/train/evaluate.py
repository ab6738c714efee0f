"""`equimut evaluate`: a trained run and the baselines on rows the run has not seen."""

from pathlib import Path
from typing import Annotated

import typer

from equimut.cli.console import print_json, print_note
from equimut.cli.options import AsJson, PairsFile
from equimut.cli.progress import counting


def evaluate(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A directory `equimut train` wrote.")],
    pairs: PairsFile,
    min_precision: Annotated[
        float | None,
        typer.Option(help="Decide at the threshold that promises this precision."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Also write the predictions, one per line."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure a run on pairs: the test rows of its own data, or all rows of other data.

    Rows of its training or validation split are refused, not scored.
    """
    from rich.console import Console

    from equimut.data.pairs import load_pairs
    from equimut.evaluation.predictions import write_predictions
    from equimut.evaluation.tables import print_tables
    from equimut.training.measure import measure_run

    with counting("predicting") as advance:
        measured = measure_run(run, load_pairs(pairs), pairs.name, min_precision, advance)
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
