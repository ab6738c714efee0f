"""Two processes train as one process does: same losses, same verges, same weights."""

import json
import os
import subprocess
import sys
from pathlib import Path
from socket import socket

import pytest
from accelerate.state import AcceleratorState

from conftest import FULL, ROOT
from equimut.config import DEFAULT, changed, to_toml
from equimut.data.store import write_pairs
from equimut.models.detector import Detector
from oracles import two_ranks
from oracles.child_processes import training_processes
from oracles.datasets.small_data import small_pairs
from oracles.encoders.tiny_encoder import save_tiny_encoder

TOLERANCE = 2e-5
"""Sums over two halves are not rounded as one sum over both; over the steps it adds up."""


def launch(processes: int, config: Path, out: Path) -> None:
    if processes == 1:
        AcceleratorState._reset_state(reset_partial_state=True)  # other tests' precision
        two_ranks.main(config, out)
    elif FULL:
        run_processes(processes, [str(two_ranks.__file__), str(config), str(out)])
    else:  # without a launcher, which imports torch once more
        with socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        ranks = [
            training_processes().Process(
                target=two_ranks.as_rank, args=(rank, processes, port, config, out)
            )
            for rank in range(processes)
        ]
        for each in ranks:
            each.start()
        for each in ranks:
            each.join(400)
        assert [each.exitcode for each in ranks] == [0] * processes


def run_processes(processes: int, program: list[str]) -> str:
    """What a program prints, run by so many processes together."""
    accelerate = Path(sys.executable).with_name("accelerate")
    start = [
        # The flag chooses the launcher that starts processes; without it, on a machine
        # without devices, accelerate waits for MPI and starts one. They train on the CPU.
        str(accelerate), "launch", "--multi_gpu", "--num_processes", str(processes),
        "--num_machines", "1", "--mixed_precision", "no", "--dynamo_backend", "no",
        "--main_process_port", "0",
    ]  # fmt: skip
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT / "tests")}
    done = subprocess.run(
        [*start, *program],
        env=environment, capture_output=True, text=True, timeout=400, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    place = tmp_path_factory.mktemp("ranks")
    # 33 pairs in batches of 8: the last batch holds one pair, so one process has none
    pairs = small_pairs()[:33]
    write_pairs(place / "pairs.jsonl", pairs)
    encoder = save_tiny_encoder(place / "encoder", layers=1, hidden=32, dropout=0.0)
    config = changed(
        DEFAULT,
        {
            "data.pairs": str(place / "pairs.jsonl"),
            "model.encoder": str(encoder),
            "loss.name": "cpl",
            "loss.margin": 0.05,
            "optim.batch_size": 8,
            "optim.epochs": 2,
            "optim.accumulate": 1,
            "threads": 1,
        },
    )
    (place / "config.toml").write_text(to_toml(config))
    out = {}
    for processes in (1, 2):
        out[processes] = place / f"out-{processes}"
        launch(processes, place / "config.toml", out[processes])
    return out


def log(directory: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in (directory / "log.jsonl").read_text().splitlines()]


def seen(directory: Path, rank: int) -> dict[str, list[float]]:
    content: dict[str, list[float]] = json.loads((directory / f"rank-{rank}.json").read_text())
    return content


def test_both_processes_end_with_the_same_verges(runs: dict[int, Path]) -> None:
    first, second = seen(runs[2], 0), seen(runs[2], 1)
    assert first == second  # verges, counts and weights, bit by bit


def test_two_processes_log_the_losses_of_one_with_the_whole_batch(runs: dict[int, Path]) -> None:
    one, two = log(runs[1]), log(runs[2])
    assert len(one) == len(two) == 10
    for alone, together in zip(one, two, strict=True):
        for name in ("loss", "metric", "cross_entropy", "positive_verge", "negative_verge", "rate"):
            if alone[name] is None:
                assert together[name] is None
            else:
                assert together[name] == pytest.approx(alone[name], abs=TOLERANCE), name
    assert any(line["metric"] > 1e-3 for line in one)


def test_two_processes_end_with_the_verges_and_weights_of_one(runs: dict[int, Path]) -> None:
    one, two = seen(runs[1], 0), seen(runs[2], 0)
    assert one["count"] == two["count"]
    for alone, together in zip(one["verge"], two["verge"], strict=True):
        assert together == pytest.approx(alone, abs=TOLERANCE)
    assert two["weights"] == pytest.approx(one["weights"], rel=1e-4)


@pytest.mark.skipif(not FULL, reason="half a minute; make test-full does it")
def test_the_command_in_two_processes_leaves_one_run_and_says_so_once(tmp_path: Path) -> None:
    write_pairs(tmp_path / "pairs.jsonl", small_pairs(origins=10))
    encoder = save_tiny_encoder(tmp_path / "encoder", layers=1, hidden=16)
    said = run_processes(
        2,
        [
            "-m", "equimut", "train", str(tmp_path / "pairs.jsonl"), "--encoder", str(encoder),
            "--protocol", "by-origin", "--epochs", "1", "--out", str(tmp_path / "run"), "--json",
        ],
    )  # fmt: skip
    assert json.loads(said)["status"] == "finished"  # one document, not two
    assert Detector.from_pretrained(tmp_path / "run" / "model").settings.calibration is not None
