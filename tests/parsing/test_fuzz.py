"""Mutated inputs through everything: results or ParseError, in bounded time, and nothing else."""

import re
from contextlib import suppress
from random import Random
from time import process_time

import pytest

from conftest import ROOT, count
from equimut.errors import ParseError
from equimut.languages import LANGUAGES
from equimut.parsing.flow.graph import data_flow
from equimut.parsing.functions import functions
from equimut.parsing.tokens import Token, remove_comments, tokenize
from equimut.parsing.tree import SyntaxTree, parse, walk
from oracles.flow_examples import FLOW_EXAMPLES
from oracles.fuzzing import mutated_inputs
from oracles.random_programs import RandomProgram

SECONDS = 20


def seeds(language: str) -> list[bytes]:
    texts = [example.code for example in FLOW_EXAMPLES[language]]
    texts += [RandomProgram(Random(seed), language).text() for seed in range(20)]
    if language == "python":
        texts += [path.read_text() for path in (ROOT / "src/equimut/languages").glob("*.py")]
    return [text.encode() for text in texts]


def assert_covered(tree: SyntaxTree, tokens: tuple[Token, ...]) -> None:
    """Outside tokens and comments there is only white space."""
    left = bytearray(tree.source)
    comments = [node for node in walk(tree.root) if node.type in tree.language.comments]
    spans = [(token.start, token.end) for token in tokens]
    for start, end in spans + [(node.start_byte, node.end_byte) for node in comments]:
        left[start:end] = b" " * (end - start)
    assert re.fullmatch(r"(\s|\\\r?\n|[\ufeff\u200b\u2060])*", left.decode())


def read_everything(source: bytes, language: str) -> None:
    tree = parse(source, language)
    graph = data_flow(tree)
    assert graph.tokens == tokenize(tree)
    assert all(source[token.start : token.end].decode() == token.text for token in graph.tokens)
    assert_covered(tree, graph.tokens)
    limit = len(graph.tokens)
    assert all(0 <= node.token < limit for node in graph.nodes)
    assert all(issue.line >= 1 and issue.column >= 1 for issue in tree.errors)
    for function in functions(tree):
        assert 0 <= function.start < function.end <= len(source)
        source[function.start : function.end].decode()
    remove_comments(source.decode(), language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_mutated_inputs_give_results_or_parse_errors(language: str) -> None:
    results = errors = 0
    messages: set[str] = set()
    for source in mutated_inputs(seeds(language), count(150, 7000), seed=3):
        started = process_time()
        try:
            read_everything(source, language)
            results += 1
        except ParseError as error:
            errors += 1
            messages.add(str(error))
        assert process_time() - started < SECONDS, source[:200]
    assert results > errors > 0
    assert all(message and "\n" not in message for message in messages)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("piece", ["(", "{", "[", "if(a){", "x = ", "a b ", '"', "\\", "// ", "é"])
def test_the_same_thing_again_and_again_is_read_in_bounded_time(language: str, piece: str) -> None:
    started = process_time()
    with suppress(ParseError):
        read_everything((piece * (15_000 // len(piece))).encode(), language)
    assert process_time() - started < SECONDS
