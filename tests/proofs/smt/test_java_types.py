"""Java's types: what an object is of, what it can then not be of, and where that is not known."""

import pytest

from equimut.proofs.smt.proving import compare, prove

FILE = """package p;
import java.util.*;
abstract class Shape {{ }}
class Circle extends Shape {{ }}
class Square extends Shape {{ }}
class Odd extends Unknown {{ }}
interface Named {{ }}
enum Colour {{ RED }}
class Other {{ static class Hidden {{ }} }}
class Box<T, Twice> {{
    class Twice {{ }}
    static class Inner extends Odd {{ }}
    {0}
}}
"""
CHAIN = ("int f(Object o) {{ int r = 0; if (o instanceof {0}) {{ r = 1; }} "
         "else if (o instanceof {1}) {{ r = 2; }} return r; }}")  # fmt: skip


def proved(origin: str, before: str, after: str) -> bool:
    assert origin.count(before) == 1
    mutant = origin.replace(before, after)
    return prove(origin, mutant, "java", file=FILE.format(origin)) is not None


@pytest.mark.parametrize(("one", "two"), [
    ("Integer", "String"), ("Circle", "Square"), ("int[]", "String"), ("int[]", "long[]"),
    ("List", "String"), ("Named", "Integer"), ("Colour", "Circle"), ("Number", "Circle"),
    ("ArrayList", "HashMap"), ("Error", "Exception"), ("Inner", "String"),
    ("Collection", "Shape[]"), ("Circle", "Object[]"), ("Named", "Foreign[]"), ("int[]", "Shape[]"),
])  # fmt: skip
def test_types_without_a_common_object(one: str, two: str) -> None:
    for names in ((one, two), (two, one)):
        assert proved(CHAIN.format(*names), "else if", "if"), names


@pytest.mark.parametrize(("one", "two"), [
    ("Integer", "Number"), ("Circle", "Shape"), ("List", "Map"), ("Circle", "Named"),
    ("Circle", "Odd"),  # Unknown may extend Circle
    ("Circle", "Inner"), ("Foreign", "String"), ("T", "String"), ("Twice", "String"),
    ("Hidden", "Circle"),  # not the class of that name in another class
    ("Object[]", "String[]"), ("ArrayList", "List"), ("java.lang.CharSequence", "String"),
    ("HashMap", "LinkedHashMap"), ("int[]", "Object"), ("int[]", "Cloneable"),
    ("Shape[]", "Object"), ("Shape[]", "Cloneable"), ("Shape[]", "java.io.Serializable"),
    ("Shape[]", "Circle[]"), ("T", "Shape[]"), ("Foreign", "Shape[]"), ("Shape[]", "Object[]"),
])  # fmt: skip
def test_types_that_may_have_one(one: str, two: str) -> None:
    for names in ((one, two), (two, one)):
        assert not proved(CHAIN.format(*names), "else if", "if"), names


def test_a_type_is_of_those_above_it() -> None:
    both = "int f(Object o) { return o instanceof Circle && o instanceof Shape ? 1 : 2; }"
    assert proved(both, " && o instanceof Shape", "")
    assert not proved(both, "o instanceof Circle && ", "")
    cast = "int f(Object o) { if (o instanceof Integer) { Number n = (Number) o; } return 1; }"
    assert proved(cast, "Number n = (Number) o;", "")


def test_a_cast_to_a_type_parameter_throws_nothing() -> None:
    """It is no cast at all: a string gets through, and the line behind it is reached."""
    origin = "int f(Object o) { if (o instanceof String) { T t = (T) o; return 1; } return 2; }"
    assert not proved(origin, "return 1", "return 3")


def test_handlers_of_exclusive_exceptions_may_change_places() -> None:
    origin = ("int f(int a, int b) { int r = 0; try { r = a / b; } catch (ArithmeticException e) "
              "{ r = 1; } catch (IllegalStateException e) { r = 2; } return r; }")  # fmt: skip
    assert proved(origin, "r = 2", "r = 3")
    assert not proved(origin, "r = 1", "r = 3")


def test_the_proof_says_it() -> None:
    origin = CHAIN.format("Integer", "String")
    found = compare(origin, origin.replace("else if", "if"), "java").proof
    assert found is not None
    assert "nothing is an Integer and a String at once" in found.facts


def test_without_contracts_nothing_is_known_of_types() -> None:
    origin = CHAIN.format("Integer", "String")
    off = frozenset({"contracts"})
    assert prove(origin, origin.replace("else if", "if"), "java", without=off) is None


@pytest.mark.parametrize("asked", [
    "p.n < 3", "p.n + 1 > 2", "p.n == 3", "p.n == a", "p.n == p.m", "p.n + a > 1", "-p.n > 0",
    "p.n << 1 > 3", "(p.n ^ 1) == 2", "p.flag && true", "!p.flag", "p.flag ? true : false",
    "(int) p.n == 3",
])  # fmt: skip
def test_what_is_of_no_known_type_may_be_a_box_of_nothing(asked: str) -> None:
    """To open it throws: what is asked for nothing is not nothing."""
    known = "if (p == null) return false;"
    origin = f"boolean f(Pair p, Integer a) {{ {known} boolean x = {asked}; return true; }}"
    assert prove(origin, origin.replace(asked, "false"), "java") is None
    typed = origin.replace("Pair p", "Object p").replace(asked, "p == a")
    assert prove(typed, typed.replace("p == a", "false"), "java") is not None


def test_constants_of_an_enum_open_no_box() -> None:
    """Nor does null; but what is compared with another object may be a number that is opened."""
    asked = "if (p == null || a == b) return false; return p.n == a && p.n == b;"
    origin = f"boolean f(Pair p, Object a, Object b) {{ {asked} }}"
    assert prove(origin, origin.replace("p.n == a && p.n == b", "false"), "java") is None
