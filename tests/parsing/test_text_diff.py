"""The one place that says what differs, against plain loops; and what is the same code."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equimut.parsing.text_diff import (
    byte_difference,
    changed_lines,
    code_tokens,
    common_prefix,
    common_suffix,
    difference,
    line_differences,
    same_code,
)

ROWS = st.lists(st.sampled_from("ab"), max_size=7).map(tuple)
TEXTS = st.text(alphabet="aé©€😀\n", max_size=8)


def plain_difference(old: tuple[str, ...], new: tuple[str, ...]) -> tuple[int, int, int]:
    start, shorter = 0, min(len(old), len(new))
    while start < shorter and old[start] == new[start]:
        start += 1
    tail = 0
    while tail < shorter - start and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return start, len(old) - tail, len(new) - tail


@given(ROWS, ROWS)
def test_the_difference_is_the_one_of_a_plain_loop(
    old: tuple[str, ...], new: tuple[str, ...]
) -> None:
    assert difference(old, new) == plain_difference(old, new)
    start, end, new_end = difference(old, new)
    assert old[:start] + new[start:new_end] + old[end:] == new
    assert difference("".join(old), "".join(new)) == plain_difference(old, new)
    ends = [n for n in range(min(len(old), len(new)) + 1) if old[:n] == new[:n]]
    assert common_prefix(old, new) == max(ends)
    assert common_suffix(old, new) == common_prefix(old[::-1], new[::-1])


@given(TEXTS, TEXTS)
def test_the_difference_of_bytes_is_that_of_characters(old: str, new: str) -> None:
    start, old_end, new_end = plain_difference(tuple(old), tuple(new))
    sizes = (len(text.encode()) for text in (old[:start], old[:old_end], new[:new_end]))
    assert byte_difference(old.encode(), new.encode()) == tuple(sizes)


@given(ROWS, ROWS)
def test_line_differences_rebuild_the_new_text(old: tuple[str, ...], new: tuple[str, ...]) -> None:
    built, done = [], 0
    for start, end, new_start, new_end in line_differences(old, new):
        built += [*old[done:start], *new[new_start:new_end]]
        done = end
    assert (*built, *old[done:]) == new


def test_long_sequences_take_no_quadratic_time() -> None:
    lines = [f"line {number}" for number in range(60_000)]
    other = [*lines[:100], "new", *lines[100:59_000], *lines[59_500:]]
    began = time.process_time()
    assert difference(lines, other)[:2] == (100, 59_500)
    assert line_differences(lines, other)
    assert changed_lines("\n".join(lines), "\n".join(other))
    assert difference("a" * 3_000_000 + "b", "a" * 3_000_000 + "c").start == 3_000_000
    assert time.process_time() - began < 5


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ("a\nb\nc", "a\nB\nc", (2,)),
        ("a\nb\nc", "a\nc", (2,)),
        ("a\nc", "a\nb\nc", (2,)),
        ("a", "a\nb", (2,)),
        ("a\nb\nc", "A\nb\nC", (1, 3)),
        ("a", "a", ()),
    ],
)
def test_changed_lines(before: str, after: str, lines: tuple[int, ...]) -> None:
    assert changed_lines(before, after) == lines


BLOCK = "def f(a):\n    if a:\n        a = 1\n        a = 2\n"


@pytest.mark.parametrize(
    ("language", "origin", "mutant", "same"),
    [
        ("java", "int f() { return 1; }", "int f() {\n  return 1; // one\n}", True),
        ("java", "int f() { return 1; }", "int f() { return 2; }", False),
        ("java", "int f() { /* a */ return 1; }", "int f() { /* b */ return 1; }", True),
        ("java", "int f() { return 1 }", "int f() { return  1 }", False),  # does not parse
        ("java", "int f() { return a+ +b; }", "int f() { return a++b; }", False),
        ("c", 'char *f() { return "a b"; }', 'char *f() { return "a  b"; }', False),
        ("c", "int f() { return 1; }", "int f()\n{ return 1; }", True),
        ("c", "#define A 1\nint f() { return A; }", "#define A\n1 int f() { return A; }", False),
        ("c", "#define S(a) #a\nchar *s = S(a+b);", "#define S(a) #a\nchar *s = S(a + b);", False),
        ("c", "#define A 1\n", "#define A 1\n", True),
        ("python", "def f(a):\n    return a\n", "def f( a ):  # a\n    return a\n", True),
        ("python", "def f(a):\n    return a\n", "def f(a):\n  return a\n", True),
        ("python", "x = (1,\n2)\n", "x = (1, 2)\n", True),
        ("python", "x = 1 + \\\n  2\n", "x = 1 + 2\n", True),
        ("python", "x = 1\n-2\n", "x = 1 -2\n", False),
        ("python", BLOCK, BLOCK.replace("        a = 2", "    a = 2"), False),
        ("python", BLOCK, BLOCK.replace("    ", "\t"), True),
        # Python refuses a block whose lines agree at one width of a tab only.
        ("python", BLOCK, BLOCK.replace("        a = 2", "\ta = 2"), False),
        # J17, J18: what ends a comment
        (
            "java",
            "int f() { int x = 1; // a\n return x; }",
            "int f() { int x = 1; // \\u000a x++;\n return x; }",
            False,
        ),
        (
            "java",
            "int f() { int x = 1; // a\n return x; }",
            "int f() { int x = 1; // a\r x++;\n return x; }",
            False,
        ),
        ("python", "x = 1  # a\n", "x = 1  # a\rx = 2\n", False),
        # C23, C24, C25: what macros and the preprocessor see of the layout
        ("c", "int f() { return __LINE__; }", "int f() {\n return __LINE__; }", False),
        ("c", "int f(int a) { return STR(a+a); }", "int f(int a) { return STR(a + a); }", False),
        ("c", "int f(int a) { return g(a+a); }", "int f(int a) { return g(a+a); } ", True),
        ("c", "int f(int a) { return abs(a+a); }", "int f(int a) {\n return abs(a + a); }", True),
        ("c", "void f(int a) { assert(a+a); }", "void f(int a) { assert(a + a); }", False),
        (
            "c",
            "int f(int x) { // a\n x++; return x; }",
            "int f(int x) { // a \\ \n x++; return x; }",
            False,
        ),
        ("cobol", "a b", "a  b", False),
        ("cobol", "a b", "a b", True),
        ("java", "int f() { return 1; }", "int f() { return 1;\0 }", False),
    ],
)
def test_the_same_code(language: str, origin: str, mutant: str, same: bool) -> None:
    assert same_code(origin, mutant, language) is same
    assert same_code(mutant, origin, language) is same


@pytest.mark.parametrize("language", ["java", "c"])
@pytest.mark.parametrize("blank", [" ", "\n", "\t", " // a\n", " /* a */ "])
def test_blanks_and_comments_between_tokens_change_no_code(language: str, blank: str) -> None:
    source = "int f ( int a ) { int b = a * 2 ; return b ; }"
    words = source.split(" ")
    for at in range(1, len(words)):
        other = " ".join(words[:at]) + blank + " ".join(words[at:])
        assert same_code(source, other, language), other


def test_a_language_without_a_grammar_is_cut_at_spaces() -> None:
    assert code_tokens("let x  = 1;", "javascript") == ("let", "x", "=", "1;")
    assert code_tokens("f('x y')", "javascript") == ("f('x", "y')")


@pytest.mark.parametrize(
    ("before", "after"),
    [("f('x y')", "f('x  y')"), ("f(`x y`)", "f(`x\ty`)"), ("return x", "return\n x")],
)
def test_blanks_with_a_meaning_are_seen_without_a_grammar(before: str, after: str) -> None:
    assert code_tokens(before, "javascript") != code_tokens(after, "javascript")
