"""A detector among the judges."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
