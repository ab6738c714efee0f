"""Mutants that a rule once called equivalent and an input tells apart: never again."""

import pytest

from equimut.proofs.proving import prove

KILLABLE: dict[str, tuple[str, str, str, str]] = {
    "java: update before a continue": (
        "java",
        "int f(int v, int n) { for (int i = 0; i < n; i++) { if (v > 0) { continue; } return 3; }"
        " return v; }",
        "v > 0",
        "v++ > 0",
    ),
    "java: update before a break": (
        "java",
        "int f(int b, int n) { for (int v = 0; v < n; v++) { if (b < v) { break; } b = n; }"
        " return b; }",
        "b < v",
        "b++ < v",
    ),
    "java: update in a switch with a continue": (
        "java",
        "int f(int v, int n) { for (int i = 0; i < n; i++) { switch (v) { case 1: continue; }"
        " return 3; } return v; }",
        "switch (v)",
        "switch (v++)",
    ),
    "c: update before a continue": (
        "c",
        "int f(int v, int n) { for (int i = 0; i < n; i++) { if (v > 0) { continue; } return 3; }"
        " return v; }",
        "v > 0",
        "v++ > 0",
    ),
    "python: store before a continue": (
        "python",
        "def f(v, n):\n    w = 0\n    for i in range(n):\n        w = 1\n        if v > i:\n"
        "            continue\n        return 3\n    return w\n",
        "w = 1",
        "w = 2",
    ),
    "java: a field of the name of a loop's local": (
        "java",
        "void reset(int n) { for (int i = 0; i < n; i++) { a[i] = 0; } i = 0; }",
        "} i = 0;",
        "} ;",
    ),
    "java: a field of the name of a block's local": (
        "java",
        "int next(int n) { if (n > 0) { int count = n * 2; log(count); } return count % 7; }",
        "return count % 7",
        "return count++ % 7",
    ),
    "c: a global of the name of a block's local": (
        "c",
        "int next(int n) { if (n > 0) { int count = n * 2; log_it(count); } return count % 7; }",
        "return count % 7",
        "return count++ % 7",
    ),
    "java: a double field taken for an int": (
        "java",
        "boolean ok() { return ratio > 0 && ratio < 1; }",
        "ratio > 0 && ratio < 1",
        "false",
    ),
}


@pytest.mark.parametrize("name", KILLABLE)
def test_it_is_not_proved(name: str) -> None:
    language, origin, before, after = KILLABLE[name]
    assert origin.count(before) == 1
    assert prove(origin, origin.replace(before, after), language) is None


def test_the_same_updates_where_nothing_reads_them_are_proved() -> None:
    origin = "int f(int v, int n) { for (int i = 0; i < n; i++) { if (v > 0) { return 1; } v = i; }"
    origin += " return 2; }"
    assert prove(origin, origin.replace("v > 0", "v++ > 0"), "java") is not None
    origin = "int f(int n) { if (n > 0) { int count = n; return count; } return 0; }"
    assert prove(origin, origin.replace("return count", "return count++"), "java") is not None
