"""The section on the paper's length, from trials whose truth we know, and with some missing."""

from functools import cache

import numpy as np
import pytest

from equimut.evaluation.comparison import gains_over_runs, levels_over_runs
from equimut.evaluation.metrics import score
from equimut.study.assembly import Setup, Study
from equimut.study.full_length.section import FullLength, benchmark_table, full_length
from equimut.study.full_length.tables import FAMILY, METRICS, LengthTable
from equimut.study.page import render_page
from equimut.study.pictures import length_pictures
from equimut.study.trials import BENCHMARK, MARGINS, select
from equimut.sweep.grid import read_grid, trials
from oracles.datasets.synthetic_trials import (
    drawn,
    full_length_trials,
    made_material,
    predictions_of_trial,
    trial,
    with_full_length,
)


@cache
def section() -> FullLength:
    found = full_length(with_full_length(made_material("java", {})))
    assert found is not None
    return found


def table(protocol: str, pooling: str) -> LengthTable:
    (found,) = [t for t in section().tables if (t.protocol, t.pooling) == (protocol, pooling)]
    return found


def test_a_budget_without_such_grids_has_no_section() -> None:
    assert full_length(made_material("java", {})) is None


def test_rows_are_means_over_the_runs_of_a_loss() -> None:
    for row, loss in zip(table("paper", "cls").rows, ("base", "contrastive", "cpl"), strict=True):
        runs = [
            each
            for each in select(full_length_trials(), "full-length", loss)
            if each.config.model.pooling == "cls"
        ]
        said = [predictions_of_trial(each) for each in runs]
        for metric in METRICS:
            values = [getattr(score(one.labels, one.probabilities), metric) for one in said]
            level = row.levels[metric]
            assert level.mean == pytest.approx(sum(values) / 5)
            assert level.low is not None
            assert level.high is not None
            assert level.low < level.mean < level.high
        assert (row.runs, row.planned) == (5, 5)
        assert row.margin == (None if loss == "base" else 0.02)
        assert row.distances == pytest.approx((0.3, 0.15))


def test_an_interval_covers_runs_and_origins() -> None:
    """One that draws runs only, or origins only, is narrower."""
    runs = [drawn(1.0, seed) for seed in range(5)]
    both = levels_over_runs(runs, ["macro_f1"])["macro_f1"]
    alone = levels_over_runs([runs[0]] * 5, ["macro_f1"])["macro_f1"]
    values = [score(one.labels, one.probabilities).macro_f1 for one in runs]
    assert both.low is not None
    assert both.high is not None
    assert alone.low is not None
    assert alone.high is not None
    chance = np.random.default_rng(0)
    over_runs = [np.mean(chance.choice(values, 5)) for _ in range(2000)]
    low, high = np.quantile(over_runs, [0.025, 0.975])
    assert both.high - both.low > high - low
    assert alone.runs == both.runs == 5


def test_the_p_value_goes_with_the_interval_and_is_corrected_over_the_family() -> None:
    gains = [
        (gain.resampled_p, gain.corrected_resampled_p, gain)
        for each in section().tables
        for found in each.contrasts
        for name, gain in found.gains.items()
        if name in FAMILY
    ]
    assert len(gains) == 2 * (3 + 3 + 3 + 1)  # one loss of the last table is missing
    order = sorted(range(len(gains)), key=lambda place: gains[place][0] or 0.0)
    worst = 0.0
    for rank, place in enumerate(order):  # Holm's procedure, step by step
        p_value, corrected_p, gain = gains[place]
        assert p_value is not None
        worst = max(worst, min(1.0, (len(gains) - rank) * p_value))
        assert corrected_p == pytest.approx(worst)
        assert gain.low is not None
        assert gain.high is not None
        assert (p_value < 0.05) == (gain.low > 0 or gain.high < 0) or 0.03 < p_value < 0.07
    others = [g for t in section().tables for f in t.contrasts for n, g in f.gains.items()
              if n not in FAMILY]  # fmt: skip
    assert all(gain.corrected_resampled_p is None for gain in others)
    same = drawn(1.0, 1)
    nothing = gains_over_runs([same] * 3, [same] * 3, ["macro_f1"])["macro_f1"]
    assert nothing.resampled_p == 1.0


def test_curves_are_those_of_the_test_rows_at_the_epochs_of_the_curve() -> None:
    curves = table("paper", "edit").curves["average_precision"]
    assert [each.variant for each in curves] == [
        "cross-entropy alone", "contrastive", "cluster purge",
    ]  # fmt: skip
    for curve, loss in zip(curves, ("base", "contrastive", "cpl"), strict=True):
        assert curve.epochs == (1, 2, 5, 10, 20, 30)
        its = [
            [point.test.scores.average_precision for point in each.history if point.test]
            for each in select(full_length_trials(), "full-length", loss)
            if each.config.model.pooling == "edit"
        ]
        assert curve.mean == pytest.approx(np.mean(its, axis=0))
        assert curve.low == pytest.approx(np.min(its, axis=0))
        assert curve.high == pytest.approx(np.max(its, axis=0))


def test_where_the_order_is_true_and_run_it_is_supported_and_elsewhere_open() -> None:
    found = {claim.statement: claim for claim in section().claims}
    for statement in (
        "Java: cluster purge beats cross-entropy alone",
        "Java: cluster purge beats contrastive loss",
        "Java: contrastive loss beats cross-entropy alone",
        "Java, paper, edit pooling: cluster purge ranks better than cross-entropy alone "
        "(average precision)",
        "Java, by-origin, cls pooling: cluster purge beats cross-entropy alone",
    ):
        assert found[statement].verdict == "supported", statement
        assert "corrected over all comparisons" in found[statement].because
    missing = found["Java, by-origin, edit pooling: cluster purge beats cross-entropy alone"]
    assert (missing.verdict, missing.ours) == ("inconclusive", "not run yet")
    grids = found["Java: over the whole grid, cluster purge has the higher median F1"]
    assert grids.verdict == "inconclusive"  # 7 of 56 cells


def test_a_difference_that_the_correction_does_not_leave_is_inconclusive() -> None:
    from equimut.study.full_length.verdicts import _after_correction

    contrast = table("paper", "cls").contrasts[0]
    claim = next(c for c in section().claims if c.verdict == "supported")
    weak = {
        n: g.model_copy(update={"corrected_resampled_p": 0.2}) for n, g in contrast.gains.items()
    }
    found = _after_correction(claim, contrast.model_copy(update={"gains": weak}), ["macro_f1"])
    assert found.verdict == "inconclusive"


def test_what_is_missing_is_counted_and_choices_wait_for_it() -> None:
    progress = {each.grid: (each.done, each.planned) for each in section().progress}
    assert progress["full-length"] == (30, 30)
    assert progress["full-length-by-origin"] == (25, 30)
    assert progress["full-length-cpl"] == (7, 56)
    assert progress[MARGINS] == (7, 30)
    open_ = [each for each in section().choices if each.grid == MARGINS]
    assert len(open_) == 4
    assert all(each.options is None and each.done < each.among for each in open_)
    variant = [each for each in section().choices if each.grid == "purge-variants"]
    assert all(each.options is not None for each in variant)
    known = [each for each in section().margins if None not in each.average_precision]
    assert len(section().margins) == 15
    assert 0 < len(known) < 15


def made_study(*sections: FullLength) -> Study:
    from equimut.study.assembly import language_study

    languages = [
        language_study(made_material("java", {})).model_copy(update={"full_length": each})
        for each in sections
    ]
    return Study(
        setup=Setup(budget="made", encoder="x", equimut="0", data={"java": "made"}),
        languages=tuple(languages),
        analysis=None,
        claims=(),
        efficiency=None,
    )


def test_the_page_says_what_is_not_run_yet_and_makes_up_no_number() -> None:
    page = render_page(made_study(section()), {})
    assert "At the paper" in page
    assert "7 of 30, the others not run yet" in page
    empty = section().model_copy(
        update={
            "tables": tuple(
                each.model_copy(update={
                    "rows": tuple(
                        row.model_copy(update={"runs": 0, "levels": {}, "distances": None})
                        for row in each.rows
                    ),
                    "contrasts": (),
                })
                for each in section().tables
            ),
            "matrices": (), "margins": (), "choices": (), "variants": (), "claims": (),
        }
    )  # fmt: skip
    part = render_page(made_study(empty), {}).split('id="full-length"')[1].split('id="cost"')[0]
    assert part.count("not run yet") >= 12
    assert "<small>" not in part  # no interval, no value


def test_learning_curves_have_a_line_and_a_band_for_each_loss() -> None:
    pictures = length_pictures(made_study(section()))
    figure = pictures["curves-java-paper-cls"]
    assert figure is not None
    assert [len(panel.lines) for panel in figure.axes] == [3, 3]
    assert [len(panel.collections) for panel in figure.axes] == [3, 3]


def test_the_benchmark_compares_the_best_variant_with_both() -> None:
    wanted = trials(
        read_grid(BENCHMARK), "b.jsonl",
        choose=lambda source, same: {"loss.margin": 0.1 if source == MARGINS else 0.2},
    )  # fmt: skip
    quality = {"base": 0.8, "contrastive": 1.0, "cpl": 1.2, "cpl, best variant": 1.6}
    made = [
        trial(BENCHMARK, quality[str(each.varied["variant"])], n, each.config, dict(each.varied))
        for n, each in enumerate(wanted)
    ]
    assert benchmark_table([], {}) is None
    found = benchmark_table(made, {each.id: predictions_of_trial(each) for each in made})
    assert found is not None
    assert [(row.name, row.runs) for row in found.rows][-1] == ("cpl, best variant", 3)
    pairs = {(each.first, each.second): each.gains["macro_f1"] for each in found.contrasts}
    assert pairs["cpl, best variant", "cpl"].mean > 0
    assert pairs["cpl, best variant", "base"].settled
