"""The figures are those of scikit-learn, and of a plain loop where it has none."""

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk

from conftest import count
from equimut.errors import DataError
from equimut.evaluation.metrics import METRICS, Scores, score
from oracles.evaluation_loops import all_metrics

# Few distinct probabilities, so that ties, empty bins and degenerate cases are common.
ROWS = st.lists(
    st.tuples(st.integers(0, 1), st.sampled_from([0.0, 0.05, 0.1, 0.3, 0.5, 0.55, 0.7, 0.9, 1.0])),
    min_size=1,
    max_size=40,
)
FEWER = settings(max_examples=count(25, 1000))  # scikit-learn takes milliseconds a call
THRESHOLDS = st.sampled_from([0.0, 0.3, 0.5, 0.9, 1.0])


def measured(rows: list[tuple[int, float]], threshold: float = 0.5) -> Scores:
    return score([label for label, _ in rows], [value for _, value in rows], threshold)


def figures(scores: Scores) -> dict[str, float | None]:
    return {name: getattr(scores, name) for name in METRICS}


@FEWER
@given(ROWS, THRESHOLDS)
def test_every_figure_is_that_of_a_plain_loop(
    rows: list[tuple[int, float]], threshold: float
) -> None:
    found, slow = figures(measured(rows, threshold)), all_metrics(rows, threshold)
    assert found.keys() == slow.keys()
    for name, value in found.items():
        assert value == pytest.approx(slow[name], abs=1e-12), name


@pytest.mark.parametrize("seed", range(5))
def test_figures_are_those_of_scikit_learn(seed: int) -> None:
    chance = np.random.default_rng(seed)
    labels, probabilities = chance.integers(0, 2, 300), chance.random(300).round(2)
    found, guesses = score(labels, probabilities), (probabilities >= 0.5).astype(int)
    assert found.macro_f1 == pytest.approx(sk.f1_score(labels, guesses, average="macro"))
    assert found.macro_precision == pytest.approx(
        sk.precision_score(labels, guesses, average="macro")
    )
    assert found.equivalent_recall == pytest.approx(sk.recall_score(labels, guesses))
    assert found.mcc == pytest.approx(sk.matthews_corrcoef(labels, guesses))
    assert found.brier == pytest.approx(sk.brier_score_loss(labels, probabilities))
    assert found.average_precision == pytest.approx(
        sk.average_precision_score(labels, probabilities)
    )
    confusion = found.confusion
    assert [confusion.tn, confusion.fp, confusion.fn, confusion.tp] == (
        sk.confusion_matrix(labels, guesses).ravel().tolist()
    )
    assert (found.count, found.base_rate) == (300, pytest.approx(labels.mean()))


@FEWER
@given(ROWS, st.randoms())
def test_the_order_of_the_rows_does_not_matter(
    rows: list[tuple[int, float]], chance: "st.random.Random"
) -> None:
    shuffled = rows.copy()
    chance.shuffle(shuffled)
    before, after = figures(measured(rows)), figures(measured(shuffled))
    for name in METRICS:
        assert after[name] == pytest.approx(before[name], abs=1e-12), name


@FEWER
@given(ROWS)
def test_ranking_figures_see_the_order_only(rows: list[tuple[int, float]]) -> None:
    lower = [(label, value**3 / 2) for label, value in rows]
    for name in ("average_precision", "recall_at_precision_90"):
        assert getattr(measured(lower), name) == getattr(measured(rows), name)


@FEWER
@given(ROWS)
def test_all_figures_lie_within_their_bounds_and_survive_json(
    rows: list[tuple[int, float]],
) -> None:
    found = measured(rows)
    for name, value in figures(found).items():
        assert value is None or (-1 if name == "mcc" else 0) <= value <= 1 + 1e-12
        assert value is None or not math.isnan(value)
    assert Scores.model_validate_json(found.model_dump_json()) == found


def test_without_an_equivalent_pair_ranking_figures_are_undefined() -> None:
    found = score([0, 0], [0.1, 0.9])
    assert found.average_precision is None
    assert found.recall_at_precision_90 is None
    assert (found.equivalent_f1, found.mcc, found.macro_recall) == (0, 0, 0.25)


def test_with_equivalent_pairs_only_everything_is_still_a_number() -> None:
    found = score([1, 1], [0.1, 0.9])
    assert (found.average_precision, found.recall_at_precision_99, found.mcc) == (1, 1, 0)
    assert (found.macro_precision, found.equivalent_precision) == (0.5, 1)


def test_no_positive_guess_scores_zero_as_in_the_paper() -> None:
    found = score([1, 0, 0], [0.2, 0.1, 0.1])
    assert (found.equivalent_precision, found.equivalent_recall, found.equivalent_f1) == (0, 0, 0)
    assert found.macro_f1 == pytest.approx((0 + 4 / 5) / 2)


def test_a_precision_that_no_threshold_reaches_has_recall_zero() -> None:
    assert score([0, 1], [0.9, 0.1]).recall_at_precision_90 == 0


def test_the_threshold_itself_counts_as_equivalent() -> None:
    assert score([1], [0.5]).confusion.tp == 1
    assert score([1], [0.7], threshold=0.8).confusion.fn == 1


@pytest.mark.parametrize(
    ("labels", "probabilities", "words"),
    [
        ([], [], "nothing to measure"),
        ([0, 2], [0.1, 0.2], "label 2 at position 1 is neither 0 nor 1"),
        ([0, 1], [0.1], "1 probabilities for 2 labels"),
        ([0, 1], [0.1, float("nan")], "nan at position 1 is not a finite number"),
        ([0, 1], [0.1, 1.5], "probability 1.5 at position 1 is not within [0, 1]"),
        ([[0, 1]], [[0.1, 0.2]], "nothing to measure"),
    ],
)
def test_what_cannot_be_measured_is_one_clear_error(
    labels: list[int], probabilities: list[float], words: str
) -> None:
    with pytest.raises(DataError) as caught:
        score(labels, probabilities)
    assert words in str(caught.value)


def test_measuring_does_not_import_torch() -> None:
    code = """
import sys
import equimut.evaluation.comparison, equimut.evaluation.protocols, equimut.evaluation.tables
from equimut.evaluation.baselines import BASELINES
from equimut.evaluation.metrics import score
score([0, 1], [0.1, 0.9])
sys.exit("torch" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
