"""Ticks stand where code can repeat, and the code around them stays what it was."""

import re

import pytest

from equimut.oracle.harness.python_steps import Endless, Meter, load
from equimut.oracle.sandbox.ticking import JAVA, C, TickRules, add_ticks
from equimut.parsing.tree import parse

TICK = {"java": "equimut_.Steps.tick();", "c": "equimut_tick();"}


@pytest.mark.parametrize(
    ("language", "source", "ticks"),
    [
        ("java", "int f(int n) { while (n > 0) n--; return n; }", 2),
        ("java", "int f(int n) { for (;;) for (int i = 0; i < n; i++) if (i > 2) return i; }", 3),
        ("java", "int f(int[] a) { for (int x : a) { g(x); } do ; while (a == null); }", 3),
        ("java", "void f() { Runnable r = () -> { g(); }; r.run(); }", 2),
        ("java", 'int é(int n) { String s = "ü"; while (n > 0) { n--; } return n; }', 2),
        ("c", "int f(int n) { again: if (n-- > 0) goto again; return n; }", 2),
        ("c", "static int g(int n) { return n; } int f(int n) { do n--; while (n); return n; }", 3),
        ("c", "void f(int n) { for (;;) while (n) ; }", 3),
    ],
)
def test_ticks_are_added_and_taking_them_out_gives_the_source(
    language: str, source: str, ticks: int
) -> None:
    rules: TickRules = JAVA if language == "java" else C
    ticking = add_ticks(source, language, rules)
    assert ticking.count(TICK[language]) == ticks
    assert not parse(ticking, language).errors
    plain = ticking.replace(rules.tick, "").replace(rules.missing_return or "\0", "")
    assert re.sub(r"[\s{}]", "", plain) == re.sub(r"[\s{}]", "", source)


def test_a_c_function_that_has_to_return_a_value_says_when_it_does_not() -> None:
    assert "missing_return" in add_ticks("int f(void) { }", "c", C)
    assert "missing_return" in add_ticks("void *f(void) { }", "c", C)
    assert "missing_return" not in add_ticks("void f(void) { }", "c", C)


@pytest.mark.parametrize(
    "body",
    [
        "while True: pass",
        "while True:\n        try:\n            f(n)\n        except Exception:\n            pass",
        "return f(n)",
        "return [x for x in iter(int, 1)]",
        "return sum(1 for x in iter(int, 1))",
        "x = 3\n    for i in range(10**6): x *= x",
        "return sum(range(10**15))",
        "return (1 << 10**12)",
        "return 7 ** 10**9",
        "return 'ab' * 10**12",
        "return (lambda g: g(g))(lambda g: g(g))",
    ],
)
def test_python_that_does_not_end_runs_out_of_steps(body: str) -> None:
    meter = Meter()
    names = load(f"def f(n: int):\n    {body}\n", meter)
    meter.budget = 5_000
    with pytest.raises((Endless, RecursionError)):
        names["f"](1)


@pytest.mark.parametrize(
    ("source", "argument"),
    [
        ('def f(n):\n    """Doc."""\n    return f.__doc__', 1),
        ("def f(n):\n    return [i * j for i in range(n) for j in range(i) if i != j]", 7),
        ("def f(n):\n    x = [1]\n    y = x\n    x *= n\n    return y", 3),
        ("def f(n):\n    return (lambda a, b=2: a ** b)(n), {i: 2 << i for i in range(n)}", 5),
        ("def f(n):\n    t = 1\n    while n:\n        t *= n\n        n -= 1\n    return t", 20),
        ("def f(n):\n    return list(range(n, 0, -2)), max(range(n), default=None)", 9),
        ("def f(n):\n    return 2.5 * n, n * 'ab', (1, 2) * n, n ** -1, n ** 0.5", 4),
    ],
)
def test_counting_steps_changes_no_result(source: str, argument: int) -> None:
    plain: dict[str, object] = {}
    exec(source, plain)
    meter = Meter()
    counted = load(source, meter)["f"]
    meter.budget = 10**9
    assert counted(argument) == plain["f"](argument)  # type: ignore[operator]
