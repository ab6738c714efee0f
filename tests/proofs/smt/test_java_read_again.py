"""What a second careful reading of the Java prover found: each was proved once."""
# ruff: noqa: E501

import pytest

from equimut.proofs.smt.prover import Proof
from equimut.proofs.smt.proving import CHOSEN_STATES, prove

Case = tuple[str, str, str, str]
"""Members of the class, the function, and the change."""


def found(
    members: str, origin: str, before: str, after: str, head: str = "class A", behind: str = ""
) -> Proof | None:
    assert origin.count(before) == 1, "the change is in one place"
    file = f"import java.util.*;\n{head} {{\n{members}\n{origin}\n}}\n{behind}\n"
    mutant = origin.replace(before, after)
    # A run would hide some of the wrong proofs.
    return prove(origin, mutant, "java", file=file, without=frozenset({CHOSEN_STATES}))


DIFFERENT: dict[str, Case] = {
    "a condition calls what changes the bound of a loop": (
        "int n; boolean t() { n = 0; return false; }", "int f() { if (n < 0) { return 5; } int i = 0; while (t()) { i++; if (i > n) { i = n; } } return i <= n ? 1 : 2; }", "i <= n", "true"),
    "a loop that never ends does not get to finally": (
        "", "int f(int n) { try { while (n > 0) { } } finally { return 1; } }", "while (n > 0) { }", ""),
    "a field of the class is there without an object": (
        "static int count;", "int f(A a) { int k = 1; if (a == null) { k = 2; } int x = a.count; return k; }", "a == null", "false"),
    "a method of the class is there without an object": (
        "static int count() { return 1; }", "int f(A a) { int k = 1; if (a == null) { k = 2; } int x = a.count(); return k; }", "a == null", "false"),
    "one of two sides is a box and the other a number": (
        "", "int f(P p, boolean c) { if (p == null) { return 1; } Object o = c ? p.x : p.y; return 1; }", "Object o = c ? p.x : p.y;", ""),
    "one of two sides is a number": (
        "", "int f(P p, boolean c) { if (p == null) { return 1; } Object o = c ? p.x : 1; return 1; }", "Object o = c ? p.x : 1;", ""),
    "both sides are boxes, of two types": (
        "", "int f(boolean c, Integer a, Double b) { int k = 1; try { Object o = c ? a : b; k = 2; } catch (NullPointerException e) { return k; } return 5; }", "k = 1", "k = 3"),
    "an object is cast to a number": (
        "", "int f(Object o) { if (o == null) { return 1; } int x = (int) o; return 1; }", "int x = (int) o;", ""),
    "a type parameter is compared with a number": (
        "", "<T extends Integer> int f(T x) { boolean b = x < 1; return 1; }", "boolean b = x < 1;", ""),
    "a number is added to a type parameter": (
        "", "<T extends Integer> int f(T x) { Object b = x + 1; return 1; }", "Object b = x + 1;", ""),
    "a type parameter is compared in a loop": (
        "", "<T extends Integer> int f(T x, int n) { int k = 1, s = 0; try { for (int i = 0; i < n; i++) { if (x < i) { s++; } } k = 2; } catch (NullPointerException e) { return k; } return s; }", "k = 1", "k = 3"),
    "a constructor asks for a final field twice": (
        "private final int n; int k; private int get() { return n; }", "A() { int a = get(); n = 3; int b = get(); k = a == b ? 1 : 2; }", "a == b", "true"),
    "a name is a pattern here and a field there": (
        "A s; void g() { s = null; }", "boolean f(Object o) { if (o instanceof A s) { return true; } A a = s; g(); return a == s; }", "a == s", "true"),
    "an exception of another package": (
        "", "int f(int a) { int k = 1; try { try { k = 1 / a; } catch (com.foo.ArithmeticException e) { return 2; } } catch (Throwable t) { k = 5; } return k; }", "k = 5", "k = 6"),
    "an exception of the file": (
        "static class ArithmeticException extends RuntimeException { }", "int f(int a) { int k = 1; try { try { k = 1 / a; } catch (ArithmeticException e) { return 2; } } catch (Throwable t) { k = 5; } return k; }", "k = 5", "k = 6"),
    "another locale": (
        "void g() { Locale.setDefault(Locale.ROOT); }", "boolean f(String s) { String a = s.toLowerCase(); g(); String b = s.toLowerCase(); return a.equals(b); }", "a.equals(b)", "true"),
    "who compares may look back": (
        "private int n; int g(Object x, Object y) { n = -1; boolean b = Objects.equals(x, y); n = 0; return b ? 1 : 2; }", "int get() { return n < 0 ? 5 : 6; }", "n < 0", "false"),
    "one of two texts that were joined": (
        "", 'int f(String x, boolean c) { String a = x + "y"; String b = x + "y"; String u = c ? a : b; if (u == a) { return 1; } if (u == b) { return 2; } return 3; }', "return 2", "return 4"),
    "one of two boxes": (
        "", "int f(int x, boolean c) { Integer a = x; Integer b = x; Integer u = c ? a : b; if (u == a) { return 1; } if (u == b) { return 2; } return 3; }", "return 2", "return 4"),
    "the other of two texts": (
        "", 'boolean f(String x) { String a = x + "y"; String b = x + "y"; String u = a; return u == a; }', "u == a", "u == b"),
    "a part of a text is taken twice": (
        "", "boolean f(String s) { Object a = s.subSequence(1, 3); Object b = s.subSequence(1, 3); return a == b; }", "a == b", "true"),
    "two lambdas": (
        "", "boolean f() { Runnable a = () -> { }; Runnable b = () -> { }; return a == b; }", "a == b", "true"),
    "two references to a method": (
        "void r() { }", "boolean f() { Runnable a = this::r; Runnable b = this::r; return a == b; }", "a == b", "true"),
    "another class has an initialiser": (
        "", "int f() { Object x = Foo.BAR; return 1; }", "Object x = Foo.BAR;", ""),
    "a class of the file has an initialiser": (
        "static class B { static Object o = A.log(); } static Object log() { return null; }", "int f() { Object x = B.o; return 1; }", "Object x = B.o;", ""),
    "two enums of one name": (
        "enum Kind { ON, OFF } static class B { enum Kind { ON, OFF } }", "int f(B.Kind k) { Object o = k; switch (k) { case ON: if (o == Kind.ON) { return 1; } return 2; default: return 3; } }", "o == Kind.ON", "true"),
    "a box is opened before the other side is computed": (
        "", "int f(Integer i) { int k = 1; try { i += k = 2; } catch (NullPointerException e) { return k; } return 3; }", "return k", "return 2"),
    "an initialiser of the file writes": (
        "static int s; static class B { static int t = A.s = 4; }", "int f() { s = 1; int k = B.t; return s; }", "return s", "return 1"),
    "a lock is given back by a jump, too": (
        "int n;", "int f() { int a = 0; o: { synchronized (this) { a = n; break o; } } return a == n ? 1 : 2; }", "a == n", "true"),
    "an enum by the name of a type parameter": (
        "enum Kind { X, Y }", "<T extends Kind> int f(T k) { switch (k) { case X: Object o = k; return o == Kind.X ? 1 : 2; default: return 3; } }", "o == Kind.X", "false"),
    "a variable is read before what is added to it sets it": (
        "", "int f(int n) { int x = 1; x += x = n; return x; }", "x = 1", "x = 9"),
    "what has no known type is no number in one base": (
        "", "int f(P p) { int a = Integer.parseInt(p.s, 16); int b = Integer.parseInt(p.s, 10); return a; }", "int b = Integer.parseInt(p.s, 10);", ""),
    "a number is looked for in a tree of other objects": (
        "", "int f(Set<?> s) { if (s == null) { return 1; } boolean b = s.contains(1); return 1; }", "boolean b = s.contains(1);", ""),
    "a result is an array by what stands behind the parameters": (
        "byte get()[] { return null; }", "boolean f() { byte[] b = get(); return b == null; }", "b == null", "false"),
    "a class of another package has the name of one of the JDK": (
        "", "int f(int x) { return org.foo.Math.abs(x); }", "org.foo.Math.abs(x)", "(x < 0 ? -x : x)"),
    "so has one that compares": (
        "", "boolean f(Object x, Object y) { return com.foo.Objects.equals(x, y); }", "com.foo.Objects", "Objects"),
    "an object that is made first asks for what the class sets next": (
        "static final A I = new A(); static final int[] T = {1}; A() { f(); }", "int f() { if (T == null) { return 1; } return T.length; }", "T == null", "false"),
    "a method that is called first asks for what the class sets next": (
        "static final int X = A.g(); static final int[] T = {1}; static int g() { return f(); }", "static int f() { if (T == null) { return 1; } return T.length; }", "T == null", "false"),
    "a block asks for what the class sets next": (
        "static { g(); } static final int[] T = {1}; static int g() { return f(); }", "static int f() { if (T == null) { return 1; } return T.length; }", "T == null", "false"),
    "an initialiser asks for what the object sets next": (
        "final int n = g(); final int[] t = {1}; int g() { return f(); }", "int f() { if (t == null) { return 1; } return t.length; }", "t == null", "false"),
}  # fmt: skip
BELOW: dict[str, Case] = {
    "an inherited field in capitals may be null": (
        "", "int f() { Object x = LOG.size; return 1; }", "Object x = LOG.size;", ""),
    "an inherited field in capitals may change": (
        "", "boolean f(P a, P b) { LOG = a; Object x = LOG.o; LOG = b; Object y = LOG.o; if (x == null) { return y == null; } return false; }", "y == null", "true"),
}  # fmt: skip
SAME: dict[str, Case] = {
    "a bound that nothing changes": (
        "boolean t() { return false; }", "int f(int n) { if (n < 0) { return 5; } int i = 0; while (t()) { i++; if (i > n) { i = n; } } return i <= n ? 1 : 2; }", "i <= n", "true"),
    "finally behind a loop that ends": (
        "", "int f(int n) { int k = 3; try { for (int i = 0; i < n; i++) { k = 5; } } finally { return 1; } }", "k = 5", "k = 6"),
    "two texts are one by their characters": (
        "", 'boolean f(String x) { String a = x + "y"; return a.equals(a); }', "a.equals(a)", "true"),
    "objects that are compared beside a text": (
        "", 'boolean f(A a, A b, int x) { String s = "" + x; if (a != b) { return false; } return a == b; }', "a == b;", "true;"),
    "what others are set to asks for nothing": (
        "static final Object O = new Object(); static final int[] T = {1}; final List<A> l = new ArrayList<>(); static final A I = new A();", "int f() { if (T == null || l == null) { return 1; } return T.length; }", "T == null || l == null", "false"),
    "a class of the language by its whole name": (
        "", "int f(int x) { return java.lang.Math.abs(x); }", "java.lang.Math.abs(x)", "(x < 0 ? -x : x)"),
    "a class of the JDK by its whole name": (
        "", "boolean f(Object x, Object y) { return java.util.Objects.equals(x, y); }", "java.util.Objects", "Objects"),
    "a lambda that nobody compares": (
        "", "int f() { Runnable a = () -> { }; return 1; }", "Runnable a = () -> { };", ""),
    "a constant of a class of the file": (
        "static class B { static final int N = 4; }", "int f() { Object x = B.N; return 1; }", "Object x = B.N;", ""),
    "a constant of another class is asked for on both sides": (
        "", "int f(int n) { if (n < 0) { return Foo.BAR; } return n <= 0 ? 1 : 2; }", "n <= 0", "n == 0"),
    "a loop up to a constant of another class": (
        "", "int f(int[] a) { int s = 0; for (int i = 0; i < a.length; i++) { s += Foo.BAR; } return s; }", "i < a.length", "i != a.length"),
    "an exception of the language": (
        "", "int f(int a) { int k = 1; try { try { k = 1 / a; } catch (ArithmeticException e) { return 2; } } catch (Throwable t) { k = 5; } return k; }", "k = 5", "k = 6"),
    "a number or null": (
        "", "int f(boolean c, P p) { if (p == null) { return 1; } Object o = c ? p.x : null; return 1; }", "Object o = c ? p.x : null;", ""),
    "a number is cast": (
        "", "int f(long n) { int x = (int) n; return 1; }", "int x = (int) n;", ""),
}  # fmt: skip
FINAL = "private final int n; A() { n = 3; } void init() { f(); }"


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_a_run_tells_apart_is_not_proved(name: str) -> None:
    assert found(*DIFFERENT[name]) is None


@pytest.mark.parametrize("name", BELOW)
def test_nor_is_it_below_a_superclass(name: str) -> None:
    assert found(*BELOW[name], head="class A extends Base") is None


@pytest.mark.parametrize(
    ("base", "proved"),
    [
        ("Base() { init(); } void init() { }", False),
        ("{ init(); } void init() { }", False),
        ("int k = init(); int init() { return 1; }", False),
        ("int k; Base() { k = 1; } void init() { }", True),
    ],
)
def test_a_superclass_of_the_file_may_ask_for_a_final_field(base: str, proved: bool) -> None:
    change = ("int f() { return n > 0 ? 1 : 2; }", "n > 0", "true")
    proof = found(FINAL, *change, head="class A extends Base", behind=f"class Base {{ {base} }}")
    assert (proof is not None) == proved


@pytest.mark.parametrize(("maker", "proved"), [("A() { f(); }", False), ("", True)])
def test_an_enum_makes_its_constants_first(maker: str, proved: bool) -> None:
    members = f"X, Y; static final List<A> ALL = new ArrayList<>(); {maker}"
    change = ("int f() { return ALL == null ? 1 : 2; }", "ALL == null", "false")
    assert (found(members, *change, head="enum A") is not None) == proved


@pytest.mark.parametrize("name", SAME)
def test_what_is_the_same_is_still_proved(name: str) -> None:
    assert found(*SAME[name]) is not None


BODY = "X {{ {} int f() {{ return {}; }} }}; static final int n = 5; private static int g() {{ return 5; }} abstract int f();"


@pytest.mark.parametrize(("members", "value"), [("final int n = 3;", "n"), ("int g() { return 1; }", "g()")])  # fmt: skip
def test_the_body_of_a_constant_has_members_of_its_own(members: str, value: str) -> None:
    origin = f"int f() {{ return {value}; }}"
    file = f"enum A {{ {BODY.format(members, value)} }}"
    mutant = origin.replace(value, "5")
    assert prove(origin, mutant, "java", file=file, without=frozenset({CHOSEN_STATES})) is None
