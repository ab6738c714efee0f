"""The protocols keep their promises, on synthetic rows and on the published data."""

from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from conftest import count, shared_file
from equimut.data.published.emd import read_emd
from equimut.data.splitting.groups import joined, stratified_folds
from equimut.data.splitting.split import FOLDS, Split, split
from equimut.errors import DataError
from equimut.records import Pair
from oracles.datasets.synthetic_pairs import make_pair, pair_lists

GROUPED = [protocol for protocol, folds in FOLDS.items() if folds > 1]


@cache
def emd(directory: Path) -> tuple[Pair, ...]:
    return read_emd(directory)


def try_split(pairs: list[Pair], protocol: str, fold: int = 0, seed: int = 42) -> Split:
    """The split, or an example to pass over: too few groups, or a part without rows."""
    try:
        return split(pairs, protocol, fold, seed)
    except DataError as error:
        assume("separate groups" not in str(error) and "leaves no" not in str(error))
        raise


def origins_of(pairs: tuple[Pair, ...]) -> set[object]:
    return {pair.origin for pair in pairs} | {(pair.source, pair.class_id) for pair in pairs}


def said(pair: Pair) -> tuple[str, str]:
    return pair.origin, pair.mutant


@given(st.data(), st.sampled_from(list(FOLDS)), st.integers(0, 4), st.integers(0, 3))
def test_every_row_is_in_training_in_test_or_counted_as_dropped(
    data: st.DataObject, protocol: str, fold: int, seed: int
) -> None:
    pairs = data.draw(pair_lists(published=protocol == "published" or data.draw(st.booleans())))
    parts = try_split(pairs, protocol, fold % FOLDS[protocol], seed)
    train, test = Counter(parts.train), Counter(parts.test)
    assert not train & test
    assert not (train + test) - Counter(pairs)
    assert len(parts.train) + len(parts.test) + sum(parts.dropped.values()) == len(pairs)
    assert min(parts.dropped.values(), default=0) >= 0


@given(pair_lists(), st.integers(0, 4), st.integers(0, 5))
def test_no_origin_of_test_is_in_training(pairs: list[Pair], fold: int, seed: int) -> None:
    parts = try_split(pairs, "by-origin", fold, seed)
    assert not origins_of(parts.train) & origins_of(parts.test)


@given(pair_lists(), st.integers(0, 4), st.integers(0, 5))
def test_no_program_and_no_origin_of_test_is_in_training(
    pairs: list[Pair], fold: int, seed: int
) -> None:
    parts = try_split(pairs, "by-program", fold, seed)
    assert not {pair.program for pair in parts.train} & {pair.program for pair in parts.test}
    assert not origins_of(parts.train) & origins_of(parts.test)


@given(pair_lists(published=True))
def test_clean_holds_no_repeat_no_contradiction_and_no_leak(pairs: list[Pair]) -> None:
    parts = try_split(pairs, "clean")
    kept = [said(pair) for pair in parts.train + parts.test]
    assert len(set(kept)) == len(kept)
    both = {said(a) for a in pairs for b in pairs if said(a) == said(b) and a.label != b.label}
    assert not both & set(kept)
    assert {said(pair) for pair in pairs} - both == set(kept)  # and nothing else was lost


@given(pair_lists(published=True))
def test_paper_removes_repeats_within_a_part_and_nothing_else(pairs: list[Pair]) -> None:
    parts = try_split(pairs, "paper")
    for name, part in (("train", parts.train), ("test", parts.test)):
        distinct = {(*said(pair), pair.label) for pair in pairs if pair.split == name}
        assert sorted((*said(pair), pair.label) for pair in part) == sorted(distinct)


@given(st.lists(st.integers(0, 1), min_size=2, max_size=60), st.integers(0, 9))
def test_without_a_published_split_paper_takes_halves_stratified_by_label(
    labels: list[int], seed: int
) -> None:
    pairs = [make_pair(number, label=label) for number, label in enumerate(labels)]
    parts = try_split(pairs, "paper", 0, seed)
    assert abs(len(parts.train) - len(parts.test)) <= 1
    equivalent = [sum(pair.label for pair in part) for part in (parts.train, parts.test)]
    assert abs(equivalent[0] - equivalent[1]) <= 1
    assert parts == split(pairs, "paper", 0, seed)


def test_the_seed_moves_the_halves_and_the_folds() -> None:
    pairs = [
        make_pair(number, class_id=number, origin=f"o{number}", program=f"P{number}")
        for number in range(40)
    ]
    for protocol in ("paper", *GROUPED):
        assert split(pairs, protocol, seed=1).test != split(pairs, protocol, seed=2).test


@pytest.mark.parametrize("protocol", GROUPED)
@given(pairs=pair_lists(), seed=st.integers(0, 3))
def test_the_folds_together_test_every_kept_row_once(
    protocol: str, pairs: list[Pair], seed: int
) -> None:
    folds = [try_split(pairs, protocol, fold, seed) for fold in range(FOLDS[protocol])]
    tested = [pair.id for parts in folds for pair in parts.test]
    assert len(set(tested)) == len(tested) == len(pairs) - sum(folds[0].dropped.values())


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=1, max_size=30))
def test_rows_are_joined_exactly_when_a_chain_of_keys_links_them(
    rows: list[tuple[int, int]],
) -> None:
    keys = [(("left", left), ("right", right)) for left, right in rows]
    labels = list(range(len(rows)))  # the slow way: lower labels spread until nothing moves
    moved = True
    while moved:
        moved = False
        for a, one in enumerate(keys):
            for b, other in enumerate(keys):
                if set(one) & set(other) and labels[a] > labels[b]:
                    labels[a], moved = labels[b], True
    numbers = joined(keys)
    for a in range(len(rows)):
        for b in range(len(rows)):
            assert (numbers[a] == numbers[b]) == (labels[a] == labels[b])


def test_folds_are_even_in_both_labels_where_the_groups_allow_it() -> None:
    groups = [group for group in range(50) for _ in range(10)]
    labels = [int(place < 2) for _ in range(50) for place in range(10)]
    folds = stratified_folds(groups, labels, folds=5, seed=0)
    assert Counter(zip(folds, labels, strict=True)) == {
        (fold, label): 20 if label else 80 for fold in range(5) for label in (0, 1)
    }


@pytest.mark.parametrize("seed", range(5))
def test_folds_are_even_in_both_labels_when_every_group_has_only_one(seed: int) -> None:
    groups = [group for group in range(50) for _ in range(10)]
    labels = [int(group % 5 == 0) for group in groups]
    folds = stratified_folds(groups, labels, 5, seed)
    assert Counter(zip(folds, labels, strict=True)) == {
        (fold, label): 20 if label else 80 for fold in range(5) for label in (0, 1)
    }


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 1)), min_size=1, max_size=80))
def test_no_fold_is_empty_when_there_are_enough_groups(rows: list[tuple[int, int]]) -> None:
    groups, labels = [row[0] for row in rows], [row[1] for row in rows]
    assume(len(set(groups)) >= 5)
    assert set(stratified_folds(groups, labels, 5, 0)) == set(range(5))


@pytest.mark.parametrize(
    ("pairs", "arguments", "words"),
    [
        ([make_pair(0)], ("random",), "unknown protocol 'random'; known: published"),
        ([make_pair(0)], ("published",), "belong to no published split"),
        ([make_pair(0, split="dev"), make_pair(1)], ("paper",), "belong to no published split"),
        ([make_pair(0, split="train")], ("published",), "leaves no test pair"),
        ([make_pair(0)], ("by-origin", 5), "has no fold 5; its folds are 0 to 4"),
        ([make_pair(0)], ("paper", 1), "has no fold 1"),
        ([make_pair(0)], ("by-origin", -1), "has no fold -1"),
        ([make_pair(0)], ("by-origin",), "at least 5 separate groups for its folds, found 1"),
        ([make_pair(0, program="")], ("by-program",), "1 of 1 rows have none"),
    ],
)
def test_what_cannot_be_split_is_one_clear_error(
    pairs: list[Pair], arguments: tuple, words: str
) -> None:
    with pytest.raises(DataError) as caught:
        split(pairs, *arguments)
    assert words in str(caught.value)


def test_published_java_meets_the_known_numbers() -> None:
    pairs = emd(shared_file("data"))
    published, paper, clean = (split(pairs, name) for name in ("published", "paper", "clean"))
    assert (len(pairs), len(published.train), len(published.test)) == (3302, 1652, 1650)
    assert [sum(p.label for p in part) for part in (published.train, published.test)] == [250, 249]
    assert (len(paper.train), len(paper.test)) == (1588, 1578)
    assert paper.dropped == {"duplicates in training": 64, "duplicates in test": 72}
    assert not {said(p) for p in clean.train} & {said(p) for p in clean.test}
    assert sum(clean.dropped.values()) == 3302 - len(clean.train) - len(clean.test)


@pytest.mark.parametrize("seed", range(count(3, 20)))
def test_no_published_java_origin_is_in_both_parts_and_each_fold_has_both_labels(seed: int) -> None:
    pairs = emd(shared_file("data"))
    tested = 0
    for fold in range(5):
        parts = split(pairs, "by-origin", fold, seed)
        assert not origins_of(parts.train) & origins_of(parts.test)
        assert 0.08 < sum(pair.label for pair in parts.test) / len(parts.test) < 0.30
        tested += len(parts.test)
    assert tested == 3050
