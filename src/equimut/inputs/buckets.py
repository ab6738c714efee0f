"""Batches of pairs of like length, so that little is padded."""

import random
from collections.abc import Iterator, Sequence

from torch.utils.data import Sampler

from equimut.errors import EquimutError

_BATCHES_PER_POOL = 50


class LengthBuckets(Sampler[list[int]]):
    """A batch sampler: a new order each epoch, pairs of like length together.

    Pairs are shuffled, cut into pools of fifty batches, sorted by length within a pool and cut
    into batches, which are shuffled again: nearly the padding of sorted data, nearly the chance
    of shuffled data. The order depends on `seed` and the epoch only. With `shuffle=False` the
    longest come first, which finds out at once whether a batch fits into memory.
    """

    def __init__(
        self, lengths: Sequence[int], batch_size: int, *, seed: int = 0, shuffle: bool = True
    ) -> None:
        if batch_size < 1:
            raise EquimutError(f"batch size {batch_size}: it must be at least 1")
        self.lengths = lengths
        self.batch_size = batch_size
        self.seed = seed
        self.shuffle = shuffle
        self.epoch = 0

    def set_epoch(self, epoch: int) -> None:
        """Choose the order of this epoch."""
        self.epoch = epoch

    def __len__(self) -> int:
        return -(-len(self.lengths) // self.batch_size)

    def __iter__(self) -> Iterator[list[int]]:
        order = list(range(len(self.lengths)))
        if not self.shuffle:
            yield from self._cut(order)
            return
        chance = random.Random(f"{self.seed} {self.epoch}")
        chance.shuffle(order)
        pool = self.batch_size * _BATCHES_PER_POOL
        batches = [
            batch
            for start in range(0, len(order), pool)
            for batch in self._cut(order[start : start + pool])
        ]
        chance.shuffle(batches)
        yield from batches

    def _cut(self, indices: list[int]) -> list[list[int]]:
        """Batches of these pairs, longest first; equal lengths keep their order."""
        by_length = sorted(indices, key=lambda index: -self.lengths[index])
        return [
            by_length[start : start + self.batch_size]
            for start in range(0, len(by_length), self.batch_size)
        ]
