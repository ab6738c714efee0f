"""What the whole file of a Java function adds, and what it must not."""

import pytest

from equimut.proofs.smt.proving import prove


def proved(members: str, origin: str, before: str, after: str, head: str = "class A") -> bool:
    assert origin.count(before) == 1, "the change is in one place"
    file = f"import java.util.*;\n{head} {{\n{members}\n{origin}\n}}\n"
    mutant = origin.replace(before, after)
    assert prove(origin, mutant, "java") is None, "the file is needed"
    return prove(origin, mutant, "java", file=file) is not None


SIGN = "int sign(int a) { return a < 0 ? -1 : 1; }"
USE = "int f(int a) { return sign(a) > 0 ? 1 : 2; }"


@pytest.mark.parametrize("word", ["private", "static", "final"])
def test_a_short_callee_is_looked_into(word: str) -> None:
    assert proved(f"{word} {SIGN}", USE, "> 0", ">= 0")
    assert not proved(f"{word} {SIGN}", USE, "> 0", ">= -1")


def test_a_callee_that_may_be_overridden_is_not() -> None:
    assert not proved(SIGN, USE, "> 0", ">= 0")
    assert not proved(f"public {SIGN}", USE, "> 0", ">= 0")
    assert proved(SIGN, USE, "> 0", ">= 0", head="final class A")


def test_a_callee_sees_fields_and_changes_them() -> None:
    members = "private int n; private int next() { n = n + 1; return n; }"
    origin = "int f() { n = 3; int a = next(); return a + n; }"
    assert proved(members, origin, "return a + n", "return 8")
    assert not proved(members, origin, "return a + n", "return 7")
    assert not proved(members, "int f() { n = 3; next(); return n; }", "return n", "return 3")


def test_a_callee_throws_where_it_throws() -> None:
    members = "private int at(int[] a, int i) { return a[i]; }"
    origin = "int f(int[] a, int i) { int x = at(a, i); if (i < 0) { return 1; } return x; }"
    assert proved(members, origin, "i < 0", "false")
    origin = "int f(int[] a, int i) { int x = 0; try { x = 1; x = at(a, i); } catch (Exception e) { } return x; }"  # noqa: E501
    assert not proved(members, origin, "x = 1", "x = 2")


def test_locals_of_a_callee_are_its_own() -> None:
    members = "private int twice(int b) { int a = b + b; b = 0; return a; }"
    origin = "int f(int a, int b) { int c = twice(b); return a + b - c; }"
    assert proved(members, origin, "a + b - c", "a - b")
    assert not proved(members, origin, "a + b - c", "a")


def test_a_function_that_calls_itself_is_not_looked_into() -> None:
    origin = "private static int f(int a) { return a <= 0 ? 0 : f(a - 1); }"
    assert not proved("", origin, "a <= 0", "a <= 1")


def test_overloads_are_told_apart() -> None:
    members = "private int g(int a) { return 1; } private int g(long a) { return 2; }"
    assert proved(members, "int f(int a) { return g(a); }", "return g(a)", "return 1")
    assert proved(members, "int f(long a) { return g(a); }", "return g(a)", "return 2")
    assert not proved(members, "int f(byte a) { return g(a); }", "return g(a)", "return 2")


def test_constants_are_computed() -> None:
    members = "static final int BITS = 1 << 4; static final long ALL = BITS * 2 - 1;"
    assert proved(members, "boolean f() { return ALL == 31; }", "ALL == 31", "true")
    assert not proved(members, "boolean f() { return ALL == 31; }", "ALL == 31", "false")
    assert not proved("static int BITS = 16;", "boolean f() { return BITS == 16; }",
                      "BITS == 16", "true")  # fmt: skip


def test_a_final_array_has_its_length() -> None:
    members = "private static final int[] TABLE = {1, 2, 4, 8};"
    origin = "int f(int i) { if (i < 0 || i >= TABLE.length) { return 0; } return TABLE[i & 3]; }"
    assert proved(members, origin, "TABLE.length", "4")
    assert not proved(members, origin, "TABLE.length", "5")
    assert not proved(members.replace("final ", ""), origin, "TABLE.length", "4")
    assert proved("private final int[] t = new int[3];", "int f() { return t.length; }",
                  "t.length", "3")  # fmt: skip
    assert not proved("private final int[] t = new int[3];", "int f() { return t.length; }",
                      "t.length", "3", head="class A extends B")  # fmt: skip


KINDS = "enum Kind { A, B, C } static final Kind FIRST = pick();"


def asked(one: str, other: str, parameters: str = "Pair p", before: str = "") -> str:
    return f"boolean f({parameters}) {{ {before} return {one} || ({other}); }}"


@pytest.mark.parametrize("sign", ["!=", "^"])
def test_what_is_compared_with_constants_of_an_enum_is_a_reference(sign: str) -> None:
    """The type of the field is not in sight, but nothing is two constants at once."""
    assert proved(KINDS, asked("p.kind == Kind.A", "p.kind == Kind.B"), "||", sign)
    assert proved(KINDS, asked("p.kind == Kind.A", "p.kind == null"), "||", sign)


@pytest.mark.parametrize("origin", [
    asked("p.kind == Kind.A", "p.kind == Kind.A"),
    asked("p.kind == Kind.A", "p.kind == FIRST"),
    asked("p.kind == Kind.A", "p.kind != Kind.B"),
    asked("p.kind() == Kind.A", "p.kind() == Kind.B"),
    asked("a", "p.kind == Kind.B", before="boolean a = p.kind == Kind.A; p.kind = g();"),
    asked("p.kind == Kind.A", "q.kind == Kind.B", "Pair p, Pair q"),
    asked("p.kind == n", "p.kind == 7", "Pair p, Integer n"),
    asked("p.kind == a", "p.kind == b", "Pair p, Object a, Object b"),
])  # fmt: skip
def test_what_may_be_both(origin: str) -> None:
    assert not proved(KINDS, origin, "||", "!=")


VALUE = "private String v; String val() { log(); return v; }"


@pytest.mark.parametrize(("members", "call"), [
    (VALUE, "a.val().length()"),
    ("List<String> all() { return g(); }", "a.all().size()"),
    ("int[] all() { return g(); }", "a.all().length"),
])  # fmt: skip
def test_what_a_method_of_the_class_returns_has_its_type(members: str, call: str) -> None:
    assert proved(members, f"boolean f(A a) {{ return {call} > 0; }}", "> 0", "!= 0")
    assert not proved(members, f"boolean f(A a) {{ return {call} > 0; }}", "> 0", "> 1")


@pytest.mark.parametrize(("members", "call"), [
    ("Text val() { return v; }", "a.val().length()"),
    ("int val() { return v; } String val(int i) { return null; }", "a.val()"),
    (VALUE, "a.val(1).length()"),
    (VALUE, "b.val().length()"),
])  # fmt: skip
def test_no_type_is_guessed(members: str, call: str) -> None:
    assert not proved(members, f"boolean f(A a, B b) {{ return {call} > 0; }}", "> 0", "!= 0")
