"""A detector among the judges."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from equimut.data.pairs import content_digest
from equimut.inputs.cache import EncodingCache
from equimut.models.detector import Detector
from equimut.models.judging import probabilities
from equimut.models.scoring import score
from equimut.records import Pair


@dataclass(frozen=True)
class DetectorJudge:
    """A trained detector as a `Speaker`: it says what it thinks of pairs, edits cut off or not."""

    detector: Detector
    name: str
    progress: Callable[[int], None] | None = None
    cache: EncodingCache | None = None

    def probabilities(self, pairs: Sequence[Pair]) -> NDArray[np.float64]:
        """P(equivalent) of each pair, in order."""
        scored = score(
            self.detector, self.detector.encode(pairs, self.cache), progress=self.progress
        )
        return np.asarray(probabilities(self.detector, scored.logits).numpy(), dtype=np.float64)


class ZeroShot:
    """A detector as it is among judges that learn: it learns nothing, whatever it is shown.

    What it says of a pair does not depend on the split, so it is asked once.
    """

    def __init__(self, judge: DetectorJudge) -> None:
        self.name = judge.name
        self._judge = judge
        self._said: dict[str, float] = {}

    def fit(self, pairs: Sequence[Pair]) -> None:
        """Nothing."""

    def probabilities(self, pairs: Sequence[Pair]) -> NDArray[np.float64]:
        """P(equivalent) of each pair, in order."""
        names = [content_digest(pair) for pair in pairs]
        new = {
            name: pair for name, pair in zip(names, pairs, strict=True) if name not in self._said
        }
        if new:
            found = self._judge.probabilities(list(new.values())).tolist()
            self._said |= dict(zip(new, found, strict=True))
        return np.array([self._said[name] for name in names])
