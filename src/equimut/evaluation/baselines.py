"""Baselines that every model is compared with. All of them are deterministic.

| name | what it knows |
|---|---|
| `origin-majority` | the labels of the origin's other mutants; never reads the mutant |
| `line-operator` | also which lines and which operator the labels belong to |
| `edit-lr` | logistic regression on the edit and the tokens around it |
| `surroundings-lr` | the same, and what the rest of the function does with the edited names |
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from sys import intern
from typing import Any

import numpy as np

from equimut.errors import DataError
from equimut.evaluation.arrays import Floats
from equimut.evaluation.predictors import TrainablePredictor
from equimut.inputs.edit_features.edit import edit_features
from equimut.inputs.edit_features.surroundings import surrounding_features
from equimut.models.edit_regression import STRENGTH, fit_logistic, narrow
from equimut.parsing.text_diff import changed_lines
from equimut.records import Pair, Query


class LookUp:
    """The majority label of training pairs that share a key, from the widest key to the closest.

    Each level counts its own pairs and, as one pair more, the prediction of the level above. So a
    majority decides, a tie and a key never seen are left to the level above, and the more pairs
    agree, the closer to 0 or 1. The widest level, all pairs, starts from "not equivalent".
    """

    def __init__(self, name: str, keys: Callable[[Pair], Sequence[Hashable]]) -> None:
        self.name = name
        self._keys = keys
        self._seen: dict[Hashable, tuple[int, int]] = {}

    def fit(self, pairs: Sequence[Pair]) -> None:
        """Count the labels of every key."""
        if not pairs:
            raise DataError(f"{self.name} has no training pair to learn from")
        counts: defaultdict[Hashable, list[int]] = defaultdict(lambda: [0, 0])
        for pair in pairs:
            for key in ((), *self._keys(pair)):
                counts[key][pair.label] += 1
        self._seen = {key: (other, equivalent) for key, (other, equivalent) in counts.items()}

    def probabilities(self, pairs: Sequence[Pair]) -> Floats:
        """P(equivalent) of each pair."""
        if not self._seen:
            raise DataError(f"{self.name} has not been fitted; call `fit` first")
        return np.array([self._probability(pair) for pair in pairs], dtype=np.float64)

    def _probability(self, pair: Pair) -> float:
        probability = 0.0
        for key in ((), *self._keys(pair)):
            other, equivalent = self._seen.get(key, (0, 0))
            probability = (equivalent + probability) / (other + equivalent + 1)
        return probability


def origin_key(pair: Pair) -> Hashable:
    """An origin is its text: class ids are not known for pairs that come from a report."""
    return pair.language, pair.origin


def origin_keys(pair: Pair) -> tuple[Hashable, ...]:
    """The key of `origin-majority`."""
    return (origin_key(pair),)


def line_operator_keys(pair: Pair) -> tuple[Hashable, ...]:
    """The keys of `line-operator`: origin, then changed lines, then also the operators.

    Pairs without operators share the key of their lines, so they are looked up by line.
    """
    origin = origin_key(pair)
    lines = changed_lines(pair.origin, pair.mutant)
    return origin, (origin, lines), (origin, lines, pair.operators)


class EditRegression:
    """Logistic regression on the features of the edit.

    Both labels weigh the same in the fit, since macro-F1 weighs them the same; probabilities are
    therefore higher than the share of the equivalent.
    """

    name = "edit-lr"

    def __init__(self, strength: float = STRENGTH) -> None:
        self.strength = strength
        """The inverse of the regularisation."""
        self._vectorizer: Any = None
        self._model: Any = None

    def features(self, pair: Pair) -> dict[str, float]:
        """What is known of a pair."""
        return dict.fromkeys(_names(edit_features, _texts(pair)), 1.0)

    def fit(self, pairs: Sequence[Pair]) -> None:
        """Learn a weight per feature."""
        from sklearn.feature_extraction import DictVectorizer

        labels = [pair.label for pair in pairs]
        if len(set(labels)) < 2:
            raise DataError(
                f"{self.name} needs training pairs of both labels, and all {len(pairs)} are alike"
            )
        self._vectorizer = DictVectorizer()
        features = self._vectorizer.fit_transform(map(self.features, pairs))
        self._model = fit_logistic(features, labels, self.strength)

    def probabilities(self, pairs: Sequence[Pair]) -> Floats:
        """P(equivalent) of each pair."""
        if self._model is None:
            raise DataError(f"{self.name} has not been fitted; call `fit` first")
        if not pairs:
            return np.empty(0)
        features = self._vectorizer.transform(map(self.features, pairs))
        return np.asarray(self._model.predict_proba(narrow(features))[:, 1])

    def weights(self) -> dict[str, float]:
        """The weight of every feature, the strongest first; above 0 means equivalent."""
        if self._model is None:
            raise DataError(f"{self.name} has not been fitted; call `fit` first")
        found = zip(self._vectorizer.feature_names_, self._model.coef_[0].tolist(), strict=True)
        return dict(sorted(found, key=lambda item: (-abs(item[1]), item[0])))


class SurroundingsRegression(EditRegression):
    """The same with what the rest of the function does with the edited names.

    A detector can have these features in addition to its network: this baseline shows what they
    reach without it.
    """

    name = "surroundings-lr"

    def features(self, pair: Pair) -> dict[str, float]:
        """What is known of a pair and its function."""
        more = _names(surrounding_features, _texts(pair))
        return super().features(pair) | dict.fromkeys(more, 1.0)


@lru_cache(maxsize=8192)  # every fold has the same pairs again
def _names(features: Callable[[Query], dict[str, float]], texts: Query) -> tuple[str, ...]:
    """The names of a pair's features, all of which are 1. Most names occur in many pairs."""
    return tuple(intern(name) for name in features(texts))


def _texts(pair: Pair) -> Query:
    return Query(origin=pair.origin, mutant=pair.mutant, language=pair.language)


BASELINES: Mapping[str, Callable[[], TrainablePredictor]] = {
    "origin-majority": lambda: LookUp("origin-majority", origin_keys),
    "line-operator": lambda: LookUp("line-operator", line_operator_keys),
    "edit-lr": EditRegression,
    "surroundings-lr": SurroundingsRegression,
}
"""The baselines by name, each made anew by calling it."""
