"""Near-duplicates among token sequences: sets of shingles, MinHash, and exact Jaccard to confirm.

MinHash only proposes: two functions count as near-duplicates when the Jaccard similarity of
their shingle sets, which are kept, reaches the threshold.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

SHINGLE = 3
"""Tokens per shingle: one changed token touches three shingles."""
BANDS, ROWS = 16, 4
"""At similarity 0.7 a pair is proposed with probability 0.988, at 0.8 with 0.9998."""

_MIX = np.uint64(0x9E3779B97F4A7C15)
_PAIRS_AT_ONCE = 1 << 15
_CHUNK_ROWS = 1 << 12
_QUOTES = "\"'"


@dataclass(frozen=True, eq=False)
class ShingleSets:
    """Many sets in two arrays: `values[starts[i]:starts[i + 1]]` is set `i`, sorted, distinct."""

    values: NDArray[np.uint32]
    starts: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of shingles of each set."""
        return np.diff(self.starts)

    @classmethod
    def of(cls, sets: Sequence[NDArray[np.uint32]]) -> "ShingleSets":
        """Put single sets side by side; none may be empty."""
        starts = np.zeros(len(sets) + 1, np.int64)
        np.cumsum([len(each) for each in sets], out=starts[1:])
        return cls(np.concatenate([np.zeros(0, np.uint32), *sets]), starts)

    @classmethod
    def joined(cls, parts: Iterable["ShingleSets"]) -> "ShingleSets":
        """All sets of all parts, in their order."""
        known = list(parts)
        ends = np.cumsum([0, *(len(part.values) for part in known)])
        starts = [part.starts[:-1] + end for part, end in zip(known, ends, strict=False)]
        return cls(
            np.concatenate([np.zeros(0, np.uint32), *(part.values for part in known)]),
            np.concatenate([*starts, ends[-1:]]).astype(np.int64),
        )


def shingles(tokens: Sequence[str]) -> NDArray[np.uint32]:
    """The shingle set of a token sequence: sorted hashes; what a plain string says is ignored."""
    codes = np.array([_code(token) for token in tokens] or [0], np.uint64)
    count = max(len(codes) - SHINGLE + 1, 1)
    mixed = np.zeros(count, np.uint64)
    for position in range(min(SHINGLE, len(codes))):
        mixed = (mixed ^ codes[position : position + count]) * _MIX
        mixed ^= mixed >> np.uint64(29)
    return np.unique((mixed * _MIX >> np.uint64(32)).astype(np.uint32))


@lru_cache(maxsize=1 << 17)
def _code(token: str) -> int:
    return crc32(token[0].encode() if token[0] in _QUOTES else token.encode())


def jaccard(
    sets: ShingleSets, first: NDArray[np.int64], second: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Exact similarity of the pairs `(first[i], second[i])`."""
    similar = np.zeros(len(first))
    for at in range(0, len(first), _PAIRS_AT_ONCE):
        some = slice(at, at + _PAIRS_AT_ONCE)
        # Pair number and shingle in one integer: what both sides hold stands twice after sorting.
        keys = np.concatenate([_keys(sets, first[some]), _keys(sets, second[some])])
        keys.sort()
        both = keys[1:][keys[1:] == keys[:-1]] >> np.uint64(32)
        common = np.bincount(both.astype(np.int64), minlength=len(first[some]))
        total = sets.sizes[first[some]] + sets.sizes[second[some]]
        similar[some] = common / (total - common)
    return similar


def _keys(sets: ShingleSets, rows: NDArray[np.int64]) -> NDArray[np.uint64]:
    sizes = sets.sizes[rows]
    pair = np.repeat(np.arange(len(rows), dtype=np.uint64), sizes)
    within = np.arange(len(pair)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    values = sets.values[np.repeat(sets.starts[rows], sizes) + within]
    keys: NDArray[np.uint64] = (pair << np.uint64(32)) | values.astype(np.uint64)
    return keys


def minhash(sets: ShingleSets, count: int = BANDS * ROWS) -> NDArray[np.uint32]:
    """Signatures, one row per set: the share in which two rows agree is close to the similarity."""
    chance = np.random.default_rng(0)
    factors = chance.integers(0, 1 << 63, (count, 2), np.uint64) * np.uint64(2) + np.uint64(1)
    signatures = np.empty((len(sets), count), np.uint32)
    wide = sets.values.astype(np.uint64)
    for position, (factor, shift) in enumerate(factors):
        hashed = wide * factor + shift
        hashed ^= hashed >> np.uint64(31)
        hashed = (hashed * _MIX) >> np.uint64(32)
        signatures[:, position] = np.minimum.reduceat(hashed, sets.starts[:-1]) if len(sets) else 0
    return signatures


def near_duplicates(sets: ShingleSets, threshold: float) -> NDArray[np.bool_]:
    """Which sets are near-duplicates of an earlier one that stays, or of one that went for it."""
    gone = np.zeros(len(sets), np.bool_)
    signatures = minhash(sets)
    for band in range(BANDS):
        rows = signatures[:, band * ROWS : (band + 1) * ROWS].astype(np.uint64)
        keys = np.zeros(len(sets), np.uint64)
        for position in range(ROWS):
            keys = (keys ^ rows[:, position]) * _MIX
            keys ^= keys >> np.uint64(32)
        _compare_equal_keys(sets, keys, gone, threshold)
    return gone


def _compare_equal_keys(
    sets: ShingleSets, keys: NDArray[np.uint64], gone: NDArray[np.bool_], threshold: float
) -> None:
    """Within each group of equal keys, every set that stays is compared with all later ones."""
    alive = np.flatnonzero(~gone)
    order = alive[np.argsort(keys[alive], kind="stable")]
    while len(order) > 1:
        same = keys[order[1:]] == keys[order[:-1]]
        heads = np.concatenate([[True], ~same])
        group = np.cumsum(heads) - 1
        first = order[heads][group]
        rest = ~heads
        similar = jaccard(sets, first[rest], order[rest]) >= threshold
        gone[order[rest][similar]] = True
        order = order[rest][~similar]  # the heads are done with this band


def most_similar(sets: ShingleSets, others: ShingleSets) -> NDArray[np.float64]:
    """For each set the exact similarity of the other set that is nearest to it."""
    best = np.zeros(len(sets))
    if not len(others):
        return best
    owners = np.repeat(np.arange(len(others)), others.sizes)
    order = np.argsort(others.values, kind="stable")
    values, owners = others.values[order], owners[order]
    for at in range(0, len(sets), _CHUNK_ROWS):
        sizes = sets.sizes[at : at + _CHUNK_ROWS]
        some = sets.values[sets.starts[at] : sets.starts[at + len(sizes)]]
        low, high = np.searchsorted(values, some, "left"), np.searchsorted(values, some, "right")
        hits = high - low
        row = np.repeat(np.repeat(np.arange(len(sizes)), sizes), hits)
        within = np.arange(len(row)) - np.repeat(np.cumsum(hits) - hits, hits)
        column = owners[np.repeat(low, hits) + within]
        flat = np.bincount(row * len(others) + column, minlength=len(sizes) * len(others))
        common = flat.reshape(len(sizes), len(others))
        total = sizes[:, None] + others.sizes[None, :]
        best[at : at + len(sizes)] = (common / (total - common)).max(axis=1)
    return best
