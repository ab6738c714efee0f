"""`equimut trials`: the trials of a sweep side by side."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equimut.cli.console import print_json, print_note, print_table
from equimut.cli.options import AsJson

if TYPE_CHECKING:
    from equimut.evaluation.comparison import Gain
    from equimut.evaluation.predictions import Predictions
    from equimut.study.sweep_table import SweepTable
    from equimut.sweep.choosing import Choice

_SHOWN = {
    "macro_precision": "P", "macro_recall": "R", "macro_f1": "F1", "average_precision": "AP",
    "recall_at_precision_90": "R@P90", "recall_at_precision_95": "R@P95",
    "recall_at_precision_99": "R@P99",
}  # fmt: skip


def trials(
    directories: Annotated[
        list[Path], typer.Argument(metavar="DIR...", help="Results of sweeps (`sweep --out`).")
    ],
    grid: Annotated[
        str | None, typer.Option(help="Only the trials of this grid, by its name.")
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(metavar="VARIANT", help="Compare with this one (default: cross-entropy)."),
    ] = None,
    curves: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the learning curves (.png, .svg or .pdf)."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare the variants of a sweep: means over runs, paired differences, learning curves.

    Choose among variants by the validation column; test rows are for the one that was chosen. What
    the validation rows choose for later grids, such as margins, is said at the end.
    Differences are paired by seed and fold; their 95 % intervals cover runs and test origins, and
    p-values are corrected over all variants and metrics (Holm).

    Example: equimut trials results/full-length/java --curves curves.png
    """
    from equimut.study.sweep_table import sweep_tables
    from equimut.sweep.choosing import choices
    from equimut.sweep.grid import shipped_grids
    from equimut.sweep.results import ResultsDirectory

    places = [ResultsDirectory(path) for path in directories]
    known = {each.id: each for place in places for each in place.results()}
    chosen = [each for each in known.values() if grid in (None, each.grid)]

    def predictions(trial_id: str) -> "Predictions | None":
        found = (place.predictions_of(trial_id) for place in places)
        return next((each for each in found if each is not None), None)

    tables = sweep_tables(chosen, predictions, against)
    decided = [
        found
        for name in sorted({each.grid for each in chosen} & shipped_grids().keys())
        for data in sorted({each.config.data.pairs for each in chosen if each.grid == name})
        for found in choices([each for each in chosen if each.config.data.pairs == data], name)
    ]
    if curves is not None:
        _draw(tables, curves)
    if as_json:
        print_json([table.model_dump(mode="json") for table in tables])
        return
    for table in tables:
        _print(table)
    for each in decided:
        _print_choice(each)


def _print_choice(choice: "Choice") -> None:
    def listed(options: "Mapping[str, Any]") -> str:
        return ", ".join(f"{name} = {value}" for name, value in options.items())

    of = f"{choice.grid}: of the {choice.among} trials with {listed(choice.shared)}"
    if choice.options is None:
        print_note(f"{of}, {choice.done} are done: nothing is chosen yet")
    else:
        best = listed(choice.options) or "the only one"
        print_note(f"{of}, validation rows choose {best} ({choice.score:.3f})")


def _draw(tables: "tuple[SweepTable, ...]", path: Path) -> None:
    """One picture per table; with several, the protocol stands in the name."""
    from equimut.analysis.pictures.files import format_of, picture_bytes
    from equimut.storage.files import write_bytes
    from equimut.study.sweep_table import draw_curves

    for table in tables:
        at = path
        if len(tables) > 1:
            at = path.with_stem(f"{path.stem}-{table.data}-{table.protocol}")
        write_bytes(at, picture_bytes(draw_curves(table), format_of(path)))
        print_note(f"learning curves: {at}")


def _print(table: "SweepTable") -> None:
    rows = []
    for each in table.summaries:
        chosen_on = table.validation.get(each.predictor)
        means = (each.metrics.get(name) for name in _SHOWN)
        shown = ("-" if one is None else f"{one.mean:.3f}" for one in means)
        rows.append(
            (each.predictor, each.runs, "-" if chosen_on is None else f"{chosen_on:.3f}", *shown)
        )
    title = f"{table.data}, {table.protocol}: test rows, means over runs"
    print_table(("variant", "runs", "validation", *_SHOWN.values()), rows, title)
    differences = [
        (each.first, each.runs, *(_gain(each.gains.get(name)) for name in _COMPARED))
        for each in table.contrasts
    ]
    if differences:
        titles = tuple(_SHOWN[name] for name in _COMPARED)
        print_table(("variant", "runs", *titles), differences, f"minus {table.against}")
    if table.distances:
        print_table(
            ("variant", "non-equivalent", "equivalent"),
            [(name, f"{far:.3f}", f"{near:.3f}") for name, (far, near) in table.distances.items()],
            "mean distance to the origin, validation rows",
        )
    print_note(f"{table.hours:.1f} hours of training")


_COMPARED = ("macro_f1", "average_precision", "recall_at_precision_95")


def _gain(gain: "Gain | None") -> str:
    if gain is None:
        return "-"
    interval = "" if gain.low is None else f" [{gain.low:+.3f}, {gain.high:+.3f}]"
    return f"{gain.mean:+.3f}{interval}"
