"""Evaluations as tables: one row per predictor and setting, over all its seeds and folds."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from equimut.evaluation.arrays import Floats
from equimut.evaluation.evaluation import Evaluation
from equimut.evaluation.metrics import METRICS, Scores
from equimut.records import Record

if TYPE_CHECKING:
    import rich.console

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
"""What a table shows by default; files hold every metric."""
NARROW = ("macro_precision", "macro_recall", "macro_f1", "average_precision")
"""What fits into a terminal of 80 characters."""
WIDE = 150
"""Characters that a terminal needs for all of `COLUMNS`."""
WITH_INTERVAL = ("macro_f1", "average_precision")
"""Shown with deviation over runs and interval; the others would only make the table wider."""
FRACTIONS = ("mcc", "average_precision", "brier", "calibration_error")
"""Shown as they are; every other metric in percent, as the paper does."""


LEVEL = 0.95


class MetricSummary(Record):
    """One metric over the runs of a summary."""

    mean: float
    deviation: float | None
    """Sample standard deviation over runs; None for a single run."""
    low: float | None
    high: float | None
    interval_over: Literal["origins", "runs"]
    """A single run has the bootstrap interval over its origins, several have Student's interval of
    their mean. The latter is rough: folds share training pairs."""


class Summary(Record):
    """A predictor in one setting, over all its runs."""

    data: str
    protocol: str
    selection: str
    encoder: str
    predictor: str
    pooled: bool
    """The predictions of all folds together, measured once."""
    runs: int
    pairs: float
    """Predicted pairs, mean over runs."""
    metrics: Mapping[str, MetricSummary]
    """By metric; a metric that is undefined in every run is left out."""


def summarise(evaluations: Sequence[Evaluation]) -> tuple[Summary, ...]:
    """One summary per predictor and setting, in the order of their first evaluation."""
    groups: defaultdict[tuple[str, str, str, str, str, bool], list[Evaluation]] = defaultdict(list)
    for one in evaluations:
        key = (one.data, one.protocol, one.selection, one.encoder, one.predictor, one.fold is None)
        groups[key].append(one)
    return tuple(_summary(group) for group in groups.values())


def _summary(runs: Sequence[Evaluation]) -> Summary:
    first = runs[0]
    metrics = {name: _over(name, runs) for name in METRICS}
    return Summary(
        data=first.data,
        protocol=first.protocol,
        selection=first.selection,
        encoder=first.encoder,
        predictor=first.predictor,
        pooled=first.fold is None,
        runs=len(runs),
        pairs=sum(one.count for one in runs) / len(runs),
        metrics={name: found for name, found in metrics.items() if found is not None},
    )


def _over(name: str, runs: Sequence[Evaluation]) -> MetricSummary | None:
    found = [getattr(one.scores, name) for one in runs]
    values = np.array([value for value in found if value is not None])
    if not values.size:
        return None
    if values.size > 1:
        return over_runs(values, lowest=-1.0 if name == "mcc" else 0.0)
    interval = runs[0].intervals.get(name) if len(runs) == 1 else None
    return MetricSummary(
        mean=float(values[0]),
        deviation=None,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        interval_over="origins",
    )


def over_runs(values: Floats, lowest: float) -> MetricSummary:
    """Mean, deviation and Student's interval of at least two runs' values, of at most 1."""
    from scipy.stats import t

    mean, deviation = float(values.mean()), float(values.std(ddof=1))
    reach = float(t.ppf((1 + LEVEL) / 2, values.size - 1)) * deviation / np.sqrt(values.size)
    return MetricSummary(
        mean=mean,
        deviation=deviation,
        low=max(float(mean - reach), lowest),  # Student does not know that metrics have bounds
        high=min(float(mean + reach), 1.0),
        interval_over="runs",
    )


class TableText(NamedTuple):
    """A table as text: titles, and rows of as many cells."""

    titles: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def table_text(evaluations: Sequence[Evaluation], narrow: bool = False) -> TableText:
    """One row per predictor and setting; settings that are the same in all rows get no column.

    Baselines have no encoder, and count as having any. A narrow table has fewer columns, and no
    deviations over runs.
    """
    summaries = summarise(evaluations)
    named = [name for name in ("data", "protocol") if _differs(summaries, name)]
    named += ["encoder"] if _differs([one for one in summaries if one.encoder], "encoder") else []
    # How the best state was chosen is always shown where anything was chosen.
    if any(one.selection != "none" for one in summaries):
        named.append("selection")
    titles = [*named, "predictor", "runs", "pairs"]
    for name in NARROW if narrow else COLUMNS:
        titles.append(Scores.model_fields[name].title or name)
        titles += ["95 %"] * (name in _intervals(narrow))
    return TableText(tuple(titles), tuple(_row(one, named, narrow) for one in summaries))


def markdown_table(evaluations: Sequence[Evaluation]) -> str:
    """A Markdown table, with a line break at its end."""
    text = table_text(evaluations)
    rule = ["---" if title in _LEFT else "---:" for title in text.titles]
    lines = [text.titles, rule, *text.rows]
    escaped = ([cell.replace("|", "\\|") for cell in line] for line in lines)
    return "".join("| " + " | ".join(line) + " |\n" for line in escaped)


def print_tables(evaluations: Sequence[Evaluation], console: "rich.console.Console") -> None:
    """A table per dataset and protocol, with as many columns as the terminal has room for."""
    from rich.box import SIMPLE_HEAD
    from rich.markup import escape
    from rich.table import Table

    groups: defaultdict[str, list[Evaluation]] = defaultdict(list)
    for one in evaluations:
        groups[", ".join(filter(None, (one.data, one.protocol)))].append(one)
    for title, group in groups.items():
        encoders = sorted({one.encoder for one in group if one.encoder})
        if encoders:
            title += f"; encoder {', '.join(encoders)}"
        text = table_text(group, narrow=console.width < WIDE)
        table = Table(title=escape(title) or None, box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
        for name in text.titles:
            justify: Literal["left", "right"] = "left" if name in _LEFT else "right"
            table.add_column(escape(name), justify=justify, overflow="fold")  # never cut a number
        for row in text.rows:
            table.add_row(*map(escape, row))
        console.print(table)


_LEFT = ("data", "protocol", "encoder", "selection", "predictor", "runs")


def _differs(summaries: Sequence[Summary], name: str) -> bool:
    return len({getattr(one, name) for one in summaries}) > 1


def _intervals(narrow: bool) -> Sequence[str]:
    return WITH_INTERVAL[:1] if narrow else WITH_INTERVAL


def _row(summary: Summary, named: Sequence[str], narrow: bool) -> tuple[str, ...]:
    runs = "pooled" if summary.pooled else str(summary.runs)
    cells = [*(getattr(summary, name) or "-" for name in named), summary.predictor, runs]
    cells.append(f"{summary.pairs:,.0f}")
    for name in NARROW if narrow else COLUMNS:
        found = summary.metrics.get(name)
        cells.append(_mean(name, found, spread=name in WITH_INTERVAL and not narrow))
        if name in _intervals(narrow):
            cells.append(_interval(name, found))
    return tuple(cells)


def _mean(name: str, found: MetricSummary | None, spread: bool) -> str:
    if found is None:
        return "-"
    deviation = found.deviation if spread else None
    after = "" if deviation is None else f" ± {_number(name, deviation)}"
    return _number(name, found.mean) + after


def _interval(name: str, found: MetricSummary | None) -> str:
    if found is None or found.low is None or found.high is None:
        return "-"
    return f"{_number(name, found.low)}–{_number(name, found.high)}"


def _number(name: str, value: float) -> str:
    return f"{value:.3f}" if name in FRACTIONS else f"{100 * value:.1f}"
