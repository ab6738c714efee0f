"""Tests and effect sizes agree with scipy, and with loops where it has none."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from equimut.errors import DataError
from equimut.evaluation.significance import (
    cohens_d,
    holm,
    mann_whitney,
    mcnemar,
    p_text,
    rank_biserial,
    welch,
    wilcoxon_over_seeds,
)
from oracles.evaluation_loops import cliffs_delta_loop, holm_loop, mcnemar_exact, signed_rank_p

VALUES = st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=8)


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=60))
def test_mcnemar_is_a_coin_flipped_for_every_discordant_pair(rows: list[tuple[int, int]]) -> None:
    first, second = ([row[side] for row in rows] for side in (0, 1))
    found = mcnemar(first, second)
    only = rows.count((1, 0)), rows.count((0, 1))
    assert (found.only_first, found.only_second) == only
    assert found.p_value == pytest.approx(mcnemar_exact(*only), abs=1e-12)
    if sum(only):
        assert found.p_value == pytest.approx(stats.binomtest(only[0], sum(only)).pvalue, abs=1e-9)
    assert mcnemar(second, first).p_value == found.p_value


def test_mcnemar_of_a_textbook_table() -> None:
    """59 against 121 discordant pairs."""
    first, second = [1] * 59 + [0] * 121, [0] * 59 + [1] * 121
    found = mcnemar(first, second)
    assert found.p_value == pytest.approx(stats.binomtest(59, 180).pvalue)
    large = stats.chi2.sf(61**2 / 180, 1)  # with correction: (|59 - 121| - 1)^2 / 180
    assert large == pytest.approx(found.p_value, rel=0.25)
    assert found.odds_ratio == pytest.approx(59.5 / 121.5)


def test_two_predictors_that_never_disagree_do_not_differ() -> None:
    found = mcnemar([1, 0, 1], [1, 0, 1])
    assert (found.p_value, found.odds_ratio) == (1, 1)


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "p undefined"), (0.04999, "p = 0.0500"), (1e-4, "p = 0.0001"), (9e-5, "p < 0.0001")],
)
def test_a_p_value_reads_the_same_everywhere(value: float | None, text: str) -> None:
    assert p_text(value) == text


@given(st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=1, max_size=8))
def test_wilcoxon_of_few_runs_is_exact_also_with_ties(rows: list[tuple[int, int]]) -> None:
    first, second = ([float(row[side]) for row in rows] for side in (0, 1))
    found = wilcoxon_over_seeds(first, second)
    differences = [one - other for one, other in zip(first, second, strict=True)]
    expected = signed_rank_p(differences) if any(differences) else 1.0
    assert found.p_value == pytest.approx(expected)
    assert found.p_value >= found.smallest_p


@pytest.mark.parametrize("number", [3, 5, 8, 12, 13, 30])
def test_wilcoxon_without_ties_is_that_of_scipy(number: int) -> None:
    chance = np.random.default_rng(number)
    first, second = chance.normal(0.3, 1, number), chance.normal(0, 1, number)
    found, known = wilcoxon_over_seeds(first, second), stats.wilcoxon(first, second)
    assert found.p_value == pytest.approx(known.pvalue)
    assert found.statistic == pytest.approx(known.statistic)


def test_five_seeds_can_never_reach_five_percent() -> None:
    found = wilcoxon_over_seeds([0.9, 0.91, 0.92, 0.93, 0.94], [0.1] * 5)
    assert found.p_value == found.smallest_p == 0.0625
    assert found.effect == 1


@given(VALUES, VALUES)
def test_mann_whitney_and_cliffs_delta(first: list[float], second: list[float]) -> None:
    found = mann_whitney(first, second)
    assert found.effect == pytest.approx(cliffs_delta_loop(first, second))
    assert mann_whitney(second, first).effect == pytest.approx(-found.effect)
    if len(set(first + second)) > 1:
        known = stats.mannwhitneyu(first, second)
        assert (found.statistic, found.p_value) == (known.statistic, pytest.approx(known.pvalue))
    else:
        assert found.p_value == 1


def test_welch_is_that_of_scipy_and_cohens_d_counts_pooled_deviations() -> None:
    chance = np.random.default_rng(0)
    first, second = chance.normal(1, 2, 30), chance.normal(0, 1, 50)
    found = welch(first, second)
    assert found.p_value == pytest.approx(stats.ttest_ind(first, second, equal_var=False).pvalue)
    low, high = np.array([0.0, 2, 4]), np.array([1.0, 3, 5])
    assert cohens_d(low, high) == pytest.approx(-1 / 2)
    equal = stats.ttest_ind(low, high)
    assert equal.statistic == pytest.approx(cohens_d(low, high) / np.sqrt(2 / 3))


@pytest.mark.parametrize(("first", "second"), [([1.0], [2.0, 3.0]), ([1.0, 1.0], [2.0, 2.0])])
def test_welch_without_spread_has_no_p_value(first: list[float], second: list[float]) -> None:
    assert welch(first, second).p_value is None


@given(st.lists(st.floats(0, 1), min_size=0, max_size=8))
def test_holm_is_the_loop_and_never_lowers_a_p_value(p_values: list[float]) -> None:
    found = holm(p_values)
    assert found == pytest.approx(holm_loop(p_values))
    assert all(new >= old for new, old in zip(found, p_values, strict=True))
    assert all(new <= 1 for new in found)


def test_holm_of_a_textbook_example() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))


@given(st.lists(st.integers(-9, 9).map(float), min_size=1, max_size=20))
def test_rank_biserial_follows_from_the_statistic_of_wilcoxon(differences: list[float]) -> None:
    found = rank_biserial(np.array(differences))
    assert -1 <= found <= 1
    assert rank_biserial(-np.array(differences)) == pytest.approx(-found)
    moved = [value for value in differences if value]
    if moved:
        total = len(moved) * (len(moved) + 1) / 2
        above = stats.wilcoxon(moved, alternative="greater", method="approx").statistic
        assert found == pytest.approx(2 * above / total - 1)


def test_an_odds_ratio_is_a_number_even_if_one_side_never_errs() -> None:
    assert mcnemar([1] * 7, [0] * 7).odds_ratio == 15
    assert mcnemar([1], [1]).odds_ratio == 1


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: mcnemar([1], [1, 0]), "the same pairs on both sides: 1 and 2"),
        (lambda: wilcoxon_over_seeds([1.0], [1.0, 2.0]), "1 on one side and 2 on the other"),
        (lambda: mann_whitney([], [1.0]), "Mann-Whitney needs at least one value"),
        (lambda: welch([float("nan")], [1.0]), "all of them finite"),
        (lambda: holm([0.5, 1.5]), "between 0 and 1"),
        (lambda: holm([float("nan")]), "between 0 and 1"),
    ],
)
def test_what_cannot_be_tested_is_one_clear_error(call: object, words: str) -> None:
    with pytest.raises(DataError) as caught:
        call()
    assert words in str(caught.value)
