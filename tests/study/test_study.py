"""The verdicts of the study on trials whose truth we know, because we made them."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from equimut.analysis.distances import distance_table
from equimut.analysis.embeddings import EmbeddedPairs
from equimut.errors import DataError
from equimut.evaluation.metrics import score
from equimut.evaluation.protocols import Outcome
from equimut.models.detector import Detector
from equimut.models.settings import SHIPPED
from equimut.study import claims
from equimut.study.assembly import LanguageStudy, all_claims, language_study
from equimut.study.differences import Contrast, contrast
from equimut.study.ensembles import SHIPPED_RATE
from equimut.study.matrix import between, matrix
from equimut.study.pictures import heat_colours
from equimut.study.result_rows import of_runs
from equimut.study.trials import SHIPPED_NAME, Material, f1, select
from oracles.datasets.small_data import small_pairs
from oracles.datasets.synthetic_trials import (
    PLAIN,
    all_trials,
    baselines,
    drawn,
    made_material,
    outcome,
    predictions_of_trial,
    trial,
)


@pytest.fixture(scope="module")
def material() -> Material:
    found = baselines(edit_lr=99, surroundings_lr=98, shipped=97)
    evaluation, predictions = found["paper"][2]
    renamed = evaluation.model_copy(update={"predictor": SHIPPED_NAME})
    return made_material("java", {"paper": [*found["paper"][:2], Outcome(renamed, predictions)]})


@pytest.fixture(scope="module")
def study(material: Material) -> LanguageStudy:
    return language_study(material)


def test_a_study_written_before_still_loads() -> None:
    words = {"holds": "supported", "does not hold": "not supported"}
    words |= {"cannot be told here": "inconclusive", "supported": "supported"}
    for before, now in words.items():
        stored = {"statement": "s", "published": "p", "ours": "o", "verdict": before, "because": ""}
        assert claims.Claim.model_validate(stored).verdict == now
    gain = {"mean": 0.1, "low": None, "high": None, "better": 1}
    stored = {"first": "a", "second": "b", "protocol": "paper", "runs": 3}
    stored["gains"] = {"macro_f1": gain | {"wilcoxon_p": None, "smallest_p": 0.25}}
    assert Contrast.model_validate(stored).gains["macro_f1"].corrected_p is None


def verdicts(study: LanguageStudy, material: Material) -> dict[str, str]:
    return {each.statement: each.verdict for each in all_claims([study], [material], None)}


def test_where_the_order_is_true_the_claims_are_supported(
    study: LanguageStudy, material: Material
) -> None:
    found = verdicts(study, material)
    for statement in (
        "Java: cluster purge beats cross-entropy alone",
        "Java: cluster purge is ahead of cross-entropy in precision and in recall",
        "Java: cluster purge beats contrastive loss",
        "Java: contrastive loss beats cross-entropy alone",
        "Java: over the whole grid, cluster purge has the higher median F1",
        "triplet loss falls far behind cross-entropy alone",
        "Java: cluster purge beats a logistic regression on the edit",
        "Java: cluster purge beats cross-entropy alone on functions never seen",
    ):
        assert found[statement] == "supported", statement
    assert found["cluster purge moves non-equivalent mutants away from their origin"] == (
        "inconclusive"
    )


def test_where_the_order_is_the_other_way_round_they_do_not() -> None:
    worse, better = ([outcome(quality, seed) for seed in range(5)] for quality in (0.6, 1.4))
    found = contrast(("cpl", "base"), "paper", worse, better)
    assert claims.ahead("s", "p", found).verdict == "not supported"
    cells = {
        name: matrix(
            "java", name,
            [trial("g", quality, seed, PLAIN, {}) for seed in range(25)], 25,
        )
        for name, quality in (("cpl", 0.7), ("contrastive", 1.2))
    }  # fmt: skip
    test = between(cells["cpl"], cells["contrastive"])
    claim = claims.grids("java", cells["cpl"], cells["contrastive"], test)
    assert claim.verdict == "not supported"


def test_without_a_difference_or_without_enough_nothing_is_concluded() -> None:
    one, other = ([outcome(1.0, seed) for seed in seeds] for seeds in (range(5), range(54, 59)))
    for sides in ((one, other), (other, one)):
        same = contrast(("cpl", "base"), "paper", *sides)
        assert same is not None
        assert not same.gains["macro_f1"].settled
        assert claims.ahead("s", "p", same).verdict == claims.OPEN
    few = contrast(("a", "b"), "paper", [outcome(3.0, 1)] * 2, [outcome(0.2, 10)] * 2)
    claim = claims.ahead("s", "p", few)
    assert claim.verdict == claims.OPEN
    assert "2 paired runs, at least 3" in claim.because
    assert claims.ahead("s", "p", None).verdict == claims.OPEN
    assert claims.grids("c", None, None, None).verdict == claims.OPEN
    assert claims.margins(None).verdict == claims.OPEN
    assert {each.verdict for each in claims.distances(None)} == {claims.OPEN}


def test_the_interval_covers_variance_over_seeds_and_over_origins() -> None:
    sides = [
        [outcome(q, seed) for seed in seeds] for q, seeds in ((1.2, range(5)), (1.0, range(9, 14)))
    ]
    found = contrast(("a", "b"), "paper", *sides)
    assert found is not None
    gain = found.gains["macro_f1"]
    means = [np.mean([one.evaluation.scores.macro_f1 for one in side]) for side in sides]
    assert gain.mean == pytest.approx(means[0] - means[1])
    single = contrast(("a", "b"), "paper", sides[0][:1], sides[1][:1])
    assert single is not None
    assert gain.low is not None
    assert gain.high is not None
    assert gain.low < gain.mean < gain.high
    narrow, wide = gain, single.gains["macro_f1"]
    assert wide.low is not None
    assert wide.high is not None
    assert wide.high - wide.low > 1.5 * (narrow.high - narrow.low)  # five runs know more than one
    seeds_alone = np.std([one.evaluation.scores.macro_f1 for one in sides[0]]) / 5**0.5
    assert gain.high - gain.low > 2 * seeds_alone


def test_runs_on_other_rows_are_not_compared() -> None:
    other = Outcome(outcome(1, 1).evaluation, drawn(1, 1, rows=1))
    with pytest.raises(DataError, match="different pairs"):
        contrast(("a", "b"), "paper", [outcome(1, 1)], [other])
    assert contrast(("a", "b"), "paper", [], []) is None


def test_a_matrix_has_the_papers_shape_median_and_best_cell(study: LanguageStudy) -> None:
    cpl, contrastive = study.matrices
    assert (len(cpl.margins), len(cpl.weights), cpl.missing) == (8, 7, 0)
    assert (len(contrastive.margins), len(contrastive.weights)) == (6, 7)
    assert cpl.median_f1 == pytest.approx(np.median([cell.f1 for cell in cpl.cells]))
    assert cpl.best.f1 == max(cell.f1 for cell in cpl.cells)
    assert cpl.at(-0.05, 1.15) in cpl.cells
    assert cpl.at(-0.5, 1.15) is None
    assert study.between_grids is not None
    sides = [[cell.f1 for cell in found.cells] for found in study.matrices]
    assert study.between_grids.p_value == pytest.approx(stats.mannwhitneyu(*sides).pvalue)
    assert cpl.margin_p == pytest.approx(
        stats.spearmanr([c.margin for c in cpl.cells], sides[0]).pvalue
    )
    part = matrix("java", "cpl", select(all_trials(), "paper-cpl")[:10], 56)
    assert part is not None
    assert part.missing == 46


def test_a_margin_that_matters_is_seen() -> None:
    cells = select(all_trials(), "paper-cpl")
    leaning = [
        trial("g", 1.0 - 8 * each.config.loss.margin_or_default(), number, each.config, {})
        for number, each in enumerate(cells)
    ]
    assert claims.margins(matrix("java", "cpl", leaning, 56)).verdict == "supported"
    other = [
        trial("g", 1.0 + 8 * each.config.loss.margin_or_default(), number, each.config, {})
        for number, each in enumerate(cells)
    ]
    assert claims.margins(matrix("java", "cpl", other, 56)).verdict == "not supported"


def test_the_table_has_the_published_number_next_to_ours(study: LanguageStudy) -> None:
    rows = {row.name: row for row in study.table}
    best = rows["cluster purge, best cell of its grid"]
    assert best.published is not None
    assert best.published.f1 == 89.46
    assert best.runs == 56
    assert best.f1 == pytest.approx(max(map(f1, select(all_trials(), "paper-cpl"))))
    base = rows["cross-entropy alone, as the grids"]
    values = list(map(f1, select(all_trials(), "paper-base")))
    assert (base.f1, base.deviation) == (
        pytest.approx(np.mean(values)),
        pytest.approx(np.std(values, ddof=1)),
    )
    assert rows["edit-lr"].kind == "baseline"
    assert of_runs("none", []).note == "not run"


def mean_odds(*members: Sequence[float]) -> list[float]:
    """The ensemble written out."""
    odds = [[math.log(p / (1 - p)) for p in each] for each in members]
    return [1 / (1 + math.exp(-sum(row) / len(row))) for row in zip(*odds, strict=True)]


@pytest.mark.parametrize(
    ("kind", "others_joined"),
    [("ensemble of ", 2), ("ensemble with the shipped detector of ", 3)],
)
def test_an_ensemble_is_each_network_with_the_baselines_of_its_rows(
    study: LanguageStudy, material: Material, kind: str, others_joined: int
) -> None:
    paper = next(table for table in study.protocols if table.protocol == "paper")
    rows = {row.name: row for row in paper.rows}
    others = [list(its.probabilities) for _, its in material.baselines["paper"]]
    prior = 0.14 / 0.86
    others[2] = [p / prior / (p / prior + 1 - p) for p in others[2]]  # to a balanced prior
    values = []
    for each in select(material.trials, "seed-study", "cpl", "paper"):
        alone = predictions_of_trial(each)
        joined = mean_odds(alone.probabilities, *others[:others_joined])
        values.append(100 * score(alone.labels, joined).macro_f1)
    row = rows[kind + "cluster purge"]
    assert row.f1 == pytest.approx(np.mean(values))
    assert row.f1 != pytest.approx(rows["cluster purge"].f1)
    assert (kind + "cpl", "edit-lr") in {(c.first, c.second) for c in paper.contrasts}
    reach = stats.t.ppf(0.975, 4) * np.std(values, ddof=1) / 5**0.5
    assert (row.low, row.high) == (
        pytest.approx(np.mean(values) - reach),
        pytest.approx(min(np.mean(values) + reach, 100)),
    )


def test_where_a_member_is_missing_there_is_no_ensemble(
    study: LanguageStudy, material: Material
) -> None:
    origin = next(table for table in study.protocols if table.protocol == "by-origin")
    assert not any("ensemble" in each.name for each in origin.rows)
    without = replace(material, baselines={"paper": material.baselines["paper"][:2]})
    rows = [each.name for each in language_study(without).protocols[0].rows]
    assert "ensemble of contrastive" in rows
    assert not any("shipped" in name for name in rows)


def test_the_shipped_detector_is_shifted_from_its_own_base_rate() -> None:
    measured = Detector.from_pretrained(SHIPPED).settings.measured
    rates = [each.base_rate for each in measured if "held-out origins" in each.rows]
    assert pytest.approx(np.mean(rates), abs=0.01) == SHIPPED_RATE


def test_every_variant_of_a_study_is_a_row_with_its_three_runs(study: LanguageStudy) -> None:
    ablations = next(table for table in study.varied if table.name == "ablations")
    assert set(ablations.rows) == {"paper", "by-origin"}
    for rows in ablations.rows.values():
        assert len(rows) == 13
        assert {row.runs for row in rows} == {3}
    pooling = next(table for table in study.varied if table.name == "input-pooling")
    assert {row.name for row in pooling.rows["paper"]} == {
        f"{i} input, {p} pooling" for i in ("paper", "edit") for p in ("cls", "edit")
    }
    assert {row.grid: row.trials for row in study.cost}["ablations"] == 78


def far_out(equivalent: float, other: float) -> EmbeddedPairs:
    pairs = small_pairs(origins=12, equivalent=4, others=8)
    chance = np.random.default_rng(0)
    middle = np.array([equivalent if pair.label else other for pair in pairs])
    distance = np.clip(middle + chance.normal(0, 0.02, len(pairs)), 0, 1)
    return EmbeddedPairs(pairs, np.eye(2)[[0] * len(pairs)], np.eye(2)[[1] * len(pairs)], distance)


def hardly_moved(after: EmbeddedPairs, before: EmbeddedPairs) -> EmbeddedPairs:
    """The same, with the equivalents a hair to this or that side of where they were."""
    hair = np.where(np.arange(len(after.distance)) % 2, 0.001, -0.001)
    label = np.array([pair.label for pair in after.pairs])
    return replace(after, distance=np.where(label == 1, before.distance + hair, after.distance))


def test_claims_about_distances_follow_the_distances() -> None:
    before = far_out(0.1, 0.1)
    yes, no, still_open = "supported", "not supported", claims.OPEN
    for after, expected in (
        (
            hardly_moved(far_out(0.1, 0.4), before),
            [yes, still_open, yes, yes],
        ),
        (far_out(0.2, 0.4), [yes, no, yes, yes]),
        (far_out(0.05, 0.4), [yes, no, yes, yes]),
        (far_out(0.4, 0.4), [yes, no, still_open, still_open]),
        (far_out(0.4, 0.05), [no, no, no, no]),
        (before, [still_open] * 4),
    ):
        table = distance_table("test rows", ("base", before), ("cpl", after))
        assert [claim.verdict for claim in claims.distances(table)] == expected
    few = replace(before, pairs=before.pairs[:20], distance=before.distance[:20])
    small = distance_table("test rows", ("base", few), ("cpl", few))
    assert {claim.verdict for claim in claims.distances(small)} == {claims.OPEN}


def test_ink_can_be_read_on_every_colour_of_the_scale() -> None:
    def luminance(colour: str) -> float:
        parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
        red, green, blue = (
            part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    for value in np.linspace(0, 1, 30):
        lights = sorted(map(luminance, heat_colours(float(value), 0, 1)))
        assert (lights[1] + 0.05) / (lights[0] + 0.05) >= 4.5
    assert heat_colours(0.5, 0.5, 0.5)[0].startswith("#")
