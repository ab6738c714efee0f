"""What longer methods of the same class return: what is known of it, and what must not be."""

import pytest

from equimut.proofs.smt.prover import Proof
from equimut.proofs.smt.proving import prove

FIND = """private int find(int[] a, int x) {
    for (int i = 0; i < a.length; i++) {
        if (a[i] == x) {
            return i;
        }
    }
    return -1;
}"""
USE = "int f(int[] a, int x) { if (find(a, x) < 0) return 7; return x; }"
NAME = """private String name(int n) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < n; i++) {
        text.append('x');
    }
    return text.toString();
}"""


def proof_of(
    callee: str, before: str, after: str, use: str = USE, head: str = "class C"
) -> Proof | None:
    assert before in use
    file = f"{head} {{ private int[] seen; {use} {callee} }}"
    mutant = use.replace(before, after)
    assert prove(use, mutant, "java") is None
    off = frozenset({"callees"})
    assert prove(use, mutant, "java", file=file, without=off) is None
    return prove(use, mutant, "java", file=file)


def test_range_of_a_result() -> None:
    proof = proof_of(FIND, "find(a, x) < 0", "find(a, x) == -1")
    assert proof is not None
    assert "`find` returns nothing below -1" in proof.facts
    assert not proof.assumptions


def test_result_that_is_never_null() -> None:
    quiet = "int f(int n) { String s = name(n); if (s == null) return 7; return n; }"
    assert proof_of(NAME, "s == null", "false", quiet) is not None


def test_what_a_result_rests_on_is_printed() -> None:
    callee = """private int count(java.util.List<String> all) {
        for (String each : all) { if (each == null) { return 0; } }
        return all.size();
    }"""
    use = "int f(java.util.List<String> all) { if (count(all) < 0) return 7; return 1; }"
    proof = proof_of(callee, "count(all) < 0", "count(all) < -3", use)
    assert proof is not None
    assert any("size is never negative" in each for each in proof.assumptions)


@pytest.mark.parametrize("callee", [
    FIND.replace("return -1", "return -2"),
    FIND.replace("return i", "return i - 2"),
    FIND.replace("return i", "return a[i]"),
    FIND.replace("return i", "return x"),
    FIND.replace("return i;", "return i + a.length + 1;"),  # it may overflow
    FIND.replace("return i;", "return find(a, x - 1);"),
    FIND.replace("return -1;", "return seen[0];"),
    FIND.replace("private int", "int"),  # it may be overridden
    FIND.replace("private int", "protected int"),
    FIND.replace("int x", "long x"),  # another overload may be called
    FIND.replace("return -1;", "try { return other(x); } finally { x = 0; }"),
    FIND.replace("int i = 0", "int i = x").replace("a[i] == x", "i != 5"),
])  # fmt: skip
def test_results_that_may_be_smaller(callee: str) -> None:
    assert proof_of(callee, "find(a, x) < 0", "find(a, x) == -1") is None


@pytest.mark.parametrize("callee", [
    NAME.replace("return text", "if (n == 3) { return null; } return text"),
    NAME.replace("text.toString()", "seen == null ? null : text.toString()"),
    NAME.replace("private", ""),
])  # fmt: skip
def test_results_that_may_be_null(callee: str) -> None:
    use = "int f(int n) { String s = name(n); if (s == null) return 7; return n; }"
    assert proof_of(callee, "s == null", "false", use) is None


def test_in_a_final_class_nothing_overrides() -> None:
    callee = FIND.replace("private int", "int")
    head = "final class C"
    assert proof_of(callee, "find(a, x) < 0", "find(a, x) == -1", head=head) is not None


def test_the_call_itself_is_still_seen() -> None:
    """A result in a range is no result that is known, and to call is not nothing."""
    assert proof_of(FIND, "find(a, x) < 0", "false") is None
    assert proof_of(FIND, "find(a, x) < 0", "-1 == -1") is None
    twice = "find(a, x) < 0 || find(a, x) < 0"
    assert proof_of(FIND, "find(a, x) < 0", twice) is None
