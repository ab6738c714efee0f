"""A grid file becomes the trials it describes, each with a name of its own."""

from pathlib import Path

import pytest

from conftest import ROOT
from equimut.config import DEFAULT, changed, flattened
from equimut.data.splitting.split import FOLDS
from equimut.errors import EquimutError
from equimut.sweep.grid import VARIANT, Trial, planned, read_grid, shipped_grids, trial_id, trials
from equimut.sweep.results import ResultsDirectory

GRID = """
name = "small"
[fixed]
"loss.name" = "contrastive"
[grid]
"loss.margin" = [0.03, 0.06]
"loss.weight" = [1.0, 1.15, 1.3]
[[together]]
seed = 1
data.fold = 1
[[together]]
seed = 2
"data.fold" = 2
"""


def written(tmp_path: Path, text: str) -> Path:
    (tmp_path / "grid.toml").write_text(text)
    return tmp_path / "grid.toml"


def test_every_combination_once_and_hand_in_hand(tmp_path: Path) -> None:
    found = trials(read_grid(written(tmp_path, GRID)), "pairs.jsonl", {"model.encoder": "x/y"})
    assert len(found) == 12
    assert len({trial.id for trial in found}) == 12
    assert {(t.config.seed, t.config.data.fold) for t in found} == {(1, 1), (2, 2)}
    assert {(t.config.loss.margin, t.config.loss.weight) for t in found} == {
        (margin, weight) for margin in (0.03, 0.06) for weight in (1.0, 1.15, 1.3)
    }
    assert all(t.config.loss.name == "contrastive" for t in found)
    assert all(t.config.model.encoder == "x/y" for t in found)
    assert found[0].varied == {
        "loss.margin": 0.03, "loss.weight": 1.0, "seed": 1, "data.fold": 1,
    }  # fmt: skip


def test_a_trial_is_named_by_what_it_is_not_by_where_it_runs() -> None:
    here = changed(DEFAULT, {"data.pairs": "/here/emd.jsonl", "threads": 1})
    there = changed(DEFAULT, {"data.pairs": "/there/emd.jsonl.gz", "threads": 2})
    assert trial_id(here) == trial_id(there)
    assert trial_id(here) != trial_id(changed(here, {"seed": 1}))
    assert trial_id(here) != trial_id(changed(here, {"loss.shared": 1.0}))
    assert trial_id(here) != trial_id(changed(here, {"data.pairs": "c.jsonl"}))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[grid]\n"loss.margn" = [1]', "loss.margn"),
        ('[grid]\n"loss.margin" = []', "no values"),
        ('[grid]\n"loss.margin" = 3', "loss.margin"),
        ("[gird]\nx = 1", "gird"),
        ("[grid", "not TOML"),
        ("[grid]\nseed = [" + ",".join(map(str, range(400))) + ']\n"optim.epochs" = ['
         + ",".join(map(str, range(1, 400))) + "]", "too many"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_grid_is_named(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(EquimutError, match=words):
        trials(read_grid(written(tmp_path, text)), "pairs.jsonl")


SHIPPED = {
    "paper-cpl": 56,
    "paper-contrastive": 42,
    "paper-base": 5,
    "triplet": 9,
    "seed-study": 48,
    "full-length-margins": 30,
    "full-length": 30,
    "full-length-by-origin": 30,
    "full-length-cpl": 56,
    "full-length-contrastive": 42,
    "short-margins": 15,
    "benchmark-by-origin": 12,
    "purge-variants": 14,
    "input-pooling": 24,
    "random-vs-pretrained": 12,
    "ablations": 78,
}


def shipped(name: str) -> list[Trial]:
    return trials(read_grid(name), "pairs.jsonl", {"model.encoder": "x/y"})


def test_the_shipped_grids_are_these() -> None:
    assert {name: planned(read_grid(name)) for name in shipped_grids()} == SHIPPED
    waiting = {name: SHIPPED[name] - len(shipped(name)) for name in SHIPPED}
    assert {name: number for name, number in waiting.items() if number} == {
        "full-length": 20, "full-length-by-origin": 20, "benchmark-by-origin": 9,
    }  # fmt: skip


def test_the_papers_grids_at_full_length_differ_in_nothing_but_the_length() -> None:
    length = {"optim.epochs": 30, "optim.batch_size": 8, "optim.learning_rate": 3e-4}
    for loss, first in (("cpl", 24), ("contrastive", 18)):
        found = shipped(f"full-length-{loss}")
        assert {trial_id(changed(t.config, length)) for t in shipped(f"paper-{loss}")} == {
            trial.id for trial in found
        }
        assert {t.config.loss.weight for t in found[:first]} == {1.0, 1.15, 1.3}
        assert {t.config.curve for t in found} == {(1, 2, 5, 10, 20, 30)}


def test_short_and_full_margins_differ_in_nothing_but_the_length() -> None:
    length = {"optim.epochs": 30, "optim.batch_size": 8, "optim.learning_rate": 3e-4}
    long = {t.id for t in shipped("full-length-margins") if t.config.model.pooling == "cls"}
    assert {trial_id(changed(t.config, length)) for t in shipped("short-margins")} == long


def test_the_papers_grids_cover_the_papers_ranges_with_nothing_else_changed() -> None:
    weights = {round(1 + 0.05 * step, 2) for step in range(7)}
    for name, margins in (
        ("paper-cpl", {round(-0.06 + 0.01 * step, 2) for step in range(8)}),
        ("paper-contrastive", {round(0.03 + 0.03 * step, 2) for step in range(6)}),
    ):
        found = shipped(name)
        cells = {(trial.config.loss.margin, trial.config.loss.weight) for trial in found}
        assert cells == {(margin, weight) for margin in margins for weight in weights}
        plain = {"loss.margin": 0.0, "loss.weight": 1.0, "loss.name": "cpl"}
        assert len({trial_id(changed(trial.config, plain)) for trial in found}) == 1
    same = {"loss.margin": 0.0, "loss.weight": 1.0, "loss.name": "base", "seed": 0}
    alike = ("paper-cpl", "paper-contrastive", "paper-base")
    assert len({trial_id(changed(shipped(name)[0].config, same)) for name in alike}) == 1


def test_a_seed_takes_the_fold_of_its_number_where_there_are_folds() -> None:
    for name in ("seed-study", "input-pooling", "random-vs-pretrained", "ablations"):
        for trial in shipped(name):
            folds = FOLDS[trial.config.data.protocol]
            assert trial.config.data.fold == (trial.config.seed if folds > 1 else 0)
            assert trial.config.selection.on == "dev"


def test_an_ablation_changes_what_its_name_says_and_nothing_else() -> None:
    by_name: dict[str, list[Trial]] = {}
    for trial in shipped("ablations"):
        by_name.setdefault(trial.varied[VARIANT], []).append(trial)
    assert {len(lot) for lot in by_name.values()} == {6}
    whole = flattened(by_name["cluster purge"][0].config.model_dump())
    differing = {}
    for name, lot in by_name.items():
        values = flattened(lot[0].config.model_dump())
        differing[name] = {key for key in whole if whole[key] != values[key]}
    assert differing.pop("cluster purge") == set()
    assert differing.pop("alpha = beta = 1") == {"loss.alpha", "loss.beta"}
    assert differing.pop("paper input") == {"model.input", "model.max_length", "model.nodes"}
    assert all(len(keys) == 1 for keys in differing.values()), differing


def test_another_preset_lies_below_the_grid() -> None:
    found = trials(read_grid("paper-cpl"), "pairs.jsonl", {"optim.epochs": 30}, "paper")
    assert {(t.config.optim.batch_size, t.config.optim.epochs) for t in found} == {(4, 30)}
    assert {t.config.selection.on for t in found} == {"last"}


def test_a_grid_that_is_nowhere_is_named_with_those_there_are() -> None:
    with pytest.raises(EquimutError, match=r"seed-studdy.*seed-study"):
        read_grid("seed-studdy")


def test_every_stored_result_has_the_id_its_configuration_gives_today() -> None:
    directories = sorted({path.parent for path in (ROOT / "results").rglob("trials.jsonl.gz")})
    stored = [each for place in directories for each in ResultsDirectory(place).results()]
    assert len(stored) > 300
    assert [each.id for each in stored] == [trial_id(each.config) for each in stored]
