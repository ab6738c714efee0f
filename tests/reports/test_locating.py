"""A located mutant differs from its source in the stated span only, and parses no worse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equimut.mutation import mutate
from equimut.parsing.text_diff import byte_difference
from equimut.parsing.tree import parse
from equimut.reports.locating import edit_between, locate, locate_text
from equimut.reports.positions import byte_at
from equimut.reports.reported import ReportError
from equimut.reports.sources import SourceFile
from oracles.datasets.mutation_sources import JAVA
from oracles.reports.report_files import PYTHON, column, splice

C = """\
#include <stdio.h>

static int limit = 3; /* ä */

int clamp(int value, int low)
{
    if (value < low || value > limit)
        return low;
    printf("é %d\\n", value);
    return value;
}
"""
SOURCES = {
    "java": SourceFile("Prices.java", JAVA, "java"),
    "c": SourceFile("clamp.c", C, "c"),
    "python": SourceFile("till.py", PYTHON, "python"),
    "javascript": SourceFile("till.js", PYTHON, "javascript"),
}
REPLACEMENTS = st.sampled_from(["", "0", "x", "x + 1", "<", "{", "}", "return 1", "\n", "é", '"'])


def assert_true_change(source: SourceFile, start: int, end: int, replacement: str) -> None:
    """Everything a located change claims, checked against the plain text."""
    change, problem = locate(source, start, end, replacement)
    if change is None:
        assert problem
        assert "\n" not in problem
        return
    whole = splice(source.text, start, end, replacement)
    assert source.text.count(change.origin_function) >= 1
    line_start = source.line_starts[change.start_line - 1]
    at = source.data.index(change.origin_function.encode(), line_start)
    assert b"\n" not in source.data[line_start:at]
    before, after = source.data[:at], source.data[at + len(change.origin_function.encode()) :]
    assert whole.encode() == before + change.mutant_function.encode() + after
    assert change.origin_function != change.mutant_function
    assert change.original == source.data[start:end].decode()
    if change.scope == "function":
        assert problem is None
        errors = [
            len(parse(text, source.language).errors)
            for text in (change.origin_function, change.mutant_function)
        ]
        assert errors[1] <= errors[0]
    else:
        assert problem


@given(st.sampled_from(sorted(SOURCES)), st.data(), REPLACEMENTS)
def test_a_located_mutant_differs_in_the_stated_span_only(
    language: str, data: st.DataObject, replacement: str
) -> None:
    source = SOURCES[language]
    start = data.draw(st.integers(0, len(source.data)))
    end = data.draw(st.integers(start, min(start + 40, len(source.data))))
    assert_true_change(source, start, end, replacement)


def test_every_mutant_of_the_engine_is_located_as_the_engine_built_it() -> None:
    for language in ("java", "c", "python"):
        source = SOURCES[language]
        mutants = mutate(source.text, language)
        assert len(mutants) > 20
        for mutant in mutants:
            located = locate(
                source,
                mutant.start_byte,
                mutant.end_byte,
                mutant.replacement,
                whole_tokens=True,
            )
            assert located.problem is None, (mutant, located.problem)
            assert located.change is not None
            assert located.change.function == mutant.function
            assert located.change.origin_function == mutant.origin_function
            assert located.change.mutant_function == mutant.mutant_function


def test_a_whole_text_is_located_where_it_differs() -> None:
    source = SOURCES["python"]
    for mutant in mutate(source.text, "python"):
        whole = splice(source.text, mutant.start_byte, mutant.end_byte, mutant.replacement)
        change, problem = locate_text(source, whole)
        assert problem is None
        assert change is not None
        assert change.mutant_function == mutant.mutant_function


TEXTS = st.text(st.sampled_from("aä🧀ß\n ("), max_size=12)


@given(TEXTS, TEXTS)
def test_the_difference_is_right_and_whole_characters(before: str, after: str) -> None:
    start, end, stop = byte_difference(before.encode(), after.encode())
    replacement = after.encode()[start:stop].decode()
    assert splice(before, start, end, replacement) == after
    before.encode()[start:end].decode()
    if before != after and start < end and replacement:  # it cannot be made smaller
        changed = before.encode()[start:end].decode()
        assert changed[0] != replacement[0]
        assert changed[-1] != replacement[-1]


@given(st.lists(st.sampled_from(["a", "ä", "<", "=", " ", "("]), max_size=12), st.data())
def test_an_edit_between_two_texts_keeps_words_and_signs_whole(
    words: list[str], data: st.DataObject
) -> None:
    before = "".join(words)
    place = data.draw(st.integers(0, len(before)))
    after = before[:place] + data.draw(st.sampled_from(["", "a", "=", "ä <"])) + before[place + 1 :]
    start, end, replacement = edit_between(before.encode(), after.encode())
    assert splice(before, start, end, replacement) == after
    changed = before.encode()[start:end].decode()
    for text, inside in ((before, changed), (after, replacement)):
        at = len(before.encode()[:start].decode())
        for border in (at, at + len(inside)) if inside and before != after else ():
            pair = text[max(border - 1, 0) : border + 1]
            assert not (len(pair) == 2 and (pair.isalpha() or set(pair) <= set("<=")))


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ("a < b", "a <= b", ("<", "<=")),
        ("a // b", "a / b", ("//", "/")),
        ("x = 100", "x = 101", ("100", "101")),
        ("f(count)", "f(None)", ("count", "None")),
        ("f(x)", "f(-x)", ("", "-")),
        ("käse", "käsé", ("käse", "käsé")),
        ("a", "a", ("", "")),
    ],
)
def test_edits_read_as_people_would_say_them(
    before: str, after: str, change: tuple[str, str]
) -> None:
    start, end, replacement = edit_between(before.encode(), after.encode())
    assert (before.encode()[start:end].decode(), replacement) == change


@given(
    st.text(st.sampled_from("aä🧀\u2028\n\r"), max_size=30),
    st.data(),
    st.sampled_from(["utf-16", "bytes", "characters"]),
)
def test_positions_agree_with_counting_characters(
    text: str, data: st.DataObject, unit: str
) -> None:
    source = SourceFile("a", text, "unknown")
    place = data.draw(st.integers(0, len(text)))
    byte = len(text[:place].encode())
    line, at = column(text, byte, unit)
    assert byte_at(source, line, at, unit) == byte  # type: ignore[arg-type]


@given(st.integers(-3, 6) | st.integers(), st.integers(-3, 9) | st.integers())
def test_positions_out_of_the_text_are_refused_in_one_line(line: int, at: int) -> None:
    source = SourceFile("a", "one\ntwo ä\n", "unknown")
    inside = 1 <= line <= 3 and 1 <= at <= len(source.text.split("\n")[line - 1]) + 1
    if inside:
        assert 0 <= byte_at(source, line, at) <= len(source.data)
    else:
        with pytest.raises(ReportError, match=r"^not locatable: .*$"):
            byte_at(source, line, at)


def test_reasons_are_told_apart() -> None:
    java, text = SOURCES["java"], JAVA.encode()

    def problem(find: bytes, replacement: str, offset: int = 0, size: int = 0) -> str | None:
        start = text.index(find) + offset
        return locate(
            java, start, start + (size or len(find)), replacement, whole_tokens=True
        ).problem

    assert problem(b"i < prices.length", "i <= prices.length") is None
    assert "does not parse" in (problem(b"i < prices.length", "i < ") or "")
    assert "same text" in (problem(b"sum", "sum") or "")
    assert "inside 'prices'" in (problem(b"prices[i] * 2", "x", offset=2, size=3) or "")
    assert "outside any java function" in (problem(b"LIMIT = 40", "LIMIT = 41") or "")
    assert locate(java, 5, 10**9, "x").change is None
    assert locate(java, -1, 3, "x").change is None
    assert locate(java, 0, 1, "a\0b").change is None
    assert locate(SOURCES["javascript"], 0, 3, "x").problem == "language not supported: javascript"


def test_a_change_inside_a_string_is_no_cut_token() -> None:
    java = SOURCES["java"]
    at = java.data.index(b"no text") + 1
    assert locate(java, at, at + 1, "x", whole_tokens=True).problem is None


def test_what_is_put_before_or_after_a_function_is_not_in_it() -> None:
    source = SOURCES["c"]
    start, end = source.data.index(b"int clamp"), len(source.data) - 1
    for at, text in ((start, "int x;\n"), (end, "\nint x;")):
        change, problem = locate(source, at, at, text)
        assert change is not None
        assert change.scope == "lines"
        assert "outside any c function" in (problem or "")
    change, problem = locate(source, end - 1, end - 1, "return 0;\n")
    assert change is not None
    assert (change.function, problem) == ("clamp", None)


@pytest.mark.parametrize("added", [" + 1", "; print(a)", "[0]"])
def test_where_no_brace_ends_a_function_its_last_line_may_grow(added: str) -> None:
    text = "def f(a):\n    def g():\n        return a\n\n\nx = 1\n"
    source = SourceFile("a.py", text, "python")
    end = text.index("\n\n")
    change, problem = locate(source, end, end, added)
    assert problem is None
    assert change is not None
    assert (change.function, change.mutant_function[-len(added) :]) == ("g", added)
    change, problem = locate(source, end, end, "\n" + added.strip("+; "))
    assert problem == "not in a function: line 3 is outside any python function"


def test_a_nested_function_is_the_innermost_one() -> None:
    source = SOURCES["python"]
    at = source.data.index(b"value < limit")
    change, _ = locate(source, at + 6, at + 7, "<=")
    assert change is not None
    assert change.function == "inner"
