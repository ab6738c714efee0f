"""Rows of a table of results: ours with spread, the published figure beside it."""

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from equimut.evaluation.evaluation import Evaluation
from equimut.evaluation.intervals import Interval
from equimut.evaluation.summaries import Figure, over_runs
from equimut.records import Record
from equimut.study.contrasts import COMMITTEES
from equimut.study.matrix import Matrix
from equimut.study.published import BEST, MAIN_DATA, TRIPLET_F1, Figures
from equimut.study.tried import Tried

Kind = Literal["model", "baseline", "published"]
LOSS_NAMES = {"cpl": "cluster purge", "contrastive": "contrastive", "base": "cross-entropy alone"}
COMMITTEE = COMMITTEES + "of "
"""Before the name of a loss: its network together with the regressions on the edit."""
LARGER_COMMITTEE = COMMITTEES + "with the shipped detector of "
"""The same and the detector that ships, which has learnt from other code."""


class ResultRow(Record):
    """One row; figures in per cent, None where there is none."""

    name: str
    kind: Kind
    runs: int
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    deviation: float | None = None
    """Of F1 over runs."""
    low: float | None = None
    high: float | None = None
    """The 95 % interval of F1: over runs, or of a single run over resampled origins."""
    average_precision: float | None = None
    published: Figures | None = None
    note: str = ""


def of_runs(
    name: str,
    evaluations: Sequence[Evaluation],
    kind: Kind = "model",
    published: Figures | None = None,
    note: str = "",
) -> ResultRow:
    """Means over runs; a single run has the interval over its origins."""
    if not evaluations:
        return ResultRow(name=name, kind=kind, runs=0, published=published, note=note or "not run")
    scores = [one.scores for one in evaluations]
    f1 = [100 * one.macro_f1 for one in scores]
    ordered = [one.average_precision for one in scores if one.average_precision is not None]
    interval: Interval | Figure | None = evaluations[0].intervals.get("macro_f1")
    if len(scores) > 1:
        interval = over_runs(np.array(f1) / 100, lowest=0.0)
    return ResultRow(
        name=name,
        kind=kind,
        runs=len(scores),
        precision=100 * float(np.mean([one.macro_precision for one in scores])),
        recall=100 * float(np.mean([one.macro_recall for one in scores])),
        f1=float(np.mean(f1)),
        deviation=float(np.std(f1, ddof=1)) if len(f1) > 1 else None,
        low=_percent(interval.low if interval else None),
        high=_percent(interval.high if interval else None),
        average_precision=float(np.mean(ordered)) if ordered else None,
        published=published,
        note=note,
    )


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def best_of_grid(data: str, loss: str, found: Matrix | None) -> ResultRow:
    """The best cell, chosen on the test rows: the published way."""
    published = BEST[data].get(loss)
    name = f"{LOSS_NAMES[loss]}, best cell of its grid"
    if found is None:
        return ResultRow(name=name, kind="model", runs=0, published=published, note="not run")
    cell = found.best
    return ResultRow(
        name=name,
        kind="model",
        runs=len(found.cells),
        precision=cell.precision,
        recall=cell.recall,
        f1=cell.f1,
        published=published,
        note=f"chosen on the test rows; weight {cell.weight:g}, margin {cell.margin:g}",
    )


def main_table(
    data: str,
    matrices: dict[str, Matrix | None],
    base: Sequence[Tried],
    triplet: Sequence[Tried],
    seeds: dict[str, Sequence[Tried]],
    committees: Mapping[str, Mapping[str, Sequence[Tried]]],
    baselines: Sequence[Evaluation],
) -> tuple[ResultRow, ...]:
    """The table of one data set under the paper's protocol; committees by what stands before."""
    rows = [best_of_grid(data, loss, matrices.get(loss)) for loss in ("cpl", "contrastive")]
    rows.append(
        of_runs(
            "cross-entropy alone, as the grids",
            [each.evaluation for each in base],
            published=BEST[data]["base"],
        )
    )
    if data == MAIN_DATA:
        rows.append(
            ResultRow(
                name="cross-entropy alone, as first published (10 epochs)",
                kind="published",
                runs=0,
                published=BEST[data]["base-tian"],
            )
        )
        best = max(triplet, key=lambda each: each.f1, default=None)
        note = f"best of {len(triplet)}; published: no higher than {TRIPLET_F1}"
        rows.append(of_runs("triplet", [best.evaluation] if best else [], note=note))
    for before, lots in {"": seeds, **committees}.items():
        for loss, name in LOSS_NAMES.items():
            found = [each.evaluation for each in lots.get(loss, ())]
            rows.append(of_runs(f"{before}{name}, epoch chosen on training data", found))
    rows += [of_runs(one.judge, [one], "baseline") for one in baselines]
    return tuple(rows)
