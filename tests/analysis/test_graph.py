"""A graph is laid out like its source, and the mask in its picture is the model's own."""

import numpy as np
import pytest

from conftest import ROOT
from equimut.analysis.graph.layout import place_tokens
from equimut.analysis.graph.mask import COLOURS, KINDS, mask_kinds
from equimut.analysis.graph.picture import draw_graph
from equimut.analysis.pictures.files import picture_bytes
from equimut.parsing.flow.graph import DataFlowGraph, data_flow
from equimut.parsing.tree import parse

SOURCE = """\
\tint f(int é, int b) {
\t\t// nothing

\t\tString s = "漢字" + é; return b;
\t}
"""


def graph_of(text: str, language: str = "java") -> tuple[DataFlowGraph, bytes]:
    tree = parse(text, language)
    return data_flow(tree), tree.source


def drawn(graph: DataFlowGraph, source: bytes, widest: int = 1000) -> list[str]:
    """The rows of a layout as text."""
    rows: list[str] = []
    for token in place_tokens(graph, source, widest):
        rows += [""] * (token.row + 1 - len(rows))
        assert len(rows[token.row]) <= token.column, "a token stands on another"
        rows[token.row] = rows[token.row].ljust(token.column) + token.text
    return rows


def test_a_layout_reads_like_its_source() -> None:
    assert drawn(*graph_of(SOURCE)) == [
        "int f(int é, int b) {",
        '    String s = "漢字" + é; return b;',
        "}",
    ]
    placed = place_tokens(*graph_of(SOURCE), widest=1000, first_line=10)
    assert sorted({token.line for token in placed}) == [10, 13, 14]


def test_a_wide_line_goes_on_in_the_next_row() -> None:
    graph, source = graph_of("int f() { return " + "a + " * 100 + "a; }")
    rows = drawn(graph, source, widest=60)
    assert len(rows) > 5
    assert max(map(len, rows)) <= 60
    assert "".join(rows).replace(" ", "") == "intf(){return" + "a+" * 100 + "a;}"


def test_a_long_token_is_shortened_and_the_rest_moves_up() -> None:
    [row] = drawn(*graph_of('String f() { return "' + "x" * 500 + '" + a; }'))
    assert row.endswith("x… + a; }")
    assert len(row) < 100


@pytest.mark.parametrize("path", sorted((ROOT / "src" / "equimut" / "inputs").glob("*.py")))
def test_any_source_is_laid_out_without_overlap(path) -> None:
    graph, source = graph_of(path.read_text(), "python")
    drawn(graph, source, widest=80)


def test_the_reasons_of_the_mask_are_those_of_the_graph() -> None:
    graph, _ = graph_of("int f(int a) { int b = a; return b; }")
    kinds = mask_kinds(graph)
    tokens, nodes = len(graph.tokens) + 2, len(graph.nodes)
    assert kinds.shape == (tokens + nodes,) * 2
    expected = np.zeros_like(kinds)
    expected[:tokens, :tokens] = 1
    expected[[0, tokens - 1], :] = 2
    node_of = {node.token: number for number, node in enumerate(graph.nodes)}
    for number, node in enumerate(graph.nodes):
        expected[tokens + number, node.token + 1] = 3
        expected[node.token + 1, tokens + number] = 3
        for source in node.sources:
            expected[tokens + number, tokens + node_of[source]] = 4
    assert np.array_equal(kinds, expected)
    assert len(KINDS) == len(COLOURS)


def test_dollar_signs_and_odd_letters_are_drawn_as_they_are() -> None:
    graph, source = graph_of('String f(int $a$) { return "$\\\\frac{" + $a$ + "😀"; }')
    figure = draw_graph(graph, source, "$title$")
    assert picture_bytes(figure, "svg").startswith(b"<?xml")
