"""Names of classes that are asked for where the text says which class, and texts of objects."""

import pytest

from equimut.proofs.smt.prover import Proof
from equimut.proofs.smt.proving import prove

TEXTS = "`toString` answers with one text until something changes; to ask changes nothing"


def of(one: str, other: str, after: str = "!=", imports: str = "", members: str = "") -> bool:
    """Whether `one || other` is proved to be the same as `one != other`."""
    origin = f"boolean f(String s, Object o) {{ return {one} || {other}; }}"
    file = f"package a.b; {imports} class A {{ {members} {origin} }}"
    mutant = origin.replace("||", after)
    proof = prove(origin, mutant, "java", file=file)
    assert proof is None or after == "!=", "both may be false"
    return proof is not None


@pytest.mark.parametrize(("one", "other"), [
    ("One.class.getName().equals(s)", "Two.class.getName().equals(s)"),
    ("s.equals(One.class.getName())", "Two.class.getTypeName().equals(s)"),
    ("One.class.getSimpleName().equals(s)", "Two.class.getName().equals(s)"),
    ("p.One.class.getName().equals(s)", "q.Two.class.getName().equals(s)"),
    ("One.class.getName().equals(s)", '"p.Two".equals(s)'),
    ("One.class.getName().equals(s)", '"p.Some$1Two".equals(s)'),
    ("int.class.getName().equals(s)", "long.class.getName().equals(s)"),
    ("One.class.getName().equals(o.toString())", "Two.class.getName().equals(o.toString())"),
])  # fmt: skip
def test_classes_of_different_names(one: str, other: str) -> None:
    if "s.equals" in one:  # it is there, or there is nothing to ask
        one, other = f"s != null && ({one}", f"{other})"
        origin = f"boolean f(String s) {{ return {one} || {other}; }}"
        file = f"package a.b; class A {{ {origin} }}"
        assert prove(origin, origin.replace("||", "^"), "java", file=file) is not None
        return
    assert of(one, other)
    assert not of(one, other, "&&")


@pytest.mark.parametrize(("one", "other"), [
    ("One.class.getName().equals(s)", "One.class.getName().equals(s)"),
    ("One.class.getName().equals(s)", "p.One.class.getName().equals(s)"),
    ("One.class.getName().equals(s)", "Outer.One.class.getName().equals(s)"),
    ("One.class.getName().equals(s)", "One.class.getSimpleName().equals(s)"),
    ("One.class.getName().equals(s)", "One.class.getCanonicalName().equals(s)"),
    ("One.class.getCanonicalName().equals(s)", "Two.class.getCanonicalName().equals(s)"),
    ("One.class.getName().equals(s)", '"One".equals(s)'),
    ("One.class.getName().equals(s)", '"p.One".equals(s)'),
    ("One.class.getName().equals(s)", '"p.Some$1One".equals(s)'),
    ("One.class.toString().equals(s)", "Two.class.toString().equals(s)"),
    ("One.class.getPackageName().equals(s)", "Two.class.getPackageName().equals(s)"),
    ("One[].class.getName().equals(s)", "Two.class.getName().equals(s)"),
    ("byte[].class.getSimpleName().equals(s)", "B.class.getName().equals(s)"),
    ("One.class.getName().equalsIgnoreCase(s)", "ONE.class.getName().equalsIgnoreCase(s)"),
    ("One.class.getName().startsWith(s)", "Two.class.getName().startsWith(s)"),
    ("One.class.getName().equals(g())", "Two.class.getName().equals(g())"),
    ("o.getClass().getName().equals(s)", "Two.class.getName().equals(s)"),
    ("One$.class.getName().equals(s)", "Two.class.getName().equals(s)"),
    ("One.class.getName() == s", "Two.class.getName() == s"),
])  # fmt: skip
def test_names_that_may_be_the_same(one: str, other: str) -> None:
    assert not of(one, other)


def test_a_class_of_the_file_may_be_a_local_one() -> None:
    one, other = "One.class.getName().equals(s)", "Two.class.getName().equals(s)"
    assert not of(one, other, members="static class One { }")
    assert not of(one, other, members="class Two { }")


def test_a_class_inside_an_imported_one_has_two_names() -> None:
    one, other = "Lib.One.class.getName().equals(s)", "Lib.One.class.getCanonicalName().equals(s)"
    assert of(one, other, imports="import p.Lib;")
    assert not of(one, other)
    assert not of(one, other, imports="import p.*;")
    assert not of(one, other, imports="import static p.Lib;")
    plain = one.replace("Lib.", ""), other.replace("Lib.", "")
    assert not of(*plain, imports="import p.One;")


def told(origin: str, before: str, after: str, members: str = "") -> Proof | None:
    assert before in origin
    file = f"package a.b; class A {{ int n; {members} {origin} }}"
    return prove(origin, origin.replace(before, after), "java", file=file)


def test_a_text_is_asked_for_twice() -> None:
    origin = 'boolean f(Object o) { return o.toString().equals("a") || o.toString().equals("b"); }'
    proof = told(origin, "||", "^")
    assert proof is not None
    assert TEXTS in proof.assumptions


@pytest.mark.parametrize(("origin", "before", "after"), [
    ("int f(Object o) { o.toString(); return 1; }", "o.toString();", ";"),
    ("boolean f(Object o) { return o.toString() == null; }", "o.toString() == null", "false"),
    ("boolean f(Object o) { return o.toString() == o.toString(); }",
     "o.toString() == o.toString()", "o.toString() != null"),
    ("boolean f(Object o) { String a = o.toString(); n++; return a.equals(o.toString()); }",
     "a.equals(o.toString())", "a.equals(a)"),
    ("boolean f(Object o) { String a = o.toString(); g(); return a.equals(o.toString()); }",
     "a.equals(o.toString())", "a.equals(a)"),
    ("boolean f(Object o, Object p) { return o.toString().equals(p.toString()); }",
     "o.toString().equals(p.toString())", "o.toString().equals(o.toString())"),
    ("int f(A o) { o.toString(); o.toString(); return 1; }", "o.toString(); o", "o"),
    ("int f() { toString(); toString(); return 1; }", "toString(); t", "t"),
])  # fmt: skip
def test_what_a_text_does_not_tell(origin: str, before: str, after: str) -> None:
    assert told(origin, before, after) is None
