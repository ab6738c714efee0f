"""Rows that must stay together, and folds made of whole groups."""

import random
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence

from equimut.records import Pair


def origin_keys(pair: Pair) -> tuple[Hashable, ...]:
    """What names the origin: its class id within its dataset, and its text."""
    return ("class", pair.source, pair.class_id), ("text", pair.language, pair.origin)


def program_keys(pair: Pair) -> tuple[Hashable, ...]:
    """What names the program; also its origins, for one method may stand in two programs."""
    return (("program", pair.language, pair.program), *origin_keys(pair))


def joined(keys: Sequence[tuple[Hashable, ...]]) -> list[int]:
    """A group number per row: rows with any key in common, also through other rows, share one."""
    parent: dict[Hashable, Hashable] = {}

    def root(key: Hashable) -> Hashable:
        parent.setdefault(key, key)
        while parent[key] != key:
            parent[key] = parent[parent[key]]  # halve the path, so chains stay short
            key = parent[key]
        return key

    for row in keys:
        for key in row:
            parent[root(key)] = root(row[0])
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(root(row[0]), len(numbers)) for row in keys]


def stratified_folds(
    groups: Sequence[int], labels: Sequence[int], folds: int, seed: int
) -> list[int]:
    """A fold per row: groups stay whole, each fold holds its share of each label where it can.

    Greedy, largest groups first: a group goes where the squared shares of the labels grow least.
    The seed decides the order among groups of about the same size.
    """
    members: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for group, label in zip(groups, labels, strict=True):
        members[group][label] += 1
    order = sorted(members)
    random.Random(seed).shuffle(order)
    order.sort(key=lambda group: -members[group].total().bit_length())
    total = Counter(labels)
    held: list[Counter[int]] = [Counter() for _ in range(folds)]
    fold_of: dict[int, int] = {}
    for group in order:
        counts = members[group]

        def growth(fold: int, counts: Counter[int] = counts) -> tuple[float, int, int]:
            squares = sum(
                (2 * held[fold][label] * number + number**2) / total[label] ** 2
                for label, number in sorted(counts.items())
            )
            return squares, held[fold].total(), fold  # ties: an empty fold before a full one

        fold_of[group] = min(range(folds), key=growth)
        held[fold_of[group]] += counts
    return [fold_of[group] for group in groups]
