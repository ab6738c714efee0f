"""What a Java class keeps true of its private fields, and who may break it."""
# ruff: noqa: E501

import pytest

from equimut.proofs.smt.prover import Proof
from equimut.proofs.smt.proving import ALONE, prove

STACK = (
    "private Object[] e = new Object[8]; private int size; "
    "void push(Object o) { if (size == e.length) { e = Arrays.copyOf(e, size * 2); } e[size++] = o; } "
    "Object pop() { if (size == 0) { throw new NoSuchElementException(); } Object o = e[--size]; e[size] = null; return o; } "
    "void clear() { for (int i = 0; i < size; i++) { e[i] = null; } size = 0; }"
)
MATRIX = (
    "private int m; private int n; private final double[][] a; "
    "A(int m, int n) { this.m = m; this.n = n; a = new double[m][n]; } "
    "A(double[][] x) { m = x.length; n = x[0].length; a = x; } A(int k) { this(k, k); }"
)
EMPTY = "boolean empty() { return size == 0; }"


def found(
    members: str, origin: str, before: str, after: str, head: str = "class A"
) -> Proof | None:
    assert origin.count(before) == 1, "the change is in one place"
    file = f"import java.util.*;\n{head} {{\n{members}\n{origin}\n}}\n"
    return prove(origin, origin.replace(before, after), "java", file=file)


def test_a_size_is_never_negative() -> None:
    proof = found(STACK, EMPTY, "== 0", "<= 0")
    assert proof is not None
    assert ALONE in proof.assumptions
    assert any(words.startswith("`size` is never negative") for words in proof.assumptions)
    assert found(STACK, EMPTY, "== 0", "<= 1") is None
    assert found(STACK, EMPTY, "== 0", "< 0") is None


def test_a_size_is_at_most_the_length() -> None:
    origin = "int find(Object o) { for (int i = 0; i < size; i++) { if (e[i] == o) { return i; } } return -1; }"
    assert found(STACK, origin, "i < size", "i != size") is not None
    assert found(STACK, origin, "i < size", "i <= size") is None
    full = "boolean full() { return size == e.length; }"
    assert found(STACK, full, "==", ">=") is not None
    assert found(STACK, full, "==", "<=") is None


def test_what_a_constructor_survives_is_true() -> None:
    origin = (
        "double f(A b) { double s = 0; for (int i = 0; i < b.m; i++) { s += a[i][0]; } return s; }"
    )
    assert found(MATRIX, origin, "i < b.m", "i != b.m") is not None
    assert found(MATRIX, origin.replace("b.m", "m"), "i < m", "i != m") is not None
    assert found(MATRIX, "boolean f() { return a == null; }", "a == null", "false") is not None
    assert found(MATRIX, "boolean f() { return m > 0; }", "m > 0", "true") is None
    other = MATRIX.replace("a = new double[m][n];", "a = new double[n][n];")
    assert found(other, origin, "i < b.m", "i != b.m") is None
    assert found(other, "boolean f() { return a == null; }", "a == null", "false") is not None


BREAKERS = {
    "a setter": "void set(int k) { size = k; }",
    "another object": "void take(A o) { o.size = -1; }",
    "a lambda": "Runnable r() { return () -> { size--; }; }",
    "an inner class": "class I { void x() { size--; } }",
    "an anonymous class": "Runnable r() { return new Runnable() { public void run() { size = -3; } }; }",
    "a call in between": "void bad() { size--; g(); size++; }",
    "an exception in between": "void bad(int[] t, int i) { size = -1; t[i] = 0; size = 0; }",
    "a loop with calls": "void bad(int k) { while (k > 0) { size--; g(); size++; k--; } }",
    "a loop": "void bad(int k) { while (k > 0) { size--; k--; } }",
    "a constructor that calls its methods": "A() { size = -1; g(); size = 0; }",
    "a constructor that hands its object out": "A(List<Object> l) { size = -1; l.add(this); size = 0; }",
    "a constructor that makes an inner object": "A(int k) { size = -1; new I(); size = 0; } class I { int s = A.this.size(); } int size() { return size; }",
    "a constructor that leaves it": "A(int k) { size = k; }",
    "an initialiser": "{ size = -1; }",
    "overflow": "void bad() { size++; }",
    "a statement that is not looked into": "void bad(int k) { switch (k) { case 1 -> { size = -1; } default -> { } } }",
    "a static method": "static void bad(A o) { o.size--; }",
    "a compound assignment": "void bad(int k) { size -= k; }",
    "an assignment in an expression": "int bad(int k) { return 1 + (size = k); }",
    "another class of the file": "static class B { void x(A o) { o.size = -5; } }",
    "try and finally": "void bad(int k) { try { g(); } finally { size = k; } }",
}


@pytest.mark.parametrize("more", BREAKERS)
def test_who_may_break_it(more: str) -> None:
    assert found(f"{STACK} {BREAKERS[more]}", EMPTY, "== 0", "<= 0") is None


@pytest.mark.parametrize("fields", [
    "private Object[] e = new Object[8]; private volatile int size;",
    "private Object[] e = new Object[8]; private transient int size;",
    "private Object[] e = new Object[8]; int size;",
    "private Object[] e = new Object[8]; protected int size;",
    "private Object[] e = new Object[8]; private static int size;",
    "private Object[] e; private int size = -1;",
])  # fmt: skip
def test_fields_that_others_may_set(fields: str) -> None:
    members = STACK.replace("private Object[] e = new Object[8]; private int size;", fields)
    assert members != STACK
    assert found(members, EMPTY, "== 0", "<= 0") is None


def test_a_superclass_may_call_what_is_overridden() -> None:
    assert found(STACK, EMPTY, "== 0", "<= 0", "class A extends B") is None
    assert found(STACK, EMPTY, "== 0", "<= 0", "class A extends AbstractList<Object>") is not None


HARMLESS = {
    "a constructor that keeps it to itself": "A(List<String> l) { size = -1; l.clear(); size = 0; }",
    "a copy": "A(A o) { size = o.size; e = o.e; }",
    "a local of the same name": "int bad() { int size = 3; size = -1; return size; }",
    "another class of that name": "static class B { int size; void x() { size = -5; } }",
}


@pytest.mark.parametrize("more", HARMLESS)
def test_who_does_not_break_it(more: str) -> None:
    assert found(f"{STACK} {HARMLESS[more]}", EMPTY, "== 0", "<= 0") is not None


def test_a_constructor_s_object_is_not_finished() -> None:
    origin = "A(int k) { size = k; if (size == 0) { e = null; } size = 0; }"
    assert found(STACK, origin, "size == 0", "size <= 0") is None


def test_in_the_middle_of_a_method_it_may_be_broken() -> None:
    origin = "int f(int k) { size = k; int r = size == 0 ? 1 : 2; size = 0; return r; }"
    assert found(STACK, origin, "size == 0", "size <= 0") is None
    origin = "int f() { g(); return size == 0 ? 1 : 2; }"
    assert found(STACK, origin, "size == 0", "size <= 0") is not None


def test_promises_that_are_not_needed_are_not_mentioned() -> None:
    origin = "int f(int k) { int r = size; if (k < 0) { return 0; } return k <= 0 ? r : 1; }"
    proof = found(STACK, origin, "k <= 0", "k == 0")
    assert proof is not None
    assert not proof.assumptions


def test_calls_of_the_library_leave_fields_alone() -> None:
    members = "private int n; private int[] t;"
    origin = "int f(int k) { n = 3; StringBuilder b = new StringBuilder(); b.append(k); return n; }"
    assert found(members, origin, "return n", "return 3") is not None
    assert found(members, origin.replace("int k", "Object k"), "return n", "return 3") is None
    assert found(members, origin.replace("b.append(k)", "h()"), "return n", "return 3") is None
    origin = "int f(String s) { n = 3; for (int i = 0; i < s.length(); i++) { t[i] = s.charAt(i); } return n; }"
    assert found(members, origin, "return n", "return 3") is not None
    assert found(members, origin.replace("t[i]", "n"), "return n", "return 3") is None
    origin = "int f(int[] a, int[] b) { a[0] = 3; n = 4; System.arraycopy(b, 0, a, 0, 1); return a[0] + n; }"
    assert found(members, origin, "a[0] + n", "a[0] + 4") is not None
    assert found(members, origin, "a[0] + n", "3 + n") is None


def test_a_final_field_is_set_once_whatever_comes_first() -> None:
    members = (
        "private final int[] t; private int n; A(int[] t) { this.t = Objects.requireNonNull(t); }"
    )
    origin = "int f() { if (t == null) { return 0; } return n < 0 ? 1 : t.length; }"
    assert found(members, origin, "t == null", "false", "class A extends B") is None, "B may ask"
    for head in ("class A", "class A extends Number"):
        assert found(members, origin, "t == null", "false", head) is not None
        assert found(members + " A() { t = null; }", origin, "t == null", "false", head) is None
    other = "private final int[] t; private int n; A(int[] t) { this.t = t; }"
    assert found(other, origin, "t == null", "false") is None
    assert found(other, origin, "n < 0", "false") is not None, "nothing sets it"
    assert found(other, origin, "n < 0", "false", "class A extends B") is None


def test_a_class_that_is_too_much_promises_nothing() -> None:
    fields = " ".join(f"private int a{i};" for i in range(7)) + " private int[] t; private int[] u;"
    steps = " ".join(f"a{i % 7} = g(a{(i * 3) % 7}, {i}); h();" for i in range(200))
    members = f"{fields} void step() {{ {steps} }}"
    origin = "int f(int k) { if (k < 0) { return a1; } return k <= 0 ? a0 : t.length; }"
    assert found(members, origin, "k <= 0", "k == 0") is not None
    assert found(members, origin, "return a1", "return 0") is None
