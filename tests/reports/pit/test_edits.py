"""What is put into the text, mutator by mutator, and which class, method or lambda it is in."""

from pathlib import Path

import pytest

from equimut.reports.pit.read import read_pit
from equimut.reports.reported import ReportedMutant
from oracles.reports.pit_bytecode import MUTATORS
from oracles.reports.pit_elements import mutation, write

VOID, OTHER = "VoidMethodCallMutator", "NonVoidMethodCallMutator"


def mutants(folder: Path, body: str, *parts: str) -> list[ReportedMutant]:
    """The mutants of class `p.A` with this body, all on line 2."""
    (folder / "p").mkdir()
    (folder / "p" / "A.java").write_text(f"package p; import java.util.*; class A {{\n{body}\n}}\n")
    return list(read_pit(write(folder, *parts), folder).mutants())


def line_after(mutant: ReportedMutant, body: str) -> str | None:
    """The body with the change in it."""
    change = mutant.change
    if change is None:
        return mutant.problem
    before = len("package p; import java.util.*; class A {\n")
    source = body.encode()
    head, tail = source[: change.start_byte - before], source[change.end_byte - before :]
    return (head + change.replacement.encode() + tail).decode()


def one(description: str, method: str = "f()V", mutator: str = VOID, index: int = 5) -> str:
    """One mutation of a method given as `name(descriptor)`."""
    name, _, descriptor = method.partition("(")
    return mutation(
        2,
        description,
        index,
        mutatedMethod=name,
        methodDescription=f"({descriptor}",
        mutator=MUTATORS + mutator,
    )


@pytest.mark.parametrize(
    ("body", "part", "expected"),
    [
        # What arguments and receivers do still happens.
        ("void f() { g(h(), x++, 1); }", one("removed call to p/A::g"),
         "void f() { { h(); x++; } }"),
        ("void f() { g(h()); }", one("removed call to p/A::g"), "void f() { h(); }"),
        ("void f() { g(1 + h(), k.size()); }", one("removed call to p/A::g"),
         "void f() { { var ignored = 1 + h(); } }"),
        ("void f() { next().g(a.getB(), () -> h()); }", one("removed call to p/A::g"),
         "void f() { next(); }"),
        # Places where a lone semicolon is no statement.
        ("void f() { if (x) g(); else h(); }", one("removed call to p/A::g"),
         "void f() { if (x) ; else h(); }"),
        ("void f(int k) { switch (k) { case 1 -> g(); default -> h(); } }",
         one("removed call to p/A::g", "f(I)V"),
         "void f(int k) { switch (k) { case 1 -> { } default -> h(); } }"),
        ("void f() { for (g(); x; h()) k(); }", one("removed call to p/A::h"),
         "void f() { for (g(); x; ) k(); }"),
        ("Runnable f() { return () -> g(); }", one("removed call to p/A::g", "lambda$f$0()V"),
         "Runnable f() { return () -> { }; }"),
        # Other calls, constructors, receivers, increments.
        ("int f(String s) { return s.length() + 1; }",
         one("removed call to java/lang/String::length", "f(Ljava/lang/String;)I", OTHER),
         "int f(String s) { return 0 + 1; }"),
        ("void f(Set<A> s) { s.add(this); }",
         one("removed call to java/util/Set::add", "f(Ljava/util/Set;)V", OTHER),
         "void f(Set<A> s) { ; }"),
        ("int f(B b) { return b.odd(); }", one("removed call to p/B::odd", "f(Lp/B;)I", OTHER),
         "not locatable: the type of what odd returns is not in this file"),
        ("Object f() { return new ArrayList<A>(3); }",
         one("removed call to java/util/ArrayList::<init>", "f()Ljava/lang/Object;"),
         "Object f() { return null; }"),
        ("String f(String s) { return s.trim().strip(); }",
         one("replaced call to java/lang/String::trim with receiver", "f(Ljava/lang/String;)V"),
         "String f(String s) { return s.strip(); }"),
        ("void f(int i) { i++; }", one("Removed increment 1", "f(I)V"), "void f(int i) { ; }"),
        ("int f(int i) { return i--; }", one("Removed increment -1", "f(I)I"),
         "int f(int i) { return i; }"),
        ("int f(int i) { return -i++; }", one("Changed increment from 1 to -1", "f(I)I"),
         "int f(int i) { return -i--; }"),
        ("void f(byte b) { b++; }", one("Replaced integer addition with subtraction", "f(B)V"),
         "void f(byte b) { b--; }"),
        ("void f() { var i = 0; i += 2; }", one("Changed increment from 2 to -2"),
         "void f() { var i = 0; i -= 2; }"),
        # Operators that would bind otherwise, or grow together with their neighbours.
        ("int f(int a, int b) { return a+-b; }",
         one("Replaced integer addition with subtraction", "f(II)I"),
         "int f(int a, int b) { return a- -b; }"),
        ("int f(int a, int b) { return a | b & 3; }",
         one("Replaced bitwise OR with AND", "f(II)I"),
         "int f(int a, int b) { return a & (b & 3); }"),
        # Conditions.
        ("void f(Object o) { while (o != null) g(); h(); }",
         one("removed conditional - replaced equality check with true", "f(Ljava/lang/Object;)V"),
         "void f(Object o) { while (o != null || true) g(); h(); }"),
        ("void f(double d) { if (d > 1) g(); }", one("negated conditional", "f(D)V"),
         "void f(double d) { if (!(d > 1)) g(); }"),
        ("void f() { if (a.b() > 1) g(); }", one("negated conditional"),
         "void f() { if (!(a.b() > 1)) g(); }"),
        ("void f(boolean a, boolean b) { if (a & b) g(); }", one("negated conditional", "f(ZZ)V"),
         "void f(boolean a, boolean b) { if (!(a & b)) g(); }"),
        # Returns.
        ("int f() { if (x) return g(); else return 1; }",
         one("replaced int return with 0 for p/A::f", "f()I", index=8),
         "not locatable: ambiguous: 2 places on line 2 fit"),
        ("int f() { return g(); }", one("replaced int return with 0 for p/A::f", "f()I"),
         "int f() { { g(); return 0; } }"),
        ("int f() { if (x) return g(); else return 0; }",
         one("replaced int return with 0 for p/A::f", "f()I", index=8),
         "int f() { if (x) { g(); return 0; } else return 0; }"),
        ("boolean f() { if (x) return true; return false; }",
         one("replaced boolean return with true for p/A::f", "f()Z", index=8),
         "boolean f() { if (x) return true; return true; }"),
        ("Map<A, B> f() { return m; }",
         one("replaced return value with Collections.emptyMap for p/A::f", "f()Ljava/util/Map;"),
         "Map<A, B> f() { return Collections.emptyMap(); }"),
        ("Object f() { return m; }",
         one("replaced return value with Stream.empty for p/A::f", "f()Ljava/lang/Object;"),
         "Object f() { return java.util.stream.Stream.empty(); }"),
        ("Object f() { return m; }",
         one("replaced return value with Mono.empty for p/A::f", "f()Ljava/lang/Object;"),
         "not locatable: how to return 'Mono.empty' here is not known"),
        ("Short f() { return m; }",
         one("replaced Short return value with 0 for p/A::f", "f()Ljava/lang/Short;"),
         "Short f() { return (short) 0; }"),
    ],
)  # fmt: skip
def test_each_mutation_is_written_as_java_that_does_the_same(
    tmp_path: Path, body: str, part: str, expected: str
) -> None:
    (found,) = mutants(tmp_path, body, part)
    assert line_after(found, body) == expected


SUM = "Replaced integer addition with subtraction"


@pytest.mark.parametrize(
    ("body", "class_name", "method", "expected"),
    [
        # Overloads, by their descriptors, type variables included.
        ("int f(int a) { return a + 1; } int f(long a) { return (int) a + 2; }", "p.A", "f(J)I",
         "a - 2"),
        ("<T> int f(T a) { return 1 + k; } int f(int a) { return a + 2; }", "p.A",
         "f(Ljava/lang/Object;)I", "1 - k"),
        ("int f(List<String> a, int... b) { return k + 1; } int f(List<A> a) { return k + 2; }",
         "p.A", "f(Ljava/util/List;[I)I", "k - 1"),
        # Classes in classes, with and without names.
        ("class B { class C { int f() { return k + 1; } } int f() { return k + 2; } }", "p.A$B$C",
         "f()I", "k - 1"),
        ("B g = new B() { int f() { return k + 1; } }, h = new B() { int f() { return k + 2; } };",
         "p.A$2", "f()I", "k - 2"),
        ("void g() { class B { int f() { return k + 1; } } } int f() { return k + 2; }", "p.A$1B",
         "f()I", "k - 1"),
        ("enum E { X { int f() { return k + 1; } }, Y { int f() { return k + 2; } }; }", "p.A$E$2",
         "f()I", "k - 2"),
        ("interface I { default int f() { return k() + 1; } int k(); }", "p.A$I", "f()I",
         "k() - 1"),
        ("record R(int a) { R { g(a + 1); } int f() { return a + 2; } }", "p.A$R", "<init>(I)V",
         "a - 1"),
        # Lambdas: numbered through the class, inner ones first; by parameters where that helps.
        ("Object f() { return h(x -> x + 1, (x, y) -> x + 2); }", "p.A", "lambda$f$1(II)I",
         "x - 2"),
        ("Object g = h(() -> k + 1); Object f() { return h(() -> k + 2); }", "p.A",
         "lambda$new$0()I", "k - 1"),
        ("static Object g = h(() -> k + 1); Object f = h(() -> k + 2);", "p.A",
         "lambda$static$0()I", "k - 1"),
        # Initialisers stand in the constructors, and in the static block.
        ("int k = n() + 1; static int m = n() + 2; A() { }", "p.A", "<init>()V", "n() - 1"),
        ("int k = n() + 1; static int m = n() + 2; A() { }", "p.A", "<clinit>()V", "n() - 2"),
        ("A(int a) { super(a + 1); }", "p.A", "<init>(I)V", "a - 1"),
        ("{ g(n() + 1); } static { h(n() + 2); }", "p.A", "<clinit>()V", "n() - 2"),
    ],
)  # fmt: skip
def test_names_of_the_bytecode_lead_to_the_right_piece_of_source(
    tmp_path: Path, body: str, class_name: str, method: str, expected: str
) -> None:
    body = f"int k; {body}"
    part = one(SUM, method).replace("<mutatedClass>p.A<", f"<mutatedClass>{class_name}<")
    (found,) = mutants(tmp_path, body, part)
    after = line_after(found, body) or ""
    assert expected in after
    assert sum(mine != theirs for mine, theirs in zip(body, after, strict=True)) == 1


NESTED = "int k; Object g = h(() -> 0); Object f() { return h(() -> h(() -> k + 1) + 2); }"


@pytest.mark.parametrize(
    ("inner", "outer"),
    [
        ("lambda$f$1", "lambda$f$2"),  # numbered through the class, inner ones first
        ("lambda$f$1", "lambda$f$0"),  # numbered by method, outer ones first
    ],
)
def test_lambdas_are_numbered_as_the_whole_report_shows(
    tmp_path: Path, inner: str, outer: str
) -> None:
    found = mutants(tmp_path, NESTED, one(SUM, f"{inner}()I"), one(SUM, f"{outer}()I"))
    assert [line_after(mutant, NESTED) for mutant in found] == [
        NESTED.replace("k + 1", "k - 1"),
        NESTED.replace(") + 2", ") - 2"),
    ]


SAME = "int k; Object g = h(() -> 0); Object f() { return h(() -> k + 1, () -> k + 2); }"


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["lambda$f$1", "lambda$f$2"], ["k - 1", "k - 2"]),  # 2 is there only in the class
        (["lambda$f$0", "lambda$f$1"], ["k - 1", "k - 2"]),  # 0 is not one of f in the class
        (["lambda$f$1"], ["ambiguous: 2 lambdas"]),  # the first in the class, the second in f
    ],
)
def test_equal_lambdas_are_told_apart_by_what_else_is_reported(
    tmp_path: Path, names: list[str], expected: list[str]
) -> None:
    found = mutants(tmp_path, SAME, *(one(SUM, f"{name}()I") for name in names))
    for mutant, part in zip(found, expected, strict=True):
        assert part in (line_after(mutant, SAME) or "")


def test_lambdas_are_told_apart_by_what_is_in_them_where_numbers_are_not_safe(
    tmp_path: Path,
) -> None:
    body = "int k; Object f() { return h(() -> k + 1, () -> k * 2, int[]::new); }"
    (found,) = mutants(tmp_path, body, one(SUM, "lambda$f$5()I"))
    assert line_after(found, body) == body.replace("k + 1", "k - 1")


def test_two_lambdas_that_cannot_be_told_apart_are_ambiguous(tmp_path: Path) -> None:
    body = "Object f() { return h(() -> k + 1, () -> k + 2, int[]::new); }"
    (found,) = mutants(tmp_path, body, one(SUM, "lambda$f$1()I"))
    assert found.change is None
    assert found.problem == "not locatable: ambiguous: 2 lambdas on line 2 fit lambda$f$1"


def test_both_conditions_of_a_finally_block_are_found_by_their_first_copies(
    tmp_path: Path,
) -> None:
    body = (
        "int f(Object a, Object b) { try { g(); } catch (E e) { return 1; } "
        "finally { if (a == null && b == null) h(); } return 2; }"
    )
    method = "f(Ljava/lang/Object;Ljava/lang/Object;)I"
    parts = [
        one("negated conditional", method).replace(
            "<index>5</index>",
            "<indexes>" + "".join(f"<index>{i}</index>" for i in indexes) + "</indexes>",
        )
        for indexes in ((9, 29, 49), (6, 26, 46))
    ]
    second, first = mutants(tmp_path, body, *parts)
    assert line_after(first, body) == body.replace("a == null", "a != null")
    assert line_after(second, body) == body.replace("b == null", "b != null")
