"""`equimut analyze`: what a training did to the space its embeddings live in."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equimut.cli.console import print_json, print_note, print_table
from equimut.cli.options import AsJson

if TYPE_CHECKING:
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
        typer.Option(
            metavar="MODEL", help="Compare with this one (default: the untrained encoder)."
        ),
    ] = None,
    pairs: Annotated[
        str | None, typer.Option(help="The pairs of the run, if they have moved.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The pictures (default: RUN/analysis).")
    ] = None,
    picture_format: Annotated[str, typer.Option("--format", help="png, svg or pdf.")] = "png",
    as_json: AsJson = False,
) -> None:
    """Distances to the origin by label, before and after training; pictures of single classes.

    A class is named by its id in the data. Without --class the two with the most of their rarer
    label are drawn.

    Example: equimut analyze runs/cpl --class 1408 --class 2001 --before runs/base
    """
    from rich.console import Console

    from equimut.analysis.pictures.files import format_of
    from equimut.analysis.run_analysis import analyse_run, largest_classes

    place = out or run / "analysis"
    suffix = format_of(Path(f"x.{picture_format}"))
    chosen = classes or largest_classes(run, pairs)
    with Console(stderr=True).status("embedding"):
        found = analyse_run(run, chosen, before, pairs)
    pictures = found.save_pictures(place, suffix)
    if as_json:
        print_json(found.result.model_dump(mode="json"))
    else:
        for each in found.result.classes:
            _print_distances(each.distances)
        for table in found.result.distances:
            _print_distances(table)
        _print_operators(found.result.operators)
    for note in found.result.notes:
        print_note(note)
    print_note(f"pictures: {', '.join(path.name for path in pictures)} in {place}")


def _print_distances(table: "DistanceTable") -> None:
    """Mean and deviation by label and moment, with the tests of the change."""
    from equimut.evaluation.significance import p_text

    rows = []
    for name, tests in table.change.items():
        field = name.replace("-", "_")
        cells = [_spread(getattr(side, field)) for side in (table.before, table.after)]
        rows.append([name, *cells, *(p_text(test.p_value) for test in tests[:2])])
    ratios = [table.before.ratio, table.after.ratio]
    rows.append(["ratio", *("-" if ratio is None else f"{ratio:.2f}" for ratio in ratios), "", ""])
    columns = ("", table.before.name, table.after.name, "Wilcoxon", "Mann-Whitney")
    print_table(columns, rows, f"distance to the origin, {table.rows}")


def _print_operators(operators: "tuple[OperatorResult, ...]") -> None:
    rows = [
        (
            each.operator,
            each.count,
            each.equivalent,
            f"{100 * each.accuracy:.0f} %",
            *(
                "-" if value is None else f"{value:.3f}"
                for value in (
                    each.equivalent_precision,
                    each.equivalent_recall,
                    each.distance_equivalent,
                    each.distance_other,
                )
            ),
        )
        for each in operators
    ]
    columns = (
        "operator", "rows", "equivalent", "right", "eq. P", "eq. R", "d equivalent", "d other",
    )  # fmt: skip
    print_table(columns, rows, "test rows by mutation operator")


def _spread(spread: "Spread | None") -> str:
    return "-" if spread is None else f"{spread.mean:.3g} ± {spread.deviation:.3g}"
