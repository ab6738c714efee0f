"""Rules: each proves what it should, and keeps silent where a reader would have to think."""

import pytest

from conftest import count
from equimut.data.benchmark.reader import bundled
from equimut.mutation import mutate
from equimut.proofs.proving import RULES, prove

JAVA = "int f(int a, int b, int[] xs, String s) {{ {} }}"
C = "int f(int a, unsigned u, char c, int *xs, int n) {{ {} }}"
PYTHON = "def f(a: int, b: int, xs: list):\n{}\n"


def _rule(language: str, before: str, after: str) -> str:
    frame = {"java": JAVA, "c": C, "python": PYTHON}[language]
    rule = prove(frame.format(before), frame.format(after), language)
    return rule.name if rule else ""


PROVED = [
    ("dead-update", "java", "return a;", "return a++;"),
    ("dead-update", "java", "int y = a; a = 3; return y + a;", "int y = a--; a = 3; return y + a;"),
    ("dead-update", "java", "for (int v : xs) b = v; return b;",
     "for (int v : xs) b = v++; return b;"),
    ("dead-update", "c", "return u;", "return u--;"),
    ("dead-update", "c", "return c;", "return c++;"),
    ("dead-update", "python", "    return b - a", "    return b - ((a := a + 1) - 1)"),
    ("dead-update", "python", "    return abs(a)", "    return abs(((a := a + 1) - 1))"),
    ("dead-update", "python", "    k = len(xs)\n    return k",
     "    k = len(xs)\n    return ((k := k + 1) - 1)"),
    ("dead-store", "java", "int y = 0; y = b; return y;", "int y = 1; y = b; return y;"),
    (
        "dead-store", "java",
        "int y = 0; if (a > b) { y = a; } else { y = b; } return y;",
        "int y = -1; if (a > b) { y = a; } else { y = b; } return y;",
    ),
    ("dead-store", "java", "b = a + 1; return a;", "; return a;"),
    ("dead-store", "c", "int y = 0; y = n; return y;", "int y = 7; y = n; return y;"),
    ("dead-store", "python", "    y = False\n    y = a\n    return y",
     "    y = True\n    y = a\n    return y"),
    ("unused-update-value", "java", "a++; return a;", "++a; return a;"),
    ("same-truth", "java", "if (xs.length == 0) return 1; return 2;",
     "if (xs.length <= 0) return 1; return 2;"),
    ("same-truth", "java", "if (a < 0 || a > 9) return 1; return 2;",
     "if (a < 0 ^ a > 9) return 1; return 2;"),
    ("same-truth", "java", "if (a < 3 && a < 5) return 1; return 2;",
     "if (a < 3) return 1; return 2;"),
    ("same-truth", "c", "if (u > 0) return 1; return 2;", "if (u != 0) return 1; return 2;"),
    ("same-truth", "python", "    return len(xs) == 0", "    return len(xs) <= 0"),
    ("tie", "java", "return a < b ? a : b;", "return a <= b ? a : b;"),
    ("tie", "java", "int t = 0; if (a > t) t = a; return t;",
     "int t = 0; if (a >= t) t = a; return t;"),
    ("tie", "c", "int t = xs[0]; if (xs[a] > t) { t = xs[a]; } return t;",
     "int t = xs[0]; if (xs[a] >= t) { t = xs[a]; } return t;"),
    ("loop-exit", "java", "for (int i = 0; i < xs.length; i++) b += xs[i]; return b;",
     "for (int i = 0; i != xs.length; i++) b += xs[i]; return b;"),
    ("loop-exit", "java",
     "for (int i = 0; i < a; i++) for (int j = i + 1; j < a; j++) b++; return b;",
     "for (int i = 0; i < a; i++) for (int j = i + 1; j != a; j++) b++; return b;"),
    ("absolute-of-non-negative", "java", "return s.length();", "return Math.abs(s.length());"),
    ("absolute-of-non-negative", "java", "for (int i = 0; i < b; i++) a += xs[i]; return a;",
     "for (int i = 0; i < b; i++) a += xs[Math.abs(i)]; return a;"),
    ("absolute-of-non-negative", "python", "    k = 0\n    k += len(xs)\n    return k",
     "    k = 0\n    k += len(xs)\n    return abs(k)"),
    ("negated-zero-test", "java", "return a == 0 ? 1 : b;", "return -a == 0 ? 1 : b;"),
    ("divisor-sign", "java", "return a % b;", "return a % -b;"),
    ("divisor-sign", "java", "return a % b == 0 ? 1 : 2;", "return Math.abs(a) % b == 0 ? 1 : 2;"),
    ("shift-of-non-negative", "java", "return xs.length >> 1;", "return xs.length >>> 1;"),
    ("needless-jump", "java", "while (a < b) { a++; if (a > 3) continue; } return a;",
     "while (a < b) { a++; if (a > 3) ; } return a;"),
    ("unreachable", "python", "    return a\n    print(a)", "    return a\n    print(b)"),
]  # fmt: skip

SILENT = [
    # read later, on some path
    ("java", "int y = a; return y + a;", "int y = a++; return y + a;"),
    ("java", "if (a > b) { b = 1; } return a;", "if (a-- > b) { b = 1; } return a;"),
    ("java", "return a;", "return ++a;"),
    ("java", "while (b > 0) { b -= a; } return b;", "while (b > 0) { b -= a++; } return b;"),
    ("java", "do { b = a; } while (b < 3); return b;", "do { b = a--; } while (b < 3); return b;"),
    ("java", "int y = a; if (b > 0) a = 3; return a;", "int y = a++; if (b > 0) a = 3; return a;"),
    ("java", "while (b > 0) { int y = a; if (y > 2) break; a = 1; } return a;",
     "while (b > 0) { int y = a++; if (y > 2) break; a = 1; } return a;"),
    ("java", "try { b = xs[a]; a = 0; } catch (RuntimeException e) { return a; } return b;",
     "try { b = xs[a++]; a = 0; } catch (RuntimeException e) { return a; } return b;"),
    ("java", "try { return a; } finally { System.out.println(a); }",
     "try { return a++; } finally { System.out.println(a); }"),
    ("python", "    y = a\n    if y > 0:\n        return 1\n    elif b > 0:\n        return a",
     "    y = ((a := a + 1) - 1)\n    if y > 0:\n        return 1\n"
     "    elif b > 0:\n        return a"),
    ("python", "    return (lambda: a)() + a", "    return (lambda: a)() + ((a := a + 1) - 1)"),
    # a field of unknown type may be a fraction or a box, however it is used
    ("java", "if (x > 2 && x >= 3) return 1; return (int) (x - a);",
     "if (x > 2) return 1; return (int) (x - a);"),
    ("java", "b = x - 1; return a;", "; return a;"),
    ("c", "if (x > 2 && x >= 3) return 1; return x - a;", "if (x > 2) return 1; return x - a;"),
    # overflow, address, order of evaluation
    ("c", "return a;", "return a++;"),
    ("c", "unsigned v = u; scanf(\"%u\", &v); return v;",
     "unsigned v = u; scanf(\"%u\", &v); return v++;"),
    ("c", "return xs[u] + u;", "return xs[u++] + u;"),
    # values that may fail or matter
    ("java", "int y = xs[0]; y = b; return y;", "int y = xs[1]; y = b; return y;"),
    ("java", "int y = 10 / a; y = b; return y;", "int y = 11 / a; y = b; return y;"),
    ("python", "    y = xs[0]\n    y = b\n    return y", "    pass\n    y = b\n    return y"),
    ("java", "int y = b; y += a; y = 1; return y;", "int y = b; y /= a; y = 1; return y;"),
    ("python", "    print(k)\n    return a\n    k = 1", "    print(k)\n    return a\n    pass"),
    # types that hide something: boxes, chars, unsigned numbers, macros
    ("java", "Integer y = b; return y;", "Integer y = b; return y++;"),
    ("java", "char y = s.charAt(0); return \"\" + y;",
     "char y = s.charAt(0); return \"\" + Math.abs(y);"),
    ("c", "if (u == -1) return 1; return 2;", "if (u <= -1) return 1; return 2;"),
    ("c", "int k = u; return k;", "int k = u; return abs(k);"),
    ("c", "if (a == 0) return 1; return 2;", "if (-a == 0) return 1; return 2;"),
    ("c", "unsigned k = u; CHECK(n); return k;", "unsigned k = u--; CHECK(n); return k;"),
    ("java", "int y = b; y /= a; y = 1; return y;", "int y = b; y += a; y = 1; return y;"),
    ("java", "for (int i = 0; i < xs.length; i++) { xs = new int[b]; } return b;",
     "for (int i = 0; i != xs.length; i++) { xs = new int[b]; } return b;"),
    # comparisons
    ("java", "if (a == 0) return 1; return 2;", "if (a <= 0) return 1; return 2;"),
    ("java", "if (a > 0 || xs[a] > 9) return 1; return 2;",
     "if (a > 0 ^ xs[a] > 9) return 1; return 2;"),
    ("java", "return a < b ? b : 7;", "return a <= b ? b : 7;"),
    ("java", "for (int i = 0; i < a; i++) b++; return b;",
     "for (int i = 0; i != a; i++) b++; return b;"),
    ("java", "for (int i = 0; i < xs.length; i++) { i += b; } return b;",
     "for (int i = 0; i != xs.length; i++) { i += b; } return b;"),
    ("java", "return a - 1;", "return Math.abs(a) - 1;"),
    ("java", "for (int i = a; i < b; i++) a += xs[i]; return a;",
     "for (int i = a; i < b; i++) a += xs[Math.abs(i)]; return a;"),
    ("c", "return abs(a) % n;", "return abs(a) % -n;"),
    ("java", "return a % b;", "return -a % b;"),
    ("java", "return a >> 1;", "return a >>> 1;"),
    ("java", "while (a < b) { if (a > 3) continue; a++; } return a;",
     "while (a < b) { if (a > 3) ; a++; } return a;"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "language", "before", "after"), PROVED)
def test_a_fact_proves_its_example(name: str, language: str, before: str, after: str) -> None:
    assert _rule(language, before, after) == name


@pytest.mark.parametrize(("language", "before", "after"), SILENT)
def test_no_fact_where_the_change_can_be_seen(language: str, before: str, after: str) -> None:
    assert _rule(language, before, after) == ""


def test_every_fact_has_an_example_and_a_reason() -> None:
    assert {name for name, *_ in PROVED} == set(RULES)
    assert all(len(rule.reason) > 20 for rule in RULES.values())


def test_a_double_tie_is_not_a_tie() -> None:
    before = "double f(double a, double b) { return a < b ? a : b; }"
    assert prove(before, before.replace("<", "<="), "java") is None


@pytest.mark.parametrize("language", ["java", "c", "python"])
def test_no_killed_mutant_of_the_benchmark_is_called_equivalent(language: str) -> None:
    pairs = bundled(language)[:: count(150, 1)]
    wrong = [
        pair.id for pair in pairs if pair.label == 0 and prove(pair.origin, pair.mutant, language)
    ]
    assert wrong == []


def test_facts_say_nothing_about_broken_or_equal_text() -> None:
    whole = JAVA.format("return a;")
    assert prove(whole, whole, "java") is None
    assert prove(whole, whole[:-3], "java") is None


def test_dead_updates_are_found_among_real_mutants() -> None:
    source = "int f(int a, int b) { int t = a * b; if (t > 9) { t = 9; } return t; }"
    found = {
        mutant.replacement
        for mutant in mutate(source, "java", operators=["AOIS"])
        if prove(source, mutant.mutant_function, "java")
    }
    assert found == {"a++", "a--", "b++", "b--", "t++", "t--"}
