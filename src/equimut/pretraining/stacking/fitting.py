"""Fits a stack: a regression, or boosted trees, by scikit-learn; the result is plain numbers."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from equimut.errors import DataError
from equimut.models.stacking import LEAF, Stack, Tree
from equimut.pretraining.stacking.rows import Floats, Stackable, names_of

STRENGTH = 0.3
"""The inverse of the regression's regularisation, on columns of variance 1."""
TREES = {
    "max_iter": 120, "learning_rate": 0.06, "max_leaf_nodes": 8, "min_samples_leaf": 25,
    "l2_regularization": 5.0, "early_stopping": False, "random_state": 0,
}  # fmt: skip
"""Few and small ones: rows of a few hundred projects know no more."""

Fit = Callable[[Stackable, Floats], Stack]


def fit_linear(rows: Stackable, weights: Floats) -> Stack:
    """A logistic regression; columns are scaled for it, and the scale goes into the weights."""
    from sklearn.linear_model import LogisticRegression

    names = _checked_names(rows)
    matrix = _matrix(names, rows)
    spread = matrix.std(axis=0)
    scale = np.where(spread > 1e-6, spread, 1.0)  # a constant column has some noise
    model = LogisticRegression(C=STRENGTH, max_iter=2_000)
    model.fit(matrix / scale, rows.labels, sample_weight=weights)
    found = model.coef_[0] / scale
    return Stack(
        names=names,
        constant=float(model.intercept_[0]),
        weights=tuple(round(float(each), 6) for each in found),
    )


def fit_trees(rows: Stackable, weights: Floats) -> Stack:
    """Gradient-boosted trees on histograms, exported node by node."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    names = _checked_names(rows)
    model = HistGradientBoostingClassifier(**TREES)
    model.fit(_matrix(names, rows), rows.labels, sample_weight=weights)
    return Stack(
        names=names,
        constant=float(np.ravel(model._baseline_prediction)[0]),
        weights=(0.0,) * len(names),
        trees=tuple(_tree(each.nodes) for (each,) in model._predictors),
    )


FITS: Mapping[str, Fit] = MappingProxyType({"linear": fit_linear, "trees": fit_trees})
"""By name: what was tried."""


def _checked_names(rows: Stackable) -> tuple[str, ...]:
    if len(set(rows.labels.tolist())) < 2:
        raise DataError("a stack needs rows of both labels; build more labels")
    return names_of(rows.features)


def _matrix(names: tuple[str, ...], rows: Stackable) -> Floats:
    empty = Stack(names=names, constant=0.0, weights=(0.0,) * len(names))
    return empty.matrix(rows.features)


def _tree(nodes: "np.ndarray[tuple[int], np.dtype[np.void]]") -> Tree:
    leaf = nodes["is_leaf"].astype(bool)
    return Tree(
        feature=tuple(np.where(leaf, LEAF, nodes["feature_idx"]).tolist()),
        threshold=tuple(np.where(leaf, 0.0, nodes["num_threshold"]).tolist()),
        left=tuple(np.where(leaf, 0, nodes["left"]).tolist()),
        right=tuple(np.where(leaf, 0, nodes["right"]).tolist()),
        value=tuple(np.where(leaf, nodes["value"], 0.0).round(6).tolist()),
    )
