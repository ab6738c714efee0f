"""The configuration: presets as documented, TOML both ways, and no misspelt option goes through."""

from pathlib import Path

import pytest

from equimut.config import DEFAULT, PAPER, RunConfig, changed, preset, read_config, to_toml
from equimut.errors import EquimutError


def test_the_paper_preset_is_the_published_setting() -> None:
    optim = PAPER.optim
    assert (optim.learning_rate, optim.adam_eps, optim.weight_decay) == (2e-5, 1e-8, 0.0)
    assert (optim.warmup, optim.clip, optim.batch_size, optim.epochs) == (0.2, 1.0, 4, 30)
    assert (PAPER.model.encoder, PAPER.seed) == ("microsoft/unixcoder-base", 42)
    assert (PAPER.model.input, PAPER.model.pooling) == ("paper", "cls")
    loss = PAPER.loss
    assert (loss.name, loss.weight, loss.margin_or_default()) == ("cpl", 1.15, -0.05)
    assert (loss.gamma, loss.alpha, loss.beta, loss.unseen) == (12, 2, 0.5, "zero")
    assert PAPER.selection.on == "dev"  # the published selection must be asked for


def test_presets_are_found_by_name() -> None:
    assert preset("paper") == PAPER
    assert preset("default") == DEFAULT
    with pytest.raises(EquimutError, match=r"'papre'.*default, paper"):
        preset("papre")


@pytest.mark.parametrize("config", [DEFAULT, PAPER, changed(PAPER, {"loss.margin": 0.03})])
def test_toml_both_ways(config: RunConfig, tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text(to_toml(config))
    assert read_config(tmp_path / "run.toml", DEFAULT) == config


def test_a_file_needs_to_name_only_what_differs(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text('seed = 7\n[loss]\nname = "contrastive"\n')
    config = read_config(tmp_path / "run.toml", PAPER)
    assert config == changed(PAPER, {"seed": 7, "loss.name": "contrastive"})
    assert config.loss.margin_or_default() == 0.09


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("seeed = 1", ["`seeed`", "seed, threads"]),
        ("[optim]\nlearning_rat = 1", ["`optim.learning_rat`", "learning_rate"]),
        ("[optim]\nepochs = 0", ["`optim.epochs`", "greater than or equal to 1"]),
        ('[loss]\nname = "cpll"', ["`loss.name`", "'cpl'"]),
        ("[loss]\nname = ", ["not TOML"]),
        ("optim = 3", ["`optim`"]),
    ],
)
def test_a_mistake_is_named(text: str, words: list[str], tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text(text)
    with pytest.raises(EquimutError) as error:
        read_config(tmp_path / "run.toml")
    assert all(word in str(error.value) for word in [*words, "run.toml"])


def test_what_is_not_given_stays() -> None:
    assert changed(DEFAULT, {"seed": None, "optim.clip": None}) == DEFAULT
    with pytest.raises(EquimutError, match=r"options: no option `loss.zeta`; there are name"):
        changed(DEFAULT, {"loss.zeta": 1})
    with pytest.raises(EquimutError, match="no option `losss`"):
        changed(DEFAULT, {"losss.zeta": 1})
