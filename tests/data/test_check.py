"""The judgement on a dataset: each figure on rows where it can be counted by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score

from conftest import shared_file
from equimut.data.published.emd import read_emd
from equimut.data.splitting.check import DataReport, check, macro_f1
from equimut.records import Pair
from oracles.datasets.synthetic_pairs import make_pair

ORIGIN = "int f(int a) {\n  a = a + 1;\n  return a;\n}"


def row(number: int, mutant: str, label: int, split: str, **changes: object) -> Pair:
    return make_pair(
        number, origin=ORIGIN, mutant=mutant, label=label, split=split, **{"class_id": 7, **changes}
    )


@pytest.fixture(scope="module")
def report() -> DataReport:
    plus = ORIGIN.replace("+", "-")
    late = ORIGIN.replace("return a", "return a++")
    other = "int g() { return 1; }"
    return check(
        [
            row(0, plus, 0, "train"),
            row(1, plus, 0, "train"),  # a repeat
            row(2, ORIGIN.replace("+", "*"), 0, "train"),
            row(3, late, 1, "train"),
            row(4, late, 0, "train"),  # a contradiction
            row(5, plus, 0, "test"),  # a leak
            row(6, ORIGIN.replace("+", "/"), 1, "test"),  # on a line that training changes
            row(7, ORIGIN.replace("f(", "f( "), 1, "test"),  # the same tokens
            make_pair(8, class_id=9, origin=other, mutant=other + " ", label=1, split="test"),
        ]
    )


def test_counts_of_rows_and_repeats(report: DataReport) -> None:
    assert (report.parts_are, report.everything.rows) == ("published", 9)
    assert (report.train.rows, report.test.rows) == (5, 4)
    assert (report.train.duplicate_rows, report.test.duplicate_rows) == (1, 0)
    assert report.everything.duplicate_rows == 2  # the leaked row repeats one of training
    assert (report.everything.conflicting_pairs, report.everything.conflicting_rows) == (1, 2)


def test_leakage_is_counted_exactly_and_by_line(report: DataReport) -> None:
    assert report.leakage.shared_pairs == 1
    assert report.leakage.test_rows_with_a_shared_pair == 1
    assert report.leakage.test_rows_on_trained_lines == 2
    assert report.leakage.test_rows_of_trained_origins == 3


def test_skew_and_identical_tokens(report: DataReport) -> None:
    assert (report.train.origins, report.test.origins) == (1, 2)
    assert report.test.origins_all_equivalent == 1
    assert report.train.origins_none_equivalent == 0
    assert report.train.largest_origin_share == 1
    assert (report.train.token_identical, report.test.token_identical) == (0, 2)


def test_the_majority_guess_says_not_equivalent_here(report: DataReport) -> None:
    # All four guesses are 0, one of them right: F1 of 0 is 2/5, F1 of 1 is 0.
    assert report.origin_majority_macro_f1 == pytest.approx(0.2)


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1))
def test_macro_f1_is_scikit_learn_s(rows: list[tuple[int, int]]) -> None:
    labels, guesses = zip(*rows, strict=True)
    expected = f1_score(labels, guesses, labels=[0, 1], average="macro", zero_division=0)
    assert macro_f1(labels, guesses) == pytest.approx(expected)


def test_without_a_published_split_halves_stand_in() -> None:
    report = check([make_pair(number, label=number % 2) for number in range(20)])
    assert (report.parts_are, report.train.rows, report.test.rows) == ("halves", 10, 10)


def test_published_java_is_judged_as_measured() -> None:
    report = check(read_emd(shared_file("data")))
    assert (report.everything.origins, report.train.origins, report.test.origins) == (53, 52, 53)
    assert report.everything.conflicting_pairs == 9
    assert (report.train.duplicate_rows, report.test.duplicate_rows) == (64, 72)
    assert report.leakage.shared_pairs == 99
    assert report.leakage.test_rows_with_a_shared_pair == 138
    assert round(100 * report.leakage.test_rows_on_trained_lines / report.test.rows) == 92
    assert (report.train.origins_all_equivalent, report.train.origins_none_equivalent) == (8, 22)
    assert round(100 * report.origin_majority_macro_f1, 1) == 81.9
