"""What careful reading of the Java prover found: each was proved once, and a run tells them apart."""
# ruff: noqa: E501

import pytest

from equimut.proofs.smt.prover import Proof
from equimut.proofs.smt.proving import prove

Case = tuple[str, str, str, str]
"""Members of the class, the function, and the change."""


def found(
    members: str, origin: str, before: str, after: str, head: str = "class A"
) -> Proof | None:
    assert origin.count(before) == 1, "the change is in one place"
    file = f"import java.util.*;\n{head} {{\n{members}\n{origin}\n}}\n"
    return prove(origin, origin.replace(before, after), "java", file=file)


LOOKS = "private int n; A other; void h() { } int g(int k) { h(); return k; }"
DIFFERENT: dict[str, Case] = {
    "the value of an assignment is computed before its object is missed": (
        LOOKS, "void f(A a) { int k = 1; if (a == null) { k = 2; } a.n = g(k); }", "a == null", "false"),
    "a number is put into two boxes": (
        "", "boolean f(int x) { Object a = x; Object b = x; return a == b; }", "a == b", "true"),
    "a number is put into two numbers": (
        "", "boolean f(long x) { Number a = x, b = x; return a != b; }", "a != b", "false"),
    "a text is joined twice": (
        "", 'boolean f(String x) { Object a = x + "y"; Object b = x + "y"; return a == b; }', "a == b", "true"),
    "a part of a text is taken twice": (
        "", "boolean f(String x) { CharSequence a = x.substring(1), b = x.substring(1); return a == b; }", "a == b", "true"),
    "a box is made in a callee": (
        "private Object box(int x) { return x; }", "boolean f(int x) { return box(x) == box(x); }", "box(x) == box(x)", "true"),
    "a box is made of what has no known type": (
        "", "boolean f(P p) { Object a = p.x; Object b = p.x; return a == b; }", "a == b", "true"),
    "two spellings of one literal": (
        "", 'boolean f() { Object a = "A", b = "\\u0041"; return a == b; }', "a == b", "false"),
    "a text block is a literal": (
        "", 'boolean f() { Object a = """\n  x""", b = "x"; return a == b; }', "a == b", "false"),
    "two names of one enum": (
        "enum Kind { ON, OFF }", "int f(A.Kind k) { switch (k) { case ON: if (k == Kind.ON) { return 1; } return 2; default: return 3; } }", "k == Kind.ON", "false"),
    "an element that is no box in a function of characters": (
        "", "int f(Character c) { boolean b = Character.isDigit(c); return 1; }", "boolean b = Character.isDigit(c);", ""),
    "a box in a function of the class of boxes": (
        "", "int f(Integer i) { int b = Integer.bitCount(i); return 1; }", "int b = Integer.bitCount(i);", ""),
    "a box in a function that tells numbers from what is none": (
        "", "int f(Double d) { boolean b = Double.isNaN(d); return 1; }", "boolean b = Double.isNaN(d);", ""),
    "a box in a function of Math": (
        "", "int f(Double d) { double b = Math.sqrt(d); return 1; }", "double b = Math.sqrt(d);", ""),
    "what has no known type in a function of characters": (
        "", "int f(P p) { if (p == null) { return 1; } boolean b = Character.isDigit(p.c); return 1; }", "boolean b = Character.isDigit(p.c);", ""),
    "boxes are compared": (
        "", "int f(Integer a, Integer b) { int c = Integer.compare(a, b); return 1; }", "int c = Integer.compare(a, b);", ""),
    "a box is counted up in a loop": (
        "", "int f(Integer s, int n) { int k = 1; try { for (int i = 0; i < n; i++) { s++; } k = 2; } catch (NullPointerException e) { return k; } return 5; }", "k = 1", "k = 3"),
    "what has no known type is added in a loop": (
        "", "int f(List<Integer> l, int n) { var a = l.get(0); int s = 0, k = 1; try { for (int i = 0; i < n; i++) { s += a; } k = 2; } catch (NullPointerException e) { return k; } return s; }", "k = 1", "k = 3"),
    "what has no known type is compared in a loop": (
        "", "int f(List<Integer> l, int n) { var a = l.get(0); int s = 0, k = 1; try { for (int i = 0; i < n; i++) { if (a < i) { s++; } } k = 2; } catch (NullPointerException e) { return k; } return s; }", "k = 1", "k = 3"),
    "a callee takes a lock": (
        "private int n; private synchronized void touch() { }", "int f() { n = 1; touch(); return n; }", "return n", "return 1"),
    "an assertion of another object": (
        "private int n; private void check() { assert n > 0; }", "void f(A o, boolean c) { A x = c ? this : o; if (o == null) { return; } x.check(); }", "c ? this", "true ? this"),
    "a method of another object": (
        "void run() { } private Runnable runs() { return this::run; }", "Runnable f(A o, boolean c) { A x = c ? this : o; if (o == null) { return null; } return x.runs(); }", "c ? this", "true ? this"),
    "a reference to a method of an object that must be there": (
        "", "int f(String s) { Runnable r = s::length; return 1; }", "Runnable r = s::length;", ""),
    "a reference to a method of what a call answers": (
        "Runnable g() { return null; }", "int f() { Runnable r = g()::run; return 1; }", "Runnable r = g()::run;", ""),
    "a short callee is called in the middle of a change": (
        "private int n; int g() { n = -1; int r = f() ? 1 : 2; n = 0; return r; }", "private boolean f() { return n >= 0; }", "n >= 0", "true"),
    "a constructor calls a short callee first": (
        "private int n; A() { int k = f(); n = 3; }", "private int f() { return n > 0 ? 1 : 2; }", "n > 0", "true"),
    "a callee of a callee in the middle of a change": (
        "private int n; int g() { n = -1; int r = mid(); n = 0; return r; } private int mid() { return f(n); }", "private int f(int k) { return k >= 0 ? 1 : 2; }", "k >= 0", "true"),
    "a conditional expression is one of any number of arguments": (
        "private static int g(Object... all) { return all == null ? 1 : 2; }", "int f(boolean c, String a, Integer b) { return g(c ? a : b); }", "g(c ? a : b)", "(c ? a : b) == null ? 1 : 2"),
    "an initialiser asks for a final field": (
        "private final int m = f(); private final int n; A() { n = 3; }", "int f() { return n > 0 ? 1 : 2; }", "n > 0", "true"),
    "a reference to a method, with a space": (
        "java.util.function.IntUnaryOperator r = A :: f; int g() { return f(3); }", "private static int f(int k) { return k >= 0 ? 1 : 2; }", "k >= 0", "true"),
    "a reference to a method, with types": (
        "java.util.function.IntUnaryOperator r = A::<String>f; int g() { return f(3); }", "private static <T> int f(int k) { return k >= 0 ? 1 : 2; }", "k >= 0", "true"),
}  # fmt: skip
BELOW: dict[str, Case] = {
    "a sum may be a text, and an object may say something else later": (
        "", 'String f(StringBuilder b) { String a = prefix + b; b.append("x"); a = prefix + b; return a; }', " a = prefix + b; return", " return"),
    "so may one that is assigned": (
        "", 'Object f(StringBuilder b) { var a = prefix; a += b; b.append("x"); var c = prefix; c += b; return a == null ? null : c; }', "null : c", "null : a"),
    "what has no known type is cast": (
        "", "int f() { String s = (String) held; return 1; }", "String s = (String) held;", ""),
    "a field of a superclass, of another object": (
        "private int get() { return count; }", "int f(A o, boolean c) { A x = c ? this : o; if (o == null) { return 0; } return x.get(); }", "c ? this", "true ? this"),
}  # fmt: skip


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_a_run_tells_apart_is_not_proved(name: str) -> None:
    assert found(*DIFFERENT[name]) is None


@pytest.mark.parametrize("name", BELOW)
def test_nor_is_it_below_a_superclass(name: str) -> None:
    assert found(*BELOW[name], head="class A extends Base") is None


def test_a_constant_is_made_of_those_around_it() -> None:
    inner = "class A { static final int N = 2; int f() { return M; } }"
    file = f"class O {{ static final int N = 5; static final int M = N * 2; static {inner} }}"
    origin = "int f() { return M; }"
    assert prove(origin, origin.replace("M", "4"), "java", file=file) is None
    assert prove(origin, origin.replace("M", "10"), "java", file=file) is not None


GUARDED = "private final List<Object> p; A() { super(); p = new ArrayList<>(); }"


def test_a_final_field_may_be_asked_for_by_a_constructor_above() -> None:
    """`PKIXExtendedParameters` of the JDK has such a guard, and says so."""
    guarded = "void add(Object o) { if (p == null) { return; } p.add(o); }"
    assert found(GUARDED, guarded, "return;", "", "class A extends Base") is None
    origin = "int f() { return n > 0 ? 1 : 2; }"
    number = "private final int n; A() { n = 3; }"
    assert found(number, origin, "n > 0", "true", "class A extends Base") is None
    assert found(number, origin, "n > 0", "true") is not None


@pytest.mark.parametrize(
    ("type_", "class_", "same"),
    [
        ("double[]", "M", False), ("float[][]", "M", False), ("Double", "M", False),
        ("Complex", "Complex", False), ("Color", "M", True), ("double[]", "Arrays", True),
    ],
)  # fmt: skip
def test_a_number_that_is_none_need_not_equal_itself(type_: str, class_: str, same: bool) -> None:
    origin = f"boolean f({type_} a, {type_} b) {{ if (a == b) {{ return true; }} return {class_}.equals(a, b); }}"
    assert (found("", origin, "if (a == b) { return true; }", "") is not None) == same


SAME: dict[str, Case] = {
    "an object that is there": (LOOKS, "void f(A a) { int k = 1; if (a == this) { k = 2; } this.n = 1; }", "k = 2", "k = 3"),
    "objects that are no boxes": ("", 'boolean f(A a, A b, int x) { String s = "" + x; if (a != b) { return false; } return a == b; }', "a == b;", "true;"),
    "no box is made": ("", "boolean f(Object a, Object b) { if (a != b) { return false; } return a == b; }", "a == b;", "true;"),
    "this object": ("", 'int f(Object o, int x) { String s = "" + x; if (o == this) { return 1; } return o == this ? 2 : s.length(); }', "o == this ?", "false ?"),
    "a sum of numbers": ("", "int f(P p) { int s = p.x + p.y; if (s < 0) { return 1; } return s <= 0 ? 2 : 3; }", "s <= 0", "s == 0"),
    "a sum of fields and a number": ("private int m;", "int f(P p) { m = 1; int s = p.x + p.y + 1; return m; }", "return m", "return 1"),
    "a sum that is compared": ("private int m;", "boolean f(P p) { m = 1; boolean b = p.x + p.y > 3; return m > 0; }", "m > 0", "m >= 0"),
    "a callee of this object": ("private int m; private void check() { assert m > 0; }", "int f(int k) { check(); if (k < 0) { return 1; } return k <= 0 ? 2 : 3; }", "k <= 0", "k == 0"),
    "a reference to a method of this object": ("void run() { }", "int f() { Runnable r = this::run; return 1; }", "Runnable r = this::run;", ""),
    "a reference to a method of a class": ("", "int f() { Object r = String::length; return 1; }", "Object r = String::length;", ""),
    "a short callee is called when the change is done": ("private int n; int g(int k) { n = k; if (n < 0) { n = 0; } return f() ? 1 : 2; }", "private boolean f() { return n >= 0; }", "n >= 0", "true"),
    "a character": ("", "int f(char c) { boolean b = Character.isDigit(c); return 1; }", "boolean b = Character.isDigit(c);", ""),
    "different literals": ("", 'boolean f(String s) { return s.equals("\\u0041b") || "A".equals(s); }', "||", "!="),
}  # fmt: skip


@pytest.mark.parametrize("name", SAME)
def test_what_is_the_same_is_still_proved(name: str) -> None:
    assert found(*SAME[name]) is not None
