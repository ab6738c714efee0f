"""Named features as numbers of buckets: a table of fixed size for features without end."""

from collections.abc import Iterable
from zlib import crc32

import numpy as np

from equimut.inputs.edit_features.edit import edit_features, find_edit
from equimut.inputs.edit_features.surroundings import surrounding_features
from equimut.inputs.encoded import IntArray
from equimut.records import Query

BUCKETS = 1 << 17
"""Large enough that the features of a few hundred thousand edits seldom meet."""


def hashed_features(origin: str, mutant: str, language: str) -> IntArray:
    """The buckets of an edit's features, each once, in order."""
    pair = Query.model_construct(origin=origin, mutant=mutant, language=language)
    edit = find_edit(pair)
    return _buckets(edit_features(pair, edit) | surrounding_features(pair, edit))


def hashed_edit_features(origin: str, mutant: str, language: str) -> IntArray:
    """The same without what the rest of the function does with the names of the edit."""
    pair = Query.model_construct(origin=origin, mutant=mutant, language=language)
    return _buckets(edit_features(pair))


def _buckets(names: Iterable[str]) -> IntArray:
    return np.unique(np.array([crc32(name.encode()) % BUCKETS for name in names], np.int32))
