"""`equimut runs` and `equimut compare`: what was trained, and whether it differs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equimut.cli.console import print_json

if TYPE_CHECKING:
    from equimut.training.comparing import Contrast


def runs(
    directories: Annotated[
        list[Path] | None, typer.Argument(metavar="[DIR]...", help="Runs, or directories of runs.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the records as JSON.")] = False,
) -> None:
    """List runs: what they were trained with and how well they did (default: ./runs)."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from equimut.errors import NothingToAnalyse
    from equimut.training.run_files import find_runs

    places = directories or [Path("runs")]
    found = find_runs(places)
    if not found:
        raise NothingToAnalyse(f"no runs in {', '.join(map(str, places))}; make one: equimut train")
    if as_json:
        print_json({str(path): record.model_dump(mode="json") for path, record in found})
        return
    table = Table(
        "run", "loss", "encoder", "data", "protocol", "seed", "chosen on", "epoch", "F1", "AP",
        "min", box=SIMPLE_HEAD,
    )  # fmt: skip
    for path, record in found:
        scores = record.evaluation.scores if record.evaluation else None
        fold = f" {record.data.fold}" if record.data.protocol.startswith("by-") else ""
        table.add_row(
            escape(str(path)),
            record.config.loss.name,
            escape(Path(record.config.model.encoder).name),
            escape(record.data.name),
            record.data.protocol + fold,
            str(record.config.seed),
            record.selected_on,
            str(record.best_epoch or "-"),
            f"{100 * scores.macro_f1:.2f}" if scores else record.status,
            f"{scores.average_precision:.3f}" if scores and scores.average_precision else "-",
            f"{record.seconds / 60:.1f}",
        )
    Console().print(table)


def compare(
    first: Annotated[Path, typer.Argument(metavar="A", help="A run, or a directory of runs.")],
    second: Annotated[Path, typer.Argument(metavar="B", help="The same for the other side.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Compare two runs, or two sets of runs with the same seeds and folds.

    On the same test rows: McNemar's test, and the difference of macro-F1 and average precision
    with an interval over resampled origins. Over several runs: Wilcoxon's signed-rank test and
    effect sizes, p-values corrected by Holm.
    """
    from equimut.training.comparing import contrast

    result = contrast(first, second)
    if as_json:
        print_json(result.model_dump(mode="json"))
    else:
        _print_contrast(result)


def _print_contrast(result: "Contrast") -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    table = Table("seed", "fold", "metric", result.first, result.second, "difference", "95 %", "p")
    for run, corrected in zip(result.runs, result.comparison.mcnemar_corrected, strict=True):
        one = run.comparison
        for name, difference in one.differences.items():
            interval = difference.interval
            table.add_row(
                str(run.seed),
                str(run.fold),
                name,
                *(_percent(value) for value in (difference.first, difference.second)),
                _percent(difference.value, sign=True),
                ""
                if interval is None
                else f"{_percent(interval.low)} to {_percent(interval.high)}",
                "",
            )
        test = one.mcnemar
        table.add_row(
            str(run.seed), str(run.fold), "McNemar", "", "", "", "",
            f"{test.p_value:.4f}" + (f" (Holm {corrected:.4f})" if len(result.runs) > 1 else ""),
        )  # fmt: skip
    console.print(table)
    for name, over in result.comparison.over_runs.items():
        p = "-" if over.p_value is None else f"{result.comparison.over_runs_corrected[name]:.4f}"
        console.print(f"{name}: Wilcoxon over {len(result.runs)} runs, p (Holm) {p}")
    for note in result.notes:
        console.print(note)


def _percent(value: float | None, sign: bool = False) -> str:
    if value is None:
        return "-"
    return f"{100 * value:+.2f}" if sign else f"{100 * value:.2f}"
