"""Identity of strings and boxes: one object has one value, one value may be of two objects."""
# ruff: noqa: E501

import pytest

from equimut.proofs.smt.proving import prove

SAME = (
    "static boolean same(String a, String b) { if (a == null) { return b == null; } "
    "if (a == b) { return true; } return a.equals(b); }"
)
LENGTHS = (
    "static boolean f(String a, String b) { if (a == null || b == null) { return false; } "
    "return a == b || a.length() == b.length(); }"
)


def proved(origin: str, before: str, after: str) -> bool:
    assert origin.count(before) == 1, "the change is in one place"
    return prove(origin, origin.replace(before, after), "java") is not None


def test_a_shortcut_for_the_same_string() -> None:
    assert proved(SAME, "if (a == b) { return true; } ", "")
    assert proved(SAME, "a == b", "false")
    assert proved(LENGTHS, "a == b || ", "")
    assert proved(LENGTHS, "a == b", "b == a")
    assert proved('boolean f(String a) { return a == "a" || a == "b"; }', "||", "^")


@pytest.mark.parametrize(("origin", "before", "after"), [
    (SAME, "a == b", "true"), (SAME, "a == b", "a != b"), (SAME, "return a.equals(b)", "return a == b"),
    (SAME.replace("return true", "return false"), "a == b", "false"),
    (LENGTHS, "a == b || a.length() == b.length()", "a == b"),
    (LENGTHS.replace("||", "&&"), "a == b && ", ""),
    (LENGTHS.replace("a == null || b == null", "false"), "a == b || ", ""),  # both may be null
    ("boolean f(String a, String b) { return a.equals(b); }", "a.equals(b)", "a == b"),
    ("boolean f(Integer a, Integer b) { return a == b; }", "a == b", "a.intValue() == b.intValue()"),
    ("boolean f(Integer a, Integer b) { int x = a, y = b; return x == y || a == b; }", "x == y || ", ""),
    ("boolean f(String a) { String b = a.trim(); return a != b; }", "a != b", "false"),
    ("boolean f(int n) { java.io.Serializable a = n, b = n; return a == b; }", "a == b", "true"),
    ('boolean f(String a) { return a == "\t" || a == "\\t"; }', "||", "^"),
    (r'boolean f(String a) { return a == "\u005cn"; }', r"\u005cn", r"\\n"),
    (r'boolean f(String a) { return a == "a" || a == "\u0061"; }', "||", "^"),
    (r'boolean f(String a) { return a == "\n" || a == "\012"; }', "||", "^"),
    ("boolean f(String a, String d) { String b = a.trim(), c = d.trim(); "
     "if (b.isEmpty() && c.isEmpty()) { return b == c; } return false; }", "b == c", "true"),
    ("boolean f(String a) { return a == new String(a); }", "a == new String(a)", "true"),
])  # fmt: skip
def test_equal_values_may_be_two_objects(origin: str, before: str, after: str) -> None:
    assert not proved(origin, before, after)
