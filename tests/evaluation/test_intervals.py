"""Intervals resample whole origins, and the fast way gives what copying rows gives."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import count
from equimut.errors import DataError
from equimut.evaluation import intervals
from equimut.evaluation.arrays import Floats, Integers
from equimut.evaluation.intervals import bootstrap, resampled
from equimut.evaluation.metrics import METRICS, score
from equimut.evaluation.weighted import WEIGHTED, WeightedRows
from oracles.evaluation_loops import all_metrics


def judged(
    seed: int, rows: int, groups: int, decimals: int = 2
) -> tuple[Integers, Floats, Integers]:
    """Rows whose labels hang together within a group, judged better than by chance."""
    chance = np.random.default_rng(seed)
    members = chance.integers(0, groups, rows)
    members[:groups] = np.arange(groups)
    labels = (chance.random(groups)[members] + chance.normal(0, 0.2, rows) > 0.7).astype(np.int64)
    probabilities = np.clip(0.3 * labels + chance.random(rows) * 0.7, 0, 1).round(decimals)
    return labels, probabilities, members


def test_every_metric_can_be_resampled() -> None:
    assert tuple(WEIGHTED) == METRICS


@settings(max_examples=count(50, 1000))
@given(
    st.lists(
        st.tuples(st.integers(0, 1), st.sampled_from([0.0, 0.2, 0.5, 0.7, 1.0]), st.integers(0, 3)),
        min_size=1,
        max_size=15,
    ).filter(lambda rows: any(times for _, _, times in rows)),
    st.sampled_from([0.2, 0.5, 0.9]),
)
def test_a_weight_is_as_good_as_that_many_copies(
    rows: list[tuple[int, float, int]], threshold: float
) -> None:
    labels, probabilities, times = (np.array(column) for column in zip(*rows, strict=True))
    weighted = WeightedRows(labels, probabilities, threshold, times[None].astype(float))
    copies = [(label, value) for label, value, number in rows for _ in range(number)]
    for name, expected in all_metrics(copies, threshold).items():
        found = WEIGHTED[name](weighted)
        assert found.shape == (1,)
        if expected is None:
            assert np.isnan(found[0]), name
        else:
            assert found[0] == pytest.approx(expected, abs=1e-12), name


def test_resamples_draw_whole_groups_with_repeats() -> None:
    labels, probabilities, groups = judged(1, 60, 7)
    fast = resampled(labels, probabilities, groups, resamples=20, seed=5)
    order = {group: place for place, group in enumerate(dict.fromkeys(groups.tolist()))}
    chance = np.random.default_rng(5)
    for number, times in enumerate(chance.multinomial(7, [1 / 7] * 7, size=20)):
        rows = [row for row in range(60) for _ in range(times[order[groups[row]]])]
        slow = score(labels[rows], probabilities[rows])
        for name in METRICS:
            expected = getattr(slow, name)
            assert fast[name][number] == pytest.approx(
                np.nan if expected is None else expected, abs=1e-12, nan_ok=True
            )


def test_many_rows_are_resampled_in_parts_with_the_same_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = judged(2, 80, 9)
    whole = resampled(*rows, resamples=50)
    monkeypatch.setattr(intervals, "CELLS", 80 * 7)
    parts = resampled(*rows, resamples=50)
    for name in METRICS:
        np.testing.assert_allclose(parts[name], whole[name], atol=1e-12)


def test_the_interval_holds_the_middle_of_the_resamples() -> None:
    rows = judged(3, 200, 20)
    drawn = resampled(*rows, metrics=["macro_f1"], resamples=400)["macro_f1"]
    found = bootstrap(*rows, metrics=["macro_f1"], resamples=400, level=0.8)["macro_f1"]
    assert ((drawn >= found.low) & (drawn <= found.high)).mean() == pytest.approx(0.8, abs=0.01)
    assert (found.resamples, found.groups, found.level) == (400, 20, 0.8)


def test_the_same_seed_gives_the_same_interval_and_another_seed_another() -> None:
    rows = judged(4, 200, 20)
    assert bootstrap(*rows, resamples=100, seed=1) == bootstrap(*rows, resamples=100, seed=1)
    assert bootstrap(*rows, resamples=100, seed=1) != bootstrap(*rows, resamples=100, seed=2)


def test_names_of_groups_do_not_matter() -> None:
    labels, probabilities, groups = judged(5, 100, 10)
    named = [f"origin {group}" for group in groups]
    assert bootstrap(labels, probabilities, named, resamples=50) == bootstrap(
        labels, probabilities, groups, resamples=50
    )


def test_origins_that_stand_and_fall_together_widen_the_interval() -> None:
    labels, probabilities, groups = judged(6, 600, 12)
    right = np.random.default_rng(0).random(12) < 0.6  # a judge that knows some origins only
    probabilities = np.where(right[groups], labels, 1 - labels).astype(float)
    rows = np.arange(600)
    by_origin, by_row = (
        bootstrap(labels, probabilities, members, metrics=["accuracy"], resamples=500)["accuracy"]
        for members in (groups, rows)
    )
    assert by_origin.high - by_origin.low > 3 * (by_row.high - by_row.low)


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    """40 origins of 10 rows; accuracy of an origin is uniform on [0.5, 1], so the truth is 0.75."""
    hits = 0
    trials = count(60, 500)
    for seed in range(trials):
        chance = np.random.default_rng(seed)
        groups = np.repeat(np.arange(40), 10)
        right = chance.random(400) < chance.uniform(0.5, 1, 40)[groups]
        labels = chance.integers(0, 2, 400)
        probabilities = np.where(right, labels, 1 - labels).astype(float)
        found = bootstrap(
            labels, probabilities, groups, metrics=["accuracy"], resamples=200, seed=seed
        )["accuracy"]
        hits += found.low <= 0.75 <= found.high
    assert 0.87 <= hits / trials <= 0.99


def test_resamples_without_an_equivalent_pair_are_counted_out() -> None:
    labels, groups = [1, 0, 0, 0], [0, 1, 2, 3]
    found = bootstrap(labels, [0.9, 0.1, 0.2, 0.3], groups, resamples=300)
    assert 150 < found["average_precision"].resamples < 300
    assert found["macro_f1"].resamples == 300
    none = bootstrap([0, 0], [0.1, 0.2], [0, 1], resamples=10)
    assert "average_precision" not in none
    assert "brier" in none


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"groups": [0, 0]}, "at least two origins"),
        ({"groups": [0]}, "1 groups for 2 labels"),
        ({"metrics": ["f2"]}, "unknown metric 'f2'; known: macro_precision"),
        ({"resamples": 0}, "0 resamples"),
        ({"level": 1.0}, "level 1.0"),
    ],
)
def test_what_gives_no_interval_is_one_clear_error(changes: dict[str, object], words: str) -> None:
    arguments = {"labels": [0, 1], "probabilities": [0.1, 0.9], "groups": [0, 1]} | changes
    with pytest.raises(DataError) as caught:
        bootstrap(**arguments)
    assert words in str(caught.value)
