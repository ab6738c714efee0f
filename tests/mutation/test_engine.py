"""What holds for every mutant: it parses, it differs, it is made once, and its id stays."""

import ast
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from tree_sitter import Node

from conftest import count, shared_file
from equimut.errors import EquimutError, ParseError
from equimut.mutation import OPERATORS, engine, mutate, run_operators
from equimut.mutation.edit import Edit
from equimut.mutation.operator import Operator
from equimut.mutation.table import family
from equimut.parsing.tokens import tokenize
from equimut.parsing.tree import parse
from equimut.records import Mutant
from equimut.semantics.program import Program
from oracles.datasets.mutation_sources import SOURCES, VALID
from oracles.framed_examples import framed

FRAMED = sorted(
    {
        (example.language, framed(example)[0])
        for operator in OPERATORS.values()
        for example in operator.examples
    }
)


def whole_text(source: str, mutant: Mutant) -> str:
    text = source.encode()
    before, after = text[: mutant.start_byte], text[mutant.end_byte :]
    return (before + mutant.replacement.encode() + after).decode()


def texts(source: str, language: str) -> tuple[str, ...]:
    return tuple(token.text for token in tokenize(parse(source, language)))


@pytest.fixture(params=sorted(SOURCES))
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def source(language: str) -> str:
    return SOURCES[language]


def test_every_mutant_parses_and_differs_in_its_tokens(source: str, language: str) -> None:
    origin = texts(source, language)
    assert parse(source, language).errors == ()
    mutants = mutate(source, language)
    assert len(mutants) > 200
    for mutant in mutants:
        text = whole_text(source, mutant)
        assert parse(text, language).errors == (), mutant
        assert texts(text, language) != origin, mutant


def test_a_mutant_says_where_and_what_it_changes(source: str, language: str) -> None:
    for mutant in mutate(source, language):
        text = source.encode()
        assert text[mutant.start_byte : mutant.end_byte].decode() == mutant.original
        assert source[: len(text[: mutant.start_byte].decode())].count("\n") + 1 == mutant.line
        changed = whole_text(source, mutant)
        assert mutant.origin_function in source
        assert mutant.mutant_function in changed
        assert mutant.mutant_function != mutant.origin_function
        # Outside its function a mutant is the source.
        assert source.replace(mutant.origin_function, mutant.mutant_function, 1) == changed


def test_the_same_text_is_made_once_and_ids_are_unique(source: str, language: str) -> None:
    mutants = mutate(source, language)
    made = [" ".join(whole_text(source, mutant).split()) for mutant in mutants]
    assert len(set(made)) == len(made)
    assert len({mutant.id for mutant in mutants}) == len(mutants)


def test_the_same_source_gives_the_same_list_in_the_order_of_the_text(
    source: str, language: str
) -> None:
    first = mutate(source, language)
    assert first == mutate(source, language)
    by_function = {mutant.function: [] for mutant in first}
    for mutant in first:
        by_function[mutant.function].append((mutant.start_byte, mutant.end_byte))
    assert all(places == sorted(places) for places in by_function.values())


def test_a_mutant_of_several_operators_is_named_after_the_first(source: str, language: str) -> None:
    order = list(OPERATORS)
    everything = {whole_text(source, m): m for m in mutate(source, language)}
    for name in ("SDL", "COR", "LVR", "CBR", "ADL"):
        for mutant in mutate(source, language, operators=[name]):
            named = everything[whole_text(source, mutant)]
            assert order.index(named.operator) <= order.index(name)
            assert named.id == mutant.id  # the choice of operators does not rename a mutant


COMMENT = {"java": "// a remark\n", "c": "/* a remark */\n", "python": "# a remark\n"}
FUNCTION = {
    "java": "class Other { int zero(int a) { return a - a; } }\n",
    "c": "int zero(int a) { return a - a; }\n",
    "python": "def zero(a):\n    return a - a\n",
}


@pytest.mark.parametrize("added", [COMMENT, FUNCTION], ids=["comment", "function"])
def test_ids_survive_what_is_added_above(source: str, language: str, added: dict[str, str]) -> None:
    before = {mutant.id for mutant in mutate(source, language)}
    after = {mutant.id for mutant in mutate(added[language] + source, language)}
    assert before <= after


def test_ids_survive_comments_and_layout_inside_the_function() -> None:
    plain = "int f(int a, int b) { int x = a + b; return x * 2; }"
    laid_out = (
        "int f(int a, int b) {\n  // sum\n  int x = a\n    + b; /* twice */\n return x * 2;\n}"
    )
    assert [m.id for m in mutate(plain, "java")] == [m.id for m in mutate(laid_out, "java")]


def test_other_code_in_the_function_is_another_mutant() -> None:
    """As in a registry of accepted mutants: an id stands for a change in known code."""
    lines = [f"x = x + a * {n}; y = y - b;" for n in range(12)]
    frame = "int f(int a, int b) {{ int x = 0; int y = 1; {} return x + y; }}"
    before = {m.id for m in mutate(frame.format(" ".join(lines)), "java")}
    lines[5] = "x = b;"
    after = {m.id for m in mutate(frame.format(" ".join(lines)), "java")}
    assert not before & after


def test_a_function_that_the_file_repeats_has_ids_of_its_own() -> None:
    inner = "class {} {{ int f(int a) {{ return a + 1; }} }}"
    source = f"class A {{ {inner.format('B')} {inner.format('C')} }}"
    first, second = mutate(source, "java"), mutate(inner.format("B"), "java")
    ids = [mutant.id for mutant in first]
    assert len(set(ids)) == len(ids) == 2 * len(second)
    # Another class between two leaves the ids of both alone.
    more = f"class A {{ {inner.format('B')} class X {{ }} {inner.format('C')} }}"
    assert [mutant.id for mutant in mutate(more, "java")] == ids


def test_like_edits_of_one_function_have_different_ids() -> None:
    source = "int f(int a) { " + "a = a + 1; " * 20 + "return a; }"
    mutants = mutate(source, "java", operators=["AORB"])
    assert len({mutant.id for mutant in mutants}) == len(mutants) == 20 * 6


def test_only_functions_of_the_name_are_mutated(source: str, language: str) -> None:
    names = {mutant.function for mutant in mutate(source, language)}
    assert len(names) > 1
    one = min(names)
    assert {mutant.function for mutant in mutate(source, language, function=one)} == {one}
    with pytest.raises(ParseError, match=r"no function 'nowhere'.*" + one):
        mutate(source, language, function="nowhere")


def test_unknown_languages_and_operators_are_errors() -> None:
    with pytest.raises(EquimutError, match="cobol"):
        mutate("x", "cobol")
    with pytest.raises(EquimutError, match="NOPE"):
        mutate("int f() { return 1; }", "java", operators=["NOPE"])


def test_dropped_edits_are_counted() -> None:
    run = run_operators("int f(int a) { while (a < 3) { a++; } return a; }", "java")
    assert run.dropped["duplicate"] > 0
    assert run.dropped["unreachable"] > 0  # while (true) and while (false)
    assert run_operators("int f(int a) { return a; }", "java", operators=["LOI"]).dropped == {}


def test_examples_give_sound_mutants_under_all_operators() -> None:
    for language, source in random.Random(3).sample(FRAMED, count(12, len(FRAMED))):
        origin = texts(source, language)
        for mutant in mutate(source, language):
            assert parse(mutant.mutant_function, language).errors == ()
            assert texts(mutant.mutant_function, language) != origin


def test_python_mutants_are_python() -> None:
    for mutant in mutate(SOURCES["python"], "python"):
        ast.parse(whole_text(SOURCES["python"], mutant))


@pytest.mark.parametrize(("language", "source", "refused"), VALID)
def test_mutants_that_no_compiler_takes_are_not_made(
    language: str, source: str, refused: str
) -> None:
    assert refused not in [mutant.mutant_function for mutant in mutate(source, language)]


@pytest.mark.parametrize("language", ["java", "c"])
def test_mutants_of_the_published_programs_parse(language: str) -> None:
    suffix = {"java": "*.java", "c": "*.c"}[language]
    programs = sorted(Path(shared_file("data", "mutantbench", "programs")).glob(suffix))
    for path in [p for p in programs if p.stat().st_size < count(2_000, 60_000)]:
        source = path.read_text()
        errors = len(parse(source, language).errors)
        mutants = mutate(source, language)
        chosen = random.Random(7).sample(mutants, min(len(mutants), count(20, 200)))
        for mutant in chosen:
            assert len(parse(whole_text(source, mutant), language).errors) <= errors


def test_mutmuts_mutants_of_the_sample_are_made() -> None:
    """mutmut 3 keeps all mutants of a function as functions of one file."""
    sample = shared_file("samples", "mutmut", "mutants_src_toy_search.py").read_text()
    origin = shared_file("samples", "mutmut", "search_original.py").read_text()
    bodies = {
        node.name: ast.dump(ast.Module(node.body, []))
        for node in ast.walk(ast.parse(sample))
        if isinstance(node, ast.FunctionDef)
    }
    wanted = {
        body for name, body in bodies.items() if "__mutmut_" in name and not name.endswith("_orig")
    }
    made = set()
    for mutant in mutate(origin, "python"):
        (function,) = ast.parse(mutant.mutant_function).body
        assert isinstance(function, ast.FunctionDef)
        made.add(ast.dump(ast.Module(function.body, [])))
    assert len(wanted) > 20
    assert wanted <= made


def broken(program: Program, node: Node) -> Iterator[Edit]:
    """An operator with a fault of every kind."""
    yield Edit(node.start_byte, node.end_byte, "((")
    yield Edit(node.start_byte, node.end_byte, f"/* so */ {program.text(node)}")
    yield Edit(node.start_byte, node.end_byte, program.text(node))
    yield Edit(node.start_byte, node.end_byte, "7")


def test_a_faulty_operator_cannot_make_a_faulty_mutant(monkeypatch: pytest.MonkeyPatch) -> None:
    operator = Operator("BAD", "Breaks things.", (), ("integer",), broken, ())
    monkeypatch.setattr(engine, "select_operators", lambda names: (operator,))
    run = run_operators("int f(int a) { return a + 1; }", "java")
    assert [mutant.replacement for mutant in run.mutants] == ["7"]
    assert run.dropped == {"unparsable": 1, "unchanged": 1, "duplicate": 1}


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("java", "int f(int a) { return " + " + ".join(["a"] * 1100) + "; }"),
        ("java", "int f(int a) { return " + "(" * 700 + "a" + ")" * 700 + "; }"),
        ("java", "int f(int a) { " + "if (a > 1) { " * 400 + "a++; " + "}" * 400 + " return a; }"),
        ("c", "int f(int a) { return " + "-~" * 700 + "a + 1; }"),
        ("python", "def f(a):\n    return " + "[" * 150 + "a" + "]" * 150 + "\n"),
        ("python", "def f(a):\n    return " + " and ".join(["a"] * 1100) + "\n"),
    ],
)
def test_deep_nesting_is_no_reason_to_fail(language: str, source: str) -> None:
    assert mutate(source, language, operators=["SDL", "CDL", "EVR", "RVR"])


def test_nothing_of_a_source_without_functions() -> None:
    assert mutate("", "python") == []
    assert mutate("x = 1 + 2\n", "python") == []
    assert mutate("int x = 3;", "c") == []


def test_operators_have_families() -> None:
    """By the module they are in, also where their functions are made by another."""
    assert family("ROR") == "comparisons"
    assert family("SDL") == "statements"
    assert family("no operator of ours") == "other"
    assert not [name for name in OPERATORS if family(name) == "other"]
