"""A dialect is true to its grammar, and docs/languages.md to the dialects."""

import re
from importlib import import_module

import pytest
from tree_sitter import Language

from conftest import ROOT
from equimut.languages import LANGUAGES, Dialect, dialect_of

PAGE = (ROOT / "docs" / "languages.md").read_text()
ROW = re.compile(r"^\| `([\w.]+)` \| (\w+) \| (\w+) \| (\w+) \|$", re.M)
WORDS = {True: "yes", False: "no"}


@pytest.fixture(params=LANGUAGES)
def dialect(request: pytest.FixtureRequest) -> Dialect:
    return dialect_of(request.param)


def test_every_node_type_and_field_exists_in_the_grammar(dialect: Dialect) -> None:
    grammar = Language(import_module(LANGUAGES[dialect.name].grammar).language())
    kinds = {grammar.node_kind_for_id(number) for number in range(grammar.node_kind_count)}
    fields = {grammar.field_name_for_id(number + 1) for number in range(grammar.field_count)}
    slots, parts = zip(*dialect.value_slots, strict=True)
    named = {*dialect.roles, *dialect.statements, *dialect.opaque, *dialect.scopes, *slots}
    assert named | dialect.functions | dialect.closures <= kinds
    assert set(parts) - {"*"} <= fields


def test_every_operator_has_a_precedence(dialect: Dialect) -> None:
    binary = (*dialect.arithmetic, *dialect.relational, *dialect.logical, *dialect.bitwise)
    assert {*binary, *dialect.shifts} <= set(dialect.precedence)
    assert all(sign.endswith("=") for family in dialect.compound for sign in family)


def test_values_and_types_are_of_known_kinds(dialect: Dialect) -> None:
    kinds = {"int", "small", "float", "bool", "string", "void", "array", "object", "pointer"}
    assert {*dialect.kinds.values(), *dialect.plain_values} <= kinds
    assert dialect.assignable <= set(dialect.roles.values())
    assert dialect.functions <= set(LANGUAGES[dialect.name].function_types)


def test_a_suffix_belongs_to_one_language() -> None:
    suffixes = [suffix for language in LANGUAGES.values() for suffix in language.suffixes]
    assert len(suffixes) == len(set(suffixes))


def test_the_page_states_the_properties_of_each_language() -> None:
    rows = ROW.findall(PAGE)
    assert len(rows) > 10
    for name, *stated in rows:
        found = []
        for language in ("java", "c", "python"):
            value: object = dialect_of(language)
            for part in name.split("."):
                value = getattr(value, part)
            found.append(WORDS[value] if isinstance(value, bool) else value)
        assert found == stated, name


def test_the_page_names_every_yes_or_no_of_a_dialect() -> None:
    stated = {name for name, *_ in ROW.findall(PAGE)}
    java = dialect_of("java")
    flags = {name for name, value in vars(java).items() if isinstance(value, bool)}
    flags |= {f"numbers.{n}" for n, value in vars(java.numbers).items() if isinstance(value, bool)}
    assert flags <= stated
