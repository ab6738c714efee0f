"""`equimut dev tour` and `dev ship` as a person runs them, on a few rows and a tiny encoder."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from conftest import ROOT
from equimut.config import ModelConfig
from equimut.data.splitting.split import split
from equimut.data.store import read_pairs, write_pairs
from equimut.models.detector import Detector
from equimut.pretraining import shipping
from equimut.pretraining.loop import pairs as mutant_pairs
from equimut.pretraining.loop.config import CONFIG, LOG, PretrainConfig
from equimut.pretraining.shipping import CHECKSUMS
from oracles.command import call_equimut, says_one_line
from oracles.datasets.corpus_sources import write_tree
from oracles.datasets.small_data import small_pairs
from oracles.encoders.tiny_encoder import save_tiny_encoder

PAIRS = small_pairs(origins=16)
SEEN, UNSEEN = list(PAIRS[:72]), list(PAIRS[72:])


@pytest.fixture(autouse=True)
def _few_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real parts are 82,000 rows."""
    for room in (mutant_pairs, shipping):
        monkeypatch.setattr(room, "bundled_parts", lambda *_: (SEEN, UNSEEN))


def test_a_tour_trains_three_detectors_on_unseen_origins_and_shows_them(tmp_path: Path) -> None:
    encoder = save_tiny_encoder(tmp_path / "encoder", layers=1, hidden=16)
    out = tmp_path / "tour"
    done = call_equimut(
        "dev", "tour", "--out", out, "--encoder", encoder, "--mutants", 3, "--epochs", 1
    )
    assert done.returncode == 0, done.stderr
    rows = read_pairs(out / "held-out-origins.jsonl")
    assert {pair.origin for pair in rows} == {pair.origin for pair in UNSEEN}
    assert max(Counter((pair.class_id, pair.label) for pair in rows).values()) == 3
    assert len({pair.class_id for pair in rows}) == len({pair.origin for pair in rows})
    for loss in ("base", "contrastive", "cpl"):
        record = json.loads((out / loss / "run.json").read_text())
        assert (record["status"], record["config"]["loss"]["name"]) == ("finished", loss)
        assert loss in done.stdout
        scores = record["evaluation"]["scores"]
        (line,) = re.findall(rf"^{loss} +0\.[^\n]*$", done.stdout, re.M)
        ranking = (
            "macro_f1",
            "average_precision",
            "recall_at_precision_90",
            "recall_at_precision_95",
        )
        shown = [f"{scores[name]:.3f}" for name in ranking]
        shown += [f"{each:.3f}" for each in record["history"][-1]["test"]["distances"]]
        assert line.split()[1:] == shown
    assert record["config"]["loss"]["margin"] == 0.0
    assert "surroundings-lr" in done.stdout
    assert done.stdout.count("in truth") == 4
    assert sorted(out.glob("*.png"))


def test_the_benchmark_by_origin_tests_on_origins_that_nothing_was_trained_on(
    tmp_path: Path,
) -> None:
    out = tmp_path / "benchmark.jsonl"
    command = ("data", "bundled", "--held-out", 30, "--out", out)
    assert call_equimut(*command).returncode == 0
    rows = read_pairs(out)
    train, test = split(rows, "published").train, split(rows, "published").test
    assert len(train) == 30
    assert sorted(pair.id for pair in test) == sorted(pair.id for pair in UNSEEN)
    assert {pair.id for pair in train} <= {pair.id for pair in SEEN}
    assert len({pair.class_id for pair in rows}) == len({pair.origin for pair in rows})
    again = tmp_path / "again.jsonl"
    assert call_equimut(*command[:-1], again).returncode == 0
    assert again.read_bytes() == out.read_bytes()
    for wrong in (("--held-out", 99, "--out", out), ("--held-out", 3)):
        assert call_equimut("data", "bundled", *wrong).returncode == 2


def test_a_pretraining_ships_with_card_examples_and_checksums(tmp_path: Path) -> None:
    encoder = str(save_tiny_encoder(tmp_path / "encoder", layers=1, hidden=16))
    made = tmp_path / "pretraining"
    Detector.from_encoder(encoder, ModelConfig(encoder=encoder)).save_pretrained(made / "detector")
    (made / CONFIG).write_text(PretrainConfig().model_dump_json())
    (made / LOG).write_text('{"step": 1234}\n')
    write_pairs(tmp_path / "other.jsonl", SEEN[:24])
    out = tmp_path / "shipped"
    named = f"other rows={tmp_path / 'other.jsonl'}"
    done = call_equimut("dev", "ship", made, "--out", out, "--measure", named, "--json")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert [one["predictor"] for one in said] == ["equimut", "surroundings-lr"] * 2
    assert said[-1]["data"] == "other rows"
    card = (out / "README.md").read_text()
    assert "1,234 steps" in card
    assert "other rows" in card
    names = {line.split("  ")[1] for line in (out / CHECKSUMS).read_text().splitlines()}
    assert {"detector.json", "examples.safetensors", "encoder/model.safetensors"} <= names
    assert Detector.from_pretrained(out).settings.features


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(("nowhere",), "holds no pretraining"), (("nowhere", "--measure", "x"), "NAME=PAIRS")],
)
def test_what_cannot_ship_is_one_clear_line(
    tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    (tmp_path / CONFIG).write_text(PretrainConfig().model_dump_json())
    (tmp_path / LOG).write_text('{"step": 1}\n')
    place = tmp_path if "--measure" in arguments else tmp_path / "nowhere"
    done = call_equimut("dev", "ship", place, *arguments[1:], "--out", tmp_path / "out")
    assert done.returncode == 2
    assert said in done.stderr
    assert not (tmp_path / "out").exists()


def test_the_recipe_of_the_page_leads_from_sources_to_a_detector(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "encoder.md").read_text()
    steps = re.findall(r"^    equimut dev (corpus \w+|\w+)", page, re.M)
    assert steps == ["corpus build", "corpus tokenizer", "labels", "pretrain", "ship"]
    sources = write_tree(tmp_path / "sources", files=12)
    corpus = ("--corpus", tmp_path / "corpus")
    small = ("--no-labels", "--budget", 1, "--layers", 1, "--hidden", 64, "--functions", 2)
    pretrain = ("dev", "pretrain", "--out", tmp_path / "made", *corpus, *small, "--pairs", 2)
    assert says_one_line(call_equimut(*pretrain), "`equimut dev corpus build`")
    built = call_equimut("dev", "corpus", "build", "--directory", f"python={sources}", *corpus)
    assert built.returncode == 0, built.stderr
    assert says_one_line(call_equimut(*pretrain), "`equimut dev corpus tokenizer`")
    assert call_equimut("dev", "corpus", "tokenizer", *corpus).returncode == 0
    done = call_equimut(*pretrain)
    assert "finished" in done.stdout, done.stderr
    assert {path.name for path in (tmp_path / "made").iterdir() if path.is_dir()} == {
        "checkpoints",
        "detector",
    }
    assert Detector.from_pretrained(tmp_path / "made" / "detector").settings.encoder == "equimut"


def test_an_address_without_ray_is_not_ignored(tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text("{}\n")
    done = call_equimut("judge", tmp_path / "rows.jsonl", "--address", "auto")
    assert done.returncode == 2
    assert "--engine ray" in done.stderr
