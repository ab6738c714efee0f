"""What evaluating an expression changes, and whether it can fail."""

import pytest
from tree_sitter import Node

from equimut.parsing.tree import parse, walk
from equimut.semantics.constants import Constants
from equimut.semantics.program import Program
from equimut.semantics.values import has_effects, is_harmless, literal_value

FRAMES = {
    "java": "class A {{ static final int N = 3; static final boolean OFF = !true; "
    "int f(int a, int b, Integer box, A o) {{ Object wanted = {}; }} }}",
    "c": "int f(int a, int b, char *s) {{ int wanted = {}; }}",
    "python": "def f(a: int, b: int, xs):\n    wanted = {}\n",
}


def _value(language: str, expression: str) -> tuple[Program, Node]:
    program = Program(parse(FRAMES[language].format(expression), language))
    named = [n for n in walk(program.tree.root) if program.text(n).startswith("wanted = ")]
    value = named[-1].child_by_field_name("value") or named[-1].child_by_field_name("right")
    assert value is not None
    return program, value


@pytest.mark.parametrize(
    ("language", "expression", "harmless"),
    [
        ("java", "a + b * 2", True), ("java", "a / 2", True), ("java", "a / b", False),
        ("java", "a % 0", False), ("java", "a << b", True), ("java", "box + 1", False),
        ("java", "a++", False), ("java", "f(a)", False), ("java", "o.x", False),
        ("java", "-(a)", True), ("java", "a < b && b > 0", True),
        ("c", "a + b", True), ("c", "a << b", False), ("c", "a / b", False), ("c", "s[0]", False),
        ("python", "a + b", True), ("python", "a ** b", False), ("python", "xs + a", False),
        ("python", "a // 2", True), ("python", "a in xs", False), ("python", "unbound", False),
        ("python", "'plain'", True), ("python", "f'{a}'", False), ("python", "rf'{a}'", False),
    ],
)  # fmt: skip
def test_harmless_is_what_changes_nothing_and_cannot_fail(
    language: str, expression: str, harmless: bool
) -> None:
    assert is_harmless(*_value(language, expression)) is harmless


@pytest.mark.parametrize(
    ("expression", "harmless"),
    [("box + 1 > 0", True), ("this == o", True), ("a / 2 > 0", False), ("o.x == a", False)],
)
def test_without_types_names_are_trusted_and_divisions_are_not(
    expression: str, harmless: bool
) -> None:
    assert is_harmless(*_value("java", expression), typed=False) is harmless


@pytest.mark.parametrize(
    ("language", "expression", "changes"),
    [
        ("java", "a + b", False), ("java", "a++", True), ("java", "a = b", True),
        ("java", "o.size() + o.getName().length()", False), ("java", "o.getAndAdd()", True),
        ("java", "o.get(a)", False), ("java", "o.get()", True), ("java", "Math.random()", False),
        ("java", "o.remove(a)", True), ("java", "o.size(a++)", True),
        ("java", "() -> o.remove(a)", False), ("c", "abs(a)", True), ("python", "len(xs)", True),
    ],
)  # fmt: skip
def test_effects_are_changes_and_calls_not_known_to_be_harmless(
    language: str, expression: str, changes: bool
) -> None:
    assert has_effects(*_value(language, expression)) is changes


@pytest.mark.parametrize(
    ("expression", "constant"),
    [
        ("1 + 2 * N", True), ("a + 1", False), ("A.N", True), ("this.N", False),
        ("Integer.MAX_VALUE", True), ("INHERITED", None), ("inherited", False), ("1 + OTHER", None),
        ("(int) 2L", True), ("(Integer) 2", False), ("null", False), ("0x1p3", True),
        ("f(1)", False), ("true ? N : 2", True),
    ],
)  # fmt: skip
def test_what_javac_folds(expression: str, constant: bool | None) -> None:
    program, node = _value("java", expression)
    assert Constants(program).is_constant(node) is constant


@pytest.mark.parametrize(
    ("expression", "truth"), [("!true", False), ("OFF", False), ("!OFF", True), ("a > 0", None)]
)
def test_the_truth_of_a_constant_condition(expression: str, truth: bool | None) -> None:
    program, node = _value("java", expression)
    assert Constants(program).truth(node) is truth


@pytest.mark.parametrize(
    ("expression", "value"),
    [("-3", -3), ("0x10", 16), ("010", 8), ("'a'", 97), ("1_000L", 1000), ("0xffffffff", None)],
)
def test_literal_values(expression: str, value: int | None) -> None:
    assert literal_value(*_value("java", expression)) == value
