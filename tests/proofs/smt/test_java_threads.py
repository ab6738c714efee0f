"""Java fields that other threads may write: what one thread alone could not tell apart."""
# ruff: noqa: E501

import pytest

from equimut.proofs.smt.prover import Proof
from equimut.proofs.smt.proving import prove

MEMBERS = (
    "{kind} int n; {kind} boolean stop; {kind} Object o; private Object lock = new Object(); int k; "
    "void set(int x) {{ n = x; stop = true; o = this; }} static class B {{ {kind} int m; }}"
)


def found(origin: str, before: str, after: str, kind: str) -> Proof | None:
    assert origin.count(before) == 1, "the change is in one place"
    file = f"class A {{\n{MEMBERS.format(kind=kind)}\n{origin}\n}}\n"
    return prove(origin, origin.replace(before, after), "java", file=file)


SEEN = [
    ("void f() { stop = false; while (!stop) { } }", "!stop", "true"),
    ("boolean f() { n = 1; return n <= 1; }", "n <= 1", "n == 1"),
    ("boolean f() { this.n = 1; return this.n <= 1; }", "this.n <= 1", "this.n == 1"),
    ("boolean f(B b) { b.m = 1; return b.m <= 1; }", "b.m <= 1", "b.m == 1"),
    ("Object f() { Object a = o; if (a != null && o != null) { return a; } return null; }", "a != null && o != null", "a != null"),
    ("void f() { stop = true; k = k + 1; stop = false; }", "stop = true;", ""),
    ("int f() { if (n < 0) { return 1; } if (n <= 0) { return 2; } return 3; }", "n <= 0", "n == 0"),
]  # fmt: skip


@pytest.mark.parametrize("case", SEEN)
def test_a_volatile_field_may_change_at_any_time(case: tuple[str, str, str]) -> None:
    assert found(*case, "private") is not None, "without other threads nothing tells them apart"
    assert found(*case, "private volatile") is None


@pytest.mark.parametrize(("origin", "before", "after"), [
    ("boolean f() { n = 1; synchronized (lock) { return n <= 1; } }", "n <= 1", "n == 1"),
    ("boolean f() { n = 1; synchronized (lock) { k = 2; } return n <= 1; }", "n <= 1", "n == 1"),
    ("void f() { synchronized (lock) { n = 1; } n = 2; }", "n = 1", "n = 3"),
    ("boolean f(Object p) { synchronized (p) { k = 2; } return true; }", "synchronized (p) { k = 2; }", "k = 2;"),
])  # fmt: skip
def test_locks_let_other_threads_in(origin: str, before: str, after: str) -> None:
    assert found(origin, before, after, "private") is None


@pytest.mark.parametrize(("origin", "before", "after"), [
    ("int f(int a) { int n = a; if (n < 0) { return 1; } if (n <= 0) { return 2; } return 3; }", "n <= 0", "n == 0"),
    ("boolean f(String s) { int a = n; return s.length() <= 0; }", "s.length() <= 0", "s.length() == 0"),
    ("int f() { int a = n; if (a < 0) { return 1; } if (a <= 0) { return 2; } return 3; }", "a <= 0", "a == 0"),
    ("int f(int a) { synchronized (lock) { if (a < 0) { return 1; } if (a <= 0) { return 2; } return 3; } }", "a <= 0", "a == 0"),
    ("void f(int[] a) { synchronized (lock) { for (int i = 0; i < a.length; i++) { a[i] = n; } } }", "i < a.length", "i != a.length"),
])  # fmt: skip
def test_locals_belong_to_one_thread(origin: str, before: str, after: str) -> None:
    assert found(origin, before, after, "volatile") is not None
