"""What holds for every program: spans, the direction of edges, names, comments and white space."""

import re
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tree_sitter import Node

from equimut.parsing.flow.graph import data_flow
from equimut.parsing.tokens import tokenize
from equimut.parsing.tree import SyntaxTree, parse
from oracles.random_programs import LANGUAGES, RandomProgram

NEW_NAMES = ["identifier", "x", "élan", "aVeryLongNameIndeed", "_", "a1", "zz9", "block", "Ω"]
LOOPS = {"while_statement", "for_statement"}
BLOCKS = {"block", "compound_statement", "function_definition", "method_declaration", "module"}
COMMENTS = {"java": ["/* x = a; */", "/**/"], "c": ["/* x = a; */", "/**/"]}

programs = st.builds(
    lambda seed, language: (RandomProgram(Random(seed), language).text(), language),
    st.integers(0, 10**9),
    st.sampled_from(LANGUAGES),
)


def shape(text: str, language: str) -> list[tuple[int, str, tuple[int, ...]]]:
    tree = parse(text, language)
    assert not tree.errors
    return [tuple(node) for node in data_flow(tree).nodes]


@given(programs)
def test_spans_lie_in_the_text_in_order_and_cover_it(program: tuple[str, str]) -> None:
    text, language = program
    source = text.encode()
    tokens = data_flow(parse(text, language)).tokens
    assert all(source[token.start : token.end].decode() == token.text for token in tokens)
    assert all(one.end <= two.start for one, two in pairwise(tokens))
    assert "".join(token.text for token in tokens).replace(" ", "") == "".join(text.split())


@given(programs)
def test_nodes_are_ordered_and_every_one_takes_part_in_an_edge(program: tuple[str, str]) -> None:
    graph = data_flow(parse(*program))
    numbers = [node.token for node in graph.nodes]
    sources = {source for node in graph.nodes for source in node.sources}
    assert numbers == sorted(numbers)
    assert sources <= set(numbers) <= set(range(len(graph.tokens)))
    assert all(node.sources or node.token in sources for node in graph.nodes)
    assert all(list(node.sources) == sorted(set(node.sources)) for node in graph.nodes)


def around(tree: SyntaxTree, first: int, second: int) -> list[Node]:
    """Nodes that hold both tokens, the outermost first."""
    tokens = tokenize(tree)
    start = min(tokens[first].start, tokens[second].start)
    end = max(tokens[first].end, tokens[second].end)
    found, node = [], tree.root
    while node is not None:
        found.append(node)
        node = next((c for c in node.children if c.start_byte <= start and end <= c.end_byte), None)
    return found


@given(programs)
def test_edges_point_to_earlier_or_loop_carried_definitions(program: tuple[str, str]) -> None:
    tree = parse(*program)
    graph = data_flow(tree)
    for node in graph.nodes:
        for source in node.sources:
            if source >= node.token:
                holders = around(tree, node.token, source)
                in_loop = any(holder.type in LOOPS for holder in holders)
                in_one_statement = holders[-1].type not in BLOCKS
                assert in_loop or in_one_statement


@given(programs)
def test_only_a_target_of_an_assignment_comes_from_other_names(program: tuple[str, str]) -> None:
    graph = data_flow(parse(*program))
    texts = [token.text for token in graph.tokens]
    for node in graph.nodes:
        if {texts[source] for source in node.sources} - {texts[node.token]}:
            assert texts[node.token + 1] in ("=", "+=", "in")


@given(programs, st.permutations(NEW_NAMES))
def test_renaming_variables_leaves_the_shape(program: tuple[str, str], names: list[str]) -> None:
    text, language = program
    new = dict(zip("abcd", names, strict=False))
    renamed = re.sub(r"\b([abcd])\b", lambda match: new[match[1]], text)
    assert shape(renamed, language) == shape(text, language)


@given(programs, st.integers(0, 10**9))
def test_comments_and_white_space_change_nothing(program: tuple[str, str], seed: int) -> None:
    text, language = program
    random = Random(seed)
    tree = parse(text, language)
    pieces, position = [], 0
    for token in tokenize(tree):
        before = text[position : token.start]
        if language in COMMENTS:
            noise = random.choice(["", " ", "\n\n", "\t", *COMMENTS[language], "// x = a\n"])
            before += noise
        elif "\n" in before:  # white space has a meaning in Python
            before = random.choice(["", "  ", " # x = a", "\n\n#y"]) + before
        elif before == " ":
            before = random.choice([" ", "   ", "\t"])
        pieces += [before, token.text]
        position = token.end
    noisy = "".join(pieces) + text[position:]
    after = parse(noisy, language)
    assert [t.text for t in tokenize(after)] == [t.text for t in tokenize(tree)]
    assert shape(noisy, language) == shape(text, language)


@pytest.mark.parametrize("comment", ["/* c */", "// c\n"])
def test_a_comment_between_the_ways_of_an_if_is_no_way(comment: str) -> None:
    code = "int f(int a) { if (a) a = 1; %s else a = 2; %s return a; }"
    assert shape(code % (comment, comment), "c") == shape(code % ("", ""), "c")


def test_a_comment_between_elif_and_else_is_no_way() -> None:
    code = "def f(a):\n if a:\n  a = 1\n elif a:\n  a = 2\n%s else:\n  a = 3\n return a\n"
    assert shape(code % " # c\n", "python") == shape(code % "", "python")


def test_a_comment_after_break_does_not_make_a_case_fall_through() -> None:
    code = "int f(int a) { switch (a) { case 1: a = 3; break; %s default: a = a; } return a; }"
    for language in ("c", "java"):
        assert shape(code % "/* c */", language) == shape(code % "", language)
