"""Distances by label and moment, against numpy, scipy and pairs of our own making."""

from itertools import count as numbers

import numpy as np
import pytest
from scipy import stats

from equimut.analysis.distances import distance_table, moment
from equimut.analysis.embeddings import EmbeddedPairs, around_one_origin, classes_with_both
from equimut.analysis.operator_results import UNNAMED, by_operator
from equimut.analysis.projection import pca, perplexity_for, tsne
from equimut.errors import EquimutError
from equimut.evaluation.predictions import predictions_of
from equimut.records import Pair

IDS = numbers()


def pair(label: int, class_id: int = 0, operators: tuple[str, ...] = ()) -> Pair:
    return Pair.model_validate(
        {
            "id": f"p{next(IDS)}", "source": "made", "language": "java", "class_id": class_id,
            "program": "", "operators": operators, "origin": f"int f{class_id}() {{}}",
            "mutant": "m", "label": label, "split": "",
        }
    )  # fmt: skip


def embedded(labels: list[int], distances: list[float], class_id: int = 0) -> EmbeddedPairs:
    """Points in the plane at exactly these distances from one origin."""
    cosine = 1 - 2 * np.array(distances)
    mutant = np.stack([cosine, np.sqrt(1 - cosine**2)], axis=1)
    origin = np.tile([1.0, 0.0], (len(labels), 1))
    pairs = tuple(pair(label, class_id) for label in labels)
    return EmbeddedPairs(pairs, origin, mutant, np.array(distances))


LABELS = [0] * 6 + [1] * 5
BEFORE = [0.10, 0.12, 0.09, 0.15, 0.11, 0.13, 0.10, 0.11, 0.12, 0.08, 0.14]
AFTER = [0.40, 0.52, 0.29, 0.35, 0.61, 0.43, 0.12, 0.09, 0.13, 0.10, 0.11]


def test_means_ratio_and_tests_are_those_of_numpy_and_scipy() -> None:
    table = distance_table(
        "rows", ("before", embedded(LABELS, BEFORE)), ("after", embedded(LABELS, AFTER))
    )
    old, new = np.array(BEFORE), np.array(AFTER)
    assert table.after.non_equivalent is not None
    assert table.after.equivalent is not None
    assert table.after.non_equivalent.mean == pytest.approx(new[:6].mean())
    assert table.after.non_equivalent.deviation == pytest.approx(new[:6].std(ddof=1))
    assert table.after.equivalent.count == 5
    assert table.before.ratio == pytest.approx(old[:6].mean() / old[6:].mean())
    assert table.after.ratio == pytest.approx(new[:6].mean() / new[6:].mean())
    paired, unpaired, means = table.change["non-equivalent"]
    assert paired.p_value == pytest.approx(stats.wilcoxon(new[:6], old[:6]).pvalue)
    assert paired.effect == 1.0  # every one of them moved away
    assert unpaired.p_value == pytest.approx(stats.mannwhitneyu(new[:6], old[:6]).pvalue)
    assert means.p_value == pytest.approx(stats.ttest_ind(new[:6], old[:6], equal_var=False).pvalue)
    between = {test.test: test for test in table.after.between_labels}
    assert between["Mann-Whitney U"].effect == 1.0  # all others lie further out


def test_a_label_that_is_missing_is_left_out_and_not_divided_by() -> None:
    only = moment("now", np.array([0.1, 0.2]), np.array([0, 0]))
    assert only.equivalent is None
    assert only.ratio is None
    assert only.between_labels == ()
    at_the_origin = moment("now", np.array([0.1, 0.0]), np.array([0, 1]))
    assert at_the_origin.ratio is None


def test_a_class_is_taken_out_whole_and_a_wrong_one_is_named() -> None:
    two = [embedded([0, 1], [0.1, 0.2], 3), embedded([1, 0, 0], [0.3, 0.4, 0.5], 8)]
    both = EmbeddedPairs(
        two[0].pairs + two[1].pairs,
        *(np.concatenate([getattr(lot, side) for lot in two]) for side in ("origin", "mutant")),
        np.concatenate([lot.distance for lot in two]),
    )
    assert both.of_class(8).distance.tolist() == [0.3, 0.4, 0.5]
    with pytest.raises(EquimutError, match=r"class 5.*both labels: 3, 8"):
        both.of_class(5)


def test_classes_with_both_labels_come_by_the_rarer_one() -> None:
    lots = [(1, 5, 1), (2, 3, 3), (3, 9, 0), (4, 2, 7)]
    pairs = [
        pair(label, class_id)
        for class_id, no, yes in lots
        for label, number in ((0, no), (1, yes))
        for _ in range(number)
    ]
    assert classes_with_both(pairs) == [2, 4, 1]


def test_a_mutant_keeps_its_displacement_from_its_own_reading_of_the_origin() -> None:
    chance = np.random.default_rng(0)
    lot = embedded([0, 1, 1], [0.1, 0.2, 0.3])
    turned = np.linalg.qr(chance.normal(size=(2, 2)))[0]
    moved = EmbeddedPairs(
        lot.pairs, np.vstack([lot.origin[:2], lot.origin[2:] @ turned]), lot.mutant, lot.distance
    )
    assert not lot.origin_moves
    assert moved.origin_moves
    for one in (lot, moved):
        points = around_one_origin(one)
        assert points.shape == (4, 2)
        assert points[1:] - points[0] == pytest.approx(one.mutant - one.origin)
    assert around_one_origin(lot)[0] == pytest.approx([1.0, 0.0])


@pytest.mark.parametrize("points", [1, 2, 4, 5, 12, 200])
def test_projections_exist_for_any_number_of_points_and_repeat(points: int) -> None:
    rows = np.random.default_rng(points).normal(size=(points, 8))
    assert pca(rows).points.shape == (points, 2)
    assert np.array_equal(pca(rows).points, pca(rows).points)
    assert 1 <= perplexity_for(points) <= 30
    found = tsne(rows)
    if points < 5:
        assert found is None
    else:
        again = tsne(rows)
        assert found is not None
        assert again is not None
        assert np.isfinite(found.points).all()
        assert np.array_equal(found.points, again.points)
    assert tsne(np.zeros((9, 3))) is None


def test_pca_keeps_distances_of_points_in_a_plane() -> None:
    chance = np.random.default_rng(1)
    plane = chance.normal(size=(10, 2)) @ np.linalg.qr(chance.normal(size=(6, 2)))[0].T
    placed = pca(plane + 3.0)
    for i, j in ((0, 1), (2, 7), (9, 4)):
        apart = np.linalg.norm(plane[i] - plane[j])
        assert np.linalg.norm(placed.points[i] - placed.points[j]) == pytest.approx(apart)
    assert "100 %" in placed.method


def test_a_row_counts_for_each_of_its_operators() -> None:
    rows = [pair(1, 0, ("AOIS", "ROR")), pair(0, 0, ("ROR",)), pair(0, 1), pair(1, 1, ("ROR",))]
    predictions = predictions_of(rows, [0.9, 0.8, 0.1, 0.4])
    far = dict(zip((row.id for row in rows), (0.1, 0.2, 0.3, 0.4), strict=True))
    found = {result.operator: result for result in by_operator(rows, predictions, far)}
    assert list(found) == ["ROR", UNNAMED, "AOIS"]
    ror = found["ROR"]
    assert (ror.count, ror.equivalent, ror.right) == (3, 2, 1)
    assert ror.equivalent_precision == pytest.approx(0.5)
    assert ror.equivalent_recall == pytest.approx(0.5)
    assert ror.distance_equivalent == pytest.approx(0.25)
    assert ror.distance_other == pytest.approx(0.2)
    assert found["AOIS"].accuracy == 1.0
    assert found[UNNAMED].distance_equivalent is None
    unnamed = found[UNNAMED]  # one row, not equivalent and not predicted so
    assert (unnamed.equivalent_precision, unnamed.equivalent_recall) == (None, None)
