"""A made-up language, one folder: it parses, mutates and is proved without another file."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import equimut.languages as languages
from equimut.errors import OracleError
from equimut.languages import LANGUAGES, dialect_of, language_of_path
from equimut.mutation import mutate
from equimut.oracle.judging import judge
from equimut.parsing.flow.graph import data_flow
from equimut.parsing.tree import parse
from equimut.proofs.proving import prove
from oracles.flow_examples.example import edges
from oracles.named_edges import named_edges

FOLDER = {
    "__init__.py": '"""Espresso."""\n',
    "syntax.py": """
from dataclasses import replace
from equimut.languages.java.syntax import LANGUAGE as JAVA
LANGUAGE = replace(JAVA, name="espresso", title="Espresso", suffixes=(".esp",), jvm=False)
""",
    "dialect.py": """
from dataclasses import replace
from equimut.languages.java.dialect import DIALECT as JAVA
DIALECT = replace(
    JAVA,
    name="espresso",
    numbers=replace(JAVA.numbers, overflow="none", remainder_sign="divisor"),
    absolute="grind",
    boolean_xor=False,
    rejects_flow=None,
)
""",
}


@pytest.fixture
def espresso(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A language that is Java but for what its folder says."""
    folder = tmp_path / "espresso"
    folder.mkdir()
    for name, text in FOLDER.items():
        (folder / name).write_text(text)
    monkeypatch.setattr(languages, "__path__", [*languages.__path__, str(tmp_path)])
    languages._names.cache_clear()
    yield "espresso"
    monkeypatch.undo()
    for known in (languages._names, languages._load, dialect_of):
        known.cache_clear()
    for module in [name for name in sys.modules if name.startswith("equimut.languages.espresso")]:
        del sys.modules[module]


def texts(source: str, language: str) -> set[str]:
    return {mutant.mutant_function for mutant in mutate(source, language)}


def test_it_is_found_and_parsed(espresso: str) -> None:
    assert espresso in LANGUAGES
    assert language_of_path("x.esp").name == espresso
    found = named_edges(data_flow(parse("void f(int a) { g(a); }", espresso)))
    assert found == edges("a#2<-a#1")


def test_it_is_mutated_by_its_own_rules(espresso: str) -> None:
    source = "int f(int a, boolean p, boolean q) { while (p && q) a = a + 1; return a; }"
    own, java = texts(source, espresso), texts(source, "java")
    assert source.replace("return a", "return grind(a)") in own
    assert source.replace("&&", "^") in java - own
    # Java's compiler refuses the loop without end before a `return`; no compiler looks here.
    assert source.replace("p && q", "true") in own - java


def test_what_is_proved_follows_its_numbers(espresso: str) -> None:
    origin = "int f(int a, int b) { return a % b; }"
    mutant = origin.replace("% b", "% -b")
    assert prove(origin, mutant, "java") is not None
    assert prove(origin, mutant, espresso) is None
    origin = "int f(int a) { if (a < 3) return 1; return 2; }"
    assert prove(origin, origin.replace("< 3", "<= 2"), espresso) is not None


def test_without_a_runner_it_is_not_run(espresso: str) -> None:
    with pytest.raises(OracleError, match=r"does not run espresso; it runs c, java, python"):
        judge("int f() { return 1; }", "int f() { return 2; }", espresso)
