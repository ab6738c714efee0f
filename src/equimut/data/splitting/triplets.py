"""Triplets: an origin, one of its equivalents and one of its non-equivalents."""

import random
from collections import defaultdict
from collections.abc import Sequence
from itertools import product

from equimut.errors import DataError
from equimut.records import Pair

Triplet = tuple[int, int]
"""Positions of the equivalent and of the non-equivalent pair; both have the same origin."""


def triplets(pairs: Sequence[Pair], most: int = 10_000, seed: int = 0) -> list[Triplet]:
    """All triplets of each class; where these are more than `most`, a sample by class.

    Every class keeps its share, and at least one triplet, so that a class with few mutants is
    not drowned by one with many.
    """
    by_class: defaultdict[int, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for row, pair in enumerate(pairs):
        by_class[pair.class_id][pair.label].append(row)
    sizes = {key: len(others) * len(equal) for key, (others, equal) in by_class.items()}
    both = {key: size for key, size in sorted(sizes.items()) if size}
    if not both:
        raise DataError(
            "no class holds mutants of both labels, so there are no triplets; "
            "train with the loss base, contrastive or cpl"
        )
    chance = random.Random(f"triplets {seed}")
    chosen: list[Triplet] = []
    for key, quota in _quotas(both, most).items():
        others, equal = by_class[key]
        everything = list(product(equal, others))
        chosen += everything if quota == len(everything) else chance.sample(everything, quota)
    return chosen


def _quotas(sizes: dict[int, int], most: int) -> dict[int, int]:
    """How many of each class: all, or shares that add up to `most` (largest remainders)."""
    total = sum(sizes.values())
    if total <= most:
        return sizes
    if most < len(sizes):
        raise DataError(f"{most} triplets cannot represent {len(sizes)} classes; allow more")
    quotas = {key: max(1, size * most // total) for key, size in sizes.items()}
    by_remainder = sorted(sizes, key=lambda key: (-(sizes[key] * most % total), key))
    while sum(quotas.values()) < most:
        for key in by_remainder:
            if sum(quotas.values()) < most and quotas[key] < sizes[key]:
                quotas[key] += 1
    while sum(quotas.values()) > most:  # the single triplets of tiny classes come on top
        largest = max(quotas, key=lambda key: quotas[key])
        quotas[largest] -= 1
    return quotas
