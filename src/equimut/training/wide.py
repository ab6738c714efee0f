"""Regressions on the features of edits, and how they get a place beside a network."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from equimut.errors import DataError, EquimutError
from equimut.evaluation.arrays import Floats
from equimut.inputs.edit_features.hashed import BUCKETS, hashed_edit_features, hashed_features
from equimut.inputs.encoded import IntArray
from equimut.models.detector import Detector
from equimut.records import Pair

STRENGTH = 1.0
"""The inverse of the regularisation: that of the regressions among the baselines."""


class Regression(NamedTuple):
    """Log-odds as a sum."""

    weights: Floats
    """[buckets] One for every feature."""
    constant: float


def regression(
    features: Sequence[IntArray], labels: Sequence[int], strength: float = STRENGTH
) -> Regression:
    """A logistic regression; both labels count the same."""
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import LogisticRegression

    if len(set(labels)) < 2:
        raise DataError("features need pairs of both labels to learn from")
    ends = np.cumsum([0, *map(len, features)])
    flat = np.concatenate(features)
    rows = csr_matrix((np.ones(len(flat)), flat, ends), shape=(len(features), BUCKETS))
    # liblinear takes 32-bit indices only
    rows.indices, rows.indptr = rows.indices.astype(np.int32), rows.indptr.astype(np.int32)
    model = LogisticRegression(
        C=strength, class_weight="balanced", solver="liblinear", random_state=0
    )
    model.fit(rows, labels)
    return Regression(np.asarray(model.coef_[0], np.float64), float(model.intercept_[0]))


def wait_for_regressions(detector: Detector) -> None:
    """Let the network learn alone: the weights of the features say nothing and stay as they are."""
    wide = _place_for_features(detector)
    with torch.no_grad():
        wide.weight.zero_()
    wide.requires_grad_(False)


def put_regressions_beside(
    detector: Detector, pairs: Sequence[Pair], temperature: float = 1.0
) -> None:
    """Make a trained network and two regressions on these pairs speak together, in one head.

    The margin becomes the mean of three log-odds: the network's, those of a regression on the edit
    (the baseline `edit-lr`) and of one that sees its surroundings too (`surroundings-lr`). The
    network's are divided by its temperature first: one that is too sure would drown the others.
    """
    head, wide = detector.head, _place_for_features(detector)
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


def _place_for_features(detector: Detector) -> nn.EmbeddingBag:
    if detector.head.wide is None:
        raise EquimutError("the detector has no place for features: set model.features = true")
    return detector.head.wide
