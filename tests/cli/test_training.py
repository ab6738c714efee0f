"""train, evaluate, judge, runs and compare as a person uses them, on a part of the benchmark."""

import json
from pathlib import Path

import pytest

from equimut.data.store import write_pairs
from oracles.command import call_equimut, run_equimut, says_one_line
from oracles.datasets.small_data import small_pairs
from oracles.encoders.tiny_encoder import save_tiny_encoder

LOSSES = ("base", "contrastive", "triplet", "cpl")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pairs, an encoder, and a finished run for each loss."""
    place = tmp_path_factory.mktemp("runs")
    write_pairs(place / "pairs.jsonl", small_pairs())
    save_tiny_encoder(place / "encoder", layers=1, hidden=32)
    for loss in LOSSES:
        out = place / "runs" / loss
        result = call_equimut(*training(place, loss), "--out", out)
        assert result.returncode == 0, result.stderr
        assert "edit-lr" in result.stdout  # the baselines stand beside the model
        assert "chosen on" in result.stdout
    return place


def training(place: Path, loss: str, *more: object) -> list[object]:
    return [
        "train", place / "pairs.jsonl", "--loss", loss, "--encoder", place / "encoder",
        "--protocol", "by-origin", "--epochs", "2", "--threads", "1",
        "--set", "loss.triplets=40", *more,
    ]  # fmt: skip


@pytest.mark.parametrize("loss", LOSSES)
def test_a_run_keeps_what_is_needed_to_read_it(place: Path, loss: str) -> None:
    run = place / "runs" / loss
    assert {path.name for path in run.iterdir()} - {"verges.json"} == {
        "config.toml",
        "log.jsonl",
        "model",
        "predictions.jsonl",
        "rows.jsonl.gz",
        "run.json",
    }
    assert (run / "verges.json").exists() == (loss == "cpl")
    record = json.loads((run / "run.json").read_text())
    assert record["status"] == "finished"
    assert record["config"]["loss"]["name"] == loss
    assert [one["predictor"] for one in record["baselines"]] == [
        "origin-majority",
        "line-operator",
        "edit-lr",
        "surroundings-lr",
    ]
    assert record["evaluation"]["selection"] == "dev"
    assert record["evaluation"]["protocol"] == "by-origin"
    assert len(record["history"]) == 2


def test_evaluating_a_run_again_gives_the_same_figures(place: Path) -> None:
    record = json.loads((place / "runs" / "cpl" / "run.json").read_text())
    result = call_equimut("evaluate", place / "runs" / "cpl", place / "pairs.jsonl", "--json")
    assert result.returncode == 0, result.stderr
    content = json.loads(result.stdout)
    assert content["refused"] == 0
    assert content["evaluations"][0] == record["evaluation"]
    assert content["evaluations"][1:] == record["baselines"]
    table = call_equimut("evaluate", place / "runs" / "cpl", place / "pairs.jsonl")
    assert "line-operator" in table.stdout


def test_rows_it_was_trained_on_are_refused_not_scored(place: Path) -> None:
    run = place / "runs" / "cpl"
    tested = {
        json.loads(line)["id"] for line in (run / "predictions.jsonl").read_text().splitlines()
    }
    pairs = small_pairs()
    trained = [pair for pair in pairs if pair.id not in tested]
    write_pairs(place / "trained.jsonl", trained)
    result = call_equimut("evaluate", run, place / "trained.jsonl")
    assert result.returncode == 3
    assert f"all {len(trained)} rows are known" in result.stderr
    # the same texts under other names are known too
    renamed = [pair.model_copy(update={"id": f"new-{pair.id}"}) for pair in pairs]
    write_pairs(place / "renamed.jsonl", renamed)
    result = call_equimut("evaluate", run, place / "renamed.jsonl", "--json")
    content = json.loads(result.stdout)
    assert content["refused"] == len(trained)
    assert content["evaluations"][0]["scores"]["count"] == len(tested)
    assert content["evaluations"][0]["protocol"] == "all unseen rows"


def test_judge_adds_verdicts_to_rows(place: Path) -> None:
    rows = [
        {"origin": pair.origin, "mutant": pair.mutant, "language": pair.language, "ticket": number}
        for number, pair in enumerate(small_pairs()[:7])
    ]
    source = place / "survivors.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    out = place / "verdicts.jsonl"
    result = call_equimut("judge", source, "--model", place / "runs" / "cpl", "--out", out)
    assert result.returncode == 0, result.stderr
    judged = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["ticket"] for row in judged] == list(range(7))
    assert {"probability", "distance", "verdict", "reason"} <= set(judged[0])
    saved = call_equimut("judge", source, "--model", place / "runs" / "cpl" / "model")
    assert [json.loads(line) for line in saved.stdout.splitlines()] == judged


def test_judge_with_nothing_to_judge_is_no_success(place: Path) -> None:
    source = place / "rust.jsonl"
    source.write_text('{"origin": "fn f() {}", "mutant": "", "language": "rust"}\n')
    result = call_equimut("judge", source, "--model", place / "runs" / "cpl")
    assert result.returncode == 3
    assert json.loads(result.stdout)["verdict"] == "unknown"
    assert "not on rust" in json.loads(result.stdout)["reason"]


def test_runs_are_listed(place: Path) -> None:
    result = call_equimut("runs", place / "runs")
    assert result.returncode == 0
    assert all(loss in result.stdout for loss in LOSSES)
    assert result.stdout.count("by-origin 0") == len(LOSSES)
    listed = json.loads(call_equimut("runs", place / "runs", "--json").stdout)
    assert len(listed) == len(LOSSES)
    nothing = place / "nothing"
    nothing.mkdir(exist_ok=True)
    assert call_equimut("runs", nothing).returncode == 3


def test_two_runs_are_compared_on_the_same_rows(place: Path) -> None:
    result = call_equimut("compare", place / "runs" / "base", place / "runs" / "cpl", "--json")
    assert result.returncode == 0, result.stderr
    content = json.loads(result.stdout)
    (run,) = content["runs"]
    records = [
        json.loads((place / "runs" / loss / "run.json").read_text()) for loss in ("base", "cpl")
    ]
    f1 = [record["evaluation"]["scores"]["macro_f1"] for record in records]
    difference = run["comparison"]["differences"]["macro_f1"]
    assert [difference["first"], difference["second"]] == pytest.approx(f1)
    assert 0 <= run["comparison"]["mcnemar"]["p_value"] <= 1
    assert (
        "McNemar" in call_equimut("compare", place / "runs" / "base", place / "runs" / "cpl").stdout
    )


def test_selection_on_test_says_so(place: Path) -> None:
    out = place / "published" / "run"
    result = call_equimut(*training(place, "base", "--selection", "test"), "--out", out)
    assert result.returncode == 0, result.stderr
    assert "CHOSEN ON THE TEST ROWS" in result.stdout
    record = json.loads((out / "run.json").read_text())
    assert record["evaluation"]["selection"] == "test"
    assert json.loads((out / "model" / "detector.json").read_text())["calibration"] is None
    compared = call_equimut("compare", place / "runs" / "base", out)
    assert "selected on the test rows" in compared.stdout


def test_calibration_is_kept_with_the_model(place: Path) -> None:
    settings = json.loads((place / "runs" / "cpl" / "model" / "detector.json").read_text())
    assert settings["calibration"]["temperature"] > 0
    assert settings["calibration"]["rows"] > 0
    source = place / "one.jsonl"
    write_pairs(source, small_pairs()[:1])
    result = call_equimut(
        "judge", source, "--model", place / "runs" / "cpl", "--min-precision", "0.99"
    )
    assert result.returncode == 2  # a few rows promise nothing, however right they are
    assert "no precision of 0.99 can be promised: on " in result.stderr
    assert "validation rows of its training: not enough" in result.stderr


def test_training_again_on_all_rows_after_the_choice(place: Path) -> None:
    out = place / "refitted"
    result = call_equimut(*training(place, "base", "--refit"), "--out", out)
    assert result.returncode == 0, result.stderr
    record = json.loads((out / "run.json").read_text())
    assert record["steps"] > json.loads((place / "runs" / "base" / "run.json").read_text())["steps"]
    assert not (out / "refit").exists()


def test_tensorboard_on_request(place: Path) -> None:
    out = place / "board"
    call_equimut(*training(place, "base", "--tensorboard"), "--out", out)
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(out / "tensorboard"))
    events.Reload()
    assert {"loss", "cross_entropy", "dev"} <= set(events.Tags()["scalars"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["train", "missing.jsonl", "--out", "x"], ["missing.jsonl"]),
        (["train", "{pairs}", "--out", "x", "--loss", "cppl"], ["loss.name", "cpl"]),
        (["train", "{pairs}", "--out", "x", "--preset", "papre"], ["papre", "paper"]),
        (["train", "{pairs}", "--out", "x", "--set", "optim.clap=1"], ["optim.clap", "clip"]),
        (["train", "{pairs}", "--out", "x", "--set", "optim.clip"], ["KEY=VALUE"]),
        (["train", "{pairs}", "--out", "x", "--epochs", "0"], ["optim.epochs"]),
        (["train", "{pairs}", "--out", "x", "--config", "no.toml"], ["no.toml"]),
        (["train", "{pairs}", "--out", "x", "--protocol", "published"], ["published split"]),
        (["train", "{pairs}", "--out", "x", "--encoder", "{folder}"], ["folder"]),
        (["train", "{pairs}", "--out", "{pairs}"], ["not a run"]),
        (["evaluate", "{folder}", "{pairs}"], ["not a run"]),
        (["evaluate", "{run}", "missing.jsonl"], ["missing.jsonl"]),
        (["evaluate", "{run}", "{folder}"], ["folder"]),
        (["judge", "{pairs}", "--model", "{folder}"], ["no detector"]),
        (["judge", "missing.jsonl", "--model", "{run}"], ["missing.jsonl"]),
        (["judge", "{pairs}", "--model", "{run}", "--out", "{folder}"], ["not a file"]),
        (["compare", "{run}", "{folder}"], ["no finished run"]),
        (["compare", "{run}", "missing"], ["missing"]),
        (["runs", "missing"], ["missing"]),
    ],
)
def test_bad_input_gets_one_clear_line(
    place: Path, arguments: list[str], words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "folder").mkdir(exist_ok=True)
    names = {"pairs": place / "pairs.jsonl", "folder": place / "folder", "run": place / "runs/base"}
    before = sorted(str(path) for path in place.rglob("*"))
    monkeypatch.chdir(place)
    result = call_equimut(*(argument.format(**names) for argument in arguments))
    assert says_one_line(result, *words), (result.returncode, result.stderr, result.stdout)
    assert sorted(str(path) for path in place.rglob("*")) == before


def test_the_real_command_trains_in_a_process_of_its_own(place: Path) -> None:
    out = place / "own"
    result = run_equimut(*training(place, "base"), "--epochs", "1", "--out", out, "--json")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["status"] == "finished"
    assert "Traceback" not in result.stderr
