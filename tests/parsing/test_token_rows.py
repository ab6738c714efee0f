"""What is read around an edit only, against reading the whole text."""

from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import count
from equimut.errors import ParseError
from equimut.languages import LANGUAGES, get_language
from equimut.mutation import mutate
from equimut.parsing.text_diff import (
    byte_difference,
    code_tokens,
    difference,
    token_change,
)
from equimut.parsing.tokens import TokenRow
from equimut.parsing.tree import EditParser, SyntaxTree, parse, walk
from oracles.random_programs import RandomProgram

PIECES = [
    *(
        "",
        " ",
        "\n",
        "\n    ",
        "\t",
        "\\\n",
        "\\",
        "(",
        ")",
        "[",
        "{",
        "}",
        ";",
        ":",
        ",",
        "x",
        "1",
    ),
    *('"', "'", '"""', "/*", "*/", "//", "#", "# a\n", "/* a */", "é", "😀", "a b", ">>", "+", "="),
    *(
        "if x:\n",
        "else:",
        "return",
        "f'{x}'",
        "#define A\n",
        "#if 0\n",
        "@",
        "\r\n",
        "\ufeff",
        "a<b>",
    ),
]


@cache
def program(seed: int, language: str) -> str:
    return RandomProgram(Random(seed), language).text()


def edited(random: Random, text: str) -> str:
    start = random.randrange(len(text) + 1)
    end = min(len(text), start + random.choice([0, 0, 1, 1, 2, 5, 30]))
    return text[:start] + random.choice(PIECES) + text[end:]


def assert_read_like_the_whole(origin: str, mutant: str, language: str) -> None:
    before, after = code_tokens(origin, language), code_tokens(mutant, language)
    start, end, new_end = difference(before, after)
    expected = (before, start, before[start:end], after[start:new_end])
    assert token_change(origin, mutant, language) == expected, (origin, mutant)


def shape(tree: SyntaxTree) -> list[tuple[str, int, int]]:
    return [(node.type, node.start_byte, node.end_byte) for node in walk(tree.root)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_edit_anywhere_is_read_like_the_whole_text(language: str) -> None:
    random = Random(5)
    for number in range(count(300, 20_000)):
        origin = program(number % 40, language)
        for _ in range(number % 3):  # origins with errors too
            origin = edited(random, origin)
        assert_read_like_the_whole(origin, edited(random, origin), language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_tree_made_from_the_old_one_is_the_tree_of_the_text(language: str) -> None:
    random, correct = Random(6), 0
    for number in range(count(300, 20_000)):
        origin = program(number % 40, language)
        mutant = edited(random, origin)
        old, new = origin.encode(), mutant.encode()
        whole = parse(new, language)
        made = EditParser(old, get_language(language)).parse(new, *byte_difference(old, new))
        assert shape(made) == shape(whole), (origin, mutant)
        correct += not made.root.has_error and made is not whole
    assert correct > number / 10


@settings(max_examples=count(30, 1000))
@given(st.integers(0, 10**6), st.sampled_from(list(LANGUAGES)))
def test_keys_of_mutants_rest_on_all_their_tokens(seed: int, language: str) -> None:
    for mutant in mutate(RandomProgram(Random(seed), language).text(), language)[:20]:
        assert_read_like_the_whole(mutant.origin_function, mutant.mutant_function, language)


@pytest.mark.parametrize(
    ("origin", "mutant"),
    [
        ("def f():\n    a\n    b\n    c\n", "def f():\n  a\n    b\n    c\n"),
        ("def f():\n    if a:\n        b\n    c\n", "def f():\n    if (a:\n        b\n    c\n"),
        ("def f():\n    a\n    b\n", "def f():\n    a \\\n    b\n"),
        ("def f():\n    a\n    b\n", "def f():\n    a\n    a\n    b\n"),
        ("def f():\n    '''a\n    b'''\n    c\n", "def f():\n    '''a'''\n    b'''\n    c\n"),
    ],
)
def test_lines_behind_an_edit_are_read_until_they_are_as_before(origin: str, mutant: str) -> None:
    assert_read_like_the_whole(origin, mutant, "python")
    assert_read_like_the_whole(mutant, origin, "python")


def test_only_what_is_near_the_edit_is_read() -> None:
    lines = [f"    a{number} = b{number};" for number in range(50)]
    origin = "\n".join(["void f() {", *lines, "}"])
    row = TokenRow(parse(origin, "c"))
    new = parse(origin.replace("b25;", "b25 + 1;"), "c")
    edit = byte_difference(origin.encode(), new.source)
    assert len(row.edited(new, *edit).middle) < 6


def test_what_cannot_be_parsed_is_compared_by_words() -> None:
    assert token_change("a b", "a \0 b", "c") == (("a", "b"), 1, (), ("\0",))
    with pytest.raises(ParseError):
        parse("a \0 b", "c")
