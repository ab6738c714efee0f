"""A regression on the features of edits: what the wide part of a detector can begin with."""

from collections.abc import Sequence

import numpy as np
import torch

from equimut.errors import DataError, EquimutError
from equimut.evaluation.arrays import Floats
from equimut.inputs.encoded import EncodedPair, IntArray
from equimut.inputs.hashed_features import BUCKETS
from equimut.models.detector import Detector

STRENGTH = 1.0
"""The inverse of the regularisation: that of the regressions among the baselines."""


def feature_weights(
    features: Sequence[IntArray], labels: Sequence[int], strength: float = STRENGTH
) -> Floats:
    """[buckets] A weight for every feature, by logistic regression; both labels count the same."""
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
    return np.asarray(model.coef_[0], np.float64)


def begin_with_regression(detector: Detector, pairs: Sequence[EncodedPair]) -> None:
    """Put a regression on the training pairs into the wide part, before the network learns."""
    wide = detector.head.wide
    if wide is None:
        raise EquimutError(
            "model.wide_start = regression needs features: set model.features = true too"
        )
    weights = feature_weights([pair.features for pair in pairs], [pair.label for pair in pairs])
    with torch.no_grad():
        wide.weight[:, 0] = torch.from_numpy(weights).float()
