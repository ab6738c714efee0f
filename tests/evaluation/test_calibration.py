"""Temperatures are the best there are, thresholds keep what they promise."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import logit

from equimut.errors import DataError
from equimut.evaluation.calibration import (
    TEMPERATURES,
    apply_temperature,
    calibrate,
    fit_scale,
    fit_temperature,
    reliability,
    threshold_for_precision,
)
from equimut.evaluation.metrics import score
from equimut.models.settings import PrecisionTarget
from oracles.evaluation_loops import likelihood_loss

ROWS = st.lists(
    st.tuples(st.integers(0, 1), st.sampled_from([0.0, 0.1, 0.4, 0.5, 0.8, 0.9, 1.0])),
    min_size=1,
    max_size=30,
)


@given(
    st.lists(st.tuples(st.integers(0, 1), st.floats(-30, 30)), min_size=2, max_size=30).filter(
        lambda rows: len({label for label, _ in rows}) == 2
    )
)
def test_no_other_temperature_within_the_bounds_is_better(rows: list[tuple[int, float]]) -> None:
    labels, margins = ([row[side] for row in rows] for side in (0, 1))
    best = fit_temperature(margins, labels)
    assert TEMPERATURES[0] <= best <= TEMPERATURES[1]
    reached = likelihood_loss(margins, labels, best)
    for other in np.geomspace(*TEMPERATURES, 60):
        assert reached <= likelihood_loss(margins, labels, other) + 1e-7


@pytest.mark.parametrize("temperature", [0.3, 1.0, 4.0])
def test_the_temperature_that_spoilt_the_logits_is_found(temperature: float) -> None:
    chance = np.random.default_rng(0)
    margins = chance.normal(-1, 2, 20_000)
    labels = (chance.random(20_000) < apply_temperature(margins, 1.0)).astype(int)
    found = fit_temperature(margins * temperature, labels)
    assert found == pytest.approx(temperature, rel=0.05)
    spoilt, mended = (apply_temperature(margins * temperature, t) for t in (1.0, found))
    assert score(labels, mended).calibration_error < 0.02
    assert temperature == 1 or score(labels, spoilt).calibration_error > 0.04


@pytest.mark.parametrize(("temperature", "offset"), [(1.0, 0.0), (2.5, -1.5), (0.5, 1.0)])
def test_temperature_and_offset_that_spoilt_the_logits_are_found(
    temperature: float, offset: float
) -> None:
    chance = np.random.default_rng(1)
    margins = chance.normal(-1, 2, 40_000)
    labels = (chance.random(40_000) < apply_temperature(margins, 1.0)).astype(int)
    spoilt = (margins - offset) * temperature
    found = fit_scale(spoilt, labels)
    assert found == pytest.approx((temperature, offset), rel=0.05, abs=0.05)
    assert score(labels, apply_temperature(spoilt, *found)).calibration_error < 0.02


def test_an_offset_never_makes_the_labels_less_likely() -> None:
    chance = np.random.default_rng(2)
    for _ in range(20):
        margins = chance.normal(0, 3, 50)
        labels = (chance.random(50) < 0.3).astype(int)
        labels[:2] = 0, 1
        temperature, offset = fit_scale(margins, labels)
        with_offset = likelihood_loss(margins + offset * temperature, labels, temperature)
        assert (
            with_offset <= likelihood_loss(margins, labels, fit_temperature(margins, labels)) + 1e-6
        )
    assert fit_scale([1.0, 2.0], [1, 1]) == (1.0, 0.0)


def test_separable_and_inverted_logits_stay_within_the_bounds() -> None:
    assert fit_temperature([-3.0, -1.0, 2.0], [0, 0, 1]) == pytest.approx(TEMPERATURES[0])
    assert fit_temperature([3.0, 1.0, -2.0], [0, 0, 1]) == pytest.approx(TEMPERATURES[1])
    # As likely at any temperature: the most cautious is taken.
    assert fit_temperature([1e6, -1e6], [1, 0]) == pytest.approx(TEMPERATURES[1])


@pytest.mark.parametrize(("margins", "labels"), [([3.0, 1.0], [1, 1]), ([0.0, 0.0], [0, 1])])
def test_data_that_say_nothing_about_temperature_leave_it_at_one(
    margins: list[float], labels: list[int]
) -> None:
    assert fit_temperature(margins, labels) == 1


def test_temperature_one_changes_nothing_and_no_temperature_changes_the_order() -> None:
    probabilities = np.linspace(0.01, 0.99, 50)
    np.testing.assert_allclose(apply_temperature(logit(probabilities), 1.0), probabilities)
    assert (np.diff(apply_temperature(logit(probabilities), 7.0)) > 0).all()
    assert apply_temperature([800.0, -800.0], 0.05).tolist() == [1, 0]


def bound(right: int, called: int) -> float:
    exact = stats.binomtest(right, called, alternative="greater")
    return float(exact.proportion_ci(0.95, "exact").low)


@given(ROWS, st.sampled_from([0.2, 0.5, 0.8, 0.95]))
def test_the_threshold_is_the_lowest_whose_lower_bound_keeps_the_precision(
    rows: list[tuple[int, float]], target: float
) -> None:
    labels, probabilities = ([row[side] for row in rows] for side in (0, 1))
    found = threshold_for_precision(labels, probabilities, target)
    kept: dict[float, list[int]] = {
        at: [label for label, value in rows if value >= at] for at in sorted(set(probabilities))
    }
    enough = [at for at, called in kept.items() if bound(sum(called), len(called)) >= target]
    if not enough:
        assert found is None
        return
    assert isinstance(found, PrecisionTarget)
    assert found.threshold == min(enough)
    called = kept[found.threshold]
    assert (found.support, found.precision) == (len(called), target)
    assert found.achieved == sum(called) / len(called) >= target
    assert found.recall == sum(called) / sum(labels)
    assert found.lower_bound == pytest.approx(bound(sum(called), len(called)))


def test_a_few_rows_promise_nothing_however_right_they_are() -> None:
    assert threshold_for_precision([1, 1, 1, 0], [0.9, 0.8, 0.7, 0.2], 0.8) is None
    assert threshold_for_precision([1] * 58, [0.9] * 58, 0.95) is None
    found = threshold_for_precision([1] * 59 + [0], [0.9] * 59 + [0.1], 0.95)
    assert found is not None
    assert (found.threshold, found.support, found.recall) == (0.9, 59, 1)
    assert not found.note.endswith("below the target")


def test_mutants_of_few_origins_promise_less_than_as_many_of_different_ones() -> None:
    draw = np.random.default_rng(3)
    quality = np.repeat(draw.choice([0.8, 1.0], 60), 20)  # it errs in some origins only
    labels = (draw.random(1200) < quality).astype(int)
    origins = np.repeat(np.arange(60), 20).tolist()
    alone = threshold_for_precision(labels, [0.9] * 1200, 0.8)
    grouped = threshold_for_precision(labels, [0.9] * 1200, 0.8, origins)
    assert alone is not None
    assert grouped is not None
    assert alone.achieved == grouped.achieved
    assert grouped.lower_bound < alone.lower_bound - 0.005
    resampled = [
        np.concatenate([labels[20 * at : 20 * at + 20] for at in draw.integers(0, 60, 60)]).mean()
        for _ in range(2000)
    ]
    assert grouped.lower_bound == pytest.approx(np.quantile(resampled, 0.05), abs=0.01)
    # One origin shows nothing of what the next one will be like.
    assert threshold_for_precision([1] * 500, [0.9] * 500, 0.5, ["f"] * 500) is None


def test_promises_are_kept_on_rows_that_were_not_looked_at() -> None:
    """Of many calibrations on calibrated probabilities, about one in twenty may break its word."""
    draw = np.random.default_rng(0)
    fresh = np.sort(draw.beta(0.3, 0.8, size=200_000))
    broken = promised = 0
    for _ in range(200):
        probabilities = draw.beta(0.3, 0.8, size=1500)
        labels = (draw.random(1500) < probabilities).astype(int)
        found = threshold_for_precision(labels, probabilities, 0.9)
        if found is not None:
            promised += 1
            broken += fresh[np.searchsorted(fresh, found.threshold) :].mean() < 0.9
    assert promised > 150
    assert broken / promised < 0.08


def test_own_rows_that_are_too_few_only_rank_and_the_words_say_so() -> None:
    margins, labels = np.linspace(-3, 3, 10), [0] * 6 + [1] * 4
    found = calibrate(margins, labels, "rows of your own").thresholds(0.95)
    assert (found.equivalent_from, found.not_equivalent_to) == (None, None)
    assert found.basis == (
        "on 10 rows of your own: not enough to promise a precision of 0.95, predictions only rank"
    )
    assert {found.verdict(value) for value in (0.0, 0.5, 1.0)} == {"unknown"}


def test_between_two_calibrated_thresholds_nothing_is_decided() -> None:
    draw = np.random.default_rng(1)
    probabilities = draw.random(20_000)
    labels = (draw.random(20_000) < probabilities).astype(int)
    found = calibrate(logit(probabilities), labels, "held-out rows").thresholds(0.9)
    assert found.equivalent_from is not None
    assert found.not_equivalent_to is not None
    assert 0.05 < found.not_equivalent_to < 0.15  # 0.95 of "not equivalent" is the least
    assert 0.7 < found.equivalent_from < 0.9
    for low, high, word, rate in (
        (found.equivalent_from, 1.0, "equivalent", 0.9),
        (0.0, found.not_equivalent_to, "not-equivalent", 0.95),
    ):
        chosen = (probabilities >= low) & (probabilities <= high)
        assert {found.verdict(value) for value in probabilities[chosen][:50]} == {word}
        share = labels[chosen].mean()
        assert (share if word == "equivalent" else 1 - share) >= rate
    assert found.verdict(0.5) == "unknown"
    assert found.basis.startswith("a precision of at least 0.9, with 95% confidence")
    assert found.basis.endswith("on 20,000 held-out rows")


@given(ROWS, st.integers(1, 12))
def test_bins_hold_every_row_once(rows: list[tuple[int, float]], bins: int) -> None:
    labels, probabilities = ([row[side] for row in rows] for side in (0, 1))
    found = reliability(labels, probabilities, bins)
    assert sum(one.count for one in found) == len(rows)
    assert sum(one.count * one.observed_rate for one in found) == pytest.approx(sum(labels))
    for one in found:
        assert one.low - 1e-9 <= one.mean_probability <= one.high + 1e-9
    assert [one.low for one in found] == sorted({one.low for one in found})


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: fit_temperature([], []), "nothing to measure"),
        (lambda: fit_temperature([1.0], [0, 1]), "1 logit margins for 2 labels"),
        (lambda: fit_temperature([float("inf"), 0.0], [0, 1]), "inf at position 0"),
        (lambda: apply_temperature([1.0], 0.0), "temperature 0.0 is not above 0"),
        (lambda: threshold_for_precision([1], [0.5], 1.1), "precision of 1.1"),
        (lambda: reliability([1], [0.5], 0), "0 bins"),
    ],
)
def test_what_cannot_be_calibrated_is_one_clear_error(call: object, words: str) -> None:
    with pytest.raises(DataError) as caught:
        call()
    assert words in str(caught.value)
