"""The protocols: which pairs are trained on, which are tested on, and what was left out.

| protocol | training and test |
|---|---|
| `published` | the two published parts, as they are |
| `paper` | the published parts, or halves stratified by label; duplicates removed within each |
| `clean` | as `paper`, without contradictory pairs, and without test pairs that training holds |
| `by-origin` | five folds; nothing of a test origin in training |
| `by-program` | five folds; nothing of a test program, or of an origin in it, in training |
| `all` | every row is trained on; there is no test part |
"""

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from equimut.data.splitting.cleaning import conflicts, shared, without, without_duplicates
from equimut.data.splitting.groups import joined, origin_keys, program_keys, stratified_folds
from equimut.errors import DataError
from equimut.records import Pair

FOLDS: Mapping[str, int] = {
    "published": 1,
    "paper": 1,
    "clean": 1,
    "by-origin": 5,
    "by-program": 5,
}
"""The protocols that test something, and how many splits each of them has."""
ALL = "all"
"""The protocol without a test part."""

Parts = tuple[tuple[Pair, ...], tuple[Pair, ...]]


@dataclass(frozen=True)
class Split:
    """Training and test pairs under a named protocol, and how many rows were dropped for what."""

    protocol: str
    fold: int
    seed: int
    train: tuple[Pair, ...]
    test: tuple[Pair, ...]
    dropped: Mapping[str, int] = field(default_factory=dict)


def split(pairs: Sequence[Pair], protocol: str, fold: int = 0, seed: int = 42) -> Split:
    """Split pairs under a protocol. Every row is in training, in test or counted in `dropped`."""
    if not pairs:
        raise DataError("there are no pairs to split")
    if protocol == ALL:
        return Split(ALL, fold, seed, tuple(pairs), ())
    if protocol not in FOLDS:
        raise DataError(f"unknown protocol {protocol!r}; known: {', '.join((*FOLDS, ALL))}")
    if not 0 <= fold < FOLDS[protocol]:
        raise DataError(
            f"protocol {protocol} has no fold {fold}; its folds are 0 to {FOLDS[protocol] - 1}"
        )
    dropped: dict[str, int] = {}
    if protocol == "published":
        train, test = published_parts(pairs)
    elif FOLDS[protocol] > 1:
        (train, test), dropped = _grouped(pairs, protocol, fold, seed)
    else:
        (train, test), dropped = _cleaned(parts_or_halves(pairs, seed), protocol)
    for name, part in (("training", train), ("test", test)):
        if not part:
            raise DataError(f"protocol {protocol} leaves no {name} pair of {len(pairs)} rows")
    return Split(protocol, fold, seed, train, test, dropped)


def published_parts(pairs: Sequence[Pair]) -> Parts:
    """The rows of the published training file and of the published test file."""
    unassigned = [pair for pair in pairs if pair.split not in ("train", "test")]
    if unassigned:
        raise DataError(
            f"{len(unassigned)} of {len(pairs)} rows belong to no published split (first: "
            f"{unassigned[0].id}); use the protocol paper, clean, by-origin or by-program"
        )
    train = tuple(pair for pair in pairs if pair.split == "train")
    return train, tuple(pair for pair in pairs if pair.split == "test")


def parts_or_halves(pairs: Sequence[Pair], seed: int) -> Parts:
    """The published parts; where nothing was published, halves stratified by label."""
    if any(pair.split for pair in pairs):
        return published_parts(pairs)
    rows: defaultdict[int, list[int]] = defaultdict(list)
    for row, pair in enumerate(pairs):
        rows[pair.label].append(row)
    shuffled = random.Random(seed)
    chosen: set[int] = set()
    for label in sorted(rows):
        shuffled.shuffle(rows[label])
        # The odd equivalent goes to training, the odd other to test: the halves stay even.
        chosen.update(rows[label][: (len(rows[label]) + label) // 2])
    train = tuple(pair for row, pair in enumerate(pairs) if row in chosen)
    return train, tuple(pair for row, pair in enumerate(pairs) if row not in chosen)


def _cleaned(parts: Parts, protocol: str) -> tuple[Parts, dict[str, int]]:
    train, test = (without_duplicates(part) for part in parts)
    dropped = {
        "duplicates in training": len(parts[0]) - len(train),
        "duplicates in test": len(parts[1]) - len(test),
    }
    if protocol == "paper":
        return (train, test), dropped
    contradictory = conflicts(train + test)
    kept = without(train, contradictory), without(test, contradictory)
    dropped["contradictory labels in training"] = len(train) - len(kept[0])
    dropped["contradictory labels in test"] = len(test) - len(kept[1])
    train, test = kept[0], without(kept[1], shared(*kept))
    dropped["test pairs that training holds"] = len(kept[1]) - len(test)
    return (train, test), dropped


def _grouped(
    pairs: Sequence[Pair], protocol: str, fold: int, seed: int
) -> tuple[Parts, dict[str, int]]:
    nameless = sum(not pair.program for pair in pairs)
    if protocol == "by-program" and nameless:
        raise DataError(
            f"by-program needs the program of every pair, and {nameless} of {len(pairs)} rows "
            "have none; prepare emd-java with MutantBench's dataset.ttl at hand, or use by-origin"
        )
    unique = without_duplicates(pairs)
    kept = without(unique, conflicts(unique))
    dropped = {
        "duplicates": len(pairs) - len(unique),
        "contradictory labels": len(unique) - len(kept),
    }
    keys = program_keys if protocol == "by-program" else origin_keys
    groups = joined([keys(pair) for pair in kept])
    if len(set(groups)) < FOLDS[protocol]:
        raise DataError(
            f"{protocol} needs at least {FOLDS[protocol]} separate groups for its folds, "
            f"found {len(set(groups))}; use the protocol paper or clean"
        )
    folds = stratified_folds(groups, [pair.label for pair in kept], FOLDS[protocol], seed)
    train = tuple(pair for pair, its_fold in zip(kept, folds, strict=True) if its_fold != fold)
    test = tuple(pair for pair, its_fold in zip(kept, folds, strict=True) if its_fold == fold)
    return (train, test), dropped
