"""Java's rules on reachability: our small checker against the examples of the specification."""

import pytest

from equimut.mutation.flow import is_rejected
from equimut.parsing.tree import parse

ACCEPTED = [
    "int f(int a) { return a; }",
    "void f() { }",
    "int f(int a) { if (a > 1) return 1; else return 2; }",
    "int f(int a) { while (true) { if (a > 2) return a; a++; } }",
    "int f(int a) { while (true) { if (a > 2) break; a++; } return a; }",
    "int f(int a) { for (;;) { a++; if (a > 9) return a; } }",
    "int f(int a) { do { a++; continue; } while (a < 3); return a; }",
    "int f(int a) { if (false) { a = 2; } return a; }",
    "int f(int a) { switch (a) { case 1: return 1; default: throw new Error(); } }",
    "int f(int a) { switch (a) { case 1: return 1; default: break; } return 2; }",
    "int f(int a) { switch (a) { case 1 -> { return 1; } default -> throw new Error(); } }",
    "int f(int a) { try { return a; } catch (Error e) { return 1; } }",
    "int f(int a) { try { a = 1; } finally { return a; } }",
    "int f(int a) { synchronized (this) { return a; } }",
    "int f(int a) { out: while (true) { while (true) { break out; } } return a; }",
    "int f(int a) { throw new Error(); }",
    "void f(int a) { while (true) { Runnable r = () -> { return; }; } }",
]
REJECTED = [
    "int f(int a) { }",
    "int f(int a) { if (a > 1) return 1; }",
    "int f(int a) { while (a > 1) { return 1; } }",
    "int f(int a) { while (true) { a++; } return a; }",
    "int f(int a) { while (false) { a++; } return a; }",
    "int f(int a) { for (; false; ) { a++; } return a; }",
    "int f(int a) { while (!(false || false)) { a++; } return a; }",
    "int f(int a) { do { a++; } while (true); return a; }",
    "int f(int a) { return a; a++; }",
    "void f(int a) { for (;;) { break; a++; } }",
    "void f(int a) { while (a > 0) { continue; a++; } }",
    "int f(int a) { switch (a) { case 1: return 1; } }",
    "int f(int a) { switch (a) { case 1: break; default: return 1; } }",
    "int f(int a) { try { a = 1; } catch (Error e) { return 1; } }",
    "int f(int a) { out: while (true) { while (true) { continue out; } } return a; }",
    "int f(int a) { while (true) { switch (a) { case 1: break; } } return a; }",
]


@pytest.mark.parametrize("method", ACCEPTED)
def test_a_method_that_compiles_is_accepted(method: str) -> None:
    assert parse(method, "java").errors == ()
    assert not is_rejected(parse(method, "java"))


@pytest.mark.parametrize("method", REJECTED)
def test_a_method_with_unreachable_code_or_no_result_is_rejected(method: str) -> None:
    assert parse(method, "java").errors == ()
    assert is_rejected(parse(method, "java"))
