"""Static methods of other files: which method a call means, and what may be known of it."""
# ruff: noqa: E501

from collections.abc import Callable

import pytest

from equimut.proofs.smt.proving import prove
from oracles.java_projects import Written, main, proof_with_others

Project = Callable[..., Written]
FAR = """package a.b; class Far {
    static int find(int[] a, int x) {
        for (int i = 0; i < a.length; i++) { if (a[i] == x) { return i; } }
        return -1;
    }
    static int sign(int n) { return n < 0 ? -1 : 1; }
}"""
FIND = "int f(int[] a, int x) { if (Far.find(a, x) < 0) return 7; return x; }"
SIGN = "int f(int n) { if (Far.sign(n) > 0) return 7; return n; }"
CHANGES = {FIND: ("Far.find(a, x) < 0", "Far.find(a, x) == -1"), SIGN: ("> 0", ">= 0")}


def proved(given: Written, use: str) -> bool:
    return proof_with_others(given, use, *CHANGES[use]) is not None


@pytest.mark.parametrize("use", CHANGES)
def test_a_method_of_the_package(project: Project, use: str) -> None:
    given = project(main(use), **{"a/b/Far": FAR})
    assert proved(given, use)
    assert proof_with_others(given, use, CHANGES[use][0], "false") is None
    assert proof_with_others(given, use, CHANGES[use][0], "true") is None


@pytest.mark.parametrize("use", CHANGES)
def test_a_method_of_an_imported_type(project: Project, use: str) -> None:
    far = FAR.replace("package a.b; class", "package far; public class").replace(
        "static", "public static"
    )
    near = FAR.replace("return -1", "return -2").replace("? -1", "? 0")
    for imports in ("import far.Far;", "import far.*;"):
        assert proved(project(main(use, imports=imports), **{"far/Far": far}), use)
    both = project(main(use, imports="import far.Far;"), **{"far/Far": far, "a/b/Far": near})
    assert proved(both, use)  # the import is in sight first


def test_the_package_is_in_sight_before_one_that_is_imported_as_a_whole(project: Project) -> None:
    far = FAR.replace("package a.b; class", "package far; public class").replace(
        "static", "public static"
    )
    near = FAR.replace("return -1", "return -2").replace("? -1", "? 0")
    for use in CHANGES:
        file = main(use, imports="import far.*;")
        assert not proved(project(file, **{"far/Far": far, "a/b/Far": near}), use)
    for use in CHANGES:
        file = main(use, imports="import far.*; import further.*;")
        other = {"further/Far": near.replace("a.b; class", "further; public class"), "a/b/Far": ""}
        assert not proved(project(file, **{"far/Far": far, **other}), use)


@pytest.mark.parametrize("use", CHANGES)
@pytest.mark.parametrize("far", [
    FAR.replace("a.b", "a.c"),
    FAR.replace("class Far", "class Other"),
    FAR.replace("class Far", "class Far<T>"),
    FAR.replace("class Far", "class Far extends Base"),
    FAR.replace("class Far", "class Far implements Named"),
    FAR.replace("class Far", "enum Far").replace("{", "{ A;", 1),
    FAR.replace("static int", "int"),
    FAR.replace("static int", "private static int"),
    FAR.replace("static int", "static <T> int"),
    FAR.replace("static int find(int[] a, int x)", "static int find(int[] a, int... x)").replace("== x", "== x[0]").replace("sign(int n)", "sign(int... n)").replace("n < 0", "n[0] < 0"),
    FAR.replace("static int sign", "static int find(Object a, int x) { return -9; } static int sign(long n) { return 0; } static int sign"),
    FAR.replace("static int sign", "static int find(int... x) { return -9; } static int sign(int... n) { return 0; } static int sign"),
    FAR.replace("static int sign", "static native int sign").replace("{ return n < 0 ? -1 : 1; }", ";").replace("static int find", "abstract int find"),
    FAR.replace("return -1", "return -2").replace("-1 : 1", "-1 : 0"),
    FAR + " class Far { }",
    FAR.replace("}", ""),
    "package a.b; class Outer { " + FAR.removeprefix("package a.b; ") + " }",
])  # fmt: skip
def test_what_is_no_such_method(project: Project, use: str, far: str) -> None:
    assert not proved(project(main(use), **{"a/b/Far": far}), use)


@pytest.mark.parametrize("use", CHANGES)
def test_two_files_that_fit_are_none(project: Project, use: str) -> None:
    assert not proved(project(main(use), **{"a/b/Far": FAR, "test/a/b/Far": FAR}), use)


OTHER = "static int find(int[] a, int x) { return -2; } static int sign(int n) { return 0; }"


@pytest.mark.parametrize("use", CHANGES)
@pytest.mark.parametrize("extra", [
    f"static class Far {{ {OTHER} }}", f"interface Far {{ {OTHER} }}", "Other Far;",
    f"void g() {{ class Far {{ {OTHER} }} }}", "void g(Other Far) { }", "<Far> void g() { }",
])  # fmt: skip
def test_what_the_file_declares_comes_first(project: Project, use: str, extra: str) -> None:
    assert not proved(project(main(use + extra), **{"a/b/Far": FAR}), use)


@pytest.mark.parametrize("use", CHANGES)
@pytest.mark.parametrize("above", [f"static class Far {{ {OTHER} }}", "Other Far;"])
def test_what_a_type_above_declares_comes_first(project: Project, use: str, above: str) -> None:
    files = {"a/b/Far": FAR, "a/b/Base": f"package a.b; class Base {{ {above} }}"}
    assert not proved(project(main(use, "class Main extends Base"), **files), use)
    inner = main(f"class In extends Base {{ {use} }}")
    assert not proved(project(inner, **files), use)
    assert not proved(project(main(f"Object o = new Base() {{ {use} }};"), **files), use)


@pytest.mark.parametrize("use", CHANGES)
def test_a_type_that_a_static_import_brings_comes_first(project: Project, use: str) -> None:
    more = {"far/Lib": f"package far; public class Lib {{ public static class Far {{ {OTHER} }} }}"}
    file = main(use, imports="import static far.Lib.Far;")
    assert not proved(project(file, **{"a/b/Far": FAR, **more}), use)
    assert not proved(project(main(use, "class Main<Far>"), **{"a/b/Far": FAR}), use)


def test_a_local_of_the_name_comes_first(project: Project) -> None:
    use = FIND.replace("int x)", "int x, Other Far)", 1)
    given = project(main(use), **{"a/b/Far": FAR})
    assert proof_with_others(given, use, *CHANGES[FIND]) is None


# Static imports

BARE = SIGN.replace("Far.", "")
IMPORT = "import static a.b.Far.sign;"


def bare(
    project: Project, extra: str = "", head: str = "class Main", imports: str = IMPORT, **files: str
) -> bool:
    given = project(main(BARE + extra, head, imports), **{"a/b/Far": FAR, **files})
    return proof_with_others(given, BARE, "> 0", ">= 0") is not None


def test_a_method_that_is_imported_alone(project: Project) -> None:
    assert bare(project)
    assert not bare(project, imports="import static a.b.Far.*;")
    assert not bare(project, imports="import static a.b.Other.sign;")
    assert not bare(project, imports=IMPORT + " import static a.c.Lib.sign;")


@pytest.mark.parametrize("extra", [
    "int sign(int n) { return 0; }", "static int sign(Object o) { return 0; }",
    "class In { int sign(long n) { return 0; } }", "Object o = new Base() { };", "enum In { A }",
    "class In extends Unknown { }",
])  # fmt: skip
def test_what_may_hide_an_imported_method(project: Project, extra: str) -> None:
    assert not bare(project, extra)


@pytest.mark.parametrize("above", [
    "class Base { int sign(int n) { return 0; } }", "class Base extends Unknown { }",
    "class Base extends Exception { }", "interface Base { default int sign(long n) { return 0; } }",
])  # fmt: skip
def test_what_a_class_inherits_hides_an_imported_method(project: Project, above: str) -> None:
    word = "implements" if "interface" in above else "extends"
    base = {"a/b/Base": f"package a.b; {above}"}
    assert not bare(project, head=f"class Main {word} Base", **base)


def test_a_class_above_without_such_a_method(project: Project) -> None:
    assert bare(
        project,
        head="class Main extends Base",
        **{"a/b/Base": "package a.b; class Base { int n; }"},
    )


# What may be looked into


def sign(project: Project, far: str, use: str = SIGN, **files: str) -> bool:
    given = project(main(use), **{"a/b/Far": far, **files})
    return proof_with_others(given, use, "> 0", ">= 0") is not None


@pytest.mark.parametrize("body", [
    "{ int m = n; if (m < 0) { return -1; } return 1; }",
    "{ n = n < 0 ? -1 : 1; return n; }",
    "{ return other(n); } static int other(int n) { return n < 0 ? -1 : 1; }",
    "{ return n < 0 ? LOW : 1; } static final int LOW = -1;",
    "{ return n < 0 ? -1 : Math.max(1, n); }",
])  # fmt: skip
def test_short_code_of_another_file(project: Project, body: str) -> None:
    assert sign(project, FAR.replace("{ return n < 0 ? -1 : 1; }", body))


@pytest.mark.parametrize("body", [
    "{ return n < 0 ? LOW : 1; } static int LOW = -1;",
    "{ return n < 0 ? LOW : 1; } static final int LOW = Integer.getInteger(\"a\");",
    "{ return n < 0 ? Main.LOW : 1; }",
    "{ return n < 0 ? Math.abs(n) - 1 : 1; }",
    "{ return other(n); } static int other(int n) { return n; }",
    "{ return n < 0 ? -1 : sign(n - 1); }",
    "{ return n < 0 ? -1 : new Other().size(); }",
    "{ return n < 0 ? -1 : Other.size(n); }",
    "{ return n - 1; }",
])  # fmt: skip
def test_code_of_another_file_that_may_return_nothing(project: Project, body: str) -> None:
    assert not sign(project, FAR.replace("{ return n < 0 ? -1 : 1; }", body))


def test_a_class_of_the_name_of_one_of_the_jdk(project: Project) -> None:
    body = "{ return n < 0 ? -1 : Math.max(1, n); }"
    far = FAR.replace("{ return n < 0 ? -1 : 1; }", body)
    assert not sign(project, far + " class Math { static int max(int a, int b) { return 0; } }")
    own = {"a/b/Main": ""}
    assert not sign(project, far.replace("a.b;", "a.b; import far.Math;"), **own)


DROPPED = "int f(int n) { Far.sign(n); return n; }"


def dropped(project: Project, far: str) -> bool:
    """Whether a call for nothing may be left out."""
    given = project(main(DROPPED), **{"a/b/Far": far})
    return proof_with_others(given, DROPPED, "Far.sign(n);", ";") is not None


def test_a_call_for_nothing(project: Project) -> None:
    assert dropped(project, FAR)
    assert dropped(
        project,
        FAR.replace(
            "class Far {",
            "class Far { static final int A = 3 + 4; static int[] b = {1}; int c = 5;",
        ),
    )


@pytest.mark.parametrize("far", [
    FAR.replace("{ return n <", "{ count++; return n <").replace("static int sign", "static int count; static int sign"),
    FAR.replace("{ return n <", "{ if (n == 5) throw new Error(); return n <"),
    FAR.replace("{ return n <", "{ int m = 5 / n; return n <"),
    FAR.replace("{ return n <", "{ log(n); return n <"),
    FAR.replace("{ return n <", "{ Other.log(n); return n <"),
    FAR.replace("{ return n <", "{ while (n > 7) { } return n <"),
    FAR.replace("static int sign", "static synchronized int sign"),
    FAR.replace("class Far {", "class Far { static { Other.log(1); }"),
    FAR.replace("class Far {", "class Far { static int a = Other.log(1);"),
    FAR.replace("class Far {", "class Far { static Object o = new Other();"),
    FAR.replace("class Far {", "class Far { static int a = Other.count;"),
    FAR.replace("class Far {", "class Far { static Class<?> a = Class.forName(\"b\");"),
    FAR.replace("class Far {", "class Far extends Other {"),
])  # fmt: skip
def test_a_call_that_may_do_something(project: Project, far: str) -> None:
    assert not dropped(project, far)


FILL = "int f(int[] a) { a[0] = 1; Far.fill(a); if (a[0] == 1) return 7; return 8; }"


def test_what_is_given_may_be_changed(project: Project) -> None:
    given = project(
        main(FILL),
        **{
            "a/b/Far": FAR.replace(
                "static int sign",
                "static int fill(int[] a) { a[0] = 2; return 1; } static int sign",
            )
        },
    )
    assert proof_with_others(given, FILL, "a[0] == 1", "true") is None
    given = project(
        main(FILL),
        **{
            "a/b/Far": FAR.replace(
                "static int sign",
                "static int fill(int[] a) { a = null; return 1; } static int sign",
            )
        },
    )
    assert proof_with_others(given, FILL, "a[0] == 1", "true") is not None


@pytest.mark.parametrize(("use", "before", "after", "far"), [
    ("int f(Part p) { return Far.of(p); }", "Far.of(p)", "p.name()", "static int of(Part p) { return p.name(); }"),
    ("boolean f() { return Far.same(Kind.A); }", "Far.same(Kind.A)", "true", "enum Kind { A, B } public static boolean same(Object k) { return k == Kind.A; }"),
    ("int f(Part p) { return Far.of(p) == p.name() ? 1 : 2; }", "Far.of(p) == p.name()", "true", "static int of(Part p) { return p.name(); }"),
    ("boolean f() { return Far.same(Kind.A); }", "Far.same(Kind.A)", "true", "static boolean same(Kind k) { return k == Kind.A; }"),
    ("int f() { return count == Far.of() ? 1 : 2; } int count;", "count == Far.of()", "true", "static int count; static int of() { return count; }"),
    ("boolean f(Integer a) { return Far.same(a, a); }", "Far.same(a, a)", "true", "static boolean same(int a, int b) { return a == b; }"),
    ("boolean f(Object o) { return Far.part(o) == o instanceof Part; }", "Far.part(o) == o instanceof Part", "true", "static boolean part(Object o) { return o instanceof Part; }"),
    ("boolean f(int n) { return Far.box(n) == Far.box(n); }", "Far.box(n) == Far.box(n)", "true", "static Integer box(int n) { return n; }"),
    ("boolean f(String s) { return Part.class.getName().equals(s) && Far.is(s); }", "Part.class.getName().equals(s) && Far.is(s)", "Part.class.getName().equals(s)", "static boolean is(String s) { return Part.class.getName().equals(s); }"),
])  # fmt: skip
def test_names_mean_what_they_mean_in_their_own_file(
    project: Project, use: str, before: str, after: str, far: str
) -> None:
    file = use if use.endswith("}") else use[: use.rindex("}") + 1]
    text = f"package far; public class Far {{ public {far} }}"
    kind = "package a.b; enum Kind { A, B }"
    given = project(main(use, imports="import far.Far;"), **{"far/Far": text, "a/b/Kind": kind})
    assert proof_with_others(given, file, before, after) is None


# What is promised


@pytest.mark.parametrize("body", [
    "for (int i = 0; i < n; i++) { text.append('x'); } return text.toString();",
    "return text.toString();",
])  # fmt: skip
def test_a_result_that_is_never_null(project: Project, body: str) -> None:
    use = "int f(int n) { String s = Far.name(n); if (s == null) return 7; return n; }"
    far = f"package a.b; class Far {{ static String name(int n) {{ StringBuilder text = new StringBuilder(); {body} }} }}"
    given = project(main(use), **{"a/b/Far": far})
    assert proof_with_others(given, use, "s == null", "false") is not None
    for other in (
        far.replace("return text", "if (n == 3) { return null; } return text"),
        far.replace("return text.toString()", "return n > 3 ? text.toString() : word").replace(
            "Far {", "Far { static String word;"
        ),
        far + " class StringBuilder { }",
    ):
        again = project(main(use), **{"a/b/Far": other})
        assert proof_with_others(again, use, "s == null", "false") is None


@pytest.mark.parametrize("far", [
    FAR.replace("return i", "return i - 2"), FAR.replace("return i", "return a[i]"),
    FAR.replace("return i", "return x"), FAR.replace("return i", "return i + a.length + 1"),
    FAR.replace("return -1", "return find(a, x - 1)"), FAR.replace("return -1", "return LOW").replace("Far {", "Far { static int LOW = -1;"),
    FAR.replace("return -1", "return Main.LOW"), FAR.replace("return -1", "return Math.max(-1, x)") + "class Math { }",
])  # fmt: skip
def test_results_that_may_be_smaller(project: Project, far: str) -> None:
    assert not proved(project(main(FIND), **{"a/b/Far": far}), FIND)


def test_a_method_that_is_not_needed_is_not_named(project: Project) -> None:
    use = "int f(int[] a) { if (a.length == 0) return Far.sign(3); return 1; }"
    given = project(main(use), **{"a/b/Far": FAR})
    mutant = use.replace("a.length == 0", "a.length <= 0")
    proof = prove(use, mutant, "java", file=given[0])
    assert proof is not None
    assert not proof.assumptions
