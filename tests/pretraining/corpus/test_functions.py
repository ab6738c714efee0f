"""Functions of a corpus: their code and nothing else, and only from code people wrote."""

import ast
from collections import Counter
from pathlib import Path

import pytest

from conftest import ROOT, count
from equimut.languages import get_language
from equimut.parsing.functions import functions
from equimut.parsing.tokens import tokenize
from equimut.parsing.tree import parse
from equimut.pretraining.corpus.functions import MAX_TOKENS, MIN_TOKENS, FoundFunction, functions_of
from equimut.pretraining.corpus.sources import (
    SourceFile,
    corpus_suffixes,
    wanted_content,
    wanted_path,
)

JAVA = """class A {
    /** Prose. */
    int half(int value) { // half of it

        /* first */ int result = value / 2;

        // and then
        if (result < 0) { return -result; }
        return result; /* "quoted" */
    }
    int get() { return 1; }
}
"""
PYTHON = '''class A:
    def f(self, a, b):
        """Says what it does."""
        # a reason
        text = """two

        lines"""
        if a > b and \\
                b > 0:
            return text  # because
        # before the next line

        return [a, b, self]
'''


def taken(tmp_path: Path, language: str, source: str) -> tuple[list[FoundFunction], Counter[str]]:
    path = tmp_path / f"file{corpus_suffixes()[language]}"
    path.write_text(source)
    dropped: Counter[str] = Counter()
    file = SourceFile(language, "package", path.name, path)
    return list(functions_of(file, dropped)), dropped


def test_java_method_loses_comments_and_indentation(tmp_path: Path) -> None:
    found, dropped = taken(tmp_path, "java", JAVA)
    assert [each.function.name for each in found] == ["half"]
    assert found[0].function.text == (
        "int half(int value) {\n"
        "    int result = value / 2;\n"
        "    if (result < 0) { return -result; }\n"
        "    return result;\n"
        "}"
    )
    assert dropped == {"function: too short": 1}


def test_python_function_loses_its_docstring_and_keeps_its_strings(tmp_path: Path) -> None:
    found, _ = taken(tmp_path, "python", PYTHON)
    text = found[0].function.text
    assert text == (
        "def f(self, a, b):\n"
        '    text = """two\n\n    lines"""\n'
        "    if a > b and \\\n            b > 0:\n"
        "        return text\n"
        "    return [a, b, self]"
    )
    ast.parse(text)


def test_lines_joined_by_a_backslash_stay_joined(tmp_path: Path) -> None:
    text = (
        "int f(int a, int b) {\n    if (a < b) return a * b \\\n        + b - a;\n    return a;\n}"
    )
    found, _ = taken(tmp_path, "c", text)
    assert found[0].function.text == text


def test_body_that_was_a_docstring_alone_becomes_pass(tmp_path: Path) -> None:
    source = (
        "def f(a, b, c):\n    def g():\n        '''Nothing.'''\n"
        "    return g() + a * b * c - a / b - c * a\n"
    )
    found, _ = taken(tmp_path, "python", source)
    assert "    def g():\n        pass\n    return" in found[0].function.text


@pytest.mark.parametrize("language", corpus_suffixes())
def test_text_has_the_tokens_of_its_source(language: str, tmp_path: Path) -> None:
    """On the project's own sources: same tokens as the function has where it stands."""
    suffix = corpus_suffixes()[language]
    paths = sorted((ROOT / "src").rglob(f"*{suffix}"))[:: count(9, 1)]
    seen = 0
    for path in paths:
        source = path.read_text()
        tree = parse(source, language)
        words = [(token.start, token.text) for token in tokenize(tree)]
        inside = {
            tuple(text for start, text in words if each.start <= start < each.end)
            for each in functions(tree)
        }
        for found in functions_of(SourceFile(language, "p", path.name, path), Counter()):
            text = found.function.text
            again = tuple(token.text for token in tokenize(parse(text, language)))
            assert again == found.tokens
            assert not parse(text, language).errors
            assert MIN_TOKENS <= len(again) <= MAX_TOKENS
            assert not any(not line.strip() for line in text.split("\n")) or '"""' in text
            if '"""' not in source:  # docstrings go, and dedenting reaches into long strings
                assert again in inside
            seen += 1
    assert seen > 5


def test_inner_function_is_taken_only_when_the_outer_one_is_not(tmp_path: Path) -> None:
    inner = "    def inner(a, b):\n        return [a + b, a - b, a * b, a / b]\n"
    found, _ = taken(tmp_path, "python", f"def outer(c):\n{inner}    return inner(c, c)\n")
    assert [each.function.name for each in found] == ["outer"]
    long = "    x = 1\n" * MAX_TOKENS
    found, dropped = taken(tmp_path, "python", f"def outer(c):\n{inner}{long}")
    assert [each.function.name for each in found] == ["inner"]
    assert dropped == {"function: too long": 1}


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("#ifdef X\n    a = b + 1;\n#endif\n    return a * b - a / b;", "preprocessor inside"),
        ("    for_each(a, b) { a += b; }}} return a + b + a; ((", "syntax error"),
        (f'    puts("{"x" * 300}"); return a + b * a - b / a + 1;', "data in a literal"),
    ],
)
def test_unfit_functions_are_counted_by_reason(body: str, reason: str, tmp_path: Path) -> None:
    _, dropped = taken(tmp_path, "c", f"int f(int a, int b) {{\n{body}\n}}\n")
    assert dropped[f"function: {reason}"] == 1


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a/tests/b.c", "c"),
        ("a/test/b.c", "c"),
        ("a/test_b.py", "python"),
        ("a/BTest.java", "java"),
        ("a/testdata/b.c", "c"),
        ("a/generated/B.java", "java"),
        ("a/x_pb2.py", "python"),
        ("a/b.h", "c"),
    ],
)
def test_tests_and_generated_files_are_known_by_their_path(path: str, language: str) -> None:
    assert not wanted_path(path, language)


@pytest.mark.parametrize(
    ("path", "language"),
    [("a/latest/b.c", "c"), ("a/attest.py", "python"), ("java/util/Contest.java", "java")],
)
def test_ordinary_files_that_sound_a_little_like_tests_stay(path: str, language: str) -> None:
    assert wanted_path(path, language)


@pytest.mark.parametrize(
    "content",
    [
        b"/* This file was mechanically generated: Do not edit! */ int a;",
        b"# Generated by the compiler.  DO NOT EDIT!\n",
        b"int a = 1;" * 200,
        b"int a;\0",
        b"",
    ],
)
def test_generated_and_minified_content_is_refused(content: bytes) -> None:
    assert not wanted_content(content)
    assert wanted_content(b"int a;\n")


def test_languages_of_the_corpus_are_languages_of_the_project() -> None:
    assert all(suffix in get_language(name).suffixes for name, suffix in corpus_suffixes().items())
