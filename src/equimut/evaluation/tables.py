"""Evaluations as a table, for the terminal and for Markdown."""

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from equimut.evaluation.evaluation import Evaluation
from equimut.evaluation.metrics import Scores
from equimut.evaluation.summaries import Figure, Summary, summarise

if TYPE_CHECKING:
    import rich.console
    import rich.table

COLUMNS = (
    "macro_precision",
    "macro_recall",
    "macro_f1",
    "equivalent_f1",
    "mcc",
    "average_precision",
    "recall_at_precision_90",
    "brier",
    "calibration_error",
)
"""What a table shows unless told otherwise; files hold every figure."""
NARROW = ("macro_precision", "macro_recall", "macro_f1", "average_precision")
"""What fits into a terminal of 80 characters."""
WIDE = 150
"""Characters that a terminal needs for all of `COLUMNS`."""
WITH_INTERVAL = ("macro_f1", "average_precision")
"""Shown with deviation over runs and interval; the others would only make the table wider."""
FRACTIONS = ("mcc", "average_precision", "brier", "calibration_error")
"""Shown as they are; every other figure in percent, as the paper does."""


class TableText(NamedTuple):
    """A table as text: titles, and rows of as many cells."""

    titles: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def table_text(
    evaluations: Sequence[Evaluation],
    columns: Sequence[str] = COLUMNS,
    spread: bool = True,
    intervals: Sequence[str] = WITH_INTERVAL,
) -> TableText:
    """One row per judge and setting; settings that are the same in all rows get no column.

    Baselines have no encoder, and count as having any. Without `spread`, means over several runs
    stand without their deviation.
    """
    summaries = summarise(evaluations)
    named = [name for name in ("data", "protocol") if _differs(summaries, name)]
    named += ["encoder"] if _differs([one for one in summaries if one.encoder], "encoder") else []
    # How the best state was chosen is always said where anything was chosen.
    if any(one.selection != "none" for one in summaries):
        named.append("selection")
    titles = [*named, "judge", "runs", "pairs"]
    for name in columns:
        titles.append(_title(name))
        titles += ["95 %"] * (name in intervals)
    rows = (_row(one, named, columns, spread, intervals) for one in summaries)
    return TableText(tuple(titles), tuple(rows))


def markdown_table(evaluations: Sequence[Evaluation], columns: Sequence[str] = COLUMNS) -> str:
    """A Markdown table, with a line break at its end."""
    text = table_text(evaluations, columns)
    rule = ["---" if title in _LEFT else "---:" for title in text.titles]
    lines = [text.titles, rule, *text.rows]
    return "".join("| " + " | ".join(_escaped(cell) for cell in line) + " |\n" for line in lines)


def rich_table(
    evaluations: Sequence[Evaluation],
    title: str = "",
    columns: Sequence[str] = COLUMNS,
    spread: bool = True,
    intervals: Sequence[str] = WITH_INTERVAL,
) -> "rich.table.Table":
    """A table for the terminal."""
    from rich.box import SIMPLE_HEAD
    from rich.markup import escape
    from rich.table import Table

    text = table_text(evaluations, columns, spread, intervals)
    table = Table(title=escape(title) or None, box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for name in text.titles:
        justify: Literal["left", "right"] = "left" if name in _LEFT else "right"
        table.add_column(escape(name), justify=justify, overflow="fold")  # never cut a figure
    for row in text.rows:
        table.add_row(*map(escape, row))
    return table


def print_tables(evaluations: Sequence[Evaluation], console: "rich.console.Console") -> None:
    """A table per dataset and protocol, with as many columns as the terminal has room for."""
    wide = console.width >= WIDE
    lots: defaultdict[str, list[Evaluation]] = defaultdict(list)
    for one in evaluations:
        lots[", ".join(filter(None, (one.data, one.protocol)))].append(one)
    for title, lot in lots.items():
        encoders = sorted({one.encoder for one in lot if one.encoder})
        if encoders:
            title += f"; encoder {', '.join(encoders)}"
        if wide:
            console.print(rich_table(lot, title, COLUMNS))
        else:
            console.print(rich_table(lot, title, NARROW, spread=False, intervals=("macro_f1",)))


_LEFT = ("data", "protocol", "encoder", "selection", "judge", "runs")


def _title(name: str) -> str:
    return Scores.model_fields[name].title or name


def _differs(summaries: Sequence[Summary], name: str) -> bool:
    return len({getattr(one, name) for one in summaries}) > 1


def _row(
    summary: Summary,
    named: Sequence[str],
    columns: Sequence[str],
    spread: bool,
    intervals: Sequence[str],
) -> tuple[str, ...]:
    runs = "pooled" if summary.pooled else str(summary.runs)
    cells = [*(getattr(summary, name) or "-" for name in named), summary.judge, runs]
    cells.append(f"{summary.pairs:,.0f}")
    for name in columns:
        figure = summary.figures.get(name)
        cells.append(_shown(name, figure, spread))
        if name in intervals:
            cells.append(_interval(name, figure))
    return tuple(cells)


def _shown(name: str, figure: Figure | None, spread: bool) -> str:
    if figure is None:
        return "-"
    if figure.deviation is None or name not in WITH_INTERVAL or not spread:
        return _number(name, figure.mean)
    return f"{_number(name, figure.mean)} ± {_number(name, figure.deviation)}"


def _interval(name: str, figure: Figure | None) -> str:
    if figure is None or figure.low is None or figure.high is None:
        return "-"
    return f"{_number(name, figure.low)}–{_number(name, figure.high)}"


def _number(name: str, value: float) -> str:
    return f"{value:.3f}" if name in FRACTIONS else f"{100 * value:.1f}"


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|")
