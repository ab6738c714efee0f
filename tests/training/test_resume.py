"""A training that is killed and started again ends as if nothing had happened."""

import json
import random
import resource
import signal
import time
from hashlib import sha256
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest

from conftest import count
from equimut.config import DEFAULT, RunConfig, changed
from equimut.data.store import write_pairs
from equimut.errors import EquimutError
from equimut.training.run import train_run
from oracles.child_processes import training_processes
from oracles.datasets.small_data import small_pairs
from oracles.encoders.tiny_encoder import save_tiny_encoder

KILLS = 5


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> RunConfig:
    place = tmp_path_factory.mktemp("resume")
    encoder = save_tiny_encoder(place / "encoder", layers=1, hidden=32, dropout=0.1)
    write_pairs(place / "pairs.jsonl", small_pairs())
    return changed(
        DEFAULT,
        {
            "data.pairs": str(place / "pairs.jsonl"),
            "data.protocol": "by-origin",
            "model.encoder": str(encoder),
            "optim.batch_size": 4,
            "optim.epochs": 3,
            "checkpoint_minutes": 1e-4,  # after every step: each of them can be the last
            "threads": 1,
            "curve": [1, 3],
        },
    )


@pytest.fixture
def processes() -> ForkServerContext:
    return training_processes()


def outcome(directory: Path) -> dict[str, object]:
    """All that must not depend on how often a run was interrupted."""
    files = [*sorted((directory / "model").rglob("*.safetensors")), directory / "predictions.jsonl"]
    record = json.loads((directory / "run.json").read_text())
    for name in ("seconds", "environment"):
        record.pop(name)
    return {
        "weights": {path.name: sha256(path.read_bytes()).hexdigest() for path in files},
        "record": record,
        "log": (directory / "log.jsonl").read_text().splitlines(),
    }


def test_two_trainings_in_one_directory_do_not_mix(
    config: RunConfig, processes: ForkServerContext, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    config = changed(config, {"optim.epochs": 8})  # long enough for what is tried meanwhile
    first = processes.Process(target=train_run, args=(config, out))
    first.start()
    while not (out / "run.json").exists():
        assert first.is_alive()
        time.sleep(0.02)
    for restart in (False, True):
        with pytest.raises(EquimutError, match="another training is at work"):
            train_run(config, out, restart=restart)
        assert first.is_alive()  # it was still at work when the other one was refused
    first.join(300)
    assert first.exitcode == 0
    again = train_run(config, out)  # finished: the second one says what is there
    assert again.status == "finished"
    assert not [path for path in out.rglob("*") if "lock" in path.name or ".tmp" in path.name]


def test_killed_at_any_moment_training_ends_bit_by_bit_the_same(
    config: RunConfig, processes: ForkServerContext, tmp_path: Path
) -> None:
    straight = processes.Process(target=train_run, args=(config, tmp_path / "straight"))
    straight.start()
    straight.join(300)
    assert straight.exitcode == 0
    expected = outcome(tmp_path / "straight")

    chance = random.Random(5)
    steps = len(expected["log"])  # type: ignore[arg-type]
    killed_at = []
    for _ in range(KILLS):
        run = processes.Process(target=train_run, args=(config, tmp_path / "killed"))
        run.start()
        _wait_for_progress(tmp_path / "killed" / "checkpoints", chance.randint(1, steps // 6))
        time.sleep(chance.random() * 0.05)  # also in the middle of writing
        run.kill()
        run.join(60)
        if run.exitcode == -signal.SIGKILL:
            killed_at.append(sorted((tmp_path / "killed" / "checkpoints").glob("step*"))[-1].name)
    assert len(killed_at) == KILLS
    assert len(set(killed_at)) == KILLS  # it got further each time
    last = processes.Process(target=train_run, args=(config, tmp_path / "killed"))
    last.start()
    last.join(300)
    assert last.exitcode == 0
    assert outcome(tmp_path / "killed") == expected


def _wait_for_progress(checkpoints: Path, steps: int) -> None:
    """Until there is a checkpoint so many steps later than the present one."""

    def newest() -> int:
        names = sorted(path.name for path in checkpoints.glob("step-*.safetensors"))
        return int(names[-1][5:13]) if names else 0

    first, patience = newest(), time.monotonic() + 120
    while newest() < first + steps and time.monotonic() < patience:
        time.sleep(0.002)


class Stop(Exception):
    """Raised from inside a training, to leave it unfinished."""


def interrupted(config: RunConfig, directory: Path, step: int) -> None:
    def stop(state: object) -> None:
        if state.step == step:  # type: ignore[attr-defined]
            raise Stop

    with pytest.raises(Stop):
        train_run(config, directory, progress=stop)


def test_a_damaged_checkpoint_is_named_and_the_one_before_it_taken(
    config: RunConfig, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    interrupted(config, run, step=6)
    newest = sorted((run / "checkpoints").iterdir())
    assert len(newest) == 2
    content = bytearray(newest[-1].read_bytes())
    content[len(content) // 2] ^= 1  # one bit, in the middle of a tensor
    newest[-1].write_bytes(content)
    said: list[str] = []

    def stop(state: object) -> None:
        raise Stop

    with pytest.raises(Stop):
        train_run(config, run, progress=stop, message=said.append)
    assert newest[-1].name in said[0]
    assert "damaged" in said[0]
    assert f"step {int(newest[0].name[5:13]) + 1}" in said[1]


def test_what_was_logged_after_the_checkpoint_is_not_there_twice(
    config: RunConfig, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    interrupted(config, run, step=6)
    with (run / "log.jsonl").open("a") as log:  # steps that no checkpoint knows of
        log.write('{"step": 7, "epoch": 1, "loss": 1.0}\n{"step": 8, "ep')
    train_run(config, run)
    lines = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
    steps = [line["step"] for line in lines if "dev" not in line]
    assert steps == list(range(1, len(steps) + 1))


@pytest.mark.parametrize("damage", ["cut", "emptied", "flipped"])
def test_without_a_whole_checkpoint_the_error_says_what_to_do(
    config: RunConfig, tmp_path: Path, damage: str
) -> None:
    run = tmp_path / "run"
    interrupted(config, run, step=3)
    for path in (run / "checkpoints").iterdir():
        content = path.read_bytes()
        flipped = bytes([content[-1] ^ 64])
        path.write_bytes(
            {"cut": content[:-10], "emptied": b"", "flipped": content[:-1] + flipped}[damage]
        )
    with pytest.raises(EquimutError, match=r"no checkpoint.*is whole.*--restart"):
        train_run(config, run)


def _train_with_little_room(config: RunConfig, directory: Path, room: int) -> None:
    """Runs in a process of its own: from now on no file may grow beyond `room` bytes."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
    try:
        train_run(config, directory)
    except EquimutError as error:
        (directory / "said.txt").write_text(str(error))
        raise SystemExit(error.exit_code) from error


def test_a_full_disk_is_a_clear_error_and_loses_nothing(
    config: RunConfig, processes: ForkServerContext, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    interrupted(config, run, step=4)
    before = {path.name: path.read_bytes() for path in (run / "checkpoints").iterdir()}
    process = processes.Process(target=_train_with_little_room, args=(config, run, 50_000))
    process.start()
    process.join(120)
    assert process.exitcode == 2
    said = (run / "said.txt").read_text()
    assert "cannot write the checkpoint" in said
    assert "\n" not in said
    assert {path.name: path.read_bytes() for path in (run / "checkpoints").iterdir()} == before
    record = train_run(config, run)  # with room again, it goes on
    assert record.status == "finished"


def test_a_run_with_other_options_is_not_overwritten(config: RunConfig, tmp_path: Path) -> None:
    run = tmp_path / "run"
    interrupted(config, run, step=2)
    other = changed(config, {"optim.batch_size": 5, "loss.margin": 0.0})
    with pytest.raises(EquimutError, match=r"loss.margin: None there, 0.0 now; optim.batch_size"):
        train_run(other, run)
    elsewhere = tmp_path / "thesis"
    elsewhere.mkdir()
    (elsewhere / "chapter.tex").write_text("words")
    with pytest.raises(EquimutError, match="not a run"):
        train_run(config, elsewhere)
    assert (elsewhere / "chapter.tex").read_text() == "words"


def test_a_finished_run_is_not_trained_again(config: RunConfig, tmp_path: Path) -> None:
    short = changed(config, {"optim.epochs": 1, "optim.batch_size": count(64, 4)})
    first = train_run(short, tmp_path / "run")
    stamp = (tmp_path / "run" / "log.jsonl").stat().st_mtime_ns
    assert train_run(short, tmp_path / "run") == first
    assert (tmp_path / "run" / "log.jsonl").stat().st_mtime_ns == stamp


def test_a_run_killed_before_its_record_begins_again(
    config: RunConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        """Nothing in the code below can catch it and clean up."""

    def die(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr("equimut.training.run_directory.write_record", die)
        with pytest.raises(Killed):
            train_run(config, tmp_path / "run", baselines=False)
    (tmp_path / "run" / ".rows.jsonl.gz.x.tmp").write_bytes(b"half")
    assert not (tmp_path / "run" / "run.json").exists()
    assert train_run(config, tmp_path / "run", baselines=False).status == "finished"
