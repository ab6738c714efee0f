"""Code that is nested too deep or grown too long costs one proof and little time, not the scan."""

import time
from collections.abc import Iterator

import pytest

from equimut.proofs.proving import prove
from equimut.scanning.evidence.texts import read_texts

SECONDS = 4.0
"""The slowest takes 0.5 s on an idle core; before there were limits, hours."""


def _java(body: str) -> str:
    return f"int f(int a, int t) {{ {body} }}"


def _python(*lines: str) -> str:
    return "\n    ".join(["def f(a: int, b):", *lines]) + "\n"


def _cases() -> Iterator[tuple[str, str, str, str]]:
    for terms in (3_000, 30_000):
        total = _java(f"t = a; return {' + '.join(['a'] * terms)};")
        yield "java", total, "t = a", "t = 2"
        yield "java", total, "return a", "return a++"
    many = f"int f(int a) {{ return {' && '.join(['a > 0'] * 20_000)}; }}"
    yield "c", many, "return a > 0", "return a >= 1"
    for terms in (190, 300):
        many = _python("return " + " and ".join(["a > 0"] * terms))
        yield "python", many, "return a > 0", "return a >= 1"
    wide = " || ".join(f"a > {number}" for number in range(600))
    yield "java", _java("if (a > 0) return 1; return 2;"), "a > 0", wide
    nested = "if (a > 0) { " * 300 + "a++; " + "} " * 300
    yield "java", _java(f"t = 1; {nested} return a;"), "t = 1", "t = 2"
    for copy in ("x{0} = x{1}", "x{0} = x{1} + x{1}"):
        chain = [copy.format(number + 1, number) for number in range(300)]
        yield "python", _python("x0 = 1", *chain, "return x300 > 0"), "x300 > 0", "x300 != 0"
    loop = ("for a in range(a, b):", "    if a > 0:", "        return 1", "return 2")
    yield "python", _python(*loop), "a > 0", "a != 0"


@pytest.mark.parametrize("case", _cases(), ids=lambda case: f"{case[0]} {case[2]} {len(case[1])}")
def test_it_takes_little_time_and_never_fails(case: tuple[str, str, str, str]) -> None:
    language, origin, before, after = case
    assert origin.count(before) >= 1
    mutant = origin.replace(before, after, 1)
    began = time.process_time()
    prove(origin, mutant, language)
    read_texts(origin, mutant, language)
    assert time.process_time() - began < SECONDS


def test_what_is_long_but_flat_is_proved() -> None:
    origin = _java("a = a + 1; " * 2_000 + "return a;")
    assert prove(origin, origin.replace("return a", "return a++"), "java") is not None
    origin = _java("".join(f"if (a == {n}) return {n}; else " for n in range(60)) + "return a;")
    assert prove(origin, origin.replace("return a;", "return a++;"), "java") is not None
