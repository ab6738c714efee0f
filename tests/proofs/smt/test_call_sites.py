"""What all callers of a private Java method keep true, and which calls must not be missed."""
# ruff: noqa: E501

import pytest

from equimut.proofs.smt.prover import Proof
from equimut.proofs.smt.proving import CALLED, prove

METHOD = "private int part(int[] a, int from, int to) { int s = 0; for (int i = from; i < to; i++) { s += a[i]; } return s; }"
CALLER = "int all(int[] a) { if (a == null) { return 0; } return part(a, 0, a.length); }"
SECOND = "int some(int[] a, int k) { if (k > 0 && k <= a.length) { return part(a, k - 1, k); } return 0; }"


def found(
    members: str, origin: str, before: str, after: str, head: str = "class A"
) -> Proof | None:
    assert origin.count(before) == 1, "the change is in one place"
    file = (
        f"import java.util.*;\nimport java.util.function.*;\n{head} {{\n{members}\n{origin}\n}}\n"
    )
    return prove(origin, origin.replace(before, after), "java", file=file)


def test_what_all_callers_keep_true_is_true() -> None:
    proof = found(f"{CALLER} {SECOND}", METHOD, "i < to", "i != to")
    assert proof is not None
    assert CALLED in proof.assumptions
    assert found(CALLER, METHOD, "i < to", "i <= to") is None
    origin = "private int sum(int[] a) { if (a == null) { return 9; } return a.length; }"
    caller = "int f(int[] a) { if (a == null) { return 0; } return sum(a); }"
    assert found(caller, origin, "a == null", "false") is not None
    assert (
        found(f"{caller} int g(int[] a) {{ return sum(a); }}", origin, "a == null", "false") is None
    )


OTHERS = {
    "one that does not": "int f(int[] a) { return part(a, 3, 2); }",
    "one that passes on what it is given": "int f(int[] a, int k, int m) { return part(a, k, m); }",
    "a lambda": "Supplier<Integer> f(int[] a) { return () -> part(a, 3, 2); }",
    "an inner class": "class I { int f(int[] a) { return part(a, 3, 2); } }",
    "a reference": "interface T { int apply(int[] a, int b, int c); } T f() { return this::part; }",
    "an initialiser": "int x = part(new int[9], 3, 2);",
    "a block": "{ part(new int[9], 3, 2); }",
    "another object": "int f(A o, int[] a) { return o.part(a, 3, 2); }",
    "a handler": "int f(int[] a) { try { return a[0]; } catch (RuntimeException e) { return part(a, 3, 2); } }",
    "a later argument": "int f(int[] a) { return part(a, part(a, 0, 0), 2); }",
    "an overload": "int part(int[] a, int from, long to) { return 0; } int f(int[] a, int k) { return part(a, k, 2); }",
    "a case that is not looked into": "int f(int[] a, int k) { switch (k) { case 1 -> { return part(a, 3, 2); } default -> { return 0; } } }",
}


@pytest.mark.parametrize("more", OTHERS)
def test_no_call_is_missed(more: str) -> None:
    assert found(f"{CALLER} {OTHERS[more]}", METHOD, "i < to", "i != to") is None


@pytest.mark.parametrize("word", ["", "public ", "protected ", "static "])
def test_a_method_that_others_can_call(word: str) -> None:
    assert found(CALLER, METHOD.replace("private ", word), "i < to", "i != to") is None


def test_a_method_that_calls_itself_relies_on_its_callers() -> None:
    origin = "private int down(int n) { if (n == 0) { return 0; } return 1 + down(n - 1); }"
    caller = "int f(int k) { return k < 0 ? 0 : down(k); }"
    assert found(caller, origin, "n == 0", "n <= 0") is not None
    worse = origin.replace("n - 1", "n - 2")
    assert found(caller, worse, "n == 0", "n <= 0") is None


def test_a_parameter_that_changes_is_another() -> None:
    origin = "private int f(int n) { n = n - 5; return n < 0 ? 1 : 2; }"
    caller = "int g(int k) { return k < 0 ? 0 : f(k); }"
    assert found(caller, origin, "n < 0", "false") is None
    assert found(caller, origin.replace("n = n - 5; ", ""), "n < 0", "false") is not None


def test_calls_in_loops_and_of_fields() -> None:
    origin = "private int at(int i) { return i < 0 ? 1 : 2; }"
    caller = (
        "int f(int[] a) { int s = 0; for (int i = 0; i < a.length; i++) { s += at(i); } return s; }"
    )
    assert found(caller, origin, "i < 0", "false") is not None
    down = caller.replace("int i = 0; i < a.length; i++", "int i = a.length; i >= -1; i--")
    assert found(down, origin, "i < 0", "false") is None
    field = "private int n; void set(int k) { n = Math.max(k, 0); } int f() { return at(n); }"
    assert found(field, origin, "i < 0", "false") is not None
    assert found(field.replace("Math.max(k, 0)", "k"), origin, "i < 0", "false") is None


def test_constants_that_callers_pass() -> None:
    origin = "private int f(int n, int by) { return by > 1 ? n / by : n; }"
    caller = "int g(int k) { return f(k, 0); } int h(int k) { return f(k, 1); }"
    assert found(caller, origin, "by > 1", "false") is not None
    assert found(caller, origin, "by > 1", "by >= 1") is None, "a run tells them apart"
    assert found(caller.replace("f(k, 1)", "f(k, 2)"), origin, "by > 1", "false") is None
    assert found(caller.replace("f(k, 1)", "f(k, k)"), origin, "by > 1", "false") is None


def test_flags_that_callers_pass() -> None:
    origin = "private int f(int n, boolean twice) { return twice ? n + n : n; }"
    caller = "int g(int k) { return f(k, true); } int h(int k) { return f(k + 1, true); }"
    assert found(caller, origin, "twice ?", "true ?") is not None
    assert found(caller.replace("k + 1, true", "k, false"), origin, "twice ?", "true ?") is None
    other = caller.replace("k + 1, true", "k, k > 0")
    assert found(other, origin, "twice ?", "true ?") is None


def test_places_in_a_string() -> None:
    origin = "private int f(String s, int i) { return i > s.length() ? 1 : 2; }"
    caller = "int g(String s) { return f(s, s.indexOf('a') + 1); }"
    assert found(caller, origin, "i > s.length()", "false") is not None
    assert found(caller.replace("+ 1", "+ 2"), origin, "i > s.length()", "false") is None


def test_what_a_method_asks_its_callers_may_have_seen_to() -> None:
    origin = "private int f(int n, int k) { if (n >= k + 9) { return 5; } return n; }"
    caller = "int g(int n, int k) { return k > 5 || k < 0 || n > k + 7 ? 0 : f(n, k); }"
    assert found(caller, origin, "n >= k + 9", "false") is not None
    assert found(caller.replace("k + 7", "k + 9"), origin, "n >= k + 9", "false") is None
    assert found(caller.replace("n > k + 7", "k > 3"), origin, "n >= k + 9", "false") is None
    other = origin.replace("if (n", "n = n + 100; if (n")
    assert found(caller, other, "n >= k + 9", "false") is None, "it is another n then"
