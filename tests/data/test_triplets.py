"""Triplets: all of each class, or a sample in which every class keeps its share."""

from collections import Counter
from itertools import product

import pytest

from conftest import shared_file
from equimut.data.published.emd import read_emd
from equimut.data.splitting.split import split
from equimut.data.splitting.triplets import triplets
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
    pairs = read_emd(shared_file("data"))
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
