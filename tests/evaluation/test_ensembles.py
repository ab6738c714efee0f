"""Ensembles: against the mean of log-odds written out."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equimut.errors import DataError
from equimut.evaluation.predictions import (
    SUREST,
    Predictions,
    average_log_odds,
    to_balanced_prior,
)

CHANCES = st.floats(0, 1)


def predicted(ids: str, probabilities: list[float], labels: list[int] | None = None) -> Predictions:
    return Predictions(
        ids=tuple(ids),
        labels=tuple(labels or [ord(one) % 2 for one in ids]),
        groups=tuple(range(len(ids))),
        probabilities=tuple(probabilities),
    )


def odds(probability: float) -> float:
    bounded = min(max(probability, SUREST), 1 - SUREST)
    return math.log(bounded / (1 - bounded))


@given(st.lists(st.tuples(CHANCES, CHANCES, CHANCES), min_size=1, max_size=6))
def test_an_ensemble_predicts_the_mean_of_their_log_odds(rows: list[tuple[float, ...]]) -> None:
    ids = "abcdef"[: len(rows)]
    members = [predicted(ids, [row[member] for row in rows]) for member in range(3)]
    found = average_log_odds(members)
    assert (found.ids, found.labels, found.groups) == (
        tuple(ids),
        members[0].labels,
        members[0].groups,
    )
    for row, probability in zip(rows, found.probabilities, strict=True):
        mean = sum(map(odds, row)) / 3
        assert probability == pytest.approx(1 / (1 + math.exp(-mean)), rel=1e-9)
        assert min(row) - 2 * SUREST <= probability <= max(row) + 2 * SUREST


def test_the_order_of_pairs_does_not_matter_and_other_pairs_are_refused() -> None:
    first = predicted("abc", [0.1, 0.5, 0.9])
    assert average_log_odds(
        [first, predicted("cab", [0.9, 0.1, 0.5])]
    ).probabilities == pytest.approx((0.1, 0.5, 0.9))
    with pytest.raises(DataError, match="different pairs"):
        average_log_odds([first, predicted("abd", [0.1, 0.5, 0.9])])
    with pytest.raises(DataError, match="different versions of the data"):
        average_log_odds([first, predicted("abc", [0.1, 0.5, 0.9], [1, 1, 1])])


@given(st.floats(0.001, 0.999), st.floats(0.01, 0.99))
def test_at_a_balanced_prior_the_rate_itself_is_a_coin(probability: float, rate: float) -> None:
    found = to_balanced_prior(predicted("ab", [probability, rate]), rate).probabilities
    assert found[1] == pytest.approx(0.5)
    bayes = probability / rate / (probability / rate + (1 - probability) / (1 - rate))
    assert found[0] == pytest.approx(bayes)
