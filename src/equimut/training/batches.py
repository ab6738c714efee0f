"""Which pairs a step learns from: by epoch, by process, by accumulated part."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from equimut.inputs.batch import Batch, Collator
from equimut.inputs.buckets import length_buckets
from equimut.inputs.encode import EncodedPair

Sample = tuple[int, ...]
"""Positions of the pairs a sample is made of: one, or two for a triplet."""


@dataclass(frozen=True)
class Part:
    """What one process reads at a time."""

    batch: Batch
    pairs: int
    """How many pairs of the batch count: 0 where a process borrows one to keep in step."""
    weight: float
    """Share of the whole batch, over all processes, that this part is."""


@dataclass(frozen=True)
class BatchPlan:
    """The batches of every epoch, from a seed alone, so that training can go on anywhere.

    A batch of the plan is what one optimiser step sees. It is cut into `accumulate` parts, and
    each part into one run of samples per process: read rank by rank they are in the order of
    the plan, so N processes fold the same list into the verges as one.
    """

    pairs: Sequence[EncodedPair]
    samples: Sequence[Sample]
    collator: Collator
    batch_size: int
    seed: int
    accumulate: int = 1
    rank: int = 0
    processes: int = 1

    @property
    def steps_per_epoch(self) -> int:
        """Optimiser steps of one epoch."""
        return -(-len(self.samples) // self.batch_size)

    def epoch(self, number: int, first_step: int = 0) -> Iterator[list[Part]]:
        """The parts of each step of this process, from a step of the epoch on."""
        buckets = length_buckets(self._lengths(), self.batch_size, seed=self.seed, epoch=number)
        for step, batch in enumerate(buckets):
            if step >= first_step:
                yield [self._part(part, len(batch)) for part in cut(batch, self.accumulate)]

    def _lengths(self) -> list[int]:
        return [max(self.pairs[place].length for place in sample) for sample in self.samples]

    def _part(self, part: Sequence[int], whole: int) -> Part:
        runs = cut(part, self.processes, keep_empty=True)
        mine = runs[self.rank]
        shown = mine or part[:1]
        pairs = [self.pairs[place] for sample in shown for place in self.samples[sample]]
        return Part(self.collator(pairs), len(pairs) if mine else 0, len(part) / whole)


def cut(items: Sequence[int], parts: int, keep_empty: bool = False) -> list[Sequence[int]]:
    """Consecutive runs of nearly equal length, the longer ones first."""
    size, longer = divmod(len(items), parts)
    ends = [size * (n + 1) + min(n + 1, longer) for n in range(parts)]
    runs = [items[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    return runs if keep_empty else [run for run in runs if run]
