"""Edits: diffs with and without headers, and the functions they touch."""

import re
from difflib import unified_diff
from random import Random

import pytest

from conftest import count, shared_file
from equimut.errors import ParseError
from equimut.parsing.edits import FunctionPair, apply_diff, changed_functions
from oracles.random_programs import RandomProgram

SOURCE = "int f(int a) {\n    return a;   \n}\n\nint g(int b) {\n    return b;\n}\n"


@pytest.mark.parametrize("header", ["", "--- a/f.c\n+++ b/f.c\n", "diff --git a b\n--- a\n+++ b\n"])
@pytest.mark.parametrize("position", ["@@ -2 +2 @@", "@@ -2,1 +2,1 @@ int f(int a) {"])
def test_a_diff_applies_with_and_without_headers(header: str, position: str) -> None:
    diff = f"{header}{position}\n-    return a;\n+    return a + 1;\n"
    assert apply_diff(SOURCE, diff) == SOURCE.replace("return a;   ", "return a + 1;")


def test_trailing_space_counts_only_when_asked() -> None:
    diff = "@@ -2 +2 @@\n-    return a;\n+    return 1;"
    assert "return 1;" in apply_diff(SOURCE, diff)
    with pytest.raises(ParseError, match=r"line 2 is 'return a;'"):
        apply_diff(SOURCE, diff, ignore_trailing_space=False)


def test_context_lines_keep_their_own_white_space() -> None:
    diff = "@@ -1,3 +1,3 @@\n-int f(int a) {\n+int f(int x) {\n     return a;\n }\n"
    assert "return a;   \n" in apply_diff(SOURCE, diff)


def test_carriage_returns_stay() -> None:
    assert apply_diff("a\r\nb\r\n", "@@ -2 +2 @@\n-b\n+c\n") == "a\r\nc\r\n"


def test_lines_may_be_inserted_and_deleted() -> None:
    assert apply_diff("a\nb\n", "@@ -1,0 +2 @@\n+x\n") == "a\nx\nb\n"
    assert apply_diff("a\nb\n", "@@ -0,0 +1 @@\n+x\n") == "x\na\nb\n"
    assert apply_diff("a\nb\n", "@@ -1 +0,0 @@\n-a\n") == "b\n"


def test_lines_nearby_are_found_only_if_there_is_no_doubt() -> None:
    assert apply_diff("a\nb\nc\n", "@@ -3 +3 @@\n-b\n+x\n") == "a\nx\nc\n"
    with pytest.raises(ParseError, match=r"stand at 1 and 3, not at 2"):
        apply_diff("a\nb\na\n", "@@ -2 +2 @@\n-a\n+x\n")
    with pytest.raises(ParseError, match=r"line 3 is 'c', the diff expects 'b'"):
        apply_diff("a\nb\nc\n", "@@ -3 +3 @@\n-b\n+x\n", max_shift=0)


@pytest.mark.parametrize(
    ("diff", "message"),
    [
        ("", "no hunk"),
        ("garbage", "no hunk"),
        ("@@ -2,5 +2 @@\n-a\n", "not a unified diff"),
        ("@@ -50 +50 @@\n-zz\n+y\n", "not in the source"),
        ("@@ -99,0 +100 @@\n+y\n", "no line 99"),
        ("--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n--- c\n+++ d\n@@ -1 +1 @@\n-x\n+y\n", "one file"),
    ],
)
def test_a_diff_that_does_not_apply_is_a_clear_error(diff: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        apply_diff(SOURCE, diff)


def test_diffs_made_by_difflib_apply() -> None:
    for seed in range(count(100, 1000)):
        random = Random(seed)
        before = RandomProgram(random, "java").text().split("\n")
        after = [line for line in before if random.random() > 0.1]
        after.insert(random.randint(0, len(after)), "int new = 1;")
        diff = "\n".join(unified_diff(before, after, lineterm="", n=random.randint(0, 3)))
        assert apply_diff("\n".join(before), diff, max_shift=0) == "\n".join(after), seed


def test_the_changed_function_before_and_after() -> None:
    mutant = SOURCE.replace("return b", "return -b")
    assert changed_functions(SOURCE, mutant, "c") == (
        FunctionPair(
            "g", "int g(int b) {\n    return b;\n}", "int g(int b) {\n    return -b;\n}", 5
        ),
    )


def test_an_edit_of_two_functions_gives_two_pairs() -> None:
    mutant = SOURCE.replace("return a", "return 1").replace("return b", "return\n\n 2")
    pairs = changed_functions(SOURCE, mutant, "c")
    assert [pair.name for pair in pairs] == ["f", "g"]
    assert pairs[1].mutant == "int g(int b) {\n    return\n\n 2;\n}"


def test_distant_edits_do_not_touch_what_is_between_them() -> None:
    source = "".join(f"int f{i}(int a) {{\n    return a;\n}}\n" for i in range(2_000))
    lines = source.split("\n")
    lines[1], lines[-3] = "    return 1;", "    return 2;"
    for extra in ([], ["    return 3;"]):
        mutant = "\n".join([*lines[:-3], *extra, *lines[-3:]])
        assert [pair.name for pair in changed_functions(source, mutant, "c")] == ["f0", "f1999"]


def test_very_distant_edits_are_told_apart_line_by_line() -> None:
    source = "".join(f"int f{i}(int a) {{\n    return a;\n}}\n" for i in range(7_000))
    lines = source.split("\n")
    lines[1], lines[-3] = "    return 1;", "    return 2;"
    pairs = changed_functions(source, "\n".join(lines), "c")
    assert [pair.name for pair in pairs] == ["f0", "f6999"]


def test_a_mutant_that_no_longer_parses_is_still_cut_out() -> None:
    mutant = SOURCE.replace("return a;", "return ((a;")
    assert (
        changed_functions(SOURCE, mutant, "c")[0].mutant == "int f(int a) {\n    return ((a;   \n}"
    )


def test_the_innermost_method_is_the_changed_one() -> None:
    code = "class A { R f() { return new R() { void run() { g(1); } }; } }"
    pairs = changed_functions(code, code.replace("1", "2"), "java")
    assert [pair.origin for pair in pairs] == ["void run() { g(1); }"]


@pytest.mark.parametrize(
    ("mutant", "message"),
    [
        (SOURCE, r"same text"),
        ("int x;\n" + SOURCE, r"line 1 is outside any c function"),
        (SOURCE + "int x;\n", r"line 8 is outside"),
    ],
)
def test_a_change_outside_any_function_is_an_error(mutant: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        changed_functions(SOURCE, mutant, "c")


def test_splicing_the_pair_back_gives_the_mutant_file() -> None:
    for seed in range(count(60, 600)):
        random = Random(seed)
        files = [RandomProgram(random, "java").text().replace(" f(", f" f{i}(") for i in range(4)]
        origin = "\n".join(files)
        at = random.choice([match.start() for match in re.finditer(r"\b[abcd]\b", origin)])
        mutant = origin[:at] + "(x + 1)" + origin[at + 1 :]
        pairs = changed_functions(origin, mutant, "java")
        assert len(pairs) == 1
        assert origin.replace(pairs[0].origin, pairs[0].mutant) == mutant


def real_mutants() -> list[tuple[str, str]]:
    """(program, diff) of every mutant of the real data, read without an RDF library."""
    text = shared_file("data", "mutantbench", "dataset.ttl").read_text()
    pattern = r'mb:difference """(.*?)""" ;.*?mb:program <mb:program#([^>]+)>'
    return [
        (program, diff.replace(r"\"", '"').replace(r"\\", "\\"))
        for diff, program in re.findall(pattern, text, re.S)
    ]


def test_every_real_diff_applies_and_every_touched_function_is_found() -> None:
    mutants = real_mutants()
    assert len(mutants) == 1098 + 3302
    java = [mutant for mutant in mutants if mutant[0].endswith(".java")]
    mutants = [mutant for mutant in mutants if mutant[0].endswith(".c")] + java[:: count(10, 1)]
    sources: dict[str, str] = {}
    two_functions = strict_failures = 0
    for program, diff in mutants:
        if program not in sources:
            path = shared_file("data", "mutantbench", "programs", program)
            sources[program] = path.read_text()
        language = "java" if program.endswith(".java") else "c"
        origin = sources[program]
        pairs = changed_functions(origin, apply_diff(origin, diff), language)
        assert all(pair.origin != pair.mutant for pair in pairs)
        two_functions += len(pairs) == 2
        assert len(pairs) <= 2
        try:
            apply_diff(origin, diff, ignore_trailing_space=False)
        except ParseError:
            strict_failures += 1
    assert (two_functions, strict_failures) == (7, 160)
