"""Logistic regressions on the features of an edit, and how they become part of a head.

Torch is imported where a head is changed only: the baselines do without it.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equimut.errors import DataError
from equimut.inputs.edit_features.surroundings import BUCKETS, hashed_edit_features, hashed_features
from equimut.inputs.subtokens import IntArray
from equimut.records import Pair

if TYPE_CHECKING:
    from torch import nn

    from equimut.models.detector import Detector

Floats = NDArray[np.float64]

STRENGTH = 1.0
"""The inverse of the regularisation, here and in the regressions among the baselines."""
SHIPPED_STRENGTH = 0.1
"""That of the detector that ships, chosen on held-out origins that calibrate."""


class Regression(NamedTuple):
    """Log-odds as a sum."""

    weights: Floats
    """[buckets] One for every feature."""
    constant: float


def fit_logistic(
    rows: Any, labels: Sequence[int], strength: float = STRENGTH, weights: Floats | None = None
) -> Any:
    """Scikit-learn's regression on a sparse matrix of features.

    Rows count as their weights say; without any, both labels count the same.
    """
    from sklearn.linear_model import LogisticRegression

    balance = "balanced" if weights is None else None
    # liblinear visits features in a random order: the seed makes it the same order each time.
    model = LogisticRegression(C=strength, class_weight=balance, solver="liblinear", random_state=0)
    return model.fit(narrow(rows), labels, sample_weight=weights)


def narrow(rows: Any) -> Any:
    """The sparse matrix with 32-bit indices: liblinear takes no others."""
    rows.indices, rows.indptr = rows.indices.astype(np.int32), rows.indptr.astype(np.int32)
    return rows


def regression(
    features: Sequence[IntArray],
    labels: Sequence[int],
    strength: float = STRENGTH,
    weights: Floats | None = None,
) -> Regression:
    """A logistic regression on hashed features."""
    from scipy.sparse import csr_matrix

    if len(set(labels)) < 2:
        raise DataError("features need pairs of both labels to learn from")
    ends = np.cumsum([0, *map(len, features)])
    flat = np.concatenate(features)
    rows = csr_matrix((np.ones(len(flat)), flat, ends), shape=(len(features), BUCKETS))
    model = fit_logistic(rows, labels, strength, weights)
    return Regression(np.asarray(model.coef_[0], np.float64), float(model.intercept_[0]))


def freeze_edit_features(detector: "Detector") -> None:
    """Train the network alone: the weights of the features become 0 and stay so."""
    import torch

    wide = _wide_part(detector)
    with torch.no_grad():
        wide.weight.zero_()
    wide.requires_grad_(False)


def add_edit_regressions(
    detector: "Detector", pairs: Sequence[Pair], temperature: float = 1.0
) -> None:
    """Average a trained network with two regressions on these pairs, in one head.

    The margin becomes the mean of three log-odds: the network's, those of a regression on the edit
    (the baseline `edit-lr`) and of one that sees its surroundings too (`surroundings-lr`). The
    network's are divided by its temperature first: one that is too sure would drown the others.
    """
    import torch

    head, wide = detector.head, _wide_part(detector)
    labels = [pair.label for pair in pairs]
    found = [
        regression([hashed(pair.origin, pair.mutant, pair.language) for pair in pairs], labels)
        for hashed in (hashed_edit_features, hashed_features)
    ]
    members = 1 + len(found)
    weights = sum(each.weights for each in found) / members
    half = sum(each.constant for each in found) / members / 2
    with torch.no_grad():
        head.out.weight.div_(members * temperature)
        head.out.bias.div_(members * temperature)
        head.out.bias.add_(torch.tensor([-half, half]).to(head.out.bias))
        wide.weight[:, 0] = torch.from_numpy(np.asarray(weights)).to(wide.weight)


def add_edit_features(
    detector: "Detector", train: Sequence[Pair], held_out: Sequence[Pair]
) -> tuple[float, float]:
    """Add one regression on `train` to a network, each with the share that fits best.

    The margin becomes `a * network + b * features`; a and b, never below 0, are fitted on pairs
    that neither was trained on, become part of the head, and are returned.
    """
    features = [hashed_features(pair.origin, pair.mutant, pair.language) for pair in train]
    fitted = regression(features, [pair.label for pair in train], SHIPPED_STRENGTH)
    return weigh_edit_features(detector, fitted.weights, held_out)


def weigh_edit_features(
    detector: "Detector", weights: Floats, pairs: Sequence[Pair]
) -> tuple[float, float]:
    """Give features these weights, and network and features the shares that fit these pairs."""
    import torch

    from equimut.models.scoring import score

    with torch.no_grad():
        _wide_part(detector).weight.zero_()
    encoded = detector.encode(pairs)
    deep = np.asarray(score(detector, encoded).margin, np.float64)
    sums = np.array([weights[pair.features].sum() for pair in encoded])
    network, features = shares(deep, sums, [pair.label for pair in encoded])
    share_out(detector, network, features * weights)
    return network, features


def shares(
    network: Floats, features: Floats, labels: Sequence[int] | NDArray[np.integer]
) -> tuple[float, float]:
    """What to multiply the log-odds of network and features by, so that labels are likeliest."""
    found = bounded_logistic(
        np.stack([network, features, np.ones_like(network)]),
        labels,
        start=(0.5, 0.5, 0.0),
        bounds=((0.0, 20.0), (0.0, 20.0), (None, None)),
    )
    return found[0], found[1]


def share_out(detector: "Detector", network: float, weights: Floats) -> None:
    """Multiply the network's part of the margin, and give features their weights."""
    import torch

    wide = _wide_part(detector)
    with torch.no_grad():
        detector.head.out.weight.mul_(network)
        detector.head.out.bias.mul_(network)
        wide.weight[:, 0] = torch.from_numpy(np.asarray(weights)).float()


def bounded_logistic(
    columns: Floats,
    labels: Sequence[int] | NDArray[np.integer],
    start: Sequence[float],
    bounds: Sequence[tuple[float | None, float | None]],
) -> list[float]:
    """Coefficients within bounds under which the labels are most likely; columns: [K, N].

    Scikit-learn's regressions know no bounds. The loss is convex, so there is one best point.
    """
    from scipy.optimize import minimize

    sign = np.where(np.asarray(labels) == 1, 1.0, -1.0)

    def loss(point: Floats) -> tuple[float, Floats]:
        towards = sign * (point @ columns)
        slope = -sign * np.exp(-np.logaddexp(0, towards))
        return float(np.logaddexp(0, -towards).mean()), (columns * slope).mean(axis=1)

    best = minimize(loss, np.array(start), jac=True, bounds=bounds, method="L-BFGS-B")
    return [float(value) for value in best.x]


def _wide_part(detector: "Detector") -> "nn.EmbeddingBag":
    if detector.head.wide is None:
        raise DataError("the detector has no place for features: set model.features = true")
    return detector.head.wide
