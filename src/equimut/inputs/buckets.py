"""Batches of pairs of like length, so that little is padded."""

import random
from collections.abc import Sequence

from equimut.errors import EquimutError

_BATCHES_PER_POOL = 50


def length_buckets(
    lengths: Sequence[int], batch_size: int, *, seed: int = 0, epoch: int = 0
) -> list[list[int]]:
    """The batches of an epoch, as indices: pairs of like length together, in a random order.

    Pairs are shuffled, cut into pools of fifty batches, sorted by length within a pool and cut
    into batches, which are shuffled again: nearly the padding of sorted data, nearly the chance
    of shuffled data. The order depends on `seed` and `epoch` only.
    """
    if batch_size < 1:
        raise EquimutError(f"batch size {batch_size}: it must be at least 1")
    chance = random.Random(f"{seed} {epoch}")
    order = list(range(len(lengths)))
    chance.shuffle(order)
    batches = []
    for start in range(0, len(order), batch_size * _BATCHES_PER_POOL):
        pool = order[start : start + batch_size * _BATCHES_PER_POOL]
        pool.sort(key=lambda index: -lengths[index])
        batches += [pool[at : at + batch_size] for at in range(0, len(pool), batch_size)]
    chance.shuffle(batches)
    return batches
