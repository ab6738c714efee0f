"""The prover on Java: what it must prove, and what it must never prove."""

import json
from pathlib import Path

import pytest

from equimut.proofs.smt.proving import prove
from oracles.command import call_equimut, says_one_line
from oracles.datasets.java_prover_cases import EQUIVALENT, KILLABLE


def mutated(case: tuple[str, str, str]) -> tuple[str, str]:
    origin, before, after = case
    assert origin.count(before) == 1, "the change is in one place"
    return origin, origin.replace(before, after)


@pytest.mark.parametrize("name", EQUIVALENT)
def test_equivalent_mutants_are_proved(name: str) -> None:
    origin, mutant = mutated(EQUIVALENT[name])
    assert prove(origin, mutant, "java") is not None


@pytest.mark.parametrize("name", KILLABLE)
def test_killable_mutants_are_not_proved(name: str) -> None:
    origin, mutant = mutated(KILLABLE[name])
    assert prove(origin, mutant, "java") is None


def test_the_command_says_what_a_proof_rests_on(tmp_path: Path) -> None:
    origin, mutant = mutated(EQUIVALENT["index"])
    files = tmp_path / "Origin.java", tmp_path / "Mutant.java"
    for path, text in zip(files, (origin, mutant), strict=True):
        path.write_text(text)
    done = call_equimut("prove", *files)
    assert "because String.indexOf: result >= -1" in done.stdout
    said = json.loads(call_equimut("prove", *files, "--json").stdout)
    assert said["proved"]
    assert said["scope"] == "expression"
    files[1].write_text(origin.replace("< 0", "<= 0"))
    assert "no proof" in call_equimut("prove", *files).stdout


@pytest.mark.parametrize("terms", [300, 3_000])
def test_a_function_that_is_nested_too_deep_is_left_alone(terms: int) -> None:
    origin = f"int f(int a) {{ return {' + '.join(['a'] * terms)}; }}"
    assert prove(origin, origin.replace("return a", "return 2 * a"), "java") is None
    deep = "int f(int a) { " + "if (a > 0) { " * terms + "a++;" + " }" * terms + " return a; }"
    assert prove(deep, deep.replace("a++", "a--"), "java") is None


_CLASS = """class Box {{
  private static final int LIMIT = 8;
  {field}
  int f(int a) {{ if (a > LIMIT) {{ return 1; }} if (a == 9) {{ return 2; }} return 0; }}
}}
"""
_FUNCTION = _CLASS.splitlines()[3].strip().replace("{{", "{").replace("}}", "}")


def test_the_whole_file_tells_the_value_of_a_constant(tmp_path: Path) -> None:
    origin, mutant = _FUNCTION, _FUNCTION.replace("a == 9", "false")
    file = _CLASS.format(field="")
    assert prove(origin, mutant, "java") is None
    assert prove(origin, mutant, "java", file=file) is not None
    assert prove(origin, mutant, "java", file=file.replace("= 8", "= 9")) is None
    assert prove(origin, mutant, "java", file=file.replace("a == 9", "a == 7")) is None
    paths = tmp_path / "Origin.java", tmp_path / "Mutant.java", tmp_path / "Box.java"
    for path, text in zip(paths, (origin, mutant, file), strict=True):
        path.write_text(text)
    assert "no proof" in call_equimut("prove", *paths[:2]).stdout
    assert "proved equivalent" in call_equimut("prove", *paths[:2], "--file", paths[2]).stdout
    paths[2].write_text("class Box {}")
    assert says_one_line(call_equimut("prove", *paths[:2], "--file", paths[2]), "nowhere")


def test_a_text_that_is_in_the_file_twice_needs_its_line() -> None:
    origin, mutant = _FUNCTION, _FUNCTION.replace("a == 9", "false")
    other = f"static class Inner {{ static final int LIMIT = 9; {_FUNCTION} }}"
    file = _CLASS.format(field=other)
    assert prove(origin, mutant, "java", file=file) is None
    assert prove(origin, mutant, "java", file=file, line=4) is not None
    assert prove(origin, mutant, "java", file=file, line=3) is None


def test_a_change_around_the_function_is_no_proof() -> None:
    origin = "class A { final int x = 3; int f() { return x; } }"
    assert prove(origin, origin.replace("f() { return x", "f() { return 3"), "java") is not None
    assert prove(origin, origin.replace("x = 3", "x = 4"), "java") is None
    field = origin.replace("x = 3", "x = 4").replace("return x", "return 3")
    assert prove(origin, field, "java") is None
