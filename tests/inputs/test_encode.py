"""Under `paper` limits the encoding is the published one, place by place."""

import pytest
from hypothesis import given, settings

from conftest import count
from equimut.inputs.encode import encode_graph
from equimut.inputs.window import EDIT, PAPER
from equimut.parsing.flow.graph import data_flow
from equimut.parsing.tree import parse
from equimut.records import Snippet
from oracles.datasets.assert_published import assert_published
from oracles.encoders.published_inputs import Row, published_features
from oracles.encoders.small_tokenizer import encode, small_subtokenizer, small_tokenizer
from oracles.encoders.token_graphs import graph_of, token_graphs

JAVA = """
int sum(int[] values, int limit) {
    int total = 0; // a comment
    for (int i = 0; i < values.length; i++) {
        if (values[i] > limit) { continue; }
        total += values[i];
    }
    return total;
}
"""


@given(token_graphs())
@settings(max_examples=count(40, 400))
def test_any_tokens_and_graph_are_encoded_as_published(case: tuple[list[str], list[Row]]) -> None:
    words, rows = case
    encoded = encode_graph(graph_of(words, rows), small_subtokenizer().special, PAPER)
    assert_published(encoded, published_features(words, rows, small_tokenizer()))


@pytest.mark.parametrize("repeats", [1, 3, 12])
def test_java_is_encoded_as_published(repeats: int) -> None:
    text = JAVA.replace("total += values[i];", "total += values[i];" * repeats * 3)
    graph = data_flow(parse(text, "java"))
    words = [token.text for token in graph.tokens]
    rows = [(node.token, node.sources) for node in graph.nodes]
    encoded = encode(Snippet(text=text, language="java"), small_subtokenizer())
    assert_published(encoded, published_features(words, rows, small_tokenizer()))
    assert encoded.node_count > 10


def test_more_than_64_nodes_fit_beside_short_code() -> None:
    rows = [(word % 40, ()) for word in range(200)]
    encoded = encode_graph(graph_of(["x"] * 40, sorted(rows)), small_subtokenizer().special, PAPER)
    assert (encoded.token_count, encoded.node_count) == (42, 200)


def test_a_node_that_was_cut_off_has_an_empty_span() -> None:
    rows = [(0, ()), (300, (0,)), (399, (300,))]
    encoded = encode_graph(graph_of(["x"] * 400, rows), small_subtokenizer().special, PAPER)
    assert encoded.token_count == 314 + 2
    assert encoded.node_spans.tolist() == [[1, 2], [301, 302], [0, 0]]
    assert encoded.edges.tolist() == [[1, 0], [2, 1]]


def test_a_node_that_was_cut_in_two_counts_as_cut_off() -> None:
    words = [*["x"] * 310, '"a string of words"', ";"]
    rows = [(0, ()), (310, (0,))]
    whole = graph_of(words, rows)
    assert whole.starts[310] < PAPER.code_room(2) < whole.starts[311]
    encoded = encode_graph(whole, small_subtokenizer().special, PAPER)
    assert encoded.node_spans.tolist() == [[1, 2], [0, 0]]
    assert_published(encoded, published_features(words, rows, small_tokenizer()))


@pytest.mark.parametrize("text", ["", "   \n", "// only a comment", "}{)("])
@pytest.mark.parametrize("language", ["java", "c", "python"])
def test_text_without_code_is_encoded_too(text: str, language: str) -> None:
    encoded = encode(Snippet(text=text, language=language), small_subtokenizer(), EDIT)
    assert encoded.token_count >= 2
    assert encoded.length <= EDIT.max_length


def test_equal_sequences_are_equal_values() -> None:
    first, again, other = (
        encode(Snippet(text=text, language="java"), small_subtokenizer())
        for text in (JAVA, JAVA.replace("// a comment", ""), JAVA.replace("<", "<="))
    )
    assert first == again
    assert hash(first) == hash(again)
    assert first != other
