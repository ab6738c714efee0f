"""The prover on Java: what it must prove, and what it must never prove."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import count
from equimut.proofs.concrete.refuting import refute
from equimut.proofs.smt.explaining import sentence
from equimut.proofs.smt.proving import compare, known_of, lowered, prove
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
    assert "a position in a string is -1 or inside it" in done.stdout
    said = json.loads(call_equimut("prove", *files, "--json").stdout)
    assert said["proved"]
    assert said["scope"] == "expression"
    assert said["facts"] == ["a position in a string is -1 or inside it"]
    files[1].write_text(origin.replace("< 0", "<= 0"))
    assert "no proof" in call_equimut("prove", *files).stdout


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("size", "`l.size() <= 0` and `l.size() == 0` agree: a collection's size is never "
         "negative, and asking for it changes nothing"),
        ("index", "`s.indexOf('a') < 0` and `s.indexOf('a') == -1` agree: a position in a string "
         "is -1 or inside it"),
        ("absolute", "`Math.abs(s.length())` and `s.length()` agree: a string's length is never "
         "negative"),
        ("after an early exit", "`a <= 0` and `a == 0` agree: what was tested and computed before "
         "leaves no other case"),
        ("maximum tie", "`a >= b` in place of `a > b` changes nothing that the function returns, "
         "writes or throws"),
        ("dead store", "`x - 1` in place of `x + 1` changes nothing that is seen later"),
    ],
)  # fmt: skip
def test_a_proof_is_one_sentence(name: str, told: str) -> None:
    proof = prove(*mutated(EQUIVALENT[name]), "java")
    assert proof is not None
    assert sentence(proof) == told


def test_a_proof_names_variables_as_the_text_does() -> None:
    first, second = "for (int j = 0; j < 3; j++) g(j);", "for (int j = 0; j < 9; j++) a[j] = 1;"
    origin = f"void f(int[] a) {{ {first} {second} }}"
    proof = prove(origin, origin.replace("j < 9", "j != 9"), "java")
    assert proof is not None
    assert any("`j`" in fact for fact in proof.facts)
    assert not any("#" in fact for fact in proof.facts)


def test_what_no_list_promises_is_named_as_an_assumption() -> None:
    origin = "int f(List<String> l) { int a = l.size(); int b = l.size(); return a - b; }"
    proof = prove(origin, origin.replace("a - b", "0"), "java")
    assert proof is not None
    assert proof.assumptions == (
        "a collection's size is never negative, and asking for it changes nothing",
    )
    own = "import org.own.List; class A { %s }"
    assert prove(own % origin, own % origin.replace("a - b", "0"), "java") is None


@pytest.mark.parametrize(
    ("origin", "named"),
    [
        ("int f(CharSequence s, int i) { char c = s.charAt(i); return i < s.length() ? c : 0; }",
         "no character outside of its length"),
        ("int f(List<String> s, int i) { if (s.isEmpty()) return 0; return 0 < s.size() ? 1 : 2; }",
         "empty if its size is 0"),
    ],
)  # fmt: skip
def test_what_a_class_of_yours_could_break_is_named(origin: str, named: str) -> None:
    condition = "i < s.length()" if "i < s" in origin else "0 < s.size()"
    proof = prove(origin, origin.replace(condition, "true"), "java")
    assert proof is not None
    assert any(named in each for each in proof.assumptions)


@pytest.mark.parametrize(
    ("name", "holds"),
    [
        ("narrowing", lambda state: not -128 <= int(state["a"]) <= 127),
        ("next is larger", lambda state: state == {"a": "2147483647"}),
        ("nan itself", lambda state: state == {"a": "NaN"}),
        ("negative zero", lambda state: {float(each) for each in state.values()} == {0.0}),
        ("two indices", lambda state: state["i"] == state["j"]),
    ],
)
def test_a_state_that_tells_them_apart_is_given(
    name: str, holds: Callable[[dict[str, str]], bool]
) -> None:
    answer = compare(*mutated(KILLABLE[name]), "java")
    assert answer.proof is None
    assert answer.state
    assert holds(answer.state)


def test_runs_that_are_nested_too_deep_refute_nothing() -> None:
    """Deep enough for a run, not for what makes it ready to run."""
    origin = f"int f(int a) {{ return {' + '.join(['a'] * 280)}; }}"
    before, after = (
        lowered(text, "java") for text in (origin, origin.replace("return a", "return 2 * a"))
    )
    assert before is not None
    assert after is not None
    assert refute(before, after, known_of("java")) is None


@pytest.mark.parametrize("terms", [count(40, 300), 3_000])
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


def test_a_label_may_stand_before_nothing() -> None:
    origin = "int f(int a) { out: ; return a % 4 > 4 ? 1 : a; }"
    assert prove(origin, origin.replace("> 4", ">= 4"), "java") is not None
    assert prove(origin, origin.replace("> 4", ">= 3"), "java") is None
