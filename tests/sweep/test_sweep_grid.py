"""A grid file becomes the trials it describes, each with a name of its own."""

from pathlib import Path

import pytest

from equimut.config import DEFAULT, changed
from equimut.errors import EquimutError
from equimut.sweep.grid import read_grid, trial_id, trials

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
    there = changed(DEFAULT, {"data.pairs": "/there/emd.jsonl", "threads": 2})
    assert trial_id(here) == trial_id(there)
    assert trial_id(here) != trial_id(changed(here, {"seed": 1}))
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
