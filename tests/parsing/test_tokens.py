"""Tokens: everything but white space and comments, each piece once, literals whole."""

import pytest

from equimut.parsing.tokens import remove_comments, tokenize
from equimut.parsing.tree import parse


def texts(code: str, language: str) -> list[str]:
    return [token.text for token in tokenize(parse(code, language))]


@pytest.mark.parametrize(
    ("language", "code", "wanted"),
    [
        ("java", "s = \"a // b\" + 'c'; // d", ["s", "=", '"a // b"', "+", "'c'", ";"]),
        ("java", 's = """\n  x\n  """;', ["s", "=", '"""\n  x\n  """', ";"]),
        ("java", "a /* x */ = b;", ["a", "=", "b", ";"]),
        ("java", "a >>>= 1;", ["a", ">>>=", "1", ";"]),
        ("c", 'p->x = L"a" "b";', ["p", "->", "x", "=", 'L"a"', '"b"', ";"]),
        ("c", "c = '\\n';", ["c", "=", "'\\n'", ";"]),
        ("c", "#include <a.h>\n", ["#include", "<a.h>"]),
        ("c", "#define N 1 + 2 /* x */\nint a;", ["#define", "N", "1 + 2", "int", "a", ";"]),
        ("c", "a = b \\\n + c;", ["a", "=", "b", "+", "c", ";"]),
        ("python", "s = f'{a} b' # c\n", ["s", "=", "f'{a} b'"]),
        ("python", "if a: # x\n    b\n", ["if", "a", ":", "b"]),
        ("python", "é = 'ü'\n", ["é", "=", "'ü'"]),
    ],
)
def test_tokens_of(language: str, code: str, wanted: list[str]) -> None:
    assert texts(code, language) == wanted


@pytest.mark.parametrize("junk", ["@@", "#", "`x`", "€ 5", "\\ ?", "$$ ~~"])
@pytest.mark.parametrize("language", ["java", "c", "python"])
def test_what_the_grammar_cannot_read_is_still_in_the_tokens(language: str, junk: str) -> None:
    if junk == "#" and language == "python":
        pytest.skip("a comment there")
    code = f"x = 1\n{junk}\ny = 2\n"
    assert "".join(texts(code, language)) == "".join(code.split())


@pytest.mark.parametrize(
    ("language", "code", "wanted"),
    [
        ("java", 'a = "/* no */"; // yes\nb /* x\ny */ c', 'a = "/* no */";  \nb \n c'),
        ("c", "a /**/ b // x \\\n y\nc", "a   b \n\nc"),
        ("python", "a = '#'  # é\n# b\nc\n", "a = '#'   \n \nc\n"),
        ("java", "no comment", "no comment"),
    ],
)
def test_comments_go_and_lines_stay(language: str, code: str, wanted: str) -> None:
    assert remove_comments(code, language) == wanted
    assert texts(remove_comments(code, language), language) == texts(code, language)
