"""Fewer pairs of a data set, with the same origins and the same share of each label."""

import random
from collections import defaultdict
from collections.abc import Hashable, Sequence

from equimut.data.splitting.groups import origin_keys
from equimut.errors import DataError
from equimut.records import Pair


def sample_pairs(pairs: Sequence[Pair], rows: int, seed: int = 0) -> tuple[Pair, ...]:
    """About `rows` pairs, in their order: every origin and label keeps its share, and one at least.

    The same seed draws the same pairs, and a smaller sample is a part of a larger one.
    """
    if rows < 1:
        raise DataError(f"a sample of {rows} pairs: ask for at least 1")
    groups: defaultdict[Hashable, list[int]] = defaultdict(list)
    for place, pair in enumerate(pairs):
        groups[origin_keys(pair)[0], pair.label, pair.split].append(place)
    share = min(1.0, rows / max(len(pairs), 1))
    kept: list[int] = []
    for number, places in enumerate(groups.values()):
        random.Random(f"{seed} {number}").shuffle(places)
        kept += places[: max(1, round(share * len(places)))]
    return tuple(pairs[place] for place in sorted(kept))
