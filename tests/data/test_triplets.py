"""Triplets: all of each class, or a sample in which every class keeps its share."""

from collections import Counter
from itertools import product

import pytest

from conftest import shared_file
from equimut.data.published.prepare import prepare
from equimut.data.splitting.split import split
from equimut.data.splitting.triplets import triplets
from equimut.data.splitting.validation import hold_out, unit_of
from equimut.errors import DataError
from oracles.datasets.small_data import small_pairs


def test_all_triplets_of_each_class_and_no_others() -> None:
    pairs = small_pairs()[:36]
    expected = {
        (e, n)
        for (e, one), (n, other) in product(enumerate(pairs), repeat=2)
        if one.label == 1 and other.label == 0 and one.class_id == other.class_id
    }
    found = triplets(pairs)
    assert len(found) == len(expected) == 3 * 4 * 8
    assert set(found) == expected


@pytest.mark.parametrize("most", [12, 50, 71])
def test_a_sample_keeps_the_shares_of_the_classes(most: int) -> None:
    pairs = small_pairs()[:30]  # the last class has fewer non-equivalents
    found = triplets(pairs, most)
    assert len(found) == most == len(set(found))
    everything = Counter(pairs[e].class_id for e, _ in triplets(pairs))
    sampled = Counter(pairs[e].class_id for e, _ in found)
    for class_id, number in everything.items():
        share = number / everything.total() * most
        assert abs(sampled[class_id] - share) <= 1
    assert triplets(pairs, most) == found
    assert triplets(pairs, most, seed=1) != found


def test_the_published_data_has_the_triplets_the_design_counts() -> None:
    pairs = prepare("emd-java", shared_file("data")).pairs
    train = split(pairs, "paper").train
    assert len(triplets(train, 10**6)) == 10_939
    assert len({train[e].class_id for e, _ in triplets(train, 10**6)}) == 22
    assert len(triplets(train)) == 10_000


def test_no_class_with_both_labels_is_said() -> None:
    only = [pair for pair in small_pairs() if pair.label]
    with pytest.raises(DataError, match="no class holds mutants of both labels"):
        triplets(only)
    with pytest.raises(DataError, match="cannot represent"):
        triplets(small_pairs(), 2)


def test_held_out_origins_are_whole_and_about_as_many_as_asked_for() -> None:
    pairs = small_pairs()
    for seed in range(3):
        kept, held = hold_out(pairs, 0.25, seed)
        assert not {pair.class_id for pair in kept} & {pair.class_id for pair in held}
        assert len(kept) + len(held) == len(pairs)
        assert len(held) == 36
        assert sum(pair.label for pair in held) == 12
    with pytest.raises(DataError, match="too few to hold out"):
        hold_out(pairs[:12], 0.25, 0)
    with pytest.raises(DataError, match="has both labels"):
        hold_out([pair for pair in pairs if pair.label], 0.25, 0)


def test_whatever_the_seed_both_parts_have_both_labels_if_any_choice_gives_them() -> None:
    # Of twelve origins two have equivalents; the others cannot choose an epoch by themselves.
    pairs = [pair for pair in small_pairs() if not pair.label or pair.class_id % 6 == 0]
    mixed = {pair.class_id for pair in pairs if pair.label}
    assert len(mixed) == 2
    for seed in range(8):
        for part in hold_out(pairs, 0.1, seed):
            assert {pair.label for pair in part} == {0, 1}


def test_what_is_held_out_is_whole_in_the_unit_asked_for() -> None:
    pairs = [
        pair.model_copy(update={"program": f"program {pair.class_id % 5}"})
        for pair in small_pairs() + small_pairs()[:20]
    ]
    units = {
        "pairs": lambda pair: (pair.origin, pair.mutant),
        "origins": lambda pair: pair.class_id,
        "programs": lambda pair: pair.program,
    }
    for name, key in units.items():
        kept, held = hold_out(pairs, 0.25, 1, name)
        assert not {key(pair) for pair in kept} & {key(pair) for pair in held}
        assert Counter(pair.id for pair in (*kept, *held)) == Counter(pair.id for pair in pairs)
    kept, held = hold_out(pairs, 0.25, 1, "pairs")
    # Held out pair by pair, nearly every origin is known from training.
    assert {pair.class_id for pair in held} <= {pair.class_id for pair in kept}
    with pytest.raises(DataError, match="5 programs are too few"):
        hold_out(pairs, 0.1, 0, "programs")


@pytest.mark.parametrize(
    ("protocol", "unit"),
    [("published", "pairs"), ("paper", "pairs"), ("clean", "pairs"),
     ("by-origin", "origins"), ("by-program", "programs")],
)  # fmt: skip
def test_a_dev_part_is_drawn_the_way_the_protocol_draws_its_test(protocol: str, unit: str) -> None:
    assert unit_of(protocol) == unit
