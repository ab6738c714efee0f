"""Suspect rows: duplicates, contradictory labels, pairs in both parts of a split.

Two rows are the same pair when origin and mutant are the same text in the same language.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from equimut.records import Pair

PairKey: TypeAlias = tuple[str, str, str]


def pair_key(pair: Pair) -> PairKey:
    """What makes two rows the same pair."""
    return pair.language, pair.origin, pair.mutant


def is_partial(pair: Pair) -> bool:
    """Whether the pair is one of several that a single mutant gave (`#1`, `#2` end its id).

    The label then describes the whole mutant, and need not hold for each of its functions alone.
    """
    return pair.source.startswith("mutantbench-") and "#" in pair.id


def without_duplicates(pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    """The first of all rows with the same pair and the same label, in the given order."""
    first: dict[tuple[PairKey, int], Pair] = {}
    for pair in pairs:
        first.setdefault((pair_key(pair), pair.label), pair)
    return tuple(first.values())


def conflicts(pairs: Iterable[Pair]) -> frozenset[PairKey]:
    """The pairs that carry both labels."""
    labels: defaultdict[PairKey, set[int]] = defaultdict(set)
    for pair in pairs:
        labels[pair_key(pair)].add(pair.label)
    return frozenset(key for key, found in labels.items() if len(found) > 1)


def shared(train: Iterable[Pair], test: Iterable[Pair]) -> frozenset[PairKey]:
    """The pairs that stand in both parts, whatever their label."""
    return frozenset(map(pair_key, train)) & frozenset(map(pair_key, test))


def without(pairs: Sequence[Pair], keys: frozenset[PairKey]) -> tuple[Pair, ...]:
    """The rows without these pairs."""
    return tuple(pair for pair in pairs if pair_key(pair) not in keys)
