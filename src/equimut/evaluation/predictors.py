"""Predictors: what each of them can do, and a detector as one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from equimut.data.labelled import content_digest
from equimut.evaluation.arrays import Floats
from equimut.records import Pair

if TYPE_CHECKING:  # baselines need no torch
    from equimut.inputs.cache import EncodingCache
    from equimut.models.detector import Detector


class Predictor(Protocol):
    """Predicts how probable it is that a pair is equivalent."""

    @property
    def name(self) -> str:
        """Its name in tables."""

    def probabilities(self, pairs: Sequence[Pair]) -> Floats:
        """P(equivalent) of each pair, in order. Never reads their labels."""


class TrainablePredictor(Predictor, Protocol):
    """Learns from labelled pairs, then predicts."""

    def fit(self, pairs: Sequence[Pair]) -> None:
        """Learn from pairs with labels; forgets what was learnt before."""


@dataclass(frozen=True)
class DetectorPredictor:
    """A trained detector: predicts every pair, also where the edit is cut off."""

    detector: Detector
    name: str
    progress: Callable[[int], None] | None = None
    cache: EncodingCache | None = None

    def probabilities(self, pairs: Sequence[Pair]) -> Floats:
        """P(equivalent) of each pair, in order."""
        from equimut.models.judging import probabilities
        from equimut.models.scoring import score

        encoded = self.detector.encode(pairs, self.cache)
        scored = score(self.detector, encoded, progress=self.progress)
        return probabilities(self.detector, scored, pairs)


class ZeroShot:
    """A detector as it is among predictors that learn: `fit` changes nothing.

    Its prediction of a pair does not depend on the split, so each pair is scored once.
    """

    def __init__(self, predictor: DetectorPredictor) -> None:
        self.name = predictor.name
        self._predictor = predictor
        self._known: dict[str, float] = {}

    def fit(self, pairs: Sequence[Pair]) -> None:
        """Nothing."""

    def probabilities(self, pairs: Sequence[Pair]) -> Floats:
        """P(equivalent) of each pair, in order."""
        keys = [content_digest(pair) for pair in pairs]
        new = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in self._known}
        if new:
            found = self._predictor.probabilities(list(new.values())).tolist()
            self._known |= dict(zip(new, found, strict=True))
        return np.array([self._known[key] for key in keys])
