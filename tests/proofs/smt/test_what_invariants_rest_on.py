"""An invariant that rests on an assumption hands it on to the proof; others stay plain."""

import pytest

from equimut.proofs.smt.proving import prove

READ = "a read returns -1 at the end, else what was read"
SIZE = "a collection's size is never negative, and asking for it changes nothing"
NONE = "boolean none() { return size <= 0; }"
LOW = "private boolean low(int n) { return n < 0; }"
SKIP = """int skip(InputStream in, byte[] b, int[] a) throws IOException {
    int n = 0;
    int read = in.read(b);
    for (int i = 0; i < a.length; i++) { n += read; }
    while (read > -1) { n += read; read = in.read(b); }
    return n;
}"""


def assumed(origin: str, old: str, new: str, file: str | None = None) -> str:
    assert origin.count(old) == 1
    found = prove(origin, origin.replace(old, new), "java", file=file)
    assert found is not None
    return "; ".join(found.assumptions)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [("read > -1", "read != -1", READ), ("i < a.length", "i != a.length", "")],
)
def test_of_a_loop(old: str, new: str, words: str) -> None:
    assert assumed(SKIP, old, new) == words


@pytest.mark.parametrize(
    ("made", "named"),
    [("size = xs.size();", True), ("size = 0; if (xs.size() > 3) size = 2;", False)],
)
def test_of_a_class(made: str, named: bool) -> None:
    maker = f"S(List<String> xs) {{ {made} }}"
    file = f"import java.util.*;\nclass S {{ private int size; {maker}\n{NONE} }}"
    found = assumed(NONE, "<=", "==", file)
    assert "private fields" in found
    assert (SIZE in found) == named


@pytest.mark.parametrize(
    ("call", "named"), [("low(xs.size())", True), ("xs.size() == 2 && low(4)", False)]
)
def test_of_call_sites(call: str, named: bool) -> None:
    caller = f"boolean go(List<String> xs) {{ return {call}; }}"
    file = f"import java.util.*;\nclass S {{ {LOW}\n{caller} }}"
    found = assumed(LOW, "n < 0", "false", file)
    assert "private method" in found
    assert (SIZE in found) == named


def test_of_a_longer_callee() -> None:
    find = """private int last(List<String> xs) {
    int n = xs.size();
    while (n > 0 && xs.get(n - 1) == null) { n--; }
    return n;
}"""
    user = "boolean none(List<String> xs) { return last(xs) <= 0; }"
    file = f"import java.util.*;\nclass S {{ {find}\n{user} }}"
    assert SIZE in assumed(user, "<=", "==", file)
