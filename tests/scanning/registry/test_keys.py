"""Keys of Python code against the compiler: the same tokens only where the same program."""

import ast
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import ROOT
from equimut.scanning.registry.keys import change_in_context, code_tokens, context_digest

ORIGINS = sorted((ROOT / "src/equimut/data/benchmark/origins/python").glob("*.pysrc"))[:40]
SOURCES = [path.read_text("utf-8") for path in ORIGINS]


def shaken(source: str, chance: random.Random) -> str:
    """The text with the layout of one line changed: some changes mean something, some do not."""
    lines = source.split("\n")
    at = chance.randrange(1, len(lines))
    line = lines[at]
    kind = chance.randrange(7)
    if kind == 0:
        lines[at] = "    " + line
    elif kind == 1:
        lines[at] = line.removeprefix("    ")
    elif kind == 2:
        lines[at] = line + "  # said"
    elif kind == 3:
        lines.insert(at, "")
    elif kind == 4:
        lines[at - 1 : at + 1] = [lines[at - 1] + " " + line.strip()]
    elif kind == 5:
        lines[at] = line.replace(", ", ",\n    ").replace(" = ", "  =  ")
    else:
        lines = [each.replace("    ", "\t") for each in lines]
    return "\n".join(lines)


def program(source: str) -> str | None:
    try:
        return ast.dump(ast.parse(source))
    except SyntaxError:
        return None


@given(st.integers(0, 2**32), st.sampled_from(SOURCES))
def test_equal_tokens_are_an_equal_program(seed: int, source: str) -> None:
    other = shaken(source, random.Random(seed))
    before, after = program(source), program(other)
    if after is None:
        return
    same = code_tokens(source, "python") == code_tokens(other, "python")
    if same:
        assert before == after
    elif before == after and len(other.split("\n")) >= len(source.split("\n")):
        # `if a: b` on one line is another layout with the same meaning, and another key: that is
        # on the safe side. No other change of these may touch the key.
        pytest.fail(f"layout changed the key:\n{other}")


def test_the_changes_are_of_both_kinds() -> None:
    kinds = set()
    for seed in range(200):
        source = SOURCES[seed % len(SOURCES)]
        other = shaken(source, random.Random(seed))
        if (after := program(other)) is not None:
            kinds.add(after == program(source))
    assert kinds == {True, False}


def test_a_change_is_shown_with_what_stands_around_it() -> None:
    texts = "int f(int n) { return n < 2 ? n : 0; }", "int f(int n) { return n <= 2 ? n : 0; }"
    assert change_in_context(*texts, "java") == "return n < 2 ? -> return n <= 2 ?"
    gone = "def f(a):\n    g()\n    return a\n", "def f(a):\n    return a\n"
    assert change_in_context(*gone, "python", around=1) == "g ( ) return -> return"


def test_a_digest_names_the_tokens_and_their_borders() -> None:
    assert context_digest(("ab", "c")) != context_digest(("a", "bc"))
