"""Constants of other files of a project: what names mean there, and what they may not mean."""

from collections.abc import Callable

import pytest

from equimut.proofs.proving import constants_of_others
from equimut.proofs.smt.proving import prove
from oracles.java_projects import Written, main, proof_with_others

Project = Callable[..., Written]
LIMITS = "package a.b; final class Limits { static final int BITS = 4, MASK = (1 << BITS) - 1; }"
USE = "int f(int x) { int y = x & Limits.MASK; if (y > 15) return 1; return y; }"


def proved(found: Written, function: str, before: str, after: str) -> bool:
    """Whether the change is proved with the other files in sight; never without them."""
    return proof_with_others(found, function, before, after) is not None


def test_constant_of_the_package(project: Project) -> None:
    found = project(main(USE), **{"a/b/Limits": LIMITS})
    assert proved(found, USE, "y > 15", "false")
    assert not proved(found, USE, "y > 15", "y > 14")


def test_constant_of_an_imported_type(project: Project) -> None:
    far = LIMITS.replace("package a.b; final", "package far; public")
    near = LIMITS.replace("BITS = 4", "BITS = 5")
    found = project(main(USE, imports="import far.Limits;"), **{"far/Limits": far})
    assert proved(found, USE, "y > 15", "false")
    found = project(
        main(USE, imports="import far.Limits;"), **{"far/Limits": far, "a/b/Limits": near}
    )
    assert proved(found, USE, "y > 15", "false")  # the import is in sight first


FAR = LIMITS.replace("package a.b; final", "package far; public")
WHOLE = "import far.*; import java.util.*;"


def test_constant_of_a_package_that_is_imported_as_a_whole(project: Project) -> None:
    found = project(main(USE, imports=WHOLE), **{"far/Limits": FAR})
    assert proved(found, USE, "y > 15", "false")
    assert not proved(found, USE, "y > 15", "y > 14")


@pytest.mark.parametrize("files", [
    {"a/b/Limits": LIMITS.replace("BITS = 4", "BITS = 5")},
    {"a/b/Limits": "package a.b; class Limits { static int MASK = 31; }"},
    {"a/b/Limits": "package a.b; class {"},
    {"a/b/Limits": LIMITS.replace("BITS = 4", "BITS = 5"), "test/a/b/Limits": LIMITS},
    {"further/Limits": FAR.replace("far", "further").replace("BITS = 4", "BITS = 5")},
    {"far/Limits": FAR.replace("public ", "")},
    {"test/far/Limits": FAR},
])  # fmt: skip
def test_what_comes_before_a_package_that_is_imported(
    project: Project, files: dict[str, str]
) -> None:
    """The own package, however little is known of it; and of two packages none."""
    whole = WHOLE + " import further.*;"
    found = project(main(USE, imports=whole), **{"far/Limits": FAR, **files})
    assert not proved(found, USE, "y > 15", "false")


@pytest.mark.parametrize("text", [
    LIMITS.replace("BITS = 4", "BITS = 5"),
    LIMITS.replace("static final int BITS", "static int BITS"),
    LIMITS.replace("BITS = 4", "BITS = Integer.getInteger(\"bits\")"),
    LIMITS.replace("a.b", "a.c"),
    LIMITS.replace("class Limits", "class Others"),
    LIMITS.replace("{ static", "{ class Limits { static") + "}",
    LIMITS + "class Limits { }",
    LIMITS.replace("BITS = 4", "BITS = Limits2.FOUR"),
    LIMITS.replace("}", ""),
    LIMITS.replace("final int BITS = 4", "final Integer BITS = 4"),
])  # fmt: skip
def test_what_is_no_such_constant(project: Project, text: str) -> None:
    found = project(main(USE), **{"a/b/Limits": text})
    assert not proved(found, USE, "y > 15", "false")


def test_two_files_that_fit_are_none(project: Project) -> None:
    found = project(main(USE), **{"a/b/Limits": LIMITS, "test/a/b/Limits": LIMITS})
    assert not proved(found, USE, "y > 15", "false")


@pytest.mark.parametrize("extra", [
    "static class Limits { static int MASK; }",
    "interface Limits { int MASK = new java.util.Random().nextInt(); }",
    "Other Limits;",
])  # fmt: skip
def test_what_the_file_declares_comes_first(project: Project, extra: str) -> None:
    found = project(main(USE + extra), **{"a/b/Limits": LIMITS})
    assert not proved(found, USE, "y > 15", "false")


@pytest.mark.parametrize("above", [
    "static class Limits { static int MASK; }",
    "interface Limits { int MASK = new java.util.Random().nextInt(); }",
    "Other Limits;",
])  # fmt: skip
def test_what_a_type_above_declares_comes_first(project: Project, above: str) -> None:
    base = f"package a.b; class Base extends Root {{ }} class Root {{ {above} }}"
    head = "class Main extends Base"
    found = project(main(USE, head), **{"a/b/Limits": LIMITS, "a/b/Base": base})
    assert not proved(found, USE, "y > 15", "false")
    found = project(
        main(f"Object o = new Base() {{ {USE} }};"), **{"a/b/Limits": LIMITS, "a/b/Base": base}
    )
    assert not proved(found, USE, "y > 15", "false")


def test_local_of_the_name_comes_first(project: Project) -> None:
    use = USE.replace("int x", "Other Limits, int x")
    found = project(main(use), **{"a/b/Limits": LIMITS})
    assert not proved(found, use, "y > 15", "false")


BARE = "int f(int x) { int y = x & MASK; if (y > 15) return 1; return y; }"
BASE = "package a.b; class Base extends Root { } class Root { static final int MASK = 15; }"


def test_inherited_constants(project: Project) -> None:
    found = project(main(BARE, "class Main extends Base"), **{"a/b/Base": BASE})
    assert proved(found, BARE, "y > 15", "false")
    assert not proved(found, BARE, "y > 15", "y > 14")
    consts = "package a.b; interface Consts { int MASK = 15; }"
    found = project(main(BARE, "class Main implements Consts"), **{"a/b/Consts": consts})
    assert proved(found, BARE, "y > 15", "false")


@pytest.mark.parametrize(("base", "extra"), [
    (BASE.replace("Base extends Root { }", "Base extends Root { static int MASK; }"), ""),
    (BASE.replace("static final", "private static final"), ""),
    (BASE.replace("static final", "final"), ""),
    (BASE, "static int MASK;"),
    (BASE, "static final int MASK = new java.util.Random().nextInt();"),
    (BASE.replace("= 15", "= 31"), ""),
])  # fmt: skip
def test_what_is_not_inherited(project: Project, base: str, extra: str) -> None:
    found = project(main(BARE + extra, "class Main extends Base"), **{"a/b/Base": base})
    assert not proved(found, BARE, "y > 15", "false")


def test_package_private_is_not_inherited_elsewhere(project: Project) -> None:
    base = "package far; public class Base { static final int MASK = 15; }"
    file = main(BARE, "class Main extends Base", "import far.Base;")
    assert not proved(project(file, **{"far/Base": base}), BARE, "y > 15", "false")
    seen = base.replace("static", "protected static")
    assert proved(project(file, **{"far/Base": seen}), BARE, "y > 15", "false")


def test_static_imports(project: Project) -> None:
    far = "package far; public interface Far { int MASK = 15; }"
    file = main(BARE, imports="import static far.Far.MASK;")
    assert proved(project(file, **{"far/Far": far}), BARE, "y > 15", "false")
    file = main(BARE, "class Main extends Base", "import static far.Far.MASK;")
    base = "package a.b; class Base { int MASK; }"
    assert not proved(project(file, **{"far/Far": far, "a/b/Base": base}), BARE, "y > 15", "false")
    file = main(BARE, "class Main extends Unknown", "import static far.Far.MASK;")
    assert not proved(project(file, **{"far/Far": far}), BARE, "y > 15", "false")


def test_enum_constants(project: Project) -> None:
    use = "boolean f(int c) { return Color.RED == Color.BLUE || c == 0; }"
    color = "package a.b; enum Color { RED, BLUE { int v() { return 2; } }; int v() { return 1; } }"
    found = project(main(use), **{"a/b/Color": color})
    assert proved(found, use, "Color.RED == Color.BLUE", "false")
    fields = "package a.b; class Color { static final Object RED = o(), BLUE = o(); }"
    found = project(main(use), **{"a/b/Color": fields})
    assert not proved(found, use, "Color.RED == Color.BLUE", "false")


def test_a_constant_that_is_not_needed_is_not_named(project: Project) -> None:
    use = "int f(int[] a) { if (a.length == 0) return Limits.MASK; return 1; }"
    file, sources = project(main(use), **{"a/b/Limits": LIMITS})
    others = constants_of_others(file, "java", sources)
    mutant = use.replace("a.length == 0", "a.length <= 0")
    proof = prove(use, mutant, "java", file=file, others=others)
    assert proof is not None
    assert not proof.assumptions


TAKEN = "int f(int x) { int y = x & MASK; if (y > 15) return 1; return y; }"


@pytest.mark.parametrize(("head", "imports", "clear"), [
    ("class Main extends FilterReader", "import java.io.FilterReader;", True),
    ("class Main extends Exception implements Runnable", "", True),
    ("class Main extends FilterReader", "import java.io.*;", True),
    ("class Main extends FilterReader", "import far.FilterReader;", False),
    ("class Main extends FilterReader", "", False),
    ("class Main extends Thread", "", False),
    ("class Main extends Unknown", "import java.util.*;", False),
    ("class Main extends FilterReader", "class FilterReader { int MASK; }", False),
])  # fmt: skip
def test_a_static_import_below_a_type_of_the_jdk(
    project: Project, head: str, imports: str, clear: bool
) -> None:
    brought = f"import static a.b.Limits.MASK; {imports}"
    found = project(main(TAKEN, head, brought), **{"a/b/Limits": LIMITS})
    assert proved(found, TAKEN, "y > 15", "false") is clear


def test_what_a_type_of_the_jdk_leaves_to_others_hides_an_import(project: Project) -> None:
    function = TAKEN.replace("MASK", "count")
    far = LIMITS.replace("MASK", "count")
    brought = "import static a.b.Limits.count; import java.io.*;"
    head = "class Main extends ByteArrayOutputStream"
    found = project(main(function, head, brought), **{"a/b/Limits": far})
    assert not proved(found, function, "y > 15", "false")


@pytest.mark.parametrize(
    "body",
    [
        "static final int N = 7; static class I extends Base { int f() { return N; } }",
        "static final int N = 7; enum I { X; int f() { return N; } }",
        "int N; class I implements Runnable { int f() { return N; } }",
        "void g(int N) { class I { int f() { return N; } } }",
        "record I(int N) { int f() { return N; } }",
    ],
)
def test_a_variable_around_is_in_sight_before_a_static_import(project: Project, body: str) -> None:
    files = {
        "far/Limits": "package far; public class Limits { public static final int N = 5; }",
        "a/b/Base": "package a.b; class Base { }",
    }
    imports, use = "import static far.Limits.N;", "int f() { return N; }"
    assert not proved(project(main(body, imports=imports), **files), use, "return N", "return 5")
    assert proved(project(main(use, imports=imports), **files), use, "return N", "return 5")


SIZED = "int f(Stack s) { if (s == null) return 1; return s.size() == 0 ? 1 : 2; }"
NEGATIVE = "class Stack { int n = -1; public int size() { return n--; } }"
ABSOLUTE = "int f(int k) { return Math.abs(k) > 5 ? 1 : 2; }"


def with_files(found: Written, function: str, before: str, after: str) -> bool:
    """Whether the change is proved with the other files in sight, whatever is without them."""
    file, sources = found
    assert before in function
    others = constants_of_others(file, "java", sources)
    mutant = function.replace(before, after)
    return prove(function, mutant, "java", file=file, others=others) is not None


def test_a_class_of_the_package_comes_before_one_of_the_jdk(project: Project) -> None:
    change = SIZED, "== 0", "<= 0"
    text = main(SIZED, imports="import java.util.*;")
    assert with_files(project(text), *change)
    near = {"a/b/Stack": f"package a.b; {NEGATIVE}"}
    assert not with_files(project(text, **near), *change)
    text = main(SIZED, imports="import java.util.Stack;")
    assert with_files(project(text, **near), *change), "the import is in sight first"


def test_so_does_one_inside_a_type_above(project: Project) -> None:
    text = main(SIZED, "class Main extends Base", "import java.util.*;")
    base = f"package a.b; class Base {{ static {NEGATIVE} }}"
    assert not with_files(project(text, **{"a/b/Base": base}), SIZED, "== 0", "<= 0")


def test_a_class_of_the_package_comes_before_one_of_the_language(project: Project) -> None:
    change = ABSOLUTE, "Math.abs(k)", "(k < 0 ? -k : k)"
    assert with_files(project(main(ABSOLUTE)), *change)
    near = {"a/b/Math": "package a.b; class Math { static int abs(int k) { return k; } }"}
    assert not with_files(project(main(ABSOLUTE), **near), *change)


def test_a_superclass_of_the_package_may_be_named_like_one_of_the_jdk(project: Project) -> None:
    made = "int k; Main() { k = 0; } void init() { k = 4; }"
    text = main(made, "class Main extends Reader", "import java.io.*;")
    change = "Main() { k = 0; }", "k = 0;", ""
    assert with_files(project(text), *change)
    near = {"a/b/Reader": "package a.b; class Reader { Reader() { init(); } void init() { } }"}
    assert not with_files(project(text, **near), *change)
