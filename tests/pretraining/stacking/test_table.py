"""Weights of features from benchmark and projects, and margins of rows unknown to them."""

from collections.abc import Sequence

import numpy as np
import pytest

from equimut.inputs.edit_features.surroundings import hashed_features
from equimut.models.edit_regression import regression
from equimut.pretraining.labels.records import LabelledPair
from equimut.pretraining.stacking.table import FOLDS, _fold, _weights, fit_table, sums
from equimut.records import Label, Pair


def pair(number: int, label: Label, operator: str, project: str, weight: float) -> LabelledPair:
    origin = f"int f(int a, int[] b{number}) {{ if (a < b{number}.length) return 1; return a; }}"
    return LabelledPair(
        id=f"java/{number}", source="corpus", language="java", class_id=number,
        program="java/p/A.java", operators=("ROR",), origin=origin,
        mutant=origin.replace("<", operator), label=label, split="train",
        evidence="solver" if label else "differs", weight=weight, project=project,
    )  # fmt: skip


def some(count: int) -> list[LabelledPair]:
    """Both labels in every project; `!=` is mostly equivalent."""
    chance = np.random.default_rng(3)
    found = []
    for number in range(count):
        label: Label = 1 if chance.random() < 0.3 else 0
        usual = chance.random() < 0.9
        operator = "!=" if (label == 1) == usual else "<="
        weight = 1.0 if label else 0.5 + number % 2 / 2
        found.append(pair(number, label, operator, f"project {number % 11}", weight))
    return found


def plain(pairs: Sequence[LabelledPair]) -> list[Pair]:
    return [each.plain() for each in pairs]


def test_a_row_is_weighed_by_weights_that_do_not_know_its_project() -> None:
    rows, benchmark = some(220), plain(some(60))
    table = fit_table(benchmark, rows)
    assert len({_fold(row.project) for row in rows}) > 2
    everything = [*benchmark, *rows]
    features = [hashed_features(each.origin, each.mutant, "java") for each in everything]
    labels, weights = [each.label for each in everything], _weights(benchmark, rows)
    for place in (0, 7, 100, 219):
        own = _fold(rows[place].project)
        others = [
            at
            for at in range(len(everything))
            if at < len(benchmark) or _fold(rows[at - len(benchmark)].project) != own
        ]
        fitted = regression(
            [features[at] for at in others], [labels[at] for at in others], 0.1, weights[others]
        )
        expected = sum(fitted.weights[bucket] for bucket in features[len(benchmark) + place])
        assert table.unseen[place] == pytest.approx(expected)
    known = sums(table.weights, features[len(benchmark) :])
    assert not np.allclose(known, table.unseen)


def test_what_is_usual_is_learnt() -> None:
    rows = some(220)
    table = fit_table([], rows)
    changed = np.array(["!=" in row.mutant for row in rows])
    assert table.unseen[changed].min() > table.unseen[~changed].max()


def test_both_kinds_and_both_labels_count_the_same() -> None:
    rows, benchmark = some(100), plain(some(30))
    weights = _weights(benchmark, rows)
    kinds = np.array([0] * 30 + [1] * 100)
    labels = np.array([each.label for each in [*benchmark, *rows]])
    for kind in (0, 1):
        for label in (0, 1):
            assert weights[(kinds == kind) & (labels == label)].sum() == pytest.approx(130 / 4)
    believed = np.array([row.weight for row in rows])
    unsure, sure = believed == 0.5, (believed == 1) & (labels[30:] == 0)
    assert 2 * weights[30:][unsure][0] == pytest.approx(weights[30:][sure][0])


def test_folds_are_few_and_depend_on_the_name_only() -> None:
    assert {_fold(f"project {number}") for number in range(200)} == set(range(FOLDS))
    assert _fold("jsoup") == _fold("jsoup")
