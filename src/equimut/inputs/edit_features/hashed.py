"""Named features as numbers of buckets: a table of fixed size for features without end."""

from collections.abc import Iterable
from zlib import crc32

import numpy as np

from equimut.inputs.edit_features.edit import Texts, edit_features
from equimut.inputs.edit_features.surroundings import surrounding_features
from equimut.inputs.encoded import IntArray

BUCKETS = 1 << 17
"""Large enough that the features of a few hundred thousand edits seldom meet."""


def hashed_features(origin: str, mutant: str, language: str) -> IntArray:
    """The buckets of an edit's features, each once, in order."""
    texts = Texts(origin, mutant, language)
    return _buckets(edit_features(texts) | surrounding_features(texts))


def hashed_edit_features(origin: str, mutant: str, language: str) -> IntArray:
    """The same without what the rest of the function does with the names of the edit."""
    return _buckets(edit_features(Texts(origin, mutant, language)))


def _buckets(names: Iterable[str]) -> IntArray:
    return np.unique(np.array([crc32(name.encode()) % BUCKETS for name in names], np.int32))
