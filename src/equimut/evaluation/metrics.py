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

from equimut.evaluation.arrays import Floats, Integers, Labels, Probabilities, checked
from equimut.evaluation.calibration import reliability
from equimut.records import Record

PRECISIONS = {
    "recall_at_precision_90": 0.90,
    "recall_at_precision_95": 0.95,
    "recall_at_precision_99": 0.99,
}
"""Fields of `Scores` and the precision each of them asks for."""


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
    from sklearn import metrics  # loading it takes a second, and a look at a record needs none

    known, found = checked(labels, probabilities)
    guesses = (found >= threshold).astype(np.int64)
    (tn, fp), (fn, tp) = metrics.confusion_matrix(known, guesses, labels=[0, 1]).tolist()
    # One line per label: precision, recall and F1 of "not equivalent" and of "equivalent".
    per_label = metrics.precision_recall_fscore_support(
        known, guesses, labels=[0, 1], zero_division=0.0
    )
    precision, recall, f1 = (metric.tolist() for metric in per_label[:3])
    one_sided = 0 in (tn + fp, fn + tp, tn + fn, fp + tp)
    return Scores(
        macro_precision=sum(precision) / 2,
        macro_recall=sum(recall) / 2,
        macro_f1=sum(f1) / 2,
        equivalent_precision=precision[1],
        equivalent_recall=recall[1],
        equivalent_f1=f1[1],
        accuracy=(tn + tp) / len(known),
        mcc=0.0 if one_sided else float(metrics.matthews_corrcoef(known, guesses)),
        **ranking_metrics(known, found),
        brier=float(np.mean((found - known) ** 2)),
        calibration_error=calibration_error(known, found),
        confusion=Confusion(tn=tn, fp=fp, fn=fn, tp=tp),
        count=len(known),
        base_rate=float(known.mean()),
        threshold=threshold,
    )


def ranking_metrics(labels: Integers, probabilities: Floats) -> dict[str, float | None]:
    """Average precision, and the recall at each precision of `PRECISIONS`: no threshold needed."""
    from sklearn.metrics import precision_recall_curve

    if not labels.any():
        return dict.fromkeys(("average_precision", *PRECISIONS))
    precision, recall, _ = precision_recall_curve(labels, probabilities)
    # The curve ends in (precision 1, recall 0), which no threshold gives: it is the answer "none".
    return {
        "average_precision": float(-np.sum(np.diff(recall) * precision[:-1])),
        **{name: float(recall[precision >= target].max()) for name, target in PRECISIONS.items()},
    }


def calibration_error(labels: Labels, probabilities: Probabilities) -> float:
    """Mean distance of probability and observed rate over bins, weighed by their rows."""
    filled = reliability(labels, probabilities)
    rows = sum(one.count for one in filled)
    return sum(one.count * abs(one.mean_probability - one.observed_rate) for one in filled) / rows
