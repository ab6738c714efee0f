"""`equimut analyze`: what a training did to the space its embeddings live in."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equimut.cli.console import print_json, print_note

if TYPE_CHECKING:
    from rich.table import Table

    from equimut.analysis.distances import DistanceTable, Spread
    from equimut.analysis.operator_results import OperatorResult


def analyze(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A finished run.")],
    classes: Annotated[
        list[int] | None,
        typer.Option("--class", metavar="ID", help="A class to draw; may be repeated."),
    ] = None,
    before: Annotated[
        Path | None,
        typer.Option(metavar="MODEL", help="What to compare with, if not the encoder as it was."),
    ] = None,
    pairs: Annotated[
        str | None, typer.Option(help="The rows of the run, if they have moved.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="For the pictures (default: RUN/analysis).")
    ] = None,
    picture_format: Annotated[str, typer.Option("--format", help="png, svg or pdf.")] = "png",
    as_json: Annotated[bool, typer.Option("--json", help="Print all figures as JSON.")] = False,
) -> None:
    """Distances to the origin by label, before and after training; pictures of single classes.

    A class is named by its id in the data. Without --class the two with the most of their rarer
    label are drawn.

    Example: equimut analyze runs/cpl --class 1408 --class 2001 --before runs/base
    """
    from rich.console import Console

    from equimut.analysis.embeddings import classes_with_both
    from equimut.analysis.pictures.files import format_of, picture_bytes
    from equimut.analysis.run_analysis import analyse_run
    from equimut.config import changed
    from equimut.storage.files import write_bytes
    from equimut.training.rows import choose_rows
    from equimut.training.run_files import read_record

    place = out or run / "analysis"
    suffix = format_of(Path(f"x.{picture_format}"))
    record = read_record(run)
    if not classes:
        config = record.config if pairs is None else changed(record.config, {"data.pairs": pairs})
        parts = choose_rows(config).parts
        classes = classes_with_both([*parts.train, *parts.test])[:2]
    with Console(stderr=True).status("embedding"):
        found = analyse_run(run, classes, before, pairs)
    for name, figure in found.pictures.items():
        write_bytes(place / f"{name}.{suffix}", picture_bytes(figure, suffix))
    if as_json:
        print_json(found.result.model_dump(mode="json"))
    else:
        console = Console()
        for each in found.result.classes:
            console.print(distances_table(each.distances))
        for table in found.result.distances:
            console.print(distances_table(table))
        console.print(operators_table(found.result.operators))
    for note in found.result.notes:
        print_note(note)
    print_note(f"pictures: {', '.join(f'{name}.{suffix}' for name in found.pictures)} in {place}")


def distances_table(table: "DistanceTable") -> "Table":
    """Mean and deviation by label and moment, with the tests of the change."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from equimut.evaluation.significance import p_text

    shown = Table(
        "", table.before.name, table.after.name, "Wilcoxon", "Mann-Whitney",
        title=f"distance to the origin, {table.rows}", box=SIMPLE_HEAD,
    )  # fmt: skip
    for name, tests in table.change.items():
        field = name.replace("-", "_")
        cells = [_spread(getattr(side, field)) for side in (table.before, table.after)]
        shown.add_row(name, *cells, *(p_text(test.p_value) for test in tests[:2]))
    ratios = [table.before.ratio, table.after.ratio]
    shown.add_row("ratio", *("-" if ratio is None else f"{ratio:.2f}" for ratio in ratios), "", "")
    return shown


def operators_table(operators: "tuple[OperatorResult, ...]") -> "Table":
    """Results by operator on the test rows."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    shown = Table(
        "operator", "rows", "equivalent", "right", "eq. P", "eq. R", "d equivalent", "d other",
        title="test rows by mutation operator", box=SIMPLE_HEAD,
    )  # fmt: skip
    for each in operators:
        numbers = (
            each.equivalent_precision,
            each.equivalent_recall,
            each.distance_equivalent,
            each.distance_other,
        )
        shown.add_row(
            each.operator,
            str(each.count),
            str(each.equivalent),
            f"{100 * each.accuracy:.0f} %",
            *("-" if value is None else f"{value:.3f}" for value in numbers),
        )
    return shown


def _spread(spread: "Spread | None") -> str:
    return "-" if spread is None else f"{spread.mean:.3g} ± {spread.deviation:.3g}"
