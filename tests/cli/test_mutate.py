"""`equimut mutate` as a person runs it: results, exit codes, one line per error."""

import json
from collections import Counter
from pathlib import Path

import pytest

from equimut.mutation import OPERATORS, mutate, run_operators
from equimut.records import Mutant
from oracles.command import Result, call_equimut, says_one_line

SOURCE = "class S {\n  int twice(int a) { return a * 2; }\n  int half(int a) { return a / 2; }\n}\n"


def equimut(*arguments: object) -> Result:
    return call_equimut("mutate", *arguments)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "S.java"
    path.write_text(SOURCE)
    return path


def test_json_lines_are_the_mutants_of_the_library(file: Path) -> None:
    result = equimut(file, "--jsonl")
    assert result.returncode == 0
    found = [Mutant.model_validate_json(line) for line in result.stdout.splitlines()]
    assert found == mutate(SOURCE, "java", file=file.name)
    assert f"{len(found)} mutants of 2 functions" in result.stderr
    one = equimut(file, "--jsonl", "--function", found[0].function, "--sample", "1")
    assert one.stderr.startswith("1 mutant of 1 function;")


def test_json_lines_go_to_a_file(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "mutants.jsonl"
    printed = equimut(file, "--jsonl", "--function", "half", "--operators", "AORB,cr")
    written = equimut(
        file, "--jsonl", "--out", target, "--function", "half", "--operators", "AORB,cr"
    )
    assert written.stdout == ""
    assert target.read_text() == printed.stdout
    rows = [json.loads(line) for line in printed.stdout.splitlines()]
    assert {row["function"] for row in rows} == {"half"}
    assert {row["operator"] for row in rows} == {"AORB", "CR"}


def test_a_directory_holds_a_file_per_mutant_and_an_index(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "made" / "mutants"
    assert equimut(file, "--out", out).returncode == 0
    rows = [json.loads(line) for line in (out / "mutants.jsonl").read_text().splitlines()]
    assert len(rows) == len(mutate(SOURCE, "java"))
    for row in rows:
        text = (out / row["file"]).read_text()
        assert Path(row["file"]).name == "S.java"
        assert text == SOURCE.replace(row["origin_function"], row["mutant_function"])
    assert [path.name for path in out.parent.iterdir()] == ["mutants"]  # nothing left over


def test_a_directory_in_use_is_replaced_only_on_demand(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "mutants"
    assert equimut(file, "--out", out, "--operators", "CR").returncode == 0
    before = sorted(out.rglob("*"))
    assert says_one_line(equimut(file, "--out", out), str(out), "not empty", "--force")
    assert sorted(out.rglob("*")) == before
    assert equimut(file, "--out", out, "--operators", "ROR,AORB", "--force").returncode == 0
    assert '"AORB"' in (out / "mutants.jsonl").read_text()
    assert not set(before) & set(out.glob("*/S.java"))


def test_force_spares_what_is_not_ours(file: Path, tmp_path: Path) -> None:
    precious = tmp_path / "project" / "main.c"
    precious.parent.mkdir()
    precious.write_text("int main(void) { return 0; }")
    result = equimut(file, "--out", precious.parent, "--force")
    assert says_one_line(result, "mutants.jsonl", "--force")
    assert precious.exists()
    assert says_one_line(equimut(file, "--out", precious), "is a file")


def test_a_sample_is_part_of_all_and_the_seed_decides(file: Path) -> None:
    def ids(*options: object) -> list[str]:
        result = call_equimut("mutate", file, "--jsonl", *options)
        assert result.returncode == 0, result.stderr
        return [json.loads(line)["id"] for line in result.stdout.splitlines()]

    everything = ids()
    some = ids("--sample", 7, "--seed", 1)
    assert len(some) == 7
    assert [each for each in everything if each in some] == some  # in the order of the text
    assert ids("--sample", 7, "--seed", 1) == some
    assert ids("--sample", 7, "--seed", 2) != some
    assert ids("--sample", 10_000) == everything
    each = [json.loads(line) for line in equimut(file, "--jsonl").stdout.splitlines()]
    few = ids("--per-function", 2)
    assert [row["function"] for row in each if row["id"] in few] == ["twice"] * 2 + ["half"] * 2
    assert len(ids("--per-function", 2, "--sample", 3)) == 3
    assert says_one_line(equimut(file, "--jsonl", "--out", file), "is the source itself")
    assert file.read_text() == SOURCE


def test_every_mutant_is_drawn_as_often_as_any_other() -> None:
    drawn: Counter[str] = Counter()
    source = "int f(int a, int b) { return a * b + 2; }"
    number = len(mutate(source, "c"))
    for seed in range(400):
        run = run_operators(source, "c", sample=3, seed=seed)
        drawn.update(mutant.id for mutant in run.mutants)
    expected = 400 * 3 / number
    assert len(drawn) == number
    assert all(abs(times - expected) < 5 * expected**0.5 for times in drawn.values())


def test_an_inner_class_with_the_same_method_gets_a_directory_of_its_own(tmp_path: Path) -> None:
    method = "boolean hasNext() { return left > 0; }"
    file = tmp_path / "Two.java"
    file.write_text(f"class Two {{ class A {{ {method} }} class B {{ {method} }} }}\n")
    result = equimut(file, "--out", tmp_path / "mutants")
    assert result.returncode == 0, result.stderr
    rows = [json.loads(line) for line in (tmp_path / "mutants/mutants.jsonl").open()]
    assert len({row["id"] for row in rows}) == len(rows)
    assert {len(row["id"]) for row in rows} == {12}


def test_list_teaches_every_operator() -> None:
    result = equimut("--list")
    assert result.returncode == 0
    first_words = [line.split()[0] for line in result.stdout.splitlines() if line[:1].strip()]
    assert [word for word in first_words if word in OPERATORS] == list(OPERATORS)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--jsonl", "--operators", "ROR,XYZ"], ["XYZ", "--list"]),
        (["--jsonl", "--function", "thrice"], ["S.java", "thrice", "twice, half"]),
        (["--jsonl", "--language", "cobol"], ["cobol", "python"]),
        ([], ["--out", "--jsonl"]),
    ],
)
def test_a_wrong_option_is_one_line(file: Path, arguments: list[str], words: list[str]) -> None:
    assert says_one_line(equimut(file, *arguments), *words)


def test_bad_files_are_one_line(tmp_path: Path) -> None:
    binary = tmp_path / "a.java"
    binary.write_bytes(b"class A { \0 }")
    assert says_one_line(equimut(binary, "--jsonl"), "a.java", "NUL")
    latin = tmp_path / "b.c"
    latin.write_bytes(b"int f() { return '\xe9'; }")
    assert says_one_line(equimut(latin, "--jsonl"), "b.c", "UTF-8")
    assert says_one_line(equimut(tmp_path / "none.py", "--jsonl"), "none.py")
    assert says_one_line(equimut(tmp_path / "notes.txt", "--jsonl"), "notes.txt")
    assert says_one_line(equimut("--jsonl"), "FILE")


def test_an_empty_file_has_no_mutants(tmp_path: Path) -> None:
    (tmp_path / "empty.py").write_text("")
    result = equimut(tmp_path / "empty.py", "--jsonl")
    assert (result.returncode, result.stdout) == (0, "")
    assert "0 mutants" in result.stderr
