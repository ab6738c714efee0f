"""Types that declarations tell: type arguments, results of methods of other classes."""
# ruff: noqa: E501

import pytest

from equimut.proofs.smt.prover import Proof
from equimut.proofs.smt.proving import prove

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
