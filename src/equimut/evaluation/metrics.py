"""The metrics of a predictor, from labels and probabilities of being equivalent.

Degenerate cases, the same in every function of this room:

- Precision, recall and F1 without anything to divide by are 0, as in the paper's macro average.
- MCC is 0 when labels or guesses are all alike.
- Average precision and recall at a precision are None without an equivalent pair. A precision that
  no threshold reaches has recall 0.
"""

from typing import Annotated

import numpy as np
from pydantic import Field

from equimut.evaluation.arrays import Labels, Probabilities, checked
from equimut.evaluation.weighted import WEIGHTED, WeightedRows
from equimut.records import Record


class Confusion(Record):
    """How guesses and labels meet; positive means equivalent."""

    tn: int
    fp: int
    fn: int
    tp: int


class Scores(Record):
    """All metrics of one predictor on one set of pairs. The titles are those of tables."""

    macro_precision: Annotated[float, Field(title="P")]
    """Mean over both labels, as macro recall and macro-F1: the paper's metrics."""
    macro_recall: Annotated[float, Field(title="R")]
    macro_f1: Annotated[float, Field(title="F1")]
    equivalent_precision: Annotated[float, Field(title="eq. P")]
    """Of the equivalent label alone, as recall and F1 below."""
    equivalent_recall: Annotated[float, Field(title="eq. R")]
    equivalent_f1: Annotated[float, Field(title="eq. F1")]
    accuracy: Annotated[float, Field(title="acc.")]
    mcc: Annotated[float, Field(title="MCC")]
    """Matthews' correlation coefficient."""
    average_precision: Annotated[float | None, Field(title="AP")]
    recall_at_precision_90: Annotated[float | None, Field(title="R@P90")]
    """The highest recall of any threshold with that precision on these very pairs."""
    recall_at_precision_95: Annotated[float | None, Field(title="R@P95")]
    recall_at_precision_99: Annotated[float | None, Field(title="R@P99")]
    brier: Annotated[float, Field(title="Brier")]
    """Mean squared difference of probability and label."""
    calibration_error: Annotated[float, Field(title="ECE")]
    """Expected calibration error over ten bins of equal width."""
    confusion: Annotated[Confusion, Field(title="confusion")]
    count: Annotated[int, Field(title="pairs")]
    base_rate: Annotated[float, Field(title="base rate")]
    """Share of the equivalent."""
    threshold: Annotated[float, Field(title="threshold")]


METRICS: tuple[str, ...] = tuple(
    name
    for name in Scores.model_fields
    if name not in ("confusion", "count", "base_rate", "threshold")
)
"""The fields of `Scores` that measure a predictor."""


def score(labels: Labels, probabilities: Probabilities, threshold: float = 0.5) -> Scores:
    """Measure probabilities against labels; a pair is called equivalent from `threshold` on."""
    known, found = checked(labels, probabilities)
    rows = WeightedRows(known, found, threshold, np.ones((1, len(known))))
    measured = {name: float(WEIGHTED[name](rows)[0]) for name in METRICS}
    tn, fp, fn, tp = (int(counts[0]) for counts in rows.counts)
    return Scores.model_validate(
        {
            **{name: None if np.isnan(value) else value for name, value in measured.items()},
            "confusion": Confusion(tn=tn, fp=fp, fn=fn, tp=tp),
            "count": len(known),
            "base_rate": float(known.mean()),
            "threshold": threshold,
        }
    )
