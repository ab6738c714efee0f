"""Which names of a change mean something outside of the function: told from its text."""

import pytest

from equimut.semantics.names import outside_names

JAVA = "int f(int a, Box b) {{ int c = a; return {}; }}"
C = "int f(int a, struct box *b) {{ int c = a; return {}; }}"
PYTHON = "def f(self, a, *rest, key=1):\n    c = [n for n in a]\n    return {}\n"
CASES = [
    (JAVA, "a", "a++", ()),
    (JAVA, "c < a", "c <= a", ()),
    (JAVA, "Math.abs(a)", "a", ()),
    (JAVA, "f(a, b)", "f(c, b)", ()),
    (JAVA, "b.grow(a)", "b.grow(-a)", ()),
    (JAVA, "xs[a]", "xs[c]", ()),  # the index alone is changed
    (JAVA, "total", "total++", ("total",)),
    (JAVA, "this.total", "this.total--", ("total",)),
    (JAVA, "est", "est--", ("est",)),
    (JAVA, "c + head", "c + head++", ("head",)),
    (JAVA, "grown(a) + c", "grown(a) - c", ("grown",)),
    (JAVA, "b.size + 1", "b.size - 1", ("size",)),
    (JAVA, "Limits.MOST - a", "Limits.MOST + a", ("Limits", "MOST")),
    (C, "a", "a + 1", ()),
    (C, "abs(a) + c", "abs(a) - c", ()),
    (C, "b->size", "b->size++", ("size",)),
    (C, "total + 1", "total - 1", ("total",)),
    (C, "grown(a) + 1", "grown(a) - 1", ("grown",)),
    (PYTHON, "len(a) + 1", "len(a) - 1", ()),
    (PYTHON, "key < c", "key <= c", ()),
    (PYTHON, "rest[0] + n", "rest[0] - n", ()),
    (PYTHON, "a.index(c) + 1", "a.index(c) - 1", ()),
    (PYTHON, "self.total + 1", "self.total - 1", ("total",)),
    (PYTHON, "a > MOST", "a >= MOST", ("MOST",)),
    (PYTHON, "grown(a, key=1) + c", "grown(a, key=1) - c", ("grown",)),
]


@pytest.mark.parametrize(("frame", "old", "new", "names"), CASES)
def test_names_of_the_changed_expression(
    frame: str, old: str, new: str, names: tuple[str, ...]
) -> None:
    language = {JAVA: "java", C: "c", PYTHON: "python"}[frame]
    assert outside_names(frame.format(old), frame.format(new), language) == names


@pytest.mark.parametrize("word", ["global", "nonlocal"])
def test_a_name_that_the_function_borrows(word: str) -> None:
    frame = f"def f(a):\n    {word} n\n    n = a {{}} 1\n"
    assert outside_names(frame.format("+"), frame.format("-"), "python") == ()
    frame = f"def f(a):\n    {word} n\n    n = a + 1\n    return n {{}} 1\n"
    assert outside_names(frame.format("+"), frame.format("-"), "python") == ("n",)
