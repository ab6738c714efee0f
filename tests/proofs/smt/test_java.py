"""The prover on Java: what it must prove, and what it must never prove."""

import json
from pathlib import Path

import pytest

from equimut.proofs.smt.proving import prove
from oracles.command import call_equimut
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


def test_a_language_without_a_lowering_is_left_alone() -> None:
    assert prove("int f(void) { return 1; }", "int f(void) { return 01; }", "c") is None
