"""Rows of arrays as bounds, signs of floating-point numbers, and loops behind a question."""
# ruff: noqa: E501

import pytest

from equimut.proofs.smt.prover import Proof
from equimut.proofs.smt.proving import prove


def found(origin: str, before: str, after: str, members: str = "") -> Proof | None:
    assert origin.count(before) == 1, "the change is in one place"
    file = f"import java.util.*;\nclass A {{\n{members}\n{origin}\n}}\n"
    return prove(origin, origin.replace(before, after), "java", file=file)


def rows(body: str, bound: str = "a[i].length") -> str:
    inner = f"for (int j = 0; j < {bound}; j++) {{ {body} }}"
    return f"int f(int[][] a, int[][] b, int k) {{ int s = 0; for (int i = 0; i < a.length; i++) {{ {inner} }} return s; }}"


@pytest.mark.parametrize("body", [
    "s += a[i][j];", "b[i][j] = a[i][j];", "if (a[i][j] < k) { break; }",
    "if (a[i][j] == s) { continue; } s++;",
])  # fmt: skip
def test_the_length_of_a_row_bounds_a_loop(body: str) -> None:
    assert found(rows(body), "j < a[i]", "j != a[i]") is not None


@pytest.mark.parametrize("body", [
    "s += a[i][j]; j++;", "a[i] = b[j];", "a = b;", "s += a[i][j]; i = k;", "a[k] = new int[j];",
    "next();", "int[][] c = a; c[i] = b[i]; s++;", "j += s; s++;",
])  # fmt: skip
def test_a_row_may_be_another_one_later(body: str) -> None:
    assert found(rows(body), "j < a[i]", "j != a[i]") is None


@pytest.mark.parametrize("bound", ["a[k].length - 1", "a[i].length - k", "a[j].length"])
def test_other_bounds_may_be_passed(bound: str) -> None:
    assert found(rows("s++;", bound), "j < a", "j != a") is None


def test_a_row_that_is_a_field() -> None:
    origin = "double f(int i) { double s = 0; for (int j = 0; j < d[i].length; j++) { s += d[i][j]; } return s; }"
    assert found(origin, "j < d", "j != d", "private double[][] d;") is not None
    assert found(origin, "j < d", "j != d", "private volatile double[][] d;") is None
    calling = origin.replace("s += d[i][j];", "next();")
    assert found(calling, "j < d", "j != d", "private double[][] d;") is None


def extreme(first: str, of: str, test: str = "x > m", keep: str = "m = x;") -> str:
    return f"double f(double[] a, double[] b, double c) {{ double m = {first}; for (int i = 0; i < a.length; i++) {{ double x = {of}; if ({test}) {{ {keep} }} }} return m; }}"


@pytest.mark.parametrize(("first", "of"), [
    ("0", "Math.abs(a[i])"), ("Double.NEGATIVE_INFINITY", "Math.abs(a[i])"),
    ("0.0", "a[i] * a[i]"), ("-1", "a[i] * a[i] + b[i] * b[i]"), ("1", "Math.exp(a[i])"),
    ("0", "Math.sqrt(a[i] * a[i] + 1)"), ("0", "Math.hypot(a[i], b[i])"),
    ("0", "Math.abs(a[i]) / Math.abs(b[i])"),
])  # fmt: skip
def test_a_tie_of_numbers_without_a_minus_sign(first: str, of: str) -> None:
    assert found(extreme(first, of), "x > m", "x >= m") is not None
    assert found(extreme(first, of, "x < m"), "x < m", "x <= m") is not None


@pytest.mark.parametrize(("first", "of"), [
    ("0", "a[i]"), ("-0.0", "Math.abs(a[i])"), ("0", "a[i] * b[i]"), ("0", "-Math.abs(a[i])"),
    ("0", "a[i] * a[i] - b[i] * b[i]"), ("0", "Math.sqrt(a[i])"), ("0", "a[i] + a[i]"),
    ("0", "a[i] / a[i] * b[i]"), ("c", "Math.abs(a[i])"), ("0", "Math.abs(a[i]) * b[i]"),
    ("0", "Math.log(a[i])"), ("0", "Math.pow(a[i], 3)"), ("0", "Math.abs(a[i]) % b[i]"),
    ("0", "Math.rint(a[i])"), ("0", "Math.min(Math.abs(a[i]), -0.0)"), ("0", "next(a[i])"),
])  # fmt: skip
def test_zero_and_minus_zero_are_told_apart(first: str, of: str) -> None:
    assert found(extreme(first, of), "x > m", "x >= m") is None


@pytest.mark.parametrize(
    "keep", ["m = x; c = i;", "m = -x;", "m = x; next();", "m = x; b[i] = 1;", "m = x + 1;"]
)
def test_a_tie_may_be_seen_otherwise(keep: str) -> None:
    origin = extreme("0", "Math.abs(a[i])", keep=keep).replace("return m;", "return m + c;")
    assert found(origin, "x > m", "x >= m") is None


def test_what_is_no_number_is_not_less() -> None:
    origin = "boolean f(double a, double b) { double d = a * a + b * b; return d < 0; }"
    assert found(origin, "d < 0", "false") is not None
    assert found(origin.replace("d < 0", "d >= 0"), "d >= 0", "true") is None
    assert found(origin.replace("d < 0", "d <= 0"), "d <= 0", "false") is None
    assert found(origin.replace("d < 0", "d == d"), "d == d", "true") is None


def ordered(test: str, type_: str = "Double") -> str:
    return f"public int compareTo(A o) {{ if (o == this) {{ return 0; }} return {test.replace('compare', type_ + '.compare')}; }}"


@pytest.mark.parametrize(("members", "type_"), [
    ("double d; double e;", "Double"), ("float d; float e;", "Float"),
])  # fmt: skip
def test_a_number_compares_as_equal_with_itself(members: str, type_: str) -> None:
    origin = ordered("compare(d, o.d)", type_=type_)
    assert found(origin, "o == this", "false", members) is not None
    assert found(ordered("compare(d, o.e)", type_=type_), "o == this", "false", members) is None
    assert found(ordered("compare(d, -o.d)", type_=type_), "o == this", "false", members) is None
    equal = ordered("d == o.d ? 0 : 1", type_=type_)
    assert found(equal, "o == this", "false", members) is None


@pytest.mark.parametrize(("before", "after", "alike"), [
    ("Double.compare(a, b) < 0", "Double.compare(a, b) == -1", True),
    ("Double.compare(a, a) == 0", "true", True),
    ("Double.compare(a, 1) > 0", "(a > 1 || a != a)", True),
    ("Float.compare((float) a, 2f) < 0", "(float) a < 2f", True),
    ("Double.compare(a, b) == 0", "a == b", False), ("Double.compare(a, b) < 0", "a < b", False),
    ("Double.compare(a, b) > 0", "a > b", False), ("Double.compare(0.0, -0.0) > 0", "false", False),
    ("Double.compare(a, Double.NaN) < 0", "true", False),
    ("Double.compare(a, b) >= 0", "a >= b", False), ("Double.compare(a, b) < 1", "a <= b", False),
    ("Double.compare(a, 0.0) < 0", "a < 0.0", False),
])  # fmt: skip
def test_the_one_order_of_all_numbers(before: str, after: str, alike: bool) -> None:
    origin = f"boolean f(double a, double b) {{ return {before}; }}"
    assert (found(origin, before, after) is not None) is alike


def test_boxes_that_are_compared_may_be_null() -> None:
    origin = "boolean f(Double a) { return Double.compare(a, a) == 0; }"
    assert found(origin, "Double.compare(a, a) == 0", "true") is None


GUARDED = "int f(String s, List<String> l, StringBuilder b) { int n = 0; if (s.length() == 0) { return 0; } for (int i = 0; i < s.length(); i++) { n += s.charAt(i); } return n; }"


def test_a_loop_that_is_not_entered() -> None:
    assert found(GUARDED, "return 0;", ";") is not None
    listed = GUARDED.replace("s.length()", "l.size()").replace("s.charAt(i)", "g(l, i)")
    assert found(listed, "return 0;", ";") is not None
    built = GUARDED.replace("s.", "b.")
    assert found(built, "return 0;", ";") is not None


@pytest.mark.parametrize(("old", "new"), [
    ("return 0;", "return 1;"), ("int i = 0", "int i = -1"), ("s.length() == 0", "s.length() == 1"),
    ("i < s.length()", "i <= s.length()"), ("i < s.length()", "i < next(s)"),
    ("i < s.length()", "next() && i < s.length()"), ("s.length() == 0", "s.trim().length() == 0"),
    ("return n;", "return n + 1;"), ("return n;", "return s.charAt(0);"),
    ("s.length() == 0", "s == null || s.length() == 0"),
])  # fmt: skip
def test_a_loop_that_may_be_entered(old: str, new: str) -> None:
    origin = GUARDED.replace(old, new)
    kept = "return 1;" if new == "return 1;" else "return 0;"
    assert found(origin, kept, ";") is None


def test_a_loop_has_ended() -> None:
    origin = "int f(String s) { int i = 0; while (i < s.length()) { i += 2; } return i >= s.length() ? 1 : 2; }"
    assert found(origin, "i >= s.length()", "true") is not None
    assert found(origin, "i >= s.length()", "i == s.length()") is None
    calls = origin.replace("while (i < s.length())", "while (i < next(s))")
    assert found(calls, "i >= s.length()", "true") is None
    breaks = origin.replace("i += 2;", "if (s.charAt(i) == 'a') { break; } i += 2;")
    assert found(breaks, "i >= s.length()", "true") is None
    grows = "int f(StringBuilder s) { int i = 0; while (i < s.length()) { i += 2; } s.append(1); return i >= s.length() ? 1 : 2; }"
    assert found(grows, "i >= s.length()", "true") is None
