"""The features' part of a detector that ships: a regression, then its share beside the network."""

from collections.abc import Sequence

import numpy as np
import torch

from equimut.errors import DataError
from equimut.evaluation.arrays import Floats, Integers
from equimut.inputs.edit_features.hashed import hashed_features
from equimut.models.detector import Detector
from equimut.models.scoring import score
from equimut.records import Pair
from equimut.training.wide import regression

STRENGTH = 0.1
"""The inverse of the regularisation, chosen on held-out origins that calibrate."""


def fit_wide(pairs: Sequence[Pair], strength: float = STRENGTH) -> Floats:
    """[buckets] A weight for every feature, by logistic regression on pairs."""
    features = [hashed_features(pair.origin, pair.mutant, pair.language) for pair in pairs]
    return regression(features, [pair.label for pair in pairs], strength).weights


def put_together(detector: Detector, weights: Floats, pairs: Sequence[Pair]) -> tuple[float, float]:
    """Give a network features, each with the share that explains held-out labels best.

    The margin becomes `a * network + b * features`; a and b, never below 0, are fitted on pairs
    that neither was trained on, and become part of the head.
    """
    wide = detector.head.wide
    if wide is None:
        raise DataError("the detector has no place for features")
    with torch.no_grad():
        wide.weight.zero_()
    encoded = detector.encode(pairs)
    logits = score(detector, encoded).logits.double().numpy()
    deep = logits[:, 1] - logits[:, 0]
    beside = np.array([weights[pair.features].sum() for pair in encoded])
    network, features = _shares(deep, beside, np.array([pair.label for pair in encoded]))
    with torch.no_grad():
        detector.head.out.weight.mul_(network)
        detector.head.out.bias.mul_(network)
        wide.weight[:, 0] = torch.from_numpy(features * weights).float()
    return network, features


def _shares(deep: Floats, beside: Floats, labels: Integers) -> tuple[float, float]:
    from scipy.optimize import minimize

    sign = np.where(labels == 1, 1.0, -1.0)
    columns = np.stack([deep, beside, np.ones_like(deep)])

    def loss(point: Floats) -> tuple[float, Floats]:
        towards = sign * (point @ columns)
        slope = -sign * np.exp(-np.logaddexp(0, towards))
        return float(np.logaddexp(0, -towards).mean()), (columns * slope).mean(axis=1)

    bounds = ((0.0, 20.0), (0.0, 20.0), (None, None))
    best = minimize(loss, np.array([0.5, 0.5, 0.0]), jac=True, bounds=bounds, method="L-BFGS-B")
    return float(best.x[0]), float(best.x[1])
