"""`equimut baselines` as a person runs it."""

import json
from pathlib import Path

import pytest

from conftest import ROOT
from equimut.data.store import write_pairs
from equimut.evaluation.tables import markdown_table
from oracles.command import call_equimut, says_one_line
from oracles.datasets.synthetic_pairs import make_pair
from oracles.evaluation_files import read_evaluations


@pytest.fixture(scope="module")
def pairs_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve origins with ten mutants each, half of which flip a comparison for nothing."""
    path = tmp_path_factory.mktemp("pairs") / "small.jsonl"
    rows = [
        make_pair(
            10 * origin + number,
            class_id=origin,
            origin=f"int f{origin}(int a) {{ return a < {origin}; }}",
            mutant=f"int f{origin}(int a) {{ return a {sign} {origin}; }}",
            program=f"P{origin}.java",
            label=label,
        )
        for origin in range(12)
        for number, (sign, label) in enumerate([("<=", 1), ("!=", 1), (">", 0), ("==", 0)])
    ]
    write_pairs(path, rows)
    return path


def test_a_table_and_both_files_come_from_one_run(pairs_file: Path, tmp_path: Path) -> None:
    result = call_equimut(
        *("baselines", pairs_file, "--protocol", "all", "--resamples", 20),
        *("--out", tmp_path / "b.json", "--out", tmp_path / "b.md"),
        COLUMNS="80",
    )
    assert result.returncode == 0, result.stderr
    assert max(map(len, result.stdout.splitlines())) <= 80
    for words in ("small, paper", "small, by-program", "edit-lr", "pooled"):
        assert words in result.stdout
    assert "published left out" in result.stderr
    found = read_evaluations(tmp_path / "b.json")
    assert {one.protocol for one in found} == {"paper", "clean", "by-origin", "by-program"}
    assert len(found) == 4 * (1 + 1 + 6 + 6)
    written = (tmp_path / "b.md").read_text()
    assert markdown_table(found) in written
    assert "equimut baselines small --protocol all --resamples 20" in written
    assert str(tmp_path) not in written + (tmp_path / "b.json").read_text()


def test_json_for_programs_holds_what_was_asked_for(pairs_file: Path) -> None:
    result = call_equimut(
        *("baselines", pairs_file, "--protocol", "by-origin", "--folds", "1,3"),
        *("--seeds", "1,2", "--resamples", 0, "--json"),
    )
    found = json.loads(result.stdout)["evaluations"]
    assert [(one["fold"], one["seed"]) for one in found if one["predictor"] == "edit-lr"] == (
        [(1, 1), (3, 1), (1, 2), (3, 2)]
    )
    assert all(one["intervals"] == {} for one in found)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nowhere.jsonl", "--protocol", "paper"), ("cannot read nowhere.jsonl",)),
        (("PAIRS", "--protocol", "random"), ("unknown protocol 'random'", "by-origin")),
        (("PAIRS", "--protocol", "by-origin", "--folds", "7"), ("no fold 7",)),
    ],
)
def test_bad_input_is_one_clear_line(
    pairs_file: Path, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    given = [pairs_file if argument == "PAIRS" else argument for argument in arguments]
    assert says_one_line(call_equimut("baselines", *given), *words)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--protocol", "paper", "--folds", "x"), "'x' is not a list of numbers"),
        (("--protocol", "paper", "--out", "b.txt"), "name a .json or .md file"),
        ((), "--protocol"),
    ],
)
def test_bad_options_are_told_before_any_work(
    pairs_file: Path, arguments: tuple[str, ...], words: str
) -> None:
    result = call_equimut("baselines", pairs_file, *arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert words in result.stderr


def test_pairs_that_no_protocol_can_split_give_exit_code_3(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    write_pairs(path, [make_pair(0)])
    result = call_equimut("baselines", path, "--protocol", "all")
    assert (result.returncode, result.stdout) == (3, "")
    assert "no protocol can split" in result.stderr


def test_the_committed_markdown_is_the_table_of_the_committed_json() -> None:
    found = read_evaluations(ROOT / "results" / "baselines-emd.json")
    assert markdown_table(found) in (ROOT / "results" / "baselines-emd.md").read_text()
