"""Rules see a function; what its file gives another meaning they do not believe."""

from pathlib import Path

import pytest

from equimut.proofs.proving import ProofQuestion, answer, prove
from equimut.proofs.rules.elsewhere import names_elsewhere
from oracles.datasets.killable_case import mutated
from oracles.datasets.names_elsewhere import CASES

GOOD = [(name, file) for name, case in CASES.items() for file in case[4]]
BAD = [(name, file) for name, case in CASES.items() for file in case[5]]


@pytest.mark.parametrize("name", CASES)
def test_the_function_alone_is_proved(name: str) -> None:
    language, *case, _, _ = CASES[name]
    assert prove(*mutated(tuple(case)), language) is not None


@pytest.mark.parametrize(("name", "file"), GOOD)
def test_it_is_proved_in_a_file_that_says_nothing_else(name: str, file: str) -> None:
    language, *case, _, _ = CASES[name]
    origin, mutant = mutated(tuple(case))
    assert prove(origin, mutant, language, file.format(origin)) is not None


@pytest.mark.parametrize(("name", "file"), BAD)
def test_it_is_not_where_the_file_binds_a_name_that_the_rule_believes_in(
    name: str, file: str
) -> None:
    language, *case, _, _ = CASES[name]
    origin, mutant = mutated(tuple(case))
    assert prove(origin, mutant, language, file.format(origin)) is None


@pytest.mark.parametrize(("language", "origin", "file"), [
    ("java", "int f(int n) { // Set it\n  return n; /* List */ }", "package a; {}"),
    ("python", "def f(n: int):\n    return n  # len\n", "len = g\n{}"),
    ("c", "int f(int n) { // abs\n  return n; }", "#define abs g\n{}"),
])  # fmt: skip
def test_a_word_in_a_comment_means_nothing(language: str, origin: str, file: str) -> None:
    assert not names_elsewhere(file.format(origin), language, origin)


def test_a_question_with_a_file_is_answered_by_it(tmp_path: Path) -> None:
    language, *case, _, files = CASES["a length"]
    origin, mutant = mutated(tuple(case))
    path = tmp_path / "file"
    path.write_text(files[0].format(origin), encoding="utf-8")
    question = ProofQuestion(origin, mutant, language, None, rules=True)
    assert answer(question).reason
    assert not answer(ProofQuestion(origin, mutant, language, None, rules=True, file=path)).reason
