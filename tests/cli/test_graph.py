"""`equimut graph` shows tokens, edges and mask of a file or one of its functions."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from oracles.command import Result, call_equimut, run_equimut

METHOD = """
    /** Adds up. */
    static int sum(int n) {
        int total = 0;
        for (int i = 0; i < n; i++) { total += i; }
        return total;
    }
"""
PYTHON = """
def double(x):
    y = x * 2
    return y


def other(a):
    return a
"""


def equimut(*arguments: str) -> Result:
    return call_equimut("graph", *arguments)


@pytest.fixture
def method(tmp_path: Path) -> Path:
    path = tmp_path / "Sum.java"
    path.write_text(METHOD)
    return path


@pytest.fixture
def module(tmp_path: Path) -> Path:
    path = tmp_path / "two.py"
    path.write_text(PYTHON)
    return path


def edges(result: Result) -> set[tuple[str, str, str]]:
    """(name, relation, name it comes from) of every edge in the JSON."""
    value = json.loads(result.stdout)
    tokens = value["tokens"]
    return {
        (tokens[node["token"]], node["relation"], tokens[source])
        for node in value["nodes"]
        for source in node["sources"]
    }


def test_json_of_a_bare_method_is_tokens_and_nodes(method: Path) -> None:
    result = equimut(str(method), "--json")
    assert result.returncode == 0
    assert result.stderr == ""
    value = json.loads(result.stdout)
    assert list(value) == ["tokens", "nodes"]
    assert value["tokens"][:7] == ["static", "int", "sum", "(", "int", "n", ")"]
    assert {frozenset(node) for node in value["nodes"]} == {
        frozenset({"token", "relation", "sources"})
    }
    assert {node["relation"] for node in value["nodes"]} == {"comesFrom", "computedFrom"}
    assert {("total", "comesFrom", "0"), ("total", "computedFrom", "i")} <= edges(result)


def test_a_whole_file_is_shown_and_its_functions_are_named(module: Path) -> None:
    result = equimut(str(module), "--json")
    assert json.loads(result.stdout)["tokens"].count("def") == 2
    assert "double, other" in result.stderr


def test_one_function_is_shown_alone(module: Path) -> None:
    result = equimut(str(module), "--function", "other", "--json")
    assert json.loads(result.stdout)["tokens"] == [
        "def",
        "other",
        "(",
        "a",
        ")",
        ":",
        "return",
        "a",
    ]
    assert edges(result) == {("a", "comesFrom", "a")}


def test_a_function_that_is_not_there_is_one_clear_line(module: Path) -> None:
    result = equimut(str(module), "--function", "tripel")
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert "no function 'tripel'; it has double, other" in result.stderr


def test_the_terminal_shows_code_with_the_lines_of_the_file(module: Path) -> None:
    result = equimut(str(module), "--function", "other")
    assert result.returncode == 0
    assert "7 │ def other(a):" in result.stdout
    assert "8 │     return a" in result.stdout
    row = next(line for line in result.stdout.splitlines() if "comesFrom" in line)
    assert row.split() == ["8", "7", "a", "comesFrom", "a", "3"]


def test_the_language_can_be_given(tmp_path: Path) -> None:
    path = tmp_path / "snippet.txt"
    path.write_text(METHOD)
    refused = equimut(str(path), "--json")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert equimut(str(path), "--json", "--language", "java").returncode == 0
    unknown = equimut(str(path), "--language", "cobol")
    assert unknown.returncode == 2
    assert "java" in unknown.stderr


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_the_picture_is_written_in_the_format_of_its_suffix(method: Path, suffix: str) -> None:
    out = method.parent / f"graph.{suffix}"
    result = equimut(str(method), "--out", str(out))
    assert result.returncode == 0
    assert result.stdout == ""
    content = out.read_bytes()
    magic = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[suffix]
    assert content.startswith(magic)
    if suffix == "svg":
        assert ElementTree.fromstring(content).tag.endswith("svg")
        again = run_equimut("graph", method, "--out", out, PYTHONHASHSEED="7")
        assert again.returncode == 0
        assert out.read_bytes() == content


def test_a_picture_format_nobody_knows_is_refused(method: Path) -> None:
    out = method.parent / "graph.docx"
    result = equimut(str(method), "--out", str(out))
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
    assert "svg" in result.stderr
    assert not out.exists()


def test_picture_and_json_go_together(method: Path) -> None:
    out = method.parent / "graph.svg"
    result = equimut(str(method), "--out", str(out), "--json")
    assert json.loads(result.stdout)["tokens"]
    assert out.exists()


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"int f() { \0 }", "binary"), (b"int f\xff() {}", "UTF-8"), (None, "No such file")],
)
def test_what_cannot_be_read_is_one_clear_line(
    tmp_path: Path, content: bytes | None, says: str
) -> None:
    path = tmp_path / "F.java"
    if content is not None:
        path.write_bytes(content)
    result = equimut(str(path))
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
    assert says in result.stderr


def test_code_with_a_syntax_error_is_shown_with_a_note(tmp_path: Path) -> None:
    path = tmp_path / "F.java"
    path.write_text("int f(int a) { return a + ; }")
    result = equimut(str(path))
    assert result.returncode == 0
    assert f"{path}:1:" in result.stderr
    assert "return a" in result.stdout


def test_control_characters_of_a_source_do_not_reach_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "F.java"
    path.write_text('String f() { String s = "\x1b[2J"; return s; }')
    assert "\x1b[2J" not in equimut(str(path)).stdout


@pytest.mark.parametrize("text", ["", "// nothing\n", "int f() { return g(); }"])
def test_a_file_without_data_flow_is_shown_too(tmp_path: Path, text: str) -> None:
    path = tmp_path / "F.java"
    path.write_text(text)
    out = tmp_path / "f.svg"
    assert json.loads(equimut(str(path), "--json", "--out", str(out)).stdout)["nodes"] == []
    assert out.exists()
    assert "no data flow" in equimut(str(path)).stdout
