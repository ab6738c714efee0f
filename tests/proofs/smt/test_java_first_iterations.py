"""Loops of which one begins an iteration earlier: proved if that iteration changes nothing."""
# ruff: noqa: E501

import pytest

from equimut.proofs.smt.peeling import peeled
from equimut.proofs.smt.proving import lowered, prove

MAX = "int f(int[] a) { int m = a[0]; for (int i = 1; i < a.length; i++) { if (a[i] > m) { m = a[i]; } } return m; }"
BEST = "int f(double[] a) { int b = 0; for (int i = 1; i < a.length; i++) { if (a[i] < a[b]) { b = i; } } return b; }"
SUM = "int f(int n) { int s = 0; for (int i = 1; i < n; i++) { s += i; } return s; }"
SAME = "boolean f(String s) { char c = s.charAt(0); for (int i = 1; i < s.length(); i++) { if (s.charAt(i) != c) { return false; } } return true; }"
WHILE = "int f(int[] a) { int m = a[0]; int i = 1; while (i < a.length) { if (a[i] > m) { m = a[i]; } i++; } return m; }"


def proved(origin: str, before: str = "i = 1", after: str = "i = 0") -> bool:
    assert origin.count(before) == 1, "the change is in one place"
    return prove(origin, origin.replace(before, after), "java") is not None


@pytest.mark.parametrize("origin", [
    MAX, MAX.replace("int f(int", "double f(double").replace("int m", "double m"), BEST, SUM, SAME,
    MAX.replace("> m", ">= m"), SUM.replace("s += i", "if (i > 0) { s++; }"),
    SUM.replace("s += i", "s = s | i"), SUM.replace("i < n", "n > i"),
])  # fmt: skip
def test_a_first_iteration_that_changes_nothing(origin: str) -> None:
    assert proved(origin)
    earlier = origin.replace("i = 1", "i = 0")
    assert proved(earlier, "i = 0", "i = 1")
    assert not proved(origin, "i = 1", "i = 2")
    assert not proved(origin, "i = 1", "i = -1") or origin in (SUM,)


@pytest.mark.parametrize("origin", [
    SUM.replace("s += i", "s++"), MAX.replace("m = a[0]", "m = 5"), SUM.replace("i < n", "i != n"),
    SUM.replace("i++", "i += 2"), SUM.replace("i++", "i--"), SUM.replace("s += i", "s += i; g(i)"),
    SUM.replace("s += i", "if (i == 0) { break; } s += i"), SUM.replace("s += i", "if (i < 1) { return 7; }"),
    SUM.replace("s += i", "if (i == 0) { continue; } s += i"),
    SUM.replace("i < n", "i < n && g(i)"), SUM.replace("i < n", "i < n && t[i] > 0"),
    SUM.replace("s += i", "s += i + a[i] - a[i]").replace("int n", "int n, int[] a"),
    MAX.replace("int m = a[0];", "int m = k;").replace("int[] a", "int[] a, int k"),
    MAX.replace("a[i] > m", "a[i] <= m").replace("m = a[i]", "m = a[i] + 1"),
    BEST.replace("b = 0", "b = 1"), SAME.replace("charAt(0)", "charAt(1)"),
    SUM.replace("s += i", "int[] x = new int[i]; s += x.length; t = x"),
    WHILE.replace("return m;", "return m + i;").replace("i < a.length", "i < 0"),
    SUM.replace("i < n", "i > n"),
])  # fmt: skip
def test_a_first_iteration_that_may_be_seen(origin: str) -> None:
    assert not proved(origin)
    assert not proved(origin.replace("i = 1", "i = 0"), "i = 0", "i = 1")


def test_a_condition_that_throws_for_the_later_counter_only() -> None:
    throws = SUM.replace("i = 1", "i = -1").replace("i < n", "n / i > 3")
    assert not proved(throws, "i = -1", "i = 0")
    assert not proved(throws.replace("i = -1", "i = 0"), "i = 0", "i = -1")
    assert not proved(throws.replace("n / i", "n % i"), "i = -1", "i = 0")


@pytest.mark.parametrize("condition", [
    "i > 0 && a.length < 0", "!(i < 1 || a.length >= 0)", "i > 0 && p.x != p.x",
    "i > 0 && lim < 0 && lim > 0", "i > 0 && s.length() < 0",
])  # fmt: skip
def test_a_condition_that_asks_what_may_be_null_of_the_later_counter_only(condition: str) -> None:
    origin = (
        "void f(int[] a, P p, Integer lim, String s) { for (int i = 0; COND; i++) { int k = i; } }"
    )
    assert not proved(origin.replace("COND", condition), "i = 0", "i = 1")
    assert not proved(origin.replace("COND", condition).replace("i = 0", "i = 1"), "i = 1", "i = 0")


@pytest.mark.parametrize("condition", [
    "i < n && !done", "i < a.length && a != b", "n > i && (i < m || done)",
])  # fmt: skip
def test_a_condition_of_which_the_later_part_throws_never(condition: str) -> None:
    origin = SUM.replace("i < n", condition).replace(
        "int n", "int n, int m, boolean done, int[] a, int[] b"
    )
    assert proved(origin)


@pytest.mark.parametrize(("body", "expected"), [
    ("s += i;", True), ("if (i == 0) { return 7; } s += i;", True),
    ("if (i == 0) { break; } s += i;", False), ("if (i == 0) { continue; } s += i;", False),
    ("if (i == 0) { continue o; } s += i;", False), ("if (i == 0) { break o; } s += i;", False),
    ("while (s < i) { s++; }", False),
])  # fmt: skip
def test_what_leaves_its_loop_does_not_stand_outside(body: str, expected: bool) -> None:
    origin = f"int f(int n) {{ int s = 0; o: for (int k = 0; k < n; k++) {{ for (int i = 0; i < n; i++) {{ {body} }} }} return s; }}"
    one, other = (lowered(each, "java") for each in (origin, origin.replace("i = 0", "i = 1")))
    assert one is not None
    assert other is not None
    assert (peeled(one, other) is not None) == expected
