"""Judges that speak together: against the mean of log-odds written out."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equimut.errors import DataError
from equimut.evaluation.ensemble import SUREST, at_even_odds, together
from equimut.evaluation.predictions import Predictions

CHANCES = st.floats(0, 1)


def said(ids: str, probabilities: list[float], labels: list[int] | None = None) -> Predictions:
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
def test_together_they_say_the_mean_of_their_log_odds(rows: list[tuple[float, ...]]) -> None:
    ids = "abcdef"[: len(rows)]
    judges = [said(ids, [row[judge] for row in rows]) for judge in range(3)]
    found = together(judges)
    assert (found.ids, found.labels, found.groups) == (
        tuple(ids),
        judges[0].labels,
        judges[0].groups,
    )
    for row, probability in zip(rows, found.probabilities, strict=True):
        mean = sum(map(odds, row)) / 3
        assert probability == pytest.approx(1 / (1 + math.exp(-mean)), rel=1e-9)
        assert min(row) - 2 * SUREST <= probability <= max(row) + 2 * SUREST


def test_the_order_of_pairs_does_not_matter_and_other_pairs_are_refused() -> None:
    first = said("abc", [0.1, 0.5, 0.9])
    assert together([first, said("cab", [0.9, 0.1, 0.5])]).probabilities == pytest.approx(
        (0.1, 0.5, 0.9)
    )
    with pytest.raises(DataError, match="other pairs"):
        together([first, said("abd", [0.1, 0.5, 0.9])])
    with pytest.raises(DataError, match="other labels"):
        together([first, said("abc", [0.1, 0.5, 0.9], [1, 1, 1])])


@given(st.floats(0.001, 0.999), st.floats(0.01, 0.99))
def test_at_even_odds_the_rate_itself_is_a_coin(probability: float, rate: float) -> None:
    found = at_even_odds(said("ab", [probability, rate]), rate).probabilities
    assert found[1] == pytest.approx(0.5)
    bayes = probability / rate / (probability / rate + (1 - probability) / (1 - rate))
    assert found[0] == pytest.approx(bayes)
