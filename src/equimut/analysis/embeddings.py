"""Embeddings of origins and mutants as a detector sees them, and their distances."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from equimut.errors import EquimutError
from equimut.evaluation.arrays import Floats, Integers
from equimut.inputs.cache import EncodingCache
from equimut.models.detector import Detector
from equimut.models.scoring import score
from equimut.records import Pair


@dataclass(frozen=True)
class EmbeddedPairs:
    """Pairs with the CLS embeddings of their two sides; row i of everything is one pair."""

    pairs: tuple[Pair, ...]
    origin: Floats
    """[N, hidden]."""
    mutant: Floats
    distance: Floats
    """[N] half cosine distance, the loss's own."""

    @property
    def label(self) -> Integers:
        """[N], 1 equivalent."""
        return np.array([pair.label for pair in self.pairs], dtype=np.int64)

    @property
    def class_id(self) -> Integers:
        """[N]."""
        return np.array([pair.class_id for pair in self.pairs], dtype=np.int64)

    def of_class(self, class_id: int) -> "EmbeddedPairs":
        """The mutants of one origin."""
        rows = np.flatnonzero(self.class_id == class_id)
        if not rows.size:
            raise EquimutError(
                f"no mutant of class {class_id} among {len(self.pairs)} rows; classes with both "
                f"labels: {', '.join(map(str, classes_with_both(self.pairs)[:8])) or 'none'}"
            )
        return EmbeddedPairs(
            tuple(self.pairs[row] for row in rows),
            self.origin[rows],
            self.mutant[rows],
            self.distance[rows],
        )

    @property
    def origin_moves(self) -> bool:
        """Whether the origin is read differently for different mutants: a window per edit."""
        return bool(np.abs(self.origin - self.origin[:1]).max() > 1e-5)


def embed_pairs(
    detector: Detector, pairs: Sequence[Pair], cache: EncodingCache | None = None
) -> EmbeddedPairs:
    """Embed all pairs; each distinct sequence passes the encoder once."""
    if not pairs:
        raise EquimutError("there are no pairs to embed")
    scored = score(detector, detector.encode(pairs, cache), keep_embeddings=True)
    assert scored.origin is not None
    assert scored.mutant is not None
    return EmbeddedPairs(
        tuple(pairs),
        scored.origin.astype(np.float64),
        scored.mutant.astype(np.float64),
        scored.distance.astype(np.float64),
    )


def classes_with_both(pairs: Sequence[Pair]) -> list[int]:
    """Classes with equivalents and others, those with the most of the rarer label first."""
    counts = Counter((pair.class_id, pair.label) for pair in pairs)
    smaller = {each: min(counts[each, 0], counts[each, 1]) for each, _ in counts}
    return sorted((each for each in smaller if smaller[each]), key=lambda each: -smaller[each])


def around_one_origin(group: EmbeddedPairs) -> Floats:
    """[1 + N, hidden]: the origin of a class at unit length, then its mutants.

    Where the origin is read anew for every mutant, each mutant keeps its displacement from its own
    reading of the origin, and the origin is the mean of all readings.
    """
    origin, mutant = (_unit(side) for side in (group.origin, group.mutant))
    centre = origin.mean(axis=0, keepdims=True)
    return np.concatenate([centre, mutant - origin + centre])


def _unit(rows: Floats) -> Floats:
    length: Floats = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.divide(rows, np.maximum(length, 1e-12))
