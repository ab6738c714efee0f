"""Validation splits: whole units, both labels, drawn as the protocol draws its test."""

from collections import Counter

import pytest

from equimut.data.splitting.validation import unit_of, validation_split
from equimut.errors import DataError
from oracles.datasets.small_data import small_pairs


def test_validation_origins_are_whole_and_about_as_many_as_asked_for() -> None:
    pairs = small_pairs()
    for seed in range(3):
        train, validation = validation_split(pairs, 0.25, seed)
        assert not {pair.class_id for pair in train} & {pair.class_id for pair in validation}
        assert len(train) + len(validation) == len(pairs)
        assert len(validation) == 36
        assert sum(pair.label for pair in validation) == 12
    with pytest.raises(DataError, match="too few for a validation split"):
        validation_split(pairs[:12], 0.25, 0)
    with pytest.raises(DataError, match="has both labels"):
        validation_split([pair for pair in pairs if pair.label], 0.25, 0)


def test_whatever_the_seed_both_parts_have_both_labels_if_any_choice_gives_them() -> None:
    # Of twelve origins two have equivalents; the others cannot choose an epoch by themselves.
    pairs = [pair for pair in small_pairs() if not pair.label or pair.class_id % 6 == 0]
    mixed = {pair.class_id for pair in pairs if pair.label}
    assert len(mixed) == 2
    for seed in range(8):
        for part in validation_split(pairs, 0.1, seed):
            assert {pair.label for pair in part} == {0, 1}


def test_the_unit_asked_for_is_never_divided() -> None:
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
        train, validation = validation_split(pairs, 0.25, 1, name)
        assert not {key(pair) for pair in train} & {key(pair) for pair in validation}
        assert Counter(pair.id for pair in (*train, *validation)) == Counter(
            pair.id for pair in pairs
        )
    train, validation = validation_split(pairs, 0.25, 1, "pairs")
    # Drawn pair by pair, nearly every origin is known from training.
    assert {pair.class_id for pair in validation} <= {pair.class_id for pair in train}
    with pytest.raises(DataError, match="5 programs are too few"):
        validation_split(pairs, 0.1, 0, "programs")


@pytest.mark.parametrize(
    ("protocol", "unit"),
    [("published", "pairs"), ("paper", "pairs"), ("clean", "pairs"),
     ("by-origin", "origins"), ("by-program", "programs")],
)  # fmt: skip
def test_a_validation_split_is_drawn_as_the_protocol_draws_its_test(
    protocol: str, unit: str
) -> None:
    assert unit_of(protocol) == unit
