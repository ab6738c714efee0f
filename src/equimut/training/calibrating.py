"""From dev rows to a temperature and thresholds, in the form a detector keeps."""

from collections.abc import Sequence

from equimut.evaluation.calibration import (
    apply_temperature,
    fit_scale,
    fit_temperature,
    threshold_for_precision,
)
from equimut.models.scoring import Scored
from equimut.models.settings import Calibration, WishedPrecision

WISHES = (0.80, 0.90, 0.95, 0.99)
"""Precisions for which a calibrated detector keeps a threshold."""


def calibrate(
    scored: Scored, labels: Sequence[int], source: str, *, shifted: bool = False
) -> Calibration:
    """Fit a temperature and a threshold for each wished precision that can be reached.

    `shifted`: training rows held another share of equivalents, so an offset is fitted too.
    """
    margin = (scored.logits[:, 1] - scored.logits[:, 0]).double().numpy()
    temperature, offset = (
        fit_scale(margin, labels) if shifted else (fit_temperature(margin, labels), 0.0)
    )
    found = apply_temperature(margin, temperature, offset)
    chosen = [threshold_for_precision(labels, found, wish) for wish in WISHES]
    return Calibration(
        temperature=temperature,
        offset=offset,
        rows=len(labels),
        source=source,
        wished=tuple(
            WishedPrecision(
                precision=one.wished,
                threshold=one.value,
                achieved=one.precision,
                lower_bound=one.lower_bound,
                recall=one.recall,
                support=one.support,
            )
            for one in chosen
            if one is not None
        ),
    )
