"""What real Java code needs: equality, streams, capacities, new objects, odd statements."""
# ruff: noqa: E501

import pytest

from equimut.proofs.smt.explaining import sentence
from equimut.proofs.smt.prover import Proof
from equimut.proofs.smt.proving import prove

FIELDS = (
    "private String s; private int n = 3; private int m; private double w; private int[] d; "
    "private List<String> l = new ArrayList<>(); A(int k) { this.n = k; } final int one() { return 1; }"
)


def found(
    origin: str, before: str, after: str, head: str = "class A", members: str = FIELDS
) -> Proof | None:
    assert origin.count(before) == 1, "the change is in one place"
    file = f"import java.util.*; import java.io.*;\n{head} {{\n{members}\n{origin}\n}}\n"
    return prove(origin, origin.replace(before, after), "java", file=file)


def equality(rest: str) -> str:
    return (
        "public boolean equals(Object o) { if (o == this) { return true; } "
        f"if (!(o instanceof A)) {{ return false; }} A that = (A) o; {rest} }}"
    )


@pytest.mark.parametrize("rest", [
    "return n == that.n;", "return Objects.equals(l, that.l);", "return Arrays.equals(d, that.d);",
    "return Tools.equal(this.l, that.l);", "if (n != that.n) { return false; } return m == that.m;",
    "return one() == that.one();", "return super.equals(o);",
])  # fmt: skip
def test_an_object_equals_itself(rest: str) -> None:
    assert found(equality(rest), "o == this", "false") is not None


@pytest.mark.parametrize("rest", [
    "return w == that.w;", "return s.equals(that.s);", "return l == that.copy().l;",
    "return Tools.equal(w, that.w);", "return Tools.near(this.l, that.l);",
    "return n == next();", "return n != that.n;",
])  # fmt: skip
def test_not_a_number_null_and_other_functions_may_tell_them_apart(rest: str) -> None:
    assert found(equality(rest), "o == this", "false") is None


def test_the_class_is_asked_for_without_effects() -> None:
    origin = (
        "public boolean equals(Object o) { if (this == o) { return true; } "
        "if (o == null || getClass() != o.getClass()) { return false; } return n == ((A) o).n; }"
    )
    assert found(origin, "this == o", "false") is not None
    assert found(origin, "o == null", "false") is None
    assert found(origin, "getClass() != o.getClass()", "false") is None


READ = "int f(InputStream in) throws IOException { int c = in.read(); return c != -1 ? c : 5; }"


def test_what_a_read_returns() -> None:
    proof = found(READ, "!=", ">")
    assert proof is not None
    assert "assum" not in sentence(proof)
    assert proof.assumptions == ("a read returns -1 at the end, else what was read",)
    assert found(READ, "!= -1", "!= 0") is None
    assert found(READ.replace("InputStream", "Source"), "!=", ">") is None
    inherited = "int f() throws IOException { int c = in.read(); return c != -1 ? c : 5; }"
    assert found(inherited, "!=", ">", "class A extends FilterReader") is not None
    assert found(inherited, "!=", ">", "class A extends Other") is None
    above = "int f(char[] b) throws IOException { int c = super.read(b, 0, 1); return c != -1 ? 1 : 2; }"
    assert found(above, "!=", ">", "class A extends FilterReader") is not None
    assert found(above, "!=", ">", "class A extends Other") is None


def test_what_was_read_is_in_the_buffer() -> None:
    origin = (
        "int f(InputStream in, byte[] b, int at, int k) throws IOException { int n = in.read(b, at, k); "
        "if (n <= 0) { return 0; } int s = 0; for (int i = at; i < at + n; i++) { s += b[i]; } return s; }"
    )
    assert found(origin, "i < at + n", "i != at + n") is not None
    assert found(origin.replace("n <= 0", "n == 0"), "i < at + n", "i != at + n") is None
    assert found(origin.replace("at + n; i", "at + k; i"), "i < at + k", "i != at + k") is None
    assert found(origin.replace("InputStream", "Source"), "i < at + n", "i != at + n") is None


def test_a_class_of_the_file_is_not_the_library_s() -> None:
    members = FIELDS + " static class InputStream { int read() { return -7; } }"
    assert found(READ, "!=", ">", members=members) is None


BUILDER = (
    "String f(int k) { StringBuilder b = new StringBuilder(16); b.append(k); return b.toString(); }"
)


def test_a_capacity_shows_nowhere_but_below_zero() -> None:
    proof = found(BUILDER, "16", "0")
    assert proof is not None
    assert "a capacity is seen in speed and memory only" in proof.assumptions
    assert found(BUILDER, "16", "-16") is None
    assert found(BUILDER, "(16)", "(k)") is None
    assert found(BUILDER, "(16)", '("16")') is None
    assert found(BUILDER.replace("StringBuilder", "Buffer"), "16", "0") is None
    table = "Map<String, String> f(String s) { Map<String, String> t = new HashMap<>(16); t.put(s, s); return t; }"
    assert found(table, "16", "0") is None, "the order of its keys may change"
    other = found(BUILDER, "b.append(k);", "b.append(k); k = 0;")
    assert other is not None
    assert not other.assumptions, "the capacity is not what differs"


MOVE = "void f(int[] a, int i, int k) { int x = a[i]; if (k > 0) { System.arraycopy(a, i, a, i, k); } }"


def test_to_copy_nothing_is_nothing() -> None:
    assert found(MOVE, "k > 0", "k >= 0") is not None
    assert found(MOVE, "k > 0", "k > 1") is None
    assert found(MOVE, "k > 0", "true") is None
    assert found(MOVE.replace("int x = a[i]; ", ""), "k > 0", "k >= 0") is None, "it may throw"
    untyped = MOVE.replace("int[] a, int i", "Object a, int[] b, int i").replace("a[i]", "b[i]")
    assert found(untyped, "k > 0", "k >= 0") is None, "it may be no array"


def test_what_was_copied_was_inside() -> None:
    copied = "int f(int[] a, int[] b, int i, int k) { System.arraycopy(a, i, b, 0, k); return i < 0 ? 1 : 2; }"
    assert found(copied, "i < 0", "false") is not None
    assert (
        found(copied.replace("i < 0", "i + k > a.length"), "i + k > a.length", "false") is not None
    )
    assert found(copied.replace("i < 0", "i >= a.length"), "i >= a.length", "false") is None
    assert found(copied.replace("i < 0", "k > 0"), "k > 0", "true") is None
    assert found(copied.replace("int[] b", "Object b"), "i < 0", "false") is None, "left alone"
    text = "int f(String t, char[] b, int k) { t.getChars(0, k, b, 1); return k < 0 ? 1 : 2; }"
    assert found(text, "k < 0", "false") is not None
    assert found(text.replace("k < 0", "b.length == 0"), "b.length == 0", "false") is not None
    assert found(text.replace("k < 0", "k == t.length()"), "k == t.length()", "false") is None


def test_what_fills_an_array_leaves_fields_alone() -> None:
    members = FIELDS + " void set(int k) { this.m = k; }"
    origin = (
        "int f(int[] a, int k) { int x = this.m; Arrays.fill(a, k); return x == this.m ? 1 : 2; }"
    )
    assert found(origin, "x == this.m", "true", members=members) is not None
    changed = origin.replace("int x = this.m", "int x = a[0]").replace("x == this.m", "x == a[0]")
    assert found(changed, "x == a[0]", "true", members=members) is None
    other = "int f(Integer[] e) { int x = this.m; Arrays.sort(e); return x == this.m ? 1 : 2; }"
    assert found(other, "x == this.m", "true", members=members) is None, "comparing calls anything"
    plain = other.replace("Integer[]", "int[]")
    assert found(plain, "x == this.m", "true", members=members) is not None
    loop = origin.replace("Arrays.fill(a, k)", "for (int i = 0; i < k; i++) { Arrays.fill(a, i); }")
    assert found(loop, "x == this.m", "true", members=members) is not None
    element = loop.replace("int x = this.m", "int x = a[0]").replace("x == this.m", "x == a[0]")
    assert found(element, "x == a[0]", "true", members=members) is None
    moved = loop.replace("Arrays.fill(a, i)", "System.arraycopy(a, 0, a, 1, i)")
    assert found(moved, "x == this.m", "true", members=members) is not None
    objects = moved.replace("int[] a", "Object a")
    assert found(objects, "x == this.m", "true", members=members) is None, "left alone"


@pytest.mark.parametrize("head", ["class A", "class A extends InputStream"])
def test_fields_of_a_new_object_are_zero(head: str) -> None:
    assert found("A(String t) { this.s = t; this.m = 0; }", "this.m = 0;", "", head) is not None
    assert found("A(String t) { super(); s = t; this.n = 3; }", "this.n = 3;", "", head) is not None
    assert found("A(String t) { this.s = t; this.m = 1; }", "this.m = 1;", "", head) is None
    assert found("A(String t) { this.s = t; this.n = 0; }", "this.n = 0;", "", head) is None
    assert found("A(String t) { this(3); this.n = 3; }", "this.n = 3;", "", head) is None
    assert found("A(String t) { fill(); this.m = 0; }", "this.m = 0;", "", head) is None


def test_a_superclass_or_an_initialiser_may_set_fields() -> None:
    origin = "A(String t) { this.s = t; this.m = 0; }"
    assert found(origin, "this.m = 0;", "", "class A extends B") is None
    for more in ("int x = fill();", "{ m = 7; }", "B b = new B(this);", "B b = new B() { };"):
        assert found(origin, "this.m = 0;", "", members=FIELDS + more) is None


def test_patterns_of_instanceof() -> None:
    origin = "int f(Object o) { if (o instanceof String t && t.length() > 0) { return t.length(); } return 9; }"
    assert found(origin, "> 0", "!= 0") is not None
    assert found(origin, "> 0", ">= 0") is None
    origin = "int f(Object o) { if (!(o instanceof String t)) { return 1; } int k = t.length(); return k < 0 ? 3 : k; }"
    assert found(origin, "k < 0", "false") is not None
    assert found(origin, "k < 0", "k <= 0") is None


ODD = (
    "int f(int k, int j) { int x = 0; for (int i = 0; i < j; i++) { switch (k) { "
    "case 1 -> { x = 1; } case 2 -> { if (x > 0) continue; } case 3 -> { return x; } "
    "default -> { if (j > 7) break; } } x++; } if (j < 0) { return 3; } return j <= 0 ? x : 2; }"
)


def test_a_statement_that_is_not_looked_into_hides_nothing_else() -> None:
    assert found(ODD, "j <= 0", "j == 0") is not None
    assert found(ODD, "j <= 0", "x <= 0") is None
    assert found(ODD, "x++", "x--") is None
    assert found(ODD, "x = 1", "x = 2") is None
    assert found(ODD, "continue", "break") is None


def test_a_local_class_knows_the_locals() -> None:
    origin = "Object f(int k) { int x = k; class B { int g() { return x; } } return new B(); }"
    assert found(origin, "int x = k", "int x = k + 1") is None


def test_an_anonymous_class_knows_the_locals() -> None:
    origin = (
        "Object f(int k) { int x = k; if (k < 0) { return null; } boolean z = k <= 0; "
        "return new B() { int y; int g() { y = x; return z ? 1 : y; } }; }"
    )
    assert found(origin, "k <= 0", "k == 0") is not None
    assert found(origin, "int x = k", "int x = k + 1") is None
    assert found(origin, "y = x", "y = x + 1") is None


def test_two_lengths_at_once() -> None:
    origin = "int f(int a, int b) { double[][] t = new double[a][b]; int c = 0; for (int i = 0; i < b; i++) { c += t[0].length; } return c; }"
    assert found(origin, "i < b", "i != b") is not None
    assert found(origin, "new double[a][b]", "new double[b][a]") is None


def test_bounds_that_are_fields_or_computed() -> None:
    origin = "int f(String t) { int c = 0; if (m < 0) { return 1; } for (int i = 0; i < m; i++) { if (t.charAt(i) == 'a') { c++; } } return c; }"
    assert found(origin, "i < m", "i != m") is not None
    assert found(origin.replace("c++;", "m--;"), "i < m", "i != m") is None
    assert found(origin.replace("c++;", "g();"), "i < m", "i != m") is None
    origin = (
        "int f(String t) { int c = 0; for (int i = 0; i < t.length(); i++) { c++; } return c; }"
    )
    assert found(origin, "i < t", "i != t") is not None
    assert found(origin.replace("i++", "i += 2"), "i < t", "i != t") is None


def test_fields_of_other_classes_of_the_file() -> None:
    members = FIELDS + " static class Node { int hash; Node next; }"
    origin = "int f(Node e) { int c = 0; while (e != null) { if (e.hash < 0) { return 1; } if (e.hash <= 0) { c++; } e = e.next; } return c; }"
    assert found(origin, "e.hash <= 0", "e.hash == 0", members=members) is not None
    assert found(origin, "e.hash <= 0", "e.hash == 0") is None, "its type is not known"
    assert found(origin, "e.hash <= 0", "e.hash < 0", members=members) is None


def test_a_field_that_a_subclass_hides() -> None:
    members = "int x; static class B extends A { int x; "
    origin = "int f(A a) { if (a != this) { return 0; } this.x = 1; a.x = 2; return this.x; }"
    file = f"class A {{ {members} {origin} }} }}"
    mutant = origin.replace("return this.x", "return 2")
    assert prove(origin, mutant, "java", file=file) is None


@pytest.mark.parametrize(("origin", "before", "after"), [
    ("double f(double a) { return a * 1.0; }", "a * 1.0", "a"),
    ("double f(double a) { return a / 1; }", "a / 1", "a"),
    ("double f(double a) { return a - 0.0; }", "a - 0.0", "a"),
    ("double f(double a) { return a * -1.0; }", "a * -1.0", "-a"),
    ("boolean f(double a) { return a == Double.POSITIVE_INFINITY; }", "==", ">="),
    ("boolean f(double a) { return Math.sqrt(a) < 0; }", "Math.sqrt(a) < 0", "false"),
    ("boolean f(double a) { return Math.abs(a) <= 0; }", "<=", "=="),
    ("boolean f(double a) { return Double.isNaN(a); }", "Double.isNaN(a)", "a != a"),
    ("double f(double a) { return Math.max(a, 1.0) < 1 ? 3 : a; }", "Math.max(a, 1.0) < 1", "false"),
])  # fmt: skip
def test_floating_point_that_is_exact(origin: str, before: str, after: str) -> None:
    assert found(origin, before, after) is not None


@pytest.mark.parametrize(("origin", "before", "after"), [
    ("double f() { return 0.0; }", "0.0", "-0.0"),
    ("double f(double a) { return a - 0.0; }", "a - 0.0", "a + 0.0"),
    ("double f(double a) { return 0.0 - a; }", "0.0 - a", "-a"),
    ("double f(double a) { return 1.0 / a; }", "1.0 / a", "a"),
    ("double f(double a) { return a * 0.0; }", "a * 0.0", "0.0"),
    ("boolean f(double a) { return Math.sqrt(a) < 0; }", "Math.sqrt(a) < 0", "!(Math.sqrt(a) >= 0)"),
    ("double f(double a) { return Math.max(a, 0.0); }", "Math.max(a, 0.0)", "(a > 0.0 ? a : 0.0)"),
    ("double f(double a) { return Math.min(0.0, a); }", "Math.min(0.0, a)", "(a < 0.0 ? a : 0.0)"),
    ("double f(double a) { return a > 0 ? a : -a; }", "a > 0", "a >= 0"),
    ("double f(double a) { return a / 0.1; }", "a / 0.1", "a * 10"),
    ("boolean f(double a) { return a == Double.NaN; }", "a == Double.NaN", "Double.isNaN(a)"),
    ("float f(float a) { return a + 0.1f + 0.2f; }", "a + 0.1f + 0.2f", "a + 0.3f"),
])  # fmt: skip
def test_floating_point_that_is_not(origin: str, before: str, after: str) -> None:
    assert found(origin, before, after) is None


PART = 'String f(String s, int a, int b) { if (a < 0 || b > s.length()) { return null; } if (a > b) { return ""; } return s.substring(a, b); }'


def test_empty_strings_are_one() -> None:
    proof = found(PART, "a > b", "a >= b")
    assert proof is not None
    assert "nobody tells empty strings apart by identity" in proof.assumptions
    assert found(PART.replace('""', '"a"'), "a > b", "a >= b") is None
    assert found(PART.replace('""', "null"), "a > b", "a >= b") is None
    assert found(PART.replace("a < 0 || b > s.length()", "s == null"), "a > b", "a >= b") is None
    identity = 'boolean f(String s, int a) { return s.substring(a) == ""; }'
    assert found(identity, 's.substring(a) == ""', "s.substring(a).length() == 0") is None


def test_a_string_from_its_start_is_itself() -> None:
    origin = "String f(String s, int a) { int k = s.length(); if (a == 0) { return s; } return s.substring(a); }"
    assert found(origin, "a == 0", "false") is not None
    assert found(origin, "a == 0", "a <= 0") is None


def test_what_comes_before_may_be_too_much() -> None:
    many = " ".join(f"if (j == {i}) {{ c += g({i}) + h(c, k, j); }}" for i in range(400))
    head = f"int f(int k, int j) {{ int c = 0; if (j > 5) {{ {many} }}"
    near = head + " if (k < 0) { return 1; } return k <= 0 ? 2 : c; }"
    assert found(near, "k <= 0", "k == 0") is not None
    far = head.replace("int c = 0;", "int c = 0; if (k < 0) { return 1; }").replace(
        "c += g(0)", "k -= g(0)"
    )
    assert found(far + " return k <= 0 ? 2 : c; }", "k <= 0", "k == 0") is None
