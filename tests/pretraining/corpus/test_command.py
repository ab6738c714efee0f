"""`equimut dev corpus`, run as a person runs it."""

import json
from itertools import islice
from pathlib import Path

import pytest

from equimut.pretraining.corpus.store import Corpus
from oracles.command import call_equimut, says_one_line
from oracles.datasets.corpus_sources import write_tree


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus built by the command from a directory."""
    root = write_tree(tmp_path_factory.mktemp("sources") / "made", files=40)
    out = tmp_path_factory.mktemp("out") / "corpus"
    cache = str(tmp_path_factory.mktemp("cache"))
    asked = ("--directory", f"python={root}", "--corpus", out, "--limit", 150, "--jobs", 1)
    done = call_equimut("dev", "corpus", "build", *asked, XDG_CACHE_HOME=cache)
    assert done.returncode == 0, done.stderr
    assert "functions to train on" in done.stdout
    assert "10 left out: over the limit" in done.stderr
    return out


def test_show_counts_what_the_shards_hold(corpus: Path) -> None:
    done = call_equimut("dev", "corpus", "show", "--corpus", corpus, "--json")
    index = json.loads(done.stdout)
    assert sum(shard["functions"] for shard in index["shards"]) == 150
    assert index["found"] == {"python": 160}
    assert index["packages"][0]["files"] == 40
    table = call_equimut("dev", "corpus", "show", "--corpus", corpus)
    assert "160" in table.stdout
    assert "held-out" in table.stdout


def test_sample_is_drawn_by_the_seed(corpus: Path) -> None:
    asked = ("dev", "corpus", "show", "--corpus", corpus, "--sample", 2, "--seed", 5, "--json")
    shown = json.loads(call_equimut(*asked).stdout)
    expected = list(islice(Corpus(corpus).shuffled(seed=5, epoch=0), 2))
    assert shown == [function.model_dump() for function in expected]
    assert set(shown[0]) == {"language", "package", "path", "name", "text"}


def test_tokenizers_stand_beside_the_corpus(corpus: Path) -> None:
    asked = ("--size", 300, "--size", 500, "--json")
    done = call_equimut("dev", "corpus", "tokenizer", "--corpus", corpus, *asked)
    rows = json.loads(done.stdout)
    assert [row["size"] for row in rows] == [300, 500]
    for row in rows:
        assert (Path(row["directory"]) / "tokenizer.json").exists()
        assert Path(row["directory"]).parent.parent == corpus
        assert row["cuts"][0]["language"] == "python"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("tokenizer", "--corpus", "nowhere"), ("nowhere", "equimut dev corpus build")),
        (("build", "--directory", "c=nowhere", "--corpus", "x"), ("nowhere", "not a directory")),
        (("build", "--exclude", "nowhere.jsonl", "--corpus", "x"), ("nowhere.jsonl",)),
    ],
)
def test_errors_are_one_line(
    arguments: tuple[str, ...], words: tuple[str, ...], tmp_path: Path
) -> None:
    here = [str(tmp_path / each) if each in ("nowhere", "x") else each for each in arguments]
    assert says_one_line(call_equimut("dev", "corpus", *here), *words)


def test_option_without_a_language_is_refused() -> None:
    done = call_equimut("dev", "corpus", "build", "--directory", "somewhere")
    assert done.returncode == 2
    assert "LANGUAGE=" in done.stderr
