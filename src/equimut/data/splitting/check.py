"""What a careful reader wants to know of a dataset before believing a score on it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from equimut.data.splitting.cleaning import (
    conflicts,
    is_partial,
    pair_key,
    shared,
    without_duplicates,
)
from equimut.data.splitting.groups import joined, origin_keys
from equimut.data.splitting.split import parts_or_halves
from equimut.parsing.text_diff import changed_lines, same_code
from equimut.records import Pair, Record

SEED = 42
"""Of the halves that stand in for a published split where there is none."""


class PartReport(Record):
    """The state of one part of a dataset."""

    rows: int
    equivalent: int
    origins: int
    programs: int
    without_program: int
    without_operator: int
    duplicate_rows: int
    """Rows that repeat an earlier (origin, mutant, label)."""
    conflicting_pairs: int
    """(origin, mutant) pairs that carry both labels."""
    conflicting_rows: int
    token_identical: int
    """Mutants that differ from their origin in comments and white space only."""
    partial: int
    """Rows that hold one of several functions that their mutant changes."""
    origins_all_equivalent: int
    origins_none_equivalent: int
    largest_origin_share: float


class LeakageReport(Record):
    """What training and test have in common."""

    shared_pairs: int
    """(origin, mutant) pairs that stand in both parts."""
    test_rows_with_a_shared_pair: int
    test_rows_on_trained_lines: int
    """Test rows that change exactly the lines that a training row of their origin changes."""
    test_rows_of_trained_origins: int


class DataReport(Record):
    """The whole judgement on a dataset."""

    parts_are: str
    """`published`, or `halves` where the dataset has no split of its own."""
    everything: PartReport
    train: PartReport
    test: PartReport
    leakage: LeakageReport
    origin_majority_macro_f1: float
    """Macro-F1 on test of guessing each origin's most frequent label in training."""


def check(pairs: Sequence[Pair]) -> DataReport:
    """Measure duplicates, contradictions, leakage, skew and the score of a blind guess."""
    train, test = parts_or_halves(pairs, SEED)
    origins = dict(
        zip((pair.id for pair in pairs), joined([*map(origin_keys, pairs)]), strict=True)
    )
    identical = {pair.id for pair in pairs if same_code(pair.origin, pair.mutant, pair.language)}
    return DataReport(
        parts_are="published" if any(pair.split for pair in pairs) else "halves",
        everything=_part(pairs, origins, identical),
        train=_part(train, origins, identical),
        test=_part(test, origins, identical),
        leakage=_leakage(train, test, origins),
        origin_majority_macro_f1=_majority_score(train, test, origins),
    )


def _part(pairs: Sequence[Pair], origins: dict[str, int], identical: set[str]) -> PartReport:
    contradictory = conflicts(pairs)
    per_origin: defaultdict[int, list[int]] = defaultdict(list)
    for pair in pairs:
        per_origin[origins[pair.id]].append(pair.label)
    return PartReport(
        rows=len(pairs),
        equivalent=sum(pair.label for pair in pairs),
        origins=len(per_origin),
        programs=len({(pair.language, pair.program) for pair in pairs if pair.program}),
        without_program=sum(not pair.program for pair in pairs),
        without_operator=sum(not pair.operators for pair in pairs),
        duplicate_rows=len(pairs) - len(without_duplicates(pairs)),
        conflicting_pairs=len(contradictory),
        conflicting_rows=sum(pair_key(pair) in contradictory for pair in pairs),
        token_identical=sum(pair.id in identical for pair in pairs),
        partial=sum(map(is_partial, pairs)),
        origins_all_equivalent=sum(all(labels) for labels in per_origin.values()),
        origins_none_equivalent=sum(not any(labels) for labels in per_origin.values()),
        largest_origin_share=max(map(len, per_origin.values()), default=0) / max(len(pairs), 1),
    )


def _leakage(train: Sequence[Pair], test: Sequence[Pair], origins: dict[str, int]) -> LeakageReport:
    def edits(pairs: Iterable[Pair]) -> list[tuple[int, tuple[int, ...]]]:
        return [(origins[pair.id], changed_lines(pair.origin, pair.mutant)) for pair in pairs]

    in_both = shared(train, test)
    trained_lines = set(edits(train))
    trained_origins = {origin for origin, _ in trained_lines}
    return LeakageReport(
        shared_pairs=len(in_both),
        test_rows_with_a_shared_pair=sum(pair_key(pair) in in_both for pair in test),
        test_rows_on_trained_lines=sum(edit in trained_lines for edit in edits(test)),
        test_rows_of_trained_origins=sum(origins[pair.id] in trained_origins for pair in test),
    )


def _majority_score(train: Sequence[Pair], test: Sequence[Pair], origins: dict[str, int]) -> float:
    votes: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for pair in train:
        votes[origins[pair.id]][pair.label] += 1
    overall = int(2 * sum(pair.label for pair in train) > len(train))

    def guess(pair: Pair) -> int:
        equivalent, other = (votes[origins[pair.id]][label] for label in (1, 0))
        return overall if equivalent == other else int(equivalent > other)

    return macro_f1([pair.label for pair in test], [guess(pair) for pair in test])


def macro_f1(labels: Sequence[int], guesses: Sequence[int]) -> float:
    """The mean of the F1 scores of the two labels; 0 for one that is neither there nor guessed.

    By hand, because loading scikit-learn takes longer than the whole check.
    """
    cells = Counter(zip(labels, guesses, strict=True))
    right = cells[0, 0], cells[1, 1]
    wrong = cells[0, 1] + cells[1, 0]
    return sum(2 * hits / (2 * hits + wrong) if hits else 0.0 for hits in right) / 2
