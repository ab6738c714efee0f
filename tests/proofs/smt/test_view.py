"""What the prover says of changes that it cannot prove harmless."""

import pytest

from equimut.proofs.budget import Budget
from equimut.proofs.proving import ProofQuestion, answer
from equimut.proofs.smt.proving import CHOSEN_STATES, compare
from equimut.records import ProverView


def view(origin: str, old: str, new: str, language: str = "java", file: str = "") -> ProverView:
    mutant = origin.replace(old, new)
    assert mutant != origin
    found = compare(origin, mutant, language, file=file or None, without=frozenset({CHOSEN_STATES}))
    assert found.proof is None
    assert found.view is not None
    return found.view


def in_class(method: str, fields: str) -> str:
    return f"class A {{ {fields} {method} }}"


def test_a_difference_of_parameters_alone_is_closed() -> None:
    found = view("int f(int a, int b) { if (a > b) return 1; return 2; }", ">", ">=")
    assert found.closed
    assert found.effects == ("return",)
    assert not found.reads_state


@pytest.mark.parametrize(
    ("language", "origin"),
    [
        ("c", "int f(int a, int b) { if (a > b) return 1; return 2; }"),
        ("python", "def f(a: int, b: int):\n    if a > b:\n        return 1\n    return 2\n"),
    ],
)
def test_so_it_is_in_other_languages(language: str, origin: str) -> None:
    assert view(origin, ">", ">=", language).closed


def test_a_field_that_is_changed_is_an_effect() -> None:
    method = "int f() { return this.x; }"
    found = view(method, "this.x", "this.x++", file=in_class(method, "int x;"))
    assert found.effects == ("field",)
    assert found.reads_state
    assert found.unmodelled == 0


def test_results_of_calls_are_not_modelled() -> None:
    found = view("int f(Foo b) { int x = b.get(); if (x > 3) return 1; return 2; }", ">", ">=")
    assert found.answer == "differs"
    assert not found.closed
    assert "call" in found.through


def test_what_a_loop_left_behind_is_not_modelled() -> None:
    loop = "for (int i = 0; i < n; i++) { s += i; }"
    found = view(f"int f(int n) {{ int s = 0; {loop} return s > 3 ? 1 : 0; }}", "s > 3", "s >= 3")
    assert found.through == ("loop",)
    assert not found.closed


def test_a_loop_is_compared_one_iteration_at_a_time() -> None:
    loop = "for (int i = 0; i < n; i++) { s += i; }"
    found = view(f"int f(int n) {{ int s = 0; {loop} return s; }}", "i < n", "i <= n")
    assert found.scope == "iteration"
    assert not found.closed


def test_an_argument_of_a_call_reaches_a_call_only() -> None:
    found = view("void f(Foo b, int k) { b.put(k + 1); }", "k + 1", "k - 1")
    assert {"call"} <= set(found.effects)
    assert "return" not in found.effects
    assert not found.closed


def test_floating_point_arithmetic_is_not_modelled() -> None:
    assert view("double f(double n) { return n * 3; }", "*", "/").through == ("float",)


def test_a_function_that_is_too_large_says_so() -> None:
    origin = "int f(int a) { if (a > 3) return 1; return 2; }"
    found = compare(
        origin, origin.replace(">", ">="), "java", budget=Budget(execution=2),
        without=frozenset({CHOSEN_STATES}),
    )  # fmt: skip
    assert found.view is not None
    assert found.view.answer == "too large"


def test_what_cannot_be_lowered_is_not_modelled() -> None:
    assert view("int f(int a) { if (a > 3 return 1; }", ">", ">=").answer == "not modelled"


@pytest.mark.with_runs
def test_a_mutant_that_a_run_refutes_is_closed() -> None:
    origin = "int f(int[] a) { int s = 0; for (int x : a) s += x; return s; }"
    found = compare(origin, origin.replace("+=", "-="), "java")
    assert found.view is not None
    assert found.view.closed
    assert found.view.effects == ("return",)
    assert found.state


def test_a_proof_has_no_view_and_the_worker_passes_it_on() -> None:
    origin = "int f(int a) { if (a < 0) return 1; if (a <= 0) return 2; return 3; }"
    proved = compare(origin, origin.replace("a <= 0", "a == 0"), "java")
    assert proved.proof is not None
    assert proved.view is None
    question = ProofQuestion(origin, origin.replace("a < 0", "a > 0"), "java", Budget())
    given = answer(question).view
    assert given is not None
    assert given.closed


COUNTER = "class Counter { int size; int[] words; %s }"
SANITY = {
    "a field is returned and changed": (
        "java", "int next() { return this.size; }", "this.size", "this.size++", COUNTER,
    ),
    "a field is decremented behind its value": (
        "java", "int total() { int n = size; return n; }", "n = size", "n = size--", COUNTER,
    ),
    "a discount begins at ten pieces": (
        "python",
        "def price(pieces: int):\n    if pieces >= 10:\n        return 9\n    return 10\n",
        ">= 10", "> 10", "%s",
    ),
    "bounds that may be equal": (
        "python",
        "def check(low: int, high: int):\n    if high < low:\n        raise ValueError\n"
        "    return low\n",
        "high < low", "high <= low", "%s",
    ),
    "the only element of a list": (
        "python",
        "def first(items: list):\n    if len(items) == 1:\n        return items[0]\n"
        "    return None\n",
        "== 1", "<= 1", "%s",
    ),
    "an index that may be negative": (
        "java", "int back(int i, int k) { return i - k; }", "- k", "- Math.abs(k)", COUNTER,
    ),
    "a limit that is just reached": (
        "c", "int full(int used, int room) { return used > room; }", ">", ">=", "%s",
    ),
}  # fmt: skip
"""Changes that a reviewer once found called equivalent, in words of our own: a test kills each."""


@pytest.mark.parametrize("name", SANITY)
def test_changes_that_an_obvious_test_kills_are_seen_to_differ(name: str) -> None:
    language, origin, old, new, file = SANITY[name]
    found = view(origin, old, new, language, file % origin if "%s" in file else "")
    assert found.answer == "differs"
    assert found.scope == "function"
    assert found.effects
