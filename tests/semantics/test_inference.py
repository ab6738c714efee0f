"""Types of Java's expressions: as javac has them, and as operators guess them."""

import pytest

from equimut.parsing.tree import parse, walk
from equimut.semantics.program import Program

FRAME = """
class Shop extends Base {{
    long total; double length; String name;
    Integer boxed(int n) {{ return n; }}
    void f(int i, long l, float x, double d, char c, byte b, boolean t, Integer box, Short s,
           String text, int[] xs, Object o) {{
        var v = i;
        Object wanted = {};
    }}
}}
"""


def _types(expression: str) -> tuple[str, str]:
    """The certain type, and the one that operators work with."""
    tree = parse(FRAME.format(expression), "java")
    node = next(
        value
        for node in walk(tree.root)
        if node.type == "variable_declarator"
        and tree.text(node).startswith("wanted")
        and (value := node.child_by_field_name("value"))
    )
    return Program(tree).type_of(node), Program(tree, guesses=True).type_of(node)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("1", "int"), ("1L", "long"), ("0xffL", "long"), ("0xff", "int"),
        ("1.0", "double"), ("0x1p3", "double"), ("'a'", "char"), ('"a"', "String"),
        ("null", "null"), ("o instanceof String", "boolean"), ("(i)", "int"),
        ("c + b", "int"), ("i + l", "long"), ("l + x", "float"), ("x * d", "double"),
        ("i << l", "int"), ("b << 1", "int"), ("l >> i", "long"), ("-c", "int"), ("~l", "long"),
        ("-box", "int"), ("box + 1", "int"), ("s + s", "int"), ("box", "Integer"),
        ("boxed(1)", "Integer"), ("this.boxed(1)", "Integer"), ("boxed(1) + 1L", "long"),
        ("t & t", "boolean"), ("!t", "boolean"), ("i < d", "boolean"), ("t && t", "boolean"),
        ('i + "a"', "String"), ("text + o", "String"), ("xs + text", "String"),
        ("xs[0]", "int"), ("xs.length", "int"), ("this.length", "double"), ("i++", "int"),
        ("i = 3", "int"), ("(long) i", "long"), ("(java.util.List<String>) o", "java.util.List"),
        ("t ? 1 : 2", "int"), ("t ? i : d", "double"), ("t ? box : 1", "int"),
        ("t ? null : text", "String"), ("text.length()", "int"), ("text.charAt(0)", "char"),
        ("text.toUpperCase()", "String"), ("text.toUpperCase(o)", "String"),
        ("Character.toUpperCase(c)", "char"), ("Integer.MAX_VALUE", "int"), ("Long.SIZE", "int"),
        ("Character.MIN_RADIX", "int"), ("Double.NaN", "double"),
        ("new int[3]", "int[]"), ("new Shop()", "Shop"),
    ],
)  # fmt: skip
def test_both_know_what_javac_knows(expression: str, expected: str) -> None:
    assert _types(expression) == (expected, expected)


@pytest.mark.parametrize(
    ("expression", "certain", "guessed"),
    [
        ("inherited - 1", "", "int"),  # a name used as a number
        ("inherited() + 1.0", "", "double"),  # `+` may join texts
        ("size()", "", "int"),  # may be a method of Base
        ("v", "", "var"),
        ("t ? 1 : inherited()", "", "int"),
        ("Math.max(i, l)", "long", "int"),
        ("Math.max(i, inherited())", "", "int"),
        ("o.signum()", "", "double"),
        ("Byte.MAX_VALUE", "byte", ""),
        ("Color.valueOf(text)", "", "String"),
        ("1f", "float", "double"),
    ],
)
def test_only_operators_guess(expression: str, certain: str, guessed: str) -> None:
    assert _types(expression) == (certain, guessed)


def test_a_sum_of_a_thousand_terms_is_no_reason_to_fail() -> None:
    assert _types(" + ".join(["i"] * 1000)) in [("int", "int"), ("", "")]
