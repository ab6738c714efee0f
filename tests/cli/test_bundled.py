"""`equimut data bundled`, `evidence` and `equimut dev build-bundled` as a person runs them."""

import json
from pathlib import Path

import pytest

from conftest import count
from equimut.data.benchmark.reader import bundled, origins
from equimut.data.pairs import load_pairs
from equimut.data.store import read_pairs
from oracles.command import call_equimut, run_equimut, says_one_line


def test_bundled_lists_the_benchmark_and_writes_its_pairs(tmp_path: Path) -> None:
    told = json.loads(call_equimut("data", "bundled", "--json").stdout)
    assert [row["language"] for row in told] == ["java", "c", "python"]
    out = tmp_path / "c.jsonl.gz"
    assert call_equimut("data", "bundled", "--language", "c", "--out", out).returncode == 0
    assert len(read_pairs(out)) == told[1]["mutants"]
    assert says_one_line(call_equimut("data", "bundled", "--language", "ada"), "ada", "python")


def test_check_reads_the_bundled_benchmark_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = load_pairs("bundled:c")[:: count(10, 1)]
    monkeypatch.setattr("equimut.data.pairs._without_evidence", {"c": rows}.__getitem__)
    told = json.loads(call_equimut("data", "check", "bundled:c", "--json").stdout)
    assert told["everything"]["rows"] == len(rows) > 2_000
    assert told["everything"]["conflicting_rows"] == 0
    assert told["everything"]["duplicate_rows"] == 0


def test_a_witness_is_saved_and_replayed_with_one_command(tmp_path: Path) -> None:
    pair = next(pair for pair in bundled("c") if pair.evidence.tier == "killed")
    witness = tmp_path / "witness.json"
    shown = call_equimut("data", "evidence", pair.id, "--save", witness)
    assert shown.returncode == 0
    assert "origin:" in shown.stdout
    replayed = run_equimut("oracle", "--replay", witness)
    assert replayed.returncode == 0
    assert "differs" in replayed.stdout


def test_evidence_wants_an_id_or_a_sample(tmp_path: Path) -> None:
    assert call_equimut("data", "evidence").returncode == 2
    assert says_one_line(call_equimut("data", "evidence", "java/none/0"), "java/none/0")
    told = json.loads(call_equimut("data", "evidence", "--sample", "3", "--json").stdout)
    assert [pair["language"] for pair in told] == ["java", "c", "python"]


def test_a_rebuilt_origin_is_equal_to_what_ships(tmp_path: Path) -> None:
    smallest = min(origins("c"), key=lambda origin: len(origin.snippet.text))
    command = ["dev", "build-bundled", "--language", "c", "--origin", smallest.name, "--check"]
    done = call_equimut(*command, "--out", tmp_path / "out", "--work", tmp_path / "work")
    assert done.returncode == 0, done.stderr
    assert "c: equal to what ships" in done.stdout
    unknown = call_equimut("dev", "build-bundled", "--language", "c", "--origin", "none",
                           "--work", tmp_path / "work", "--out", tmp_path / "out")  # fmt: skip
    assert "no c origin is called none" in unknown.stderr
    assert unknown.returncode == 2
