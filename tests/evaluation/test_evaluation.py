"""Evaluations say what they measure; comparisons compare the same things; tables show it."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from scipy import stats

from conftest import count
from equimut.data.pairs import data_fingerprint
from equimut.errors import DataError
from equimut.evaluation.baselines import BASELINES
from equimut.evaluation.comparison import compare, compare_runs, read_comparison, read_runs
from equimut.evaluation.evaluation import (
    Evaluation,
    Setting,
    evaluate_predictions,
    write_evaluations,
)
from equimut.evaluation.intervals import resampled
from equimut.evaluation.predictions import (
    Predictions,
    pooled,
    predict,
    predictions_of,
    read_predictions,
    write_predictions,
)
from equimut.evaluation.tables import COLUMNS, markdown_table, print_tables, summarise, table_text
from oracles.datasets.synthetic_pairs import make_pair
from oracles.evaluation_files import read_evaluations


def made_up(seed: int, rows: int = 60, skill: float = 0.3, items: int = 0) -> Predictions:
    """Predictions of some skill for the pairs that belong to `items`."""
    world, chance = np.random.default_rng(items), np.random.default_rng(seed)
    labels = world.integers(0, 2, rows)
    probabilities = skill * labels + (1 - skill) * chance.random(rows)
    return Predictions(
        ids=tuple(f"pair {number}" for number in range(rows)),
        labels=tuple(labels.tolist()),
        groups=tuple(world.integers(0, 8, rows).tolist()),
        probabilities=tuple(probabilities.tolist()),
    )


def run(predictor: str = "a", seed: int = 0, skill: float = 0.3, **setting: object) -> Evaluation:
    found = made_up(seed, skill=skill)
    return evaluate_predictions(predictor, found, Setting(**setting), resamples=50)


@settings(max_examples=count(20, 300))
@given(
    st.lists(
        st.tuples(st.text(min_size=1), st.integers(0, 1), st.integers(0, 9), st.floats(0, 1)),
        min_size=1,
        max_size=20,
        unique_by=lambda row: row[0],
    )
)
def test_predictions_come_back_from_disk_exactly(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, int, int, float]]
) -> None:
    ids, labels, groups, probabilities = zip(*rows, strict=True)
    before = Predictions(ids=ids, labels=labels, groups=groups, probabilities=probabilities)
    path = tmp_path_factory.mktemp("predictions") / "p.jsonl"
    write_predictions(path, before)
    assert read_predictions(path) == before


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "holds no predictions"),
        ('{"id":"a","label":1,"group":0}', "line 1: `probability`: Field required"),
        ('{"id":"a","label":1,"group":0,"probability":1.5}', "line 1: `probability`: Input should"),
        ('{"id":"a","label":2,"group":0,"probability":0.5}', "line 1: `label`"),
        ("not json", "line 1: Invalid JSON"),
        (
            '{"id":"a","label":1,"group":0,"probability":0.5}\n' * 2,
            "line 2: id 'a' is already that of line 1",
        ),
    ],
)
def test_broken_predictions_are_one_clear_error(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_text(content)
    with pytest.raises(DataError) as caught:
        read_predictions(path)
    assert words in str(caught.value)
    assert str(path) in str(caught.value)


def test_groups_are_origins_also_where_class_ids_repeat() -> None:
    pairs = [
        make_pair(0, class_id=1, origin="a"),
        make_pair(1, class_id=2, origin="b"),
        make_pair(2, class_id=1, origin="a"),
        make_pair(3, class_id=1, origin="c", source="another dataset"),
    ]
    assert predictions_of(pairs, [0.1] * 4).groups == (0, 1, 0, 2)
    with pytest.raises(DataError, match="3 probabilities for 4 labels"):
        predictions_of(pairs, [0.1] * 3)


def test_a_predictor_of_nonsense_is_caught_before_anything_is_kept() -> None:
    with pytest.raises(DataError, match="nan at position 0 is not a finite number"):
        predictions_of([make_pair(0)], [float("nan")])
    with pytest.raises(DataError, match=r"probability 1\.5 at position 0"):
        predictions_of([make_pair(0)], [1.5])


def test_pooled_folds_keep_their_origins_apart() -> None:
    first, second = (
        Predictions(ids=ids, labels=(0, 1), groups=(0, 1), probabilities=(0.1, 0.2))
        for ids in (("a", "b"), ("c", "d"))
    )
    assert pooled([first, second]).groups == (0, 1, 2, 3)
    with pytest.raises(DataError, match="the same pair twice"):
        pooled([first, first])


def test_an_evaluation_says_what_it_measured_and_survives_the_disk(tmp_path: Path) -> None:
    pairs = [
        make_pair(number, class_id=number % 4, origin=f"o{number % 4}", label=int(number % 3 == 0))
        for number in range(24)
    ]
    majority = BASELINES["origin-majority"]()
    majority.fit(pairs)
    setting = Setting(data="ours", fingerprint=data_fingerprint(pairs), protocol="paper", seed=7)
    found = evaluate_predictions(majority.name, predict(majority, pairs), setting, resamples=50)
    assert (found.predictor, found.data, found.seed) == ("origin-majority", "ours", 7)
    assert found.count == 24
    assert found.intervals["macro_f1"].groups == 4
    write_evaluations(tmp_path / "e.json", [found, found], {"command": "none"})
    assert read_evaluations(tmp_path / "e.json") == (found, found)
    before = {"judge" if key == "predictor" else key: value for key, value in found}
    assert Evaluation.model_validate(before) == found  # as files of earlier versions have it


def test_one_origin_gives_metrics_without_intervals() -> None:
    found = predictions_of([make_pair(0), make_pair(1, label=1)], [0.1, 0.9])
    evaluation = evaluate_predictions("a", found)
    assert (evaluation.scores.macro_f1, evaluation.intervals) == (1.0, {})


def test_the_fingerprint_sees_every_field_and_no_order() -> None:
    pairs = [make_pair(0), make_pair(1)]
    assert data_fingerprint(pairs) == data_fingerprint(pairs[::-1])
    changed = [pairs[0], pairs[1].model_copy(update={"label": 1})]
    assert data_fingerprint(changed) != data_fingerprint(pairs)


def test_a_comparison_does_not_depend_on_the_order_of_the_rows() -> None:
    first, second = made_up(1, skill=0.4), made_up(2, skill=0.1)
    order = np.random.default_rng(0).permutation(len(second))
    shuffled = Predictions(
        **{
            name: tuple(getattr(second, name)[position] for position in order)
            for name in Predictions.model_fields
        }
    )
    assert compare(first, shuffled, resamples=50) == compare(first, second, resamples=50)


def test_a_comparison_is_mcnemar_and_the_paired_difference() -> None:
    first, second = made_up(1, skill=0.4), made_up(2, skill=0.1)
    found = compare(first, second, resamples=200)
    right = [
        [
            (value >= 0.5) == bool(label)
            for label, value in zip(s.labels, s.probabilities, strict=True)
        ]
        for s in (first, second)
    ]
    pairs = list(zip(*right, strict=True))
    assert found.mcnemar.only_first == pairs.count((True, False))
    assert found.mcnemar.only_second == pairs.count((False, True))
    difference = found.differences["macro_f1"]
    one, other = (
        evaluate_predictions("a", side, resamples=0).scores.macro_f1 for side in (first, second)
    )
    assert difference.value == pytest.approx(one - other)
    drawn = [
        resampled(s.labels, s.probabilities, s.groups, ["macro_f1"], resamples=200)["macro_f1"]
        for s in (first, second)
    ]
    low, high = np.quantile(drawn[0] - drawn[1], [0.025, 0.975])
    assert difference.interval is not None
    assert (difference.interval.low, difference.interval.high) == pytest.approx((low, high))


def test_a_predictor_does_not_differ_from_itself() -> None:
    found = compare(made_up(1), made_up(1), resamples=50)
    assert found.mcnemar.p_value == 1
    for difference in found.differences.values():
        assert difference.interval is not None
        assert difference.value == difference.interval.low == difference.interval.high == 0


def test_each_side_may_have_its_own_threshold() -> None:
    first = made_up(1)
    found = compare(first, first, threshold=(0.5, 1.1), resamples=0)
    assert found.differences["macro_f1"].second == pytest.approx(
        evaluate_predictions("a", first, threshold=1.1, resamples=0).scores.macro_f1
    )
    assert found.differences["macro_f1"].interval is None


def test_different_pairs_are_not_compared() -> None:
    first, shorter = made_up(1), made_up(2, rows=59)
    with pytest.raises(DataError, match=r"1 only on the first side, 0 only .* pair 59"):
        compare(first, shorter)
    with pytest.raises(DataError, match="0 only on the first side, 1 only on the second"):
        compare(shorter, made_up(1, rows=60))
    with pytest.raises(DataError, match="different versions of the data"):
        compare(first, made_up(1, items=5))


def test_several_runs_are_compared_by_wilcoxon_with_holm() -> None:
    firsts = [made_up(seed, skill=0.4, items=seed) for seed in range(6)]
    seconds = [made_up(seed + 50, skill=0.05, items=seed) for seed in range(6)]
    found = compare_runs(firsts, seconds, resamples=20)
    values = [
        [evaluate_predictions("a", side, resamples=0).scores.macro_f1 for side in runs]
        for runs in (firsts, seconds)
    ]
    gain = found.gains["macro_f1"]
    assert gain.wilcoxon_p == pytest.approx(stats.wilcoxon(*values).pvalue) == 0.03125
    assert gain.corrected_p == pytest.approx(2 * 0.03125)
    assert (gain.runs, gain.better, gain.rank_biserial) == (6, 6, 1)
    assert gain.mean == pytest.approx(np.mean(np.subtract(*values)))
    assert len(found.runs) == len(found.mcnemar_corrected) == 6
    assert all(
        corrected >= one.mcnemar.p_value
        for corrected, one in zip(found.mcnemar_corrected, found.runs, strict=True)
    )
    with pytest.raises(DataError, match="6 on one side, 5 on the other"):
        compare_runs(firsts, seconds[:5])


def test_a_comparison_in_words_names_the_better_one_only_if_the_interval_does() -> None:
    good, poor = made_up(1, skill=0.45), made_up(2, skill=0.0)
    forward = read_comparison(compare(good, poor), "good", "poor")
    backward = read_comparison(compare(poor, good), "poor", "good")
    same = read_comparison(compare(good, good), "good", "twin")
    assert [line.split(": ")[0] for line in forward] == ["macro-F1", "AP", "McNemar on 60 pairs"]
    assert forward[0].endswith("good is better")
    assert backward[0].endswith("good is better")
    assert same[0].endswith("not settled by these pairs")
    assert "only good is right on 0" in same[2]
    assert "no interval" in read_comparison(compare(good, poor, resamples=0), "a", "b")[0]


def test_runs_in_words_say_what_so_few_can_show() -> None:
    firsts = [made_up(seed, skill=0.4, items=seed) for seed in range(5)]
    seconds = [made_up(seed + 50, skill=0.0, items=seed) for seed in range(5)]
    lines = read_runs(compare_runs(firsts, seconds, resamples=0), "a", "b")
    assert lines[0].startswith("macro-F1: a is better in 5 of 5 runs")
    assert "p = 0.0625, corrected p = 0.1250 (so few runs can show 0.0625 at best)" in lines[0]
    assert "no interval" in lines[0]
    assert lines[-1].startswith("McNemar, corrected for 5 runs")
    found = compare_runs(firsts, seconds, resamples=50)
    gain = found.gains["macro_f1"]
    assert gain.settled
    interval = f"interval over runs and origins {gain.low:+.4f} to {gain.high:+.4f};"
    assert interval in read_runs(found, "a", "b")[0]


def test_a_metric_undefined_in_one_run_is_compared_over_the_others() -> None:
    firsts, seconds = (
        [made_up(seed, items=seed % 3) for seed in seeds] for seeds in (range(3), range(9, 12))
    )
    nothing = {"labels": (0,) * len(firsts[0])}
    firsts[1], seconds[1] = (side[1].model_copy(update=nothing) for side in (firsts, seconds))
    gains = compare_runs(firsts, seconds, resamples=50).gains
    assert (gains["macro_f1"].runs, gains["average_precision"].runs) == (3, 2)
    alone = compare_runs(firsts[::2], seconds[::2], resamples=50).gains["average_precision"]
    assert gains["average_precision"].mean == alone.mean


def test_several_runs_become_mean_deviation_and_interval() -> None:
    runs = [run(seed=seed, protocol="by-origin", fold=seed) for seed in range(4)]
    (found,) = summarise(runs)
    values = [one.scores.macro_f1 for one in runs]
    metric = found.metrics["macro_f1"]
    assert (found.runs, metric.mean) == (4, pytest.approx(np.mean(values)))
    assert metric.deviation == pytest.approx(np.std(values, ddof=1))
    low, high = stats.t.interval(0.95, 3, np.mean(values), stats.sem(values))
    assert (metric.low, metric.high) == (pytest.approx(low), pytest.approx(min(high, 1)))
    assert metric.interval_over == "runs"


def test_a_single_run_keeps_its_bootstrap_interval() -> None:
    one = run()
    (found,) = summarise([one])
    metric = found.metrics["macro_f1"]
    assert metric.deviation is None
    assert (metric.low, metric.high) == (
        one.intervals["macro_f1"].low,
        one.intervals["macro_f1"].high,
    )


def test_runs_of_different_settings_are_never_averaged() -> None:
    runs = [
        run(),
        run(selection="test"),
        run(predictor="b"),
        run(data="x"),
        run(protocol="paper"),
        run(encoder="e"),
        run(fold=None),
    ]
    assert len(summarise(runs)) == len(runs)


def test_a_table_names_selection_wherever_something_was_selected() -> None:
    assert "selection" not in table_text([run()]).titles
    text = table_text([run(selection="test"), run(selection="dev")])
    assert [row[text.titles.index("selection")] for row in text.rows] == ["test", "dev"]


def test_the_markdown_table_has_a_cell_for_every_title() -> None:
    runs = [
        run(predictor="a|b"),
        run(predictor="c", data="d"),
        run(predictor="c", data="d", fold=1, seed=1),
    ]
    lines = markdown_table(runs).splitlines()
    assert len(lines) == 4
    assert len({line.replace("\\|", "").count("|") for line in lines}) == 1
    assert "a\\|b" in lines[2]
    assert " ± " in lines[3]
    assert lines[2].count(" ± ") == 0


def test_undefined_metrics_are_a_dash() -> None:
    found = predictions_of([make_pair(0), make_pair(1)], [0.1, 0.9])
    text = table_text([evaluate_predictions("a", found)])
    assert text.rows[0][text.titles.index("AP")] == "-"


@pytest.mark.parametrize(("width", "columns"), [(80, 4), (200, len(COLUMNS))])
def test_the_terminal_gets_as_many_columns_as_it_has_room_for(width: int, columns: int) -> None:
    console = Console(width=width, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    print_tables(
        [
            run(predictor="origin-majority", protocol="by-origin", fold=fold, seed=fold)
            for fold in range(3)
        ],
        console,
    )
    printed = console.export_text()
    titles = next(line for line in printed.splitlines() if "predictor" in line).split()
    assert "origin-majority" in printed
    assert "…" not in printed
    assert len([title for title in titles if title in ("P", "R", "F1", "AP", "MCC", "Brier")]) >= 4
    assert ("Brier" in titles) == (columns > 4)
