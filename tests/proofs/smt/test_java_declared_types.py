"""Types that declarations tell: type arguments, results of methods of other classes."""
# ruff: noqa: E501

from collections.abc import Callable

import pytest

from equimut.proofs.smt.prover import Proof
from equimut.proofs.smt.proving import prove
from oracles.java_projects import Written, main, proof_with_others

MEMBERS = (
    "private List<String> names; private Map<String, List<String>> groups; "
    "private Map<Integer, Integer> counts; private Deque<StringBuilder> open; "
)


def found(
    origin: str, before: str, after: str, members: str = MEMBERS, head: str = "class A"
) -> Proof | None:
    assert origin.count(before) == 1, "the change is in one place"
    file = f"import java.util.*;\n{head} {{\n{members}\n{origin}\n}}\n"
    return prove(origin, origin.replace(before, after), "java", file=file)


TOLD = [
    "boolean f() { return names.get(0).length() > 0; }",
    "boolean f(String k) { return groups.get(k).size() > 0; }",
    "boolean f(String k) { return groups.get(k).get(1).length() > 0; }",
    "boolean f() { return groups.keySet().iterator().next().length() > 0; }",
    "boolean f() { return groups.values().iterator().next().size() > 0; }",
    "boolean f() { return groups.entrySet().iterator().next().getValue().size() > 0; }",
    "boolean f(Map.Entry<String, String> e) { return e.getKey().length() > 0; }",
    "boolean f() { return open.peek().length() > 0; }",
    "boolean f(List<? extends String> l) { return l.get(0).length() > 0; }",
    "boolean f(Iterator<char[]> l) { return l.next().length > 0; }",
]


@pytest.mark.parametrize("origin", TOLD)
def test_type_arguments_tell_what_comes_out(origin: str) -> None:
    assert found(origin, "> 0", "!= 0") is not None
    assert found(origin, "> 0", ">= 0") is None


NOT_TOLD = [
    "boolean f(List<? super String> l) { return l.get(0).length() > 0; }",
    "boolean f(List<?> l) { return l.get(0).length() > 0; }",
    "<T extends Part> boolean f(List<T> l) { return l.get(0).length() > 0; }",
    "boolean f(List<Part> l) { return l.get(0).length() > 0; }",
    "boolean f(Own<String> l) { return l.get(0).length() > 0; }",
    "boolean f(Map<String, Part> l) { return l.get(0).length() > 0; }",
    "boolean f(List<String>[] l) { return l[0].get(0).length() > 0; }",
    "boolean f(List<Integer> l) { return l.get(0) > 0; }",
]


@pytest.mark.parametrize("origin", NOT_TOLD)
def test_other_type_arguments_tell_nothing(origin: str) -> None:
    assert found(origin, "> 0", "!= 0") is None


def test_a_class_of_the_file_is_not_the_jdks() -> None:
    origin = "boolean f(List<String> l) { return l.get(0).length() > 0; }"
    assert found(origin, "> 0", "!= 0") is not None
    assert found(origin, "> 0", "!= 0", "class String { int length() { return -1; } }") is None
    assert found(origin, "> 0", "!= 0", "class List<T> { Part get(int i) { return p; } }") is None
    entry = "boolean f(Entry<String, String> e) { return e.getKey().length() > 0; }"
    assert found(entry, "> 0", "!= 0", "class Entry<K, V> { Part getKey() { return p; } }") is None


def test_a_box_that_comes_out_may_be_null() -> None:
    origin = "int f(Integer k) { int n = counts.get(k); return 1; }"
    assert found(origin, "int n = counts.get(k); ", "") is None
    origin = "boolean f(Integer k) { return counts.get(k) > 5; }"
    assert found(origin, "counts.get(k) > 5", "counts.get(k) >= 6") is not None
    assert found(origin, "counts.get(k) > 5", "counts.get(k) >= 5") is None
    origin = "boolean f(Integer k) { Integer n = counts.get(k); return n == null; }"
    assert found(origin, "n == null", "false") is None


def test_elements_are_no_longer_the_same_after_a_call() -> None:
    origin = (
        "boolean f() { String s = names.get(0); g(); return s.length() != names.get(0).length(); }"
    )
    assert found(origin, "s.length() != names.get(0).length()", "false") is None
    origin = "boolean f(Iterator<String> i) { return i.next().length() == i.next().length(); }"
    assert found(origin, "i.next().length() == i.next().length()", "true") is None


def test_the_cast_of_the_compiler_may_fail() -> None:
    origin = "int f(Object o) { List<String> l = (List<String>) o; String s = l.get(0); return 1; }"
    assert found(origin, "String s = l.get(0); ", "") is None


PART = "static class Part { String name() { return g(); } List<String> kids() { return g(); } <T> T any() { return g(); } }"
LENGTH = "boolean f(Part p) { return p.name().length() > 0; }"


def test_a_class_of_the_file_tells_its_results() -> None:
    assert found(LENGTH, "> 0", "!= 0", PART) is not None
    assert found(LENGTH, "> 0", ">= 0", PART) is None
    assert found(LENGTH.replace("name().length", "kids().size"), "> 0", "!= 0", PART) is not None
    assert found(LENGTH.replace("name()", "any()"), "> 0", "!= 0", PART) is None
    assert found(LENGTH.replace("name()", "name(1)"), "> 0", "!= 0", PART) is None


GIVEN = PART.replace("name()", "name(int i)")


@pytest.mark.parametrize(("members", "expected"), [
    (GIVEN, True),
    (GIVEN.replace("String name", "String name(Object o) { return g(); } String name"), True),
    (GIVEN.replace("String name", "Text name(Object o) { return g(); } String name"), False),
    (GIVEN.replace("String name", "<T> T name(T o) { return g(); } String name"), False),
    (GIVEN.replace("Part {", "Part extends Base {"), False),
    (GIVEN.replace("Part {", "Part implements Named {"), False),
    (GIVEN.replace("name(int i)", "compareTo(int i)"), False),
])  # fmt: skip
def test_methods_of_one_result_whatever_they_are_given(members: str, expected: bool) -> None:
    origin = LENGTH.replace("name()", "name(1)")
    assert (found(origin, "> 0", "!= 0", members) is not None) == expected


@pytest.mark.parametrize("members", [
    PART.replace("String name", "Text name"),
    "static class Part<String> { String name() { return g(); } }",
    PART + " static class Other { static class Part { } }",
    "static class Other { " + PART + " }",
    PART + " <Part> void h(Part p) { }",
    PART + " static class String { }",
    PART.replace("name()", "name(int i)"),
])  # fmt: skip
def test_another_class_tells_nothing(members: str) -> None:
    assert found(LENGTH, "> 0", "!= 0", members) is None


def test_a_qualified_name_is_another_class() -> None:
    origin = "boolean f() { return Part.name().length() > 0; }"
    assert (
        found(origin, "> 0", "!= 0", PART.replace("String name", "static String name")) is not None
    )
    far = origin.replace("Part.", "org.far.Part.")
    assert found(far, "> 0", "!= 0", PART.replace("String name", "static String name")) is None
    of = "boolean f(org.far.Part p) { return p.name().length() > 0; }"
    assert found(of, "> 0", "!= 0", PART) is None


Project = Callable[..., Written]
USE = "boolean f(Part p) { return p.name().length() > 0; }"
FAR = "package a.b; import java.util.*; class Part { String name() { return null; } List<Map<String, String>> kids() { return null; } }"


def proved(given: Written, function: str, before: str = "> 0", after: str = "!= 0") -> bool:
    """Whether the change is proved with the other files in sight; never without them."""
    return proof_with_others(given, function, before, after) is not None


def test_another_file_tells_the_results_of_its_class(project: Project) -> None:
    near = {"a/b/Part": FAR}
    assert proved(project(main(USE), **near), USE)
    assert not proved(project(main(USE), **near), USE, "> 0", ">= 0")
    kids = USE.replace("name().length", "kids().size")
    assert proved(project(main(kids), **near), kids)
    inner = USE.replace("name().length", "kids().get(0).size")
    assert proved(project(main(inner), **near), inner)
    shared = USE.replace("(Part p)", "()").replace("p.", "Part.")
    assert proved(
        project(main(shared), **{"a/b/Part": FAR.replace("String n", "static String n")}), shared
    )


ONE = FAR.replace("name()", "name(int i)")


@pytest.mark.parametrize(("far", "expected"), [
    (ONE, True),
    (ONE.replace("String name", "String name(Object o) { return null; } String name"), True),
    (ONE.replace("Part {", "Part implements java.io.Serializable, Cloneable {"), False),
    (ONE.replace("Part {", "Part implements Cloneable {"), True),
    (ONE.replace("Part {", "Part extends Above {"), True),
    (ONE.replace("Part {", "Part extends Other {"), False),
    (ONE.replace("Part {", "Part extends Missing {"), False),
    (ONE.replace("Part {", "Part extends ArrayList {"), False),
    (ONE.replace("String name", "Text name(Object o) { return null; } String name"), False),
    (ONE.replace("String name", "private Text name(Object o) { return null; } String name"), False),
    (ONE.replace("String name", "<T> T name(T o) { return null; } String name"), False),
])  # fmt: skip
def test_methods_of_another_file_of_one_result(project: Project, far: str, expected: bool) -> None:
    use = USE.replace("name()", "name(1)")
    above = {"a/b/Above": "package a.b; class Above { int size() { return 1; } }",
             "a/b/Other": "package a.b; class Other { Text name(long i) { return null; } }"}  # fmt: skip
    assert proved(project(main(use), **{"a/b/Part": far}, **above), use) == expected
    shared = use.replace("Part p", "").replace("p.", "Part.")
    static = far.replace("String name", "static String name")
    assert proved(project(main(shared), **{"a/b/Part": static}, **above), shared) == expected


def test_an_inherited_method_of_one_result(project: Project) -> None:
    use = USE.replace("Part p", "").replace("p.name()", "name(1)")
    assert proved(project(main(use, "class Main extends Part"), **{"a/b/Part": ONE}), use)
    own = use + " Text name(Object o) { return null; }"
    assert not proved(project(main(own, "class Main extends Part"), **{"a/b/Part": ONE}), use)
    two = "class Main extends Part implements Named"
    assert not proved(project(main(use, two), **{"a/b/Part": ONE}), use)


@pytest.mark.parametrize("far", [
    FAR.replace("String name()", "Text name()"),
    FAR.replace("String name()", "private String name()"),
    FAR.replace("String name()", "<T> String name()"),
    FAR.replace("class Part", "class Part<String>"),
    FAR.replace("String name()", "String name(int i)"),
    FAR.replace("package a.b", "package a.c"),
    FAR + " class String { }",
    FAR.replace("import java.util.*;", "import far.String;"),
    FAR.replace("class Part {", "class Part extends Above {"),
])  # fmt: skip
def test_what_another_file_does_not_tell(project: Project, far: str) -> None:
    above = "package a.b; class Above { class String { } }"
    assert not proved(project(main(USE), **{"a/b/Part": far, "a/b/Above": above}), USE)


def test_a_name_that_means_something_else_here(project: Project) -> None:
    near = {"a/b/Part": FAR}
    assert not proved(project(main(USE + " class Part { }"), **near), USE)
    assert not proved(project(main(USE, imports="import far.Part;"), **near), USE)
    assert not proved(project(main(USE, head="class Main<Part>"), **near), USE)
    assert not proved(project(main(USE + " class String { }"), **near), USE)
    assert not proved(project(main(USE, imports="import far.String;"), **near), USE)
    assert not proved(
        project(main(USE), **near, **{"a/b/String": "package a.b; class String { }"}), USE
    )
    inside = {"a/b/Above": "package a.b; class Above { class Part { } }"}
    assert not proved(project(main(USE, head="class Main extends Above"), **near, **inside), USE)


def test_classes_of_the_project_lead_to_others(project: Project) -> None:
    chain = "boolean f(Leaf l) { Part p = null; return l.part().name().length() > 0; }"
    leaf = "package a.b; class Leaf { Part part() { return null; } }"
    assert proved(project(main(chain), **{"a/b/Part": FAR, "a/b/Leaf": leaf}), chain)
    other = leaf.replace("package a.b;", "package a.b; import far.Part;")
    far = {"far/Part": FAR.replace("a.b", "far").replace("class", "public class")}
    assert not proved(project(main(chain), **{"a/b/Part": FAR, "a/b/Leaf": other}, **far), chain)
    hides = leaf.replace("{ Part", "extends Base { Part")
    base = {"a/b/Base": "package a.b; class Base { class Part { } }"}
    assert not proved(project(main(chain), **{"a/b/Part": FAR, "a/b/Leaf": hides}, **base), chain)


BASE = "package a.b; import java.util.*; abstract class Base { protected List<String> kids; int count; String name() { return null; } volatile String word; private String own; }"
BELOW = "class Main extends Base"


@pytest.mark.parametrize(("use", "before", "after"), [
    ("kids.size() > 0", "> 0", "!= 0"), ("kids.get(0).length() > 0", "> 0", "!= 0"),
    ("this.kids.size() > 0", "> 0", "!= 0"), ("name().length() > 0", "> 0", "!= 0"),
    ("super.name().length() > 0", "> 0", "!= 0"), ("count > 5", "> 5", ">= 6"),
])  # fmt: skip
def test_what_a_class_inherits(project: Project, use: str, before: str, after: str) -> None:
    function = f"boolean f() {{ return {use}; }}"
    given = project(main(function, head=BELOW), **{"a/b/Base": BASE})
    assert proved(given, function, before, after)


@pytest.mark.parametrize(
    "use", ["word.length() > 0", "own.length() > 0", "count > 0", "far().length() > 0"]
)
def test_what_a_class_does_not_inherit(project: Project, use: str) -> None:
    function = f"boolean f() {{ return {use}; }}"
    assert not proved(project(main(function, head=BELOW), **{"a/b/Base": BASE}), function)


def test_a_field_that_two_classes_declare_is_not_told(project: Project) -> None:
    function = "boolean f() { return kids.size() > 0; }"
    both = {"a/b/Base": BASE.replace("class Base", "class Base extends Root"),
            "a/b/Root": "package a.b; class Root { protected Foo kids; }"}  # fmt: skip
    assert not proved(project(main(function, head=BELOW), **both), function)
    nearer = {"a/b/Base": both["a/b/Base"].replace("List<String> kids", "Foo kids"),
              "a/b/Root": BASE.replace("Base", "Root")}  # fmt: skip
    assert not proved(project(main(function, head=BELOW), **nearer), function)
    again = function + " List kids;"
    assert not proved(project(main(again, head=BELOW), **{"a/b/Base": BASE}), function)
    name = "boolean f() { return name().length() > 0; }"
    own = name + " <T> T name() { return null; }"
    assert not proved(project(main(own, head=BELOW), **{"a/b/Base": BASE}), name)


def test_a_field_of_others_is_written_by_calls(project: Project) -> None:
    function = "int f() { count = 3; g(); if (count > 2) { return 1; } return 0; }"
    assert not proved(
        project(main(function, head=BELOW), **{"a/b/Base": BASE}), function, "count > 2", "true"
    )
    function = "int f(Base b) { count = 3; b.count = 1; if (count > 2) { return 1; } return 0; }"
    assert not proved(
        project(main(function, head=BELOW), **{"a/b/Base": BASE}), function, "count > 2", "true"
    )


NAMED = "package a.b; interface Named { static String name() { return null; } }"


def test_a_static_method_of_an_interface_is_not_inherited(project: Project) -> None:
    use = "boolean f() { return name().length() > 0; }"
    inner = f"Text name() {{ return null; }} class In implements Named {{ {use} }}"
    assert not proved(project(main(inner), **{"a/b/Named": NAMED}), use)
    whole = inner.replace("name()", "name(1)")
    given = NAMED.replace("name()", "name(int i)")
    assert not proved(
        project(main(whole), **{"a/b/Named": given}), use.replace("name()", "name(1)")
    )
    part = "package a.b; class Part extends far.Base implements Named { }"
    assert not proved(project(main(USE), **{"a/b/Named": NAMED, "a/b/Part": part}), USE)
    plain = NAMED.replace("static String name() { return null; }", "String name();")
    assert proved(project(main(USE), **{"a/b/Named": plain, "a/b/Part": part}), USE)
    direct = use.replace("name()", "Named.name()")
    assert proved(project(main(direct), **{"a/b/Named": NAMED}), direct)


def test_a_type_inside_a_class_of_a_file_hides_one_beside_it(project: Project) -> None:
    use = "boolean f(Part p) { return p.self().name().length() > 0; }"
    part = "package a.b; class Part extends Helper { String name() { return null; } } "
    helper = "class Helper { Part self() { return null; } }"
    assert proved(project(main(use), **{"a/b/Part": part + helper}), use)
    hides = helper.replace("{ Part", "{ class Part { } Part", 1)
    assert not proved(project(main(use), **{"a/b/Part": part + hides}), use)


def within(use: str, head: str, beside: str, inside: str = "") -> Proof | None:
    """What is proved of a class of the head with others beside and inside it."""
    file = f"import java.util.*;\n{head} {{ {inside}\n{use}\n}}\n{beside}\n"
    return prove(use, use.replace("> 0", "!= 0"), "java", file=file)


@pytest.mark.parametrize(("head", "expected"), [
    ("class A", True), ("class A implements Comparable<Part>, Runnable", True),
    ("class A extends Near", True), ("class A extends Near<Part>", True),
    ("class A extends Base", False), ("class A implements Runnable, Named", False),
    ("class A extends Nearer", False),
    ("interface A extends Named", False), ("class A extends Part.Base", False),
])  # fmt: skip
def test_a_type_above_may_bring_another_type_into_sight(head: str, expected: bool) -> None:
    beside = (
        PART.removeprefix("static ")
        + " class Near implements Runnable { } class Nearer extends Base { }"
    )
    assert (within(LENGTH, head, beside) is not None) == expected
    assert within(LENGTH, head, "", PART) is not None or "interface" in head


def test_an_anonymous_class_may_bring_another_type_into_sight() -> None:
    inner = "class A { Object o = new Base() { int i; USE }; }"
    for text, expected in (
        (inner, False),
        (
            inner.replace("new Base() ", "").replace("Object o =", "class In").replace("};", "}"),
            True,
        ),
    ):
        file = text.replace("USE", LENGTH) + PART.removeprefix("static ")
        proof = prove(LENGTH, LENGTH.replace("> 0", "!= 0"), "java", file=file)
        assert (proof is not None) == expected


def test_a_result_is_of_the_type_that_its_name_means_there() -> None:
    use = "boolean f(Part p) { return p.in().name().length() > 0; }"
    part, one = (
        "class Part { In in() { return null; } }",
        "class In { String name() { return null; } }",
    )
    assert within(use, "class A", part + one) is not None
    assert within(use, "class A", "", part + one) is not None
    assert within(use, "class A", one, part) is not None
    assert within(use, "class A", part, one) is None
    assert within(use, "class A", part.replace("{", "extends Base {", 1) + one) is None
    both = part.replace("In in", "List<In> in"), use.replace("in()", "in().get(0)")
    assert within(both[1], "class A", both[0] + one) is not None
    assert within(both[1], "class A", both[0], one) is None


@pytest.mark.parametrize(("head", "beside", "inside", "expected"), [
    ("class A", "class Part { int n; }", "", True), ("class A", "", "class Part { int n; }", True),
    ("class A extends Base", "", "class Part { int n; }", True),
    ("class A extends Base", "class Part { int n; }", "", False),
    ("class A", "class Other { static class Part { int n; } }", "", False),
])  # fmt: skip
def test_fields_are_of_the_class_that_is_in_sight(
    head: str, beside: str, inside: str, expected: bool
) -> None:
    for use in (
        "boolean f(Part p) { return p.n > 5; }",
        "boolean f(List<Part> p) { return p.get(0).n > 5; }",
    ):
        file = f"import java.util.*;\n{head} {{ {inside}\n{use}\n}}\n{beside}\n"
        assert (prove(use, use.replace("> 5", ">= 6"), "java", file=file) is not None) == expected


def test_a_field_is_of_the_class_that_its_name_means_there() -> None:
    use, part, one = (
        "boolean f(Part p) { return p.in.n > 5; }",
        "class Part { In in; }",
        "class In { int n; }",
    )
    for beside, inside, expected in (
        (part + one, "", True),
        ("", part + one, True),
        (part, one, False),
        (one, part, True),
    ):
        file = f"class A {{ {inside}\n{use}\n}}\n{beside}\n"
        assert (prove(use, use.replace("> 5", ">= 6"), "java", file=file) is not None) == expected


def test_objects_of_the_own_class_have_its_fields_below_any_class() -> None:
    use = "boolean f(A p) { return p.next.n > 5; }"
    file = f"class A extends Base {{ int n; A next; {use} }}"
    assert prove(use, use.replace("> 5", ">= 6"), "java", file=file) is not None


@pytest.mark.parametrize(("head", "beside", "inside", "expected"), [
    ("class A", "KIND final class Part { } final class Two { }", "", True),
    ("class A extends Base", "", "KIND final class Part { } final class Two { }", True),
    ("class A extends Base", "KIND final class Part { } final class Two { }", "", False),
    ("class A", "class O { KIND static final class Part { } } final class Two { }", "", False),
])  # fmt: skip
def test_enums_and_final_classes_that_are_in_sight(
    head: str, beside: str, inside: str, expected: bool
) -> None:
    file = f"{head} {{ {inside}\nUSE }}\n{beside}\n".replace("KIND", "enum Kind { X, Y }")
    for use, before, after in (
        (
            "boolean f(Kind k) { return k == Kind.X && k == Kind.Y; }",
            "k == Kind.X && k == Kind.Y",
            "false",
        ),
        ("boolean f(Kind k) { return k.ordinal() > 0; }", "> 0", "!= 0"),
        (
            "boolean f(Object p) { return p instanceof Part && p instanceof Two; }",
            "p instanceof Part && p instanceof Two",
            "false",
        ),
    ):
        proof = prove(use, use.replace(before, after), "java", file=file.replace("USE", use))
        assert (proof is not None) == expected
