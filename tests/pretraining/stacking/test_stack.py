"""Fitting and measuring a stack on rows of whole projects."""

import numpy as np
import pytest

from equimut.errors import DataError
from equimut.inputs.edit_features.reach import MARGIN, VIEW
from equimut.pretraining.labels.records import LabelledPair
from equimut.pretraining.stacking.fitting import FITS
from equimut.pretraining.stacking.making import realistic
from equimut.pretraining.stacking.measuring import measured
from equimut.pretraining.stacking.rows import (
    Stackable,
    StackRow,
    base_rate_weights,
    names_of,
    stack_rows,
    stackable,
)
from equimut.records import Label, ProverView

VIEWS = {
    0: ProverView(answer="differs", scope="function", effects=("return",), tried=3),
    1: ProverView(answer="differs", scope="iteration", effects=("local",), through=("call",)),
}


def pair(number: int, label: Label, *, weak: bool = True, **changes: object) -> LabelledPair:
    origin = f"int f{number}(int a) {{ if (a > {number}) return 1; return a; }}"
    values: dict[str, object] = {
        "id": f"java/{number}", "source": "corpus", "language": "java", "class_id": number,
        "program": "java/p/A.java", "operators": ("ROR",), "origin": origin,
        "mutant": origin.replace(">", ">="), "label": label, "split": "train",
        "evidence": "solver" if label else "differs", "weight": 1.0,
        "project": f"project {number % 7}", "weak_view": VIEWS[label] if weak else None,
    }  # fmt: skip
    return LabelledPair(**(values | changes))


def some(count: int, equivalent_each: int = 4) -> Stackable:
    labels = [int(number % equivalent_each == 0) for number in range(count)]
    rows = stack_rows(pair(number, label) for number, label in enumerate(labels))  # type: ignore[arg-type]
    chance = np.random.default_rng(0)
    return stackable(rows, chance.normal(size=count) + np.array(labels))


def test_only_pairs_that_a_weaker_prover_saw_are_rows() -> None:
    full = VIEWS[0]
    rows = stack_rows(
        [
            pair(1, 1),
            pair(2, 1, weak=False),
            pair(3, 0, weak=False, view=full),
            pair(4, 0, weak=False, view=full, evidence="verified"),
        ]
    )
    assert [(row.pair.class_id, row.view) for row in rows] == [(1, VIEWS[1]), (4, full)]


def test_weights_make_a_realistic_base_rate() -> None:
    rows = some(80).rows
    weights = base_rate_weights(rows, 0.11)
    labels = np.array([row.pair.label for row in rows])
    assert weights.sum() == pytest.approx(80)
    assert weights[labels == 1].sum() / weights.sum() == pytest.approx(0.11)


def test_a_label_counts_as_much_as_it_is_believed() -> None:
    rows = [StackRow(pair(1, 0, weight=0.5), None), StackRow(pair(2, 0), None)]
    first, second = base_rate_weights([*rows, StackRow(pair(3, 1), None)])[:2]
    assert second == pytest.approx(2 * first)


def test_rows_that_calibrate_are_drawn_to_the_base_rate() -> None:
    rows = some(400).rows
    kept = realistic(rows, 0.1)
    chosen = [row.pair.label for row, keep in zip(rows, kept, strict=True) if keep]
    assert chosen.count(0) >= 295
    assert sum(chosen) / len(chosen) == pytest.approx(0.1, abs=0.002)


@pytest.mark.parametrize("name", sorted(FITS))
def test_a_fit_learns_what_the_prover_saw(name: str) -> None:
    rows = some(240)
    stack = FITS[name](rows, base_rate_weights(rows.rows))
    found = stack.margins(rows.features)
    assert found[rows.labels == 1].min() > found[rows.labels == 0].max()
    blind = FITS[name](rows.without(VIEW), base_rate_weights(rows.rows))
    assert not any(each.startswith(VIEW) for each in blind.names)
    mixed = blind.margins(rows.without(VIEW).features)
    assert mixed[rows.labels == 1].min() < mixed[rows.labels == 0].max()


def test_a_fit_needs_both_labels() -> None:
    rows = some(40)
    with pytest.raises(DataError, match="both labels"):
        FITS["linear"](rows.chosen(rows.labels == 0), np.ones(30))  # type: ignore[arg-type]


def test_rare_names_are_left_out_and_the_margin_comes_first() -> None:
    features = [{MARGIN: 1.0, "often": 1.0, "never": 0.0}] * 6 + [{MARGIN: 1.0, "once": 1.0}]
    assert names_of(features) == (MARGIN, "often")


def test_measures_are_weighed_and_their_intervals_draw_projects() -> None:
    """A predictor that says the same of all rows has the precision of the base rate."""
    rows = some(400, equivalent_each=2).rows
    (everything, *_) = measured("same", rows, np.full(400, 0.3), 0.11)
    assert everything.group == "all"
    assert everything.metrics["average_precision"] == pytest.approx(0.11)
    assert everything.metrics["calibration_error"] == pytest.approx(0.3 - 0.11)
    assert everything.projects == 7
    assert everything.intervals["average_precision"].groups == 7
    labels = np.array([row.pair.label for row in rows])
    (perfect, *_) = measured("perfect", rows, 0.2 + 0.6 * labels, 0.11)
    assert perfect.metrics["recall_at_precision_99"] == 1.0


def test_small_groups_get_no_figures() -> None:
    assert not list(measured("few", some(20).rows, np.full(20, 0.5), 0.11))
