"""Java methods that can stand alone, and the labels that running them gives."""

from equimut.pretraining.labels.java.check import compiling
from equimut.pretraining.labels.java.label import label_method
from equimut.pretraining.labels.java.methods import closed_methods

SOURCE = """
package own;
class Numbers {
    static final int LIMIT = 10, STEP = LIMIT / 2;
    private int state = 3;
    /** Doubles. */
    @Deprecated
    static int doubled(int x) { return x + x + ZERO; } // twice
    static final int ZERO = 0;
    static int capped(int x) {
        int y = doubled(x);
        if (y > LIMIT) { y = LIMIT; }
        return y;
    }
    int withState(int x) { int sum = x + state; if (sum < 0) { sum = 0; } return sum; }
    int without(int x) { int z = x; if (z < 0) { z = -z; } return z + 1; }
    static long clock(long x) { return x + System.nanoTime() + x * 2 + 1000; }
    static int listed(java.util.List<String> names) { return names.size() + 1 + names.size(); }
    static int unknown(int x) { return Elsewhere.twice(x) + Elsewhere.thrice(x) + x; }
}
"""


def test_a_method_brings_what_it_needs_and_nothing_else() -> None:
    found = {method.name: method for method in closed_methods(SOURCE)}
    assert set(found) == {"capped", "withState", "without", "unknown"}
    assert "doubled(int x)" in found["capped"].before
    assert "LIMIT = 10" in found["capped"].before
    assert "ZERO = 0" in found["capped"].before  # what a helper needs
    assert found["without"].before == ""
    assert found["capped"].source.endswith(found["capped"].text)


def test_only_methods_that_compile_remain() -> None:
    names = [method.name for method in compiling(list(closed_methods(SOURCE)))]
    assert names == ["capped", "without"]


def test_labels_come_from_runs() -> None:
    method = next(one for one in closed_methods(SOURCE) if one.name == "capped")
    rows = {row.mutant: row for row in label_method(method, "java/own", seed=0)}
    assert {row.label for row in rows.values()} == {0, 1}
    tie = rows.get(method.text.replace("y > LIMIT", "y >= LIMIT"))
    assert tie is None or tie.label == 1
    flipped = rows.get(method.text.replace("y > LIMIT", "y < LIMIT"))
    assert flipped is None or flipped.label == 0
    assert all(row.origin == method.text for row in rows.values())
