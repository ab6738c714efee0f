"""An object that its constructor keeps to itself: no call sees or changes its fields."""
# ruff: noqa: E501

import pytest

from equimut.proofs.smt.proving import prove

FIELDS = "private boolean eof; private int n; private Object x; int m() { return n; }"
COPY = "private static Object copy(Object o) { for (int i = 0; i < 9; i++) { o = Foo.bar(o); } return o; } "
INNER = "class In { In() { n = 4; } }"


def proved(origin: str, dropped: str, members: str = FIELDS, head: str = "class A") -> bool:
    """Whether it can be shown that a statement of a constructor or method does nothing."""
    assert origin.count(dropped) == 1, "the change is in one place"
    file = f"import java.util.*;\nimport java.io.*;\nimport static a.b.Checks.checked;\n{head} {{\n{members}\n{origin}\n}}\n"
    return prove(origin, origin.replace(dropped, ""), "java", file=file) is not None


ALIKE: dict[str, tuple[str, ...]] = {
    "a default behind calls": ("A(Object o) { x = Objects.requireNonNull(o, \"o\"); n = Foo.bar(o); eof = false; }", "eof = false;"),
    "a value that is overwritten behind a call": ("A(Object o) { this.n = -1; this.x = Foo.bar(o); this.n = 3; }", "this.n = -1;"),
    "below a class of the JDK": (
        "A(Object o) { super(); n = -1; x = Foo.bar(o); n = 3; }", "n = -1;", FIELDS, "class A extends InputStream"),
    "an object of another class": ("A(Object o) { Foo.bar(o); n = 0; }", "n = 0;", "private Object x = new Out(); private int n;"),
    "a short method of its own": (
        "A(Object o) { n = 7; Foo.bar(o); init(3); }", "n = 7;", f"{FIELDS} private void init(int k) {{ n = k; }}"),
    "a default before it is handed out": ("A(Object o) { x = Foo.bar(o); eof = false; Foo.keep(this); }", "eof = false;"),
    "a default before it is handed out in a loop": (
        "A(Object o) { x = Foo.bar(o); eof = false; for (int i = 0; i < 9; i++) { Foo.keep(this); } }", "eof = false;"),
    "a method of the class that needs no object": (
        "A(Object o) { n = -1; x = copy(o); n = 3; }", "n = -1;", FIELDS + COPY),
    "a default behind such a method": ("A(Object o) { x = A.copy(o); n = 0; }", "n = 0;", FIELDS + COPY),
    "a function that is imported": ("A(Object o) { x = checked(o); n = 0; }", "n = 0;"),
    "a function that is imported, below interfaces": (
        "A(Object o) { x = checked(o); n = 0; }", "n = 0;", FIELDS, "class A implements Comparable<A>, Serializable"),
    "a new array": ("A(int k) { n = 7; x = new int[k]; n = k; }", "n = 7;"),
}  # fmt: skip


@pytest.mark.parametrize("case", ALIKE)
def test_what_a_constructor_does_for_nothing(case: str) -> None:
    assert proved(*ALIKE[case])


DIFFERENT: dict[str, tuple[str, ...]] = {
    "a superclass that may set it": ("A(Object o) { super(); n = -1; x = Foo.bar(o); n = 3; }", "n = -1;", FIELDS, "class A extends Base"),
    "the object is an argument": ("A(Object o) { n = -1; x = Foo.bar(this); n = 3; }", "n = -1;"),
    "the object is an argument, and comes back changed": ("A(Object o) { x = Foo.bar(this); eof = false; }", "eof = false;"),
    "a method that may be overridden": ("A(Object o) { n = -1; x = m(); n = 3; }", "n = -1;"),
    "a method of the superclass": ("A(Object o) { n = -1; super.hashCode(); n = 3; }", "n = -1;"),
    "a method that needs no object, with the object": (
        "A(Object o) { n = -1; x = copy(this); n = 3; }", "n = -1;", FIELDS + COPY),
    "a method of the name that needs one": (
        "A(Object o) { n = -1; x = copy(o); n = 3; }", "n = -1;", FIELDS + COPY + "Object copy(String s) { n = 9; return s; }"),
    "a generic method that needs one": (
        "A(Object o) { n = -1; x = copy(o); n = 3; }", "n = -1;", FIELDS + "public <T> T copy(T s) { n = 9; while (n > 8) n = next(); return s; }"),
    "a function that may be inherited": (
        "A(Object o) { x = checked(o); n = 0; }", "n = 0;", FIELDS, "class A extends Base"),
    "a function that may be a default": (
        "A(Object o) { x = checked(o); n = 0; }", "n = 0;", FIELDS, "class A implements Checks"),
    "a function of an interface of the file": (
        "A(Object o) { x = checked(o); n = 0; }", "n = 0;", FIELDS, "interface Serializable { default Object checked(Object o) { return this; } }\nclass A implements Serializable"),
    "a function that nothing brings": ("A(Object o) { x = unknown(o); n = 0; }", "n = 0;"),
    "a method of its own, not what is imported": (
        "A(Object o) { x = checked(o); n = 0; }", "n = 0;", FIELDS + "public <T> T checked(T s) { n = 9; while (n > 8) n = next(); return s; }"),
    "what any object has": ("A(Object o) { n = -1; x = toString(); n = 3; }", "n = -1;"),
    "what any object has, asked of it": ("A(Object o) { n = -1; m = this.hashCode(); n = 3; }", "n = -1;"),
    "a function, behind the place where it is handed out": (
        "A(Object o) { Foo.keep(this); x = copy(o); n = 0; }", "n = 0;", FIELDS + COPY),
    "a function that gets an object that knows it": (
        "A(Object o) { x = copy(new In()); n = 0; }", "n = 0;", FIELDS + COPY + INNER),
    "a function that gets a lambda": (
        "A(Object o) { x = copy((Runnable) () -> n = 3); n = 0; }", "n = 0;", FIELDS + COPY),
    "a short method that gets the object": (
        "A(Object o) { n = 7; init(this); n = 3; }", "n = 7;", FIELDS + "private void init(Object k) { Foo.bar(k); }"),
    "a lambda": ("A(Object o) { x = (Runnable) () -> n = 3; Foo.bar(x); n = 0; }", "n = 0;"),
    "a method reference": ("A(Object o) { n = 5; Foo.bar(this::m); n = 0; }", "n = 5;"),
    "an inner object": ("A(Object o) { x = new In(); n = 0; }", "n = 0;", FIELDS + INNER),
    "an inner object, fully named": ("A(Object o) { x = new A.In(); n = 0; }", "n = 0;", FIELDS + INNER),
    "an inner object in an initialiser": ("A(Object o) { Foo.bar(o); n = 0; }", "n = 0;", f"private Object x = new In(); private int n; {INNER}"),
    "an anonymous object": ("A(Object o) { x = new Base() { int k = n++; }; n = 0; }", "n = 0;"),
    "another constructor": ("A(Object o) { this(); Foo.bar(o); n = 0; }", "n = 0;"),
    "another name": ("A(Object o) { A me = this; Foo.bar(me); n = 0; }", "n = 0;"),
    "another name in a field": ("A(Object o) { x = this; Foo.bar(x); n = 0; }", "n = 0;"),
    "behind the place where it is handed out": ("A(Object o) { Foo.keep(this); x = Foo.bar(o); n = 0; }", "n = 0;"),
    "overwritten behind that place": ("A(Object o) { Foo.keep(this); n = -1; x = Foo.bar(o); n = 3; }", "n = -1;"),
    "a default behind a short method of its own": (
        "A(Object o) { Foo.keep(this); init(o); n = 0; }", "n = 0;", FIELDS + "private void init(Object o) { Foo.bar(o); }"),
    "overwritten behind a short method of its own": (
        "A(Object o) { Foo.keep(this); n = 7; init(o); n = 3; }", "n = 7;", FIELDS + "private void init(Object o) { Foo.bar(o); }"),
    "handed out in a branch": ("A(Object o) { if (o == null) { Foo.keep(this); } Foo.bar(o); n = 0; }", "n = 0;"),
    "handed out in a loop before": (
        "A(int[] a) { for (int k : a) { n = 0; Foo.bar(a); Foo.keep(this); } }", "n = 0;"),
    "handed out by a handler": ("A(Object o) { try { Foo.bar(o); } catch (RuntimeException e) { Foo.keep(this); } Foo.bar(o); n = 0; }", "n = 0;"),
    "thrown at one who knows it": ("A(Object o) { Foo.keep(this); n = 5; Foo.bar(o); n = 6; }", "n = 5;"),
    "a lock": ("A(Object o) { synchronized (this) { Foo.bar(o); } n = 0; }", "n = 0;"),
    "an initialiser": ("A(Object o) { Foo.bar(o); n = 0; }", "n = 0;", FIELDS + "{ n = 4; }"),
    "a first value": ("A(Object o) { Foo.bar(o); n = 0; }", "n = 0;", "private int n = 4;"),
    "a handler that reads it": ("A(Object o) { try { n = 1; Foo.bar(o); } catch (RuntimeException e) { eof = n > 0; } n = 3; }", "n = 1;"),
    "a method that hands it out": (
        "A(Object o) { n = 7; init(3); n = 3; }", "n = 7;", FIELDS + "private void init(int k) { Foo.bar(this); }"),
    "a method that calls itself": (
        "A(Object o) { n = 7; init(3); n = 3; }", "n = 7;", FIELDS + "private void init(int k) { if (k > n) init(k - 1); }"),
    "another object": ("A(A o) { n = 7; o.n = 3; Foo.bar(o); n = 0; }", "o.n = 3;"),
    "another object, overwritten": ("A(A o) { o.n = 3; Foo.bar(o); o.n = 4; }", "o.n = 3;"),
    "a static field": ("A(Object o) { c = 3; Foo.bar(o); c = 4; }", "c = 3;", "static int c; private int n;"),
    "an element": ("A(int[] a) { a[0] = 3; Foo.bar(a); a[0] = 4; }", "a[0] = 3;"),
    "a method": ("void f(Object o) { n = -1; x = Foo.bar(o); n = 3; }", "n = -1;"),
    "a loop that reads it": ("A(int[] a) { n = 5; for (int i = 0; i < a.length; i++) { if (n > 4) Foo.bar(a); } n = 3; }", "n = 5;"),
    "a branch that reads it": ("A(Object o) { n = 5; if (n > 4) Foo.bar(o); n = 3; }", "n = 5;"),
}  # fmt: skip


@pytest.mark.parametrize("case", DIFFERENT)
def test_what_a_constructor_does_that_may_be_seen(case: str) -> None:
    assert not proved(*DIFFERENT[case])


BELOW = "A(Object o) { x = Foo.bar(o); n = 0; }"
SUPERCLASSES: dict[str, tuple[str, bool]] = {
    "with a constructor": ("class Base { Object p; Base() { p = null; } } class A extends Base", True),
    "with first values": ("abstract class Base<T> { int k = 3; T p = null; abstract T next(); } class A<T> extends Base<T>", True),
    "with another above": ("class Base extends Top { int k; } class Top { Top() { super(); } } class A extends Base", True),
    "with one of the JDK above": ("class Base extends InputStream { int k; } class A extends Base", True),
    "beside it": ("class Out extends Z { static class Base { } static class A extends Base", True),
    "that calls a method": ("class Base { Base() { init(); } void init() { } } class A extends Base", False),
    "that hands it out": ("class Base { Base() { Foo.keep(this); } } class A extends Base", False),
    "that hands it out in a field": ("class Base { static Base last; Base() { last = this; } } class A extends Base", False),
    "that sets what is below": ("class Base { Base() { ((A) this).n = 3; } } class A extends Base", False),
    "with an initialiser": ("class Base { { Foo.keep(this); } } class A extends Base", False),
    "with a first value that asks it": ("class Base { int k = init(); int init() { return 3; } } class A extends Base", False),
    "with a first value that knows it": ("class Base { Object p = new In(); class In { } } class A extends Base", False),
    "with a lambda": ("class Base { Base() { Foo.keep(() -> 3); } } class A extends Base", False),
    "with such a one above": ("class Base extends Top { } class Top { Top() { Foo.keep(this); } } class A extends Base", False),
    "with an unknown one above": ("class Base extends Unknown { } class A extends Base", False),
    "with one above that is declared twice": ("class X { class Top { } } class Base extends Top { } class A extends Base", False),
    "that stands elsewhere": ("class X { static class Base { } } class A extends Base", False),
    "that may be inherited": ("class Base { } class Out extends Z { static class A extends Base", False),
    "that may come from an interface": ("class Base { } class Out implements Z { static class A extends Base", False),
    "that is named in full": ("class X { static class Base { } } class A extends X.Base", True),
    "that is named by the class around it": ("class Out implements Z { static class Base { } static class A extends Out.Base", True),
    "in a class that is not there": ("class Base { } class A extends X.Base", False),
    "that a class may inherit": ("class Base { } class X extends Y { } class A extends X.Base", False),
}  # fmt: skip


@pytest.mark.parametrize("case", SUPERCLASSES)
def test_a_superclass_of_the_same_file(case: str) -> None:
    head, quiet = SUPERCLASSES[case]
    close = "}" if "Out" in head else ""
    file = f"import java.io.*; {head} {{ private int n; private Object x; {BELOW} }} {close}"
    mutant = BELOW.replace("n = 0;", "")
    assert (prove(BELOW, mutant, "java", file=file) is not None) is quiet


@pytest.mark.parametrize("read", ["super.n", "((Base) this).n", "k"])
def test_a_field_of_the_superclass_is_another_one(read: str) -> None:
    origin = f"A(Object o) {{ super(); int j = 1; if ({read} == 0) {{ j = 2; }} m = j; }}"
    file = (
        f"class Base {{ int n = 5; int k = 5; }} class A extends Base {{ int n; int m; {origin} }}"
    )
    assert prove(origin, origin.replace(f"{read} == 0", "true"), "java", file=file) is None
