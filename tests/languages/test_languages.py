"""A language is data: found by name and suffix, true to its grammar, shown by its examples."""

import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from tree_sitter import Language

from equimut.errors import EquimutError
from equimut.languages import LANGUAGES, LanguageSpec, get_language, language_of_path
from equimut.parsing.flow.graph import data_flow
from equimut.parsing.tree import parse
from oracles.flow_examples import FLOW_EXAMPLES
from oracles.flow_examples.example import Example
from oracles.named_edges import named_edges

EXAMPLES = [
    pytest.param(language, example, id=f"{language.name}: {example.title}")
    for language in LANGUAGES.values()
    for example in FLOW_EXAMPLES[language.name]
]


@pytest.mark.parametrize(("language", "example"), EXAMPLES)
def test_the_example_has_exactly_these_edges(language: LanguageSpec, example: Example) -> None:
    assert named_edges(data_flow(parse(example.code, language))) == example.edges


@pytest.mark.parametrize("name", ["c", "java", "python"])
def test_a_language_is_found_by_name_and_by_suffix(name: str) -> None:
    language = get_language(name)
    assert language.name == name
    assert language is get_language(name.upper())
    assert all(language_of_path(Path("src") / f"x{s}") is language for s in language.suffixes)


def test_an_unknown_language_or_suffix_names_the_known_ones() -> None:
    with pytest.raises(EquimutError, match=r"'cobol'.*c, java, python"):
        get_language("cobol")
    with pytest.raises(EquimutError, match=r"x\.cob.*'\.cob'.*\.java"):
        language_of_path("x.cob")


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=lambda language: language.name)
def test_every_node_type_named_in_the_data_exists_in_the_grammar(language: LanguageSpec) -> None:
    grammar = Language(import_module(language.grammar).language())
    kinds = {grammar.node_kind_for_id(number) for number in range(grammar.node_kind_count)}
    fields = {grammar.field_name_for_id(number + 1) for number in range(grammar.field_count)}
    leaves = language.identifiers | language.members | language.not_values - {"ERROR"}
    named = {*language.flow, *language.function_types, *language.comments, *language.atomic}
    assert named | leaves <= kinds
    for rule in language.flow.values():
        for value in vars(rule).values():
            words = (value,) if isinstance(value, str) else value
            if isinstance(words, tuple):
                found = {word for word in words if isinstance(word, str)}
                assert found - {"comesFrom", "computedFrom"} <= kinds | fields


def test_importing_the_room_imports_no_language_and_no_grammar() -> None:
    code = (
        "import sys, equimut.languages as l; loaded = set(sys.modules);"
        "assert not [m for m in loaded if 'tree_sitter' in m], 'grammar';"
        "assert 'equimut.languages.java.syntax' not in loaded, 'language';"
        "assert list(l.LANGUAGES) == ['c', 'java', 'python'];"
        "assert 'equimut.languages.java.syntax' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_example_with_a_wrong_edge_would_fail() -> None:
    java = get_language("java")
    crippled = replace(java, flow={**java.flow, "do_statement": java.flow["update_expression"]})
    example = next(example for example in FLOW_EXAMPLES["java"] if example.title == "do")
    assert named_edges(data_flow(parse(example.code, crippled))) != example.edges
