"""`equimut data` as a person runs it: results, exit codes, one line per error."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import shared_file
from equimut.data.published.pinned import datasets
from equimut.data.store import read_pairs, write_pairs
from equimut.storage.jsonl import to_line
from oracles.command import Result, call_equimut, says_one_line
from oracles.datasets.file_server import serving
from oracles.datasets.synthetic_pairs import make_pair
from oracles.datasets.tiny_published import write_emd, write_mutantbench


def equimut(*arguments: object, **environment: str) -> Result:
    return call_equimut("data", *arguments, **environment)


@pytest.fixture
def published(tmp_path: Path) -> Path:
    write_emd(tmp_path / "emd")
    write_mutantbench(tmp_path / "mutantbench")
    return tmp_path


@pytest.fixture
def pairs_file(tmp_path: Path) -> Path:
    rows = [
        make_pair(n, class_id=n // 3, origin=f"int f() {{ return {n // 3}; }}", label=n % 2)
        for n in range(30)
    ]
    write_pairs(tmp_path / "pairs.jsonl.gz", rows)
    return tmp_path / "pairs.jsonl.gz"


@pytest.mark.parametrize("name", ["emd-java", "mutantbench-java", "mutantbench-c"])
def test_prepare_writes_the_same_bytes_on_every_run(published: Path, name: str) -> None:
    outs = [published / f"{run}.jsonl" for run in (1, 2)]
    for hash_seed, out in enumerate(outs):
        run = equimut(
            "prepare", name, "--from", published, "--out", out, PYTHONHASHSEED=str(hash_seed)
        )
        assert run.returncode == 0, run.stderr
        assert run.stdout == f"{out}: {len(read_pairs(out))} pairs\n"
    assert outs[0].read_bytes() == outs[1].read_bytes()


def test_prepare_takes_the_cache_when_no_directory_is_given(published: Path) -> None:
    cache = published / "xdg" / "equimut" / "datasets"
    write_mutantbench(cache / "mutantbench")
    out = published / "c.jsonl"
    run = equimut("prepare", "mutantbench-c", "--out", out, XDG_CACHE_HOME=f"{published}/xdg")
    assert run.returncode == 0, run.stderr
    assert len(read_pairs(out)) == 4
    assert "1 mutants change more than one function" in run.stderr


def test_prepare_before_fetch_says_what_to_do(tmp_path: Path) -> None:
    run = equimut("prepare", "emd-java", "--out", tmp_path / "x", XDG_CACHE_HOME=str(tmp_path))
    assert says_one_line(run, "equimut data fetch", "--from")
    assert list(tmp_path.iterdir()) == []


def test_a_failed_prepare_leaves_nothing_behind(published: Path) -> None:
    out = published / "out" / "pairs.jsonl"
    ttl = published / "mutantbench" / "dataset.ttl"
    ttl.write_text(ttl.read_text().replace("@@ -7 +7 @@", "@@ -1 +1 @@"))
    run = equimut("prepare", "mutantbench-c", "--from", published, "--out", out)
    assert says_one_line(run, "dataset.ttl, mutant c2 of tally.c")
    assert not out.parent.exists()


def test_prepare_into_a_place_that_cannot_be_written(published: Path) -> None:
    (published / "file").write_text("in the way")
    out = published / "file" / "pairs.jsonl"
    run = equimut("prepare", "mutantbench-c", "--from", published, "--out", out)
    assert says_one_line(run, "cannot write", "choose an output in a writable directory")


def test_check_prints_a_table_or_json(pairs_file: Path) -> None:
    table = equimut("check", pairs_file)
    assert table.returncode == 0, table.stderr
    for words in ("duplicate rows", "conflicting pairs", "token identical", "macro-F1", "halves"):
        assert words in table.stdout
    report = json.loads(equimut("check", pairs_file, "--json").stdout)
    assert report["everything"]["rows"] == 30
    assert report["parts_are"] == "halves"


def test_split_writes_both_parts_and_the_counts(pairs_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "split"
    run = equimut(
        "split", pairs_file, "--protocol", "by-origin", "--fold", 2, "--out", out, "--json"
    )
    assert run.returncode == 0, run.stderr
    summary = json.loads(run.stdout)
    assert summary == json.loads((out / "split.json").read_text())
    train, test = read_pairs(out / "train.jsonl"), read_pairs(out / "test.jsonl")
    assert (summary["train"]["rows"], summary["test"]["rows"]) == (len(train), len(test))
    assert len(train) + len(test) == 30
    assert not {pair.origin for pair in train} & {pair.origin for pair in test}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--protocol", "random"), "unknown protocol 'random'; known: published, paper"),
        (("--protocol", "published"), "belong to no published split"),
        (("--protocol", "by-origin", "--fold", "5"), "has no fold 5"),
    ],
)
def test_a_split_that_cannot_be_made(
    pairs_file: Path, tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    run = equimut("split", pairs_file, *arguments, "--out", tmp_path / "out")
    assert says_one_line(run, words)
    assert not (tmp_path / "out").exists()


def test_unreadable_pairs_are_one_line(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    assert says_one_line(equimut("check", path), "cannot read", "pairs.jsonl")
    path.write_bytes(to_line(make_pair(0)) + b"{oops\n")
    assert says_one_line(equimut("check", path), "pairs.jsonl, line 2")
    packed = tmp_path / "pairs.jsonl.gz"
    write_pairs(packed, [make_pair(0)])
    packed.write_bytes(packed.read_bytes()[:-9])
    assert says_one_line(equimut("check", packed), "pairs.jsonl.gz is not a whole gzip file")


def test_fetch_behind_a_closed_network_names_from(tmp_path: Path) -> None:
    run = equimut(
        "fetch", "emd", "--cache", tmp_path / "cache", EQUIMUT_MIRROR="http://127.0.0.1:9"
    )
    assert says_one_line(run, "cannot download", "equimut data fetch emd --from DIR")


def test_fetch_refuses_a_server_with_other_files(tmp_path: Path) -> None:
    pinned = datasets()["emd"]
    files = {
        f"/{pinned.repository}/{pinned.commit}/{file.remotes[0]}": b"something else"
        for file in pinned.files
    }
    with serving(files) as server:
        run = equimut("fetch", "emd", "--cache", tmp_path / "cache", "--mirror", server.url)
    assert run.returncode == 2
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.name.endswith(".csv")]


def test_fetch_from_a_directory_without_the_files(tmp_path: Path) -> None:
    run = equimut("fetch", "mutantbench", "--from", tmp_path, "--cache", tmp_path / "cache")
    assert says_one_line(run, "no dataset.ttl in")


def test_the_published_files_travel_from_server_to_cache_to_pairs(tmp_path: Path) -> None:
    source = shared_file("data", "emd")
    pinned = datasets()["emd"]
    files = {
        f"/{pinned.repository}/{pinned.commit}/{file.remotes[0]}": (source / file.name).read_bytes()
        for file in pinned.files
    }
    with serving(files) as server:
        run = equimut("fetch", "emd", "--cache", tmp_path, "--mirror", server.url)
    assert run.returncode == 0, run.stderr
    assert "3 files, sums as pinned" in run.stdout
    out = tmp_path / "pairs.jsonl.gz"
    run = equimut("prepare", "emd-java", "--cache", tmp_path, "--out", out)
    assert run.returncode == 0, run.stderr
    assert run.stdout == f"{out}: 3302 pairs\n"
    assert "not as published" not in run.stderr


def test_help_of_the_group_does_not_load_what_it_does_not_need() -> None:
    code = (
        "import sys; sys.argv = ['equimut', 'data', '--help']\n"
        "from equimut.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "heavy = {'torch', 'tree_sitter', 'rdflib', 'sklearn'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    for command in ("fetch", "prepare", "check", "split"):
        assert command in run.stdout
