"""What a language states of itself decides which mutants are made and what is proved."""

import pytest

from equimut.mutation import mutate
from equimut.proofs.proving import prove

MADE = [
    ("java", "Shop f(Shop a) { return a; }", "return a", "return null"),
    ("java", "int f(Shop a, int b) { if (a.x == b) b = 1; return b; }", "a.x == b", "a.x <= b"),
    ("java", "boolean f(boolean p, boolean q) { return p && q; }", "p && q", "p ^ q"),
    ("c", "int f(int *p, int a) { return p[a]; }", "[a]", "[a++]"),
    ("c", "int f(int p, int q) { return p == q; }", "==", "<="),
    ("python", "def f(a: int):\n    return a + 1\n", "a + 1", "(a := a + 1) + 1"),
    ("python", "def f(a):\n    for i in range(a):\n        g(i)\n", "range(a)", "range(a + 1)"),
    ("python", "def f(a: str):\n    x = a\n    return x\n", "x = a", "x = None"),
]
NOT_MADE = [
    ("java", "boolean f(Shop a, Shop b) { return a == b; }", "==", "<="),
    ("java", "Object f(Shop a, Shop b) { return g(a.x + b.x); }", "a.x + b.x", "a.x - b.x"),
    ("java", "int f(int[] a) { return a.length; }", "a.length", "a.length++"),
    ("java", "char f(char a) { return a; }", "return a", "return -a"),
    ("java", "int f(byte b, int a) { b += a; return b; }", "+=", "="),
    ("c", "int f(int p, int q) { return p && q; }", "p && q", "p ^ q"),
    ("c", "double f(double a, double b) { return a * b; }", "a * b", "a % b"),
    ("c", "int f(int a) { for (; a < range(a); ) a++; return a; }", "range(a)", "range(a + 1)"),
    ("c", "int f(bool p) { p = true; return p; }", "p = true", "p = 1 "),
    ("python", "def f(a):\n    return a is None and a == None\n", "a == None", "a <= None"),
    ("python", "def f(a):\n    return lambda: a\n", "lambda: a", "lambda: (a := a + 1)"),
]
PROVED = [
    ("java", "int f(char a) { return a == 0 ? 1 : 2; }", "a == 0", "a <= 0"),
    ("java", "int f(int a, int b) { return a % b; }", "% b", "% -b"),
    ("java", "int f(int a) { return a; }", "return a", "return a++"),
    ("c", "int f(unsigned a) { return a; }", "return a", "return a++"),
    ("c", "int f(int a) { return 1; a = 2; }", "a = 2", "a = 3"),
    ("python", "def f(a: int):\n    x = a % 7\n    return x\n", "return x", "return abs(x)"),
]
NOT_PROVED = [
    ("java", "int f(Integer a) { return a; }", "return a", "return a++"),
    ("c", "int f(int a) { return a; }", "return a", "return a++"),
    ("c", "int f(int a, int b) { return a % b; }", "% b", "% -b"),
    ("c", "int f(int a) { { int x = 2; } int x = 3; return x; }", "x = 2", "x = 4"),
    ("c", "int f(long n) { for (long i = 0; i < n; i++) g(i); return 1; }", "g(i)", "g(abs(i))"),
    ("c", "int f(int a, unsigned b) { return a < b; }", "a < b", "!(b <= a)"),
    ("python", "def f(a: int, b: int):\n    return a % b\n", "% b", "% -b"),
    ("python", "def f(a):\n    return len(a) / 2\n", "len(a) / 2", "abs(len(a) / 2)"),
    ("python", "def f(a):\n    x = 1\n    return locals()\n", "x = 1", "x = 2"),
]


@pytest.mark.parametrize(("language", "source", "old", "new"), MADE)
def test_a_mutant_that_suits_the_language_is_made(
    language: str, source: str, old: str, new: str
) -> None:
    made = {one.mutant_function.strip() for one in mutate(source, language)}
    assert source.replace(old, new).strip() in made


@pytest.mark.parametrize(("language", "source", "old", "new"), NOT_MADE)
def test_a_mutant_that_does_not_suit_it_is_not_made(
    language: str, source: str, old: str, new: str
) -> None:
    made = {one.mutant_function.strip() for one in mutate(source, language)}
    assert made
    assert source.replace(old, new).strip() not in made


@pytest.mark.parametrize(("language", "source", "old", "new"), PROVED)
def test_what_the_language_guarantees_is_proved(
    language: str, source: str, old: str, new: str
) -> None:
    assert prove(source, source.replace(old, new), language) is not None


@pytest.mark.parametrize(("language", "source", "old", "new"), NOT_PROVED)
def test_what_it_does_not_guarantee_is_not_proved(
    language: str, source: str, old: str, new: str
) -> None:
    assert prove(source, source.replace(old, new), language) is None
