"""`equimut runs` and `equimut compare`: what was trained, and whether it differs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equimut.cli.console import print_json, print_line, print_table
from equimut.cli.options import AsJson

if TYPE_CHECKING:
    from equimut.training.comparing import RunPairs


def runs(
    directories: Annotated[
        list[Path] | None, typer.Argument(metavar="[DIR]...", help="Runs, or directories of runs.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List runs: what they were trained with and how well they did (default: ./runs)."""
    from equimut.errors import NothingToAnalyse
    from equimut.training.run_files import find_runs

    places = directories or [Path("runs")]
    found = find_runs(places)
    if not found:
        raise NothingToAnalyse(f"no runs in {', '.join(map(str, places))}; make one: equimut train")
    if as_json:
        print_json({str(path): record.model_dump(mode="json") for path, record in found})
        return
    rows = []
    for path, record in found:
        scores = record.evaluation.scores if record.evaluation else None
        fold = f" {record.data.fold}" if record.data.protocol.startswith("by-") else ""
        row = (
            path.name,
            record.config.loss.name,
            record.data.protocol + fold,
            str(record.config.seed),
            record.selected_on,
            str(record.best_epoch or "-"),
            f"{100 * scores.macro_f1:.2f}" if scores else record.status,
            f"{scores.average_precision:.3f}" if scores and scores.average_precision else "-",
            f"{record.seconds / 60:.1f}",
        )
        rows.append(row)
    print_table(("run", "loss", "protocol", "seed", "chosen on", "epoch", "F1", "AP", "min"), rows)
    encoders = {Path(record.config.model.encoder).name for _, record in found}
    data = {record.data.name for _, record in found}
    print_line(f"encoder: {', '.join(sorted(encoders))}; data: {', '.join(sorted(data))}")


def compare(
    first: Annotated[Path, typer.Argument(metavar="A", help="A run, or a directory of runs.")],
    second: Annotated[Path, typer.Argument(metavar="B", help="The same for the other side.")],
    as_json: AsJson = False,
) -> None:
    """Compare two runs, or two sets of runs with the same seeds and folds.

    On the same test rows: McNemar's test, and the difference of macro-F1 and average precision
    with an interval over resampled origins. Over several runs: the mean difference with an
    interval over resampled runs and origins, Wilcoxon's signed-rank test and effect sizes,
    p-values corrected by Holm.
    """
    from equimut.training.comparing import compare_directories

    result = compare_directories(first, second)
    if as_json:
        print_json(result.model_dump(mode="json"))
    else:
        _print_comparison(result)


def _print_comparison(result: "RunPairs") -> None:
    from equimut.evaluation.comparison import read_comparison, read_runs

    for run in result.runs:
        if len(result.runs) > 1:
            print_line(f"seed {run.seed}, fold {run.fold}: {run.first} and {run.second}")
        for line in read_comparison(run.comparison, result.first, result.second):
            print_line(f"  {line}" if len(result.runs) > 1 else line)
    if len(result.runs) > 1:
        print_line(f"all {len(result.runs)} runs")
        for line in read_runs(result.comparison, result.first, result.second):
            print_line(f"  {line}")
    for note in result.notes:
        print_line(note)
