"""A training that is told to stop, that diverges, or that other code goes on with."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from equimut.config import DEFAULT, RunConfig, changed
from equimut.data.store import write_pairs
from equimut.errors import EquimutError
from equimut.training.run import train_run
from equimut.training.run_files import read_record, write_record
from oracles.child_processes import wait_for
from oracles.command import call_equimut
from oracles.datasets.small_data import small_pairs
from oracles.encoders.tiny_encoder import save_tiny_encoder


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> RunConfig:
    place = tmp_path_factory.mktemp("stopping")
    save_tiny_encoder(place / "encoder", layers=1, hidden=16, dropout=0.1)
    write_pairs(place / "pairs.jsonl", small_pairs(origins=10))
    return changed(DEFAULT, {
        "data.pairs": str(place / "pairs.jsonl"), "data.protocol": "all", "threads": 1,
        "model.encoder": str(place / "encoder"), "optim.batch_size": 4, "optim.epochs": 2,
    })  # fmt: skip


def weights(directory: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted((directory / "model").rglob("*.safetensors"))]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_leaves_a_checkpoint_and_a_word_and_training_goes_on_to_the_same_weights(
    config: RunConfig, tmp_path: Path, number: signal.Signals
) -> None:
    train_run(config, tmp_path / "straight", baselines=False)
    stopped = tmp_path / "stopped"
    heard: list[str] = []

    def send(progress: object) -> None:
        if progress.step == 7:  # type: ignore[attr-defined]
            os.kill(os.getpid(), number)

    handlers = [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)]
    with pytest.raises((KeyboardInterrupt, SystemExit)) as ended:
        train_run(config, stopped, baselines=False, progress=send, message=heard.append)
    if number == signal.SIGTERM:
        assert ended.value.code == 143  # type: ignore[union-attr]
    assert heard == ["stopped after step 7, which is saved: the same command goes on from it"]
    assert [path.name for path in (stopped / "checkpoints").iterdir()] == [
        "step-00000007.safetensors"
    ]
    assert handlers == [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)]
    train_run(config, stopped, baselines=False, message=heard.append)
    assert heard[1] == "going on at epoch 1, step 8"
    assert weights(stopped) == weights(tmp_path / "straight")
    assert (stopped / "log.jsonl").read_text() == (tmp_path / "straight/log.jsonl").read_text()


def test_the_command_ends_with_the_code_of_the_signal_and_says_that_it_can_go_on(
    config: RunConfig, tmp_path: Path
) -> None:
    arguments = ["--encoder", config.model.encoder, "--protocol", "all", "--epochs", "2000"]
    run = subprocess.Popen(
        [sys.executable, "-m", "equimut", "train", config.data.pairs, *arguments,
         "--out", str(tmp_path / "run")],
        stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    log = tmp_path / "run" / "log.jsonl"
    wait_for(lambda: log.is_file() and log.stat().st_size > 0)
    run.terminate()
    _, errors = run.communicate(timeout=240)
    assert run.returncode == 143
    assert "which is saved: the same command goes on from it" in " ".join(errors.split())
    assert list((tmp_path / "run" / "checkpoints").glob("step-*.safetensors"))


def test_a_loss_that_is_not_a_number_ends_the_training_at_its_step(
    config: RunConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from equimut.losses.joint import JointLoss

    combine, calls = JointLoss.combine, []

    def broken(self: JointLoss, metric: torch.Tensor, *rest: torch.Tensor) -> object:
        calls.append(1)
        return combine(self, metric * (float("nan") if len(calls) == 3 else 1.0), *rest)

    monkeypatch.setattr(JointLoss, "combine", broken)
    with pytest.raises(EquimutError) as error:
        train_run(config, tmp_path / "run", baselines=False)
    assert str(error.value).startswith("training diverged at step 3 (epoch 1): loss nan, metric")
    assert "learning rate" in str(error.value)
    assert len(calls) == 3


@pytest.mark.parametrize("value", ["inf", "nan", "-inf"])
@pytest.mark.parametrize("option", ["--weight", "--margin", "--learning-rate"])
def test_numbers_that_are_not_finite_are_refused_before_anything_is_written(
    config: RunConfig, tmp_path: Path, option: str, value: str
) -> None:
    names = {"--weight": "loss.weight", "--margin": "loss.margin"}
    changes = {names.get(option, "optim.learning_rate"): float(value)}
    with pytest.raises(EquimutError, match=r"`\w+\.\w+`: Input should be"):
        changed(config, changes)
    if (option, value) == ("--weight", "inf"):
        given = (config.data.pairs, "--encoder", config.model.encoder, option, value)
        found = call_equimut("train", *given, "--out", tmp_path / "run")
        assert found.returncode == 2
        assert "`loss.weight`: Input should be a finite number" in " ".join(found.stderr.split())
        assert not (tmp_path / "run").exists()


def test_other_code_that_goes_on_with_a_run_says_so_and_is_noted(
    config: RunConfig, tmp_path: Path
) -> None:
    def stop(progress: object) -> None:
        if progress.step == 3:  # type: ignore[attr-defined]
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        train_run(config, tmp_path, baselines=False, progress=stop)
    begun = read_record(tmp_path)
    assert begun.continued == ()
    write_record(tmp_path, begun.model_copy(update={"equimut": "0.0.1", "code": "0123"}))
    heard: list[str] = []
    record = train_run(config, tmp_path, baselines=False, message=heard.append)
    assert heard[0].startswith("this run was begun by other code (equimut 0.0.1 0123; now ")
    assert record.equimut == "0.0.1"
    assert record.continued == (f"{begun.equimut} {begun.code}",)
    assert json.loads((tmp_path / "run.json").read_text())["status"] == "finished"
