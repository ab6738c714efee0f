"""The weights of the edit's features, fitted on the benchmark and on projects together.

The network stays as it is. A stack must be fitted on margins of rows that the weights have not
seen, as in a scan they will not have, so the projects are cut into folds and each fold gets the
margins of weights that were fitted on the others.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np

from equimut.inputs.edit_features.surroundings import hashed_features
from equimut.inputs.subtokens import IntArray
from equimut.models.edit_regression import SHIPPED_STRENGTH, regression
from equimut.mutation.identity import draw
from equimut.pretraining.labels.records import LabelledPair
from equimut.pretraining.stacking.rows import Floats
from equimut.records import Pair

FOLDS = 5


@dataclass(frozen=True)
class Table:
    """The weight of each feature, and what rows weigh that are not known to it."""

    weights: Floats
    """[buckets]"""
    unseen: Floats
    """[N] Of the rows it was fitted on, each by weights that had not seen its project."""


def sums(weights: Floats, features: Sequence[IntArray]) -> Floats:
    """[N] What the features of each row weigh together."""
    return np.array([weights[each].sum() for each in features])


def features_of(pairs: Sequence[Pair]) -> list[IntArray]:
    """The buckets of every pair."""
    return [hashed_features(pair.origin, pair.mutant, pair.language) for pair in pairs]


def fit_table(
    benchmark: Sequence[Pair], wild: Sequence[LabelledPair], strength: float = SHIPPED_STRENGTH
) -> Table:
    """Weights from both kinds of rows."""
    pairs = [*benchmark, *wild]
    features, labels = features_of(pairs), [pair.label for pair in pairs]
    weights = _weights(benchmark, wild)
    folds = np.array([_fold(pair.project) for pair in wild])
    unseen = np.zeros(len(wild))
    for fold in sorted(set(folds.tolist())):
        keep = np.concatenate([np.ones(len(benchmark), np.bool_), folds != fold])
        fitted = regression(
            list(compress(features, keep)), list(compress(labels, keep)), strength, weights[keep]
        )
        for place in np.flatnonzero(folds == fold):
            unseen[place] = fitted.weights[features[len(benchmark) + place]].sum()
    return Table(regression(features, labels, strength, weights).weights, unseen)


def _weights(benchmark: Sequence[Pair], wild: Sequence[LabelledPair]) -> Floats:
    """[N] Both kinds of rows, and both labels, count the same in each language; N in all."""
    keys = [
        *(("benchmark", pair.language, pair.label) for pair in benchmark),
        *(("wild", pair.language, pair.label) for pair in wild),
    ]
    believed = np.array([1.0] * len(benchmark) + [pair.weight for pair in wild])
    total: Counter[tuple[str, str, int]] = Counter()
    rows: Counter[str] = Counter()
    for key, weight in zip(keys, believed, strict=True):
        total[key] += weight
        rows[key[1]] += 1
    kinds = Counter(language for _, language, _ in total)
    shares = [rows[key[1]] / kinds[key[1]] / total[key] for key in keys]
    return np.asarray(believed * np.array(shares))


def _fold(project: str) -> int:
    return int.from_bytes(draw(project, 0), "big") % FOLDS
