"""Any text has a tree with true offsets; what is not text has one clear error."""

from pathlib import Path

import pytest

from conftest import ROOT
from equimut.errors import ParseError
from equimut.parsing.flow.graph import data_flow
from equimut.parsing.functions import functions
from equimut.parsing.tokens import tokenize
from equimut.parsing.tree import KEPT_BYTES, MAX_BYTES, SyntaxIssue, SyntaxTree, parse, walk


def test_walk_yields_every_node_once_parents_first() -> None:
    def recursive(node) -> list:  # type: ignore[no-untyped-def,type-arg]
        return [node, *(below for child in node.children for below in recursive(child))]

    tree = parse("class A { int f(int a) { return a + 1; } }", "java")
    assert list(walk(tree.root)) == recursive(tree.root)


@pytest.mark.parametrize(
    ("language", "code", "name"),
    [
        ("java", "public int f(int a) { return a; }", "f"),
        ("java", "/** é */ public Foo(int a) { this.b = a; }", "Foo"),
        ("java", "class Foo { int f(int a) { return a; } }", "f"),
        ("c", "int f(int a) { return a; }", "f"),
        ("python", "    def f(self, a):\n        return a\n", "f"),
        ("python", "class A:\n    def f(self, a):\n        return a\n", "f"),
    ],
)
def test_bare_functions_and_whole_files_parse_without_errors(
    language: str, code: str, name: str
) -> None:
    tree = parse(code, language)
    assert tree.errors == ()
    assert [function.name for function in functions(tree)] == [name]
    for token in tokenize(tree):
        assert code.encode()[token.start : token.end].decode() == token.text


def test_offsets_of_a_wrapped_fragment_are_those_of_the_text_as_given() -> None:
    code = "\n  public Foo(int a) {\n    this.b = a; }\n"
    tree = parse(code, "java")
    function = functions(tree)[0]
    assert (function.start, function.end) == (code.index("public"), code.rindex("}") + 1)
    assert (function.start_line, function.end_line) == (2, 3)
    assert tree.text(tree.root).strip() == code.strip()


def test_syntax_errors_have_line_and_column() -> None:
    tree = parse("int f(int a) {\n  int é = 1; int b = ;\n  return a\n}", "java")
    assert [(issue.line, issue.column) for issue in tree.errors] == [(2, 20), (3, 11)]
    assert tree.errors[1] == SyntaxIssue(3, 11, "';' is missing")


def test_str_and_bytes_are_the_same_source() -> None:
    code = 'String f() { return "é"; }'
    assert tokenize(parse(code, "java")) == tokenize(parse(code.encode(), "java"))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (b"x" * (MAX_BYTES + 1), r"5,242,881 bytes is over the limit"),
        ("é" * (MAX_BYTES // 2 + 1), r"over the limit"),
        (b"int a;\0", r"binary data.*offset 6"),
        (b"int \xff;", r"not UTF-8.*offset 4"),
        ("int \ud800;", r"not UTF-8.*offset 4"),
        (Path("/bin/sh").resolve().read_bytes()[:4096], r"binary data|not UTF-8"),
    ],
)
def test_what_is_no_source_text_is_one_clear_error(source: str | bytes, message: str) -> None:
    with pytest.raises(ParseError, match=message) as caught:
        parse(source, "java")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("language", ["java", "c", "python"])
@pytest.mark.parametrize("closed", [True, False])
def test_ten_thousand_parentheses_have_a_result(language: str, closed: bool) -> None:
    value = "(" * 10_000 + "a" + ")" * 10_000 * closed
    code = f"x = {value}\n" if language == "python" else f"int f(int a) {{ return {value}; }}"
    tree = parse(code, language)
    assert bool(tree.errors) != closed
    assert sum(token.text == "(" for token in tokenize(tree)) >= 10_000
    if closed:
        assert data_flow(tree).nodes


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("java", "void f(int a) {" + "if (a > 0) {" * 3_000 + "a = 1;" + "}" * 3_001),
        ("java", "int f(int a) { return a" + " + a" * 20_000 + "; }"),
        ("java", "void f(int a) { " + "a = " * 3_000 + "1; }"),
        ("c", "int f(int a) {" + "while (a) {" * 3_000 + "a--;" + "}" * 3_001),
        ("python", "x = " + "[" * 5_000 + "1" + "]" * 5_000),
        ("java", "void f() {" + "g(() -> {" * 2_000 + "});" * 2_000 + "}"),
    ],
    ids=["ifs", "sum", "assignments", "loops", "lists", "lambdas"],
)
def test_deep_nesting_has_a_graph(language: str, code: str) -> None:
    tree = parse(code, language)
    assert not tree.errors
    assert data_flow(tree).tokens == tokenize(tree)


def test_text_that_the_parser_cannot_finish_in_time_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("equimut.parsing.tree.MAX_SECONDS", 0.2)
    with pytest.raises(ParseError, match=r"not parsed within 0.2 seconds"):
        parse("a b " * 200_000, "java")


def test_a_source_with_too_many_tokens_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("equimut.parsing.tokens.MAX_TOKENS", 100)
    tree = parse(";" * 101, "java")
    for read in (tokenize, data_flow):
        with pytest.raises(ParseError, match=r"101 tokens is over the limit of 100"):
            read(tree)


def test_a_tree_with_too_many_nodes_is_refused_before_it_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("equimut.parsing.tokens.MAX_NODES", 100)
    for read in (tokenize, data_flow):
        with pytest.raises(ParseError, match=r"201 syntax nodes is over the limit of 100"):
            read(parse(";" * 200, "java"))


def test_a_tree_is_usable_after_everything_else_is_gone() -> None:
    trees: list[SyntaxTree] = [parse(f"int f() {{ return {i}; }}", "java") for i in range(200)]
    assert [tree.text(tree.root)[-5:] for tree in trees[:2]] == ["0; }".rjust(5), "1; }".rjust(5)]


def test_no_module_reads_points_which_corrupt_memory_in_one_release_of_the_parser() -> None:
    for path in (ROOT / "src").rglob("*.py"):
        code = path.read_text().replace("`Node.start_point`", "")
        assert ".start_point" not in code, path
        assert ".end_point" not in code, path


def test_a_large_file_is_parsed_once_and_drives_no_fragment_out() -> None:
    small = parse("int kept(int a) { return a; }", "java")
    large = "class A {\n" + "int f(int a) { return a + 1; }\n" * 10_000 + "}\n"
    assert parse(large, "java") is parse(large, "java")
    for number in range(KEPT_BYTES // len(large) + 1):
        parse(f"{large}// {number}\n", "java")
    assert parse("int kept(int a) { return a; }", "java") is small
