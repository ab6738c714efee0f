"""Indices against sites: all that the order allows, and nothing else."""

from itertools import combinations
from math import inf

from hypothesis import given
from hypothesis import strategies as st

from equimut.parsing.tree import parse
from equimut.reports.pit.alignment import Item, align
from equimut.reports.pit.mutation import PitMutation, Wanted, wanted
from equimut.reports.pit.points import Point
from oracles.reports.pit_bytecode import MUTATORS

NODE = parse("class A {}", "java").root
SIGNS = "+-*"


def point(sign: str, certain: bool, filtered: bool) -> Point:
    return Point("math", NODE, 1, certain, filtered, operator=sign)


def by_trying_all(items: list[Item], points: list[Point]) -> list[set[int]]:
    """Every order-preserving choice of points, weighed as the module's docstring says."""
    fitting = [
        chosen
        for chosen in combinations(range(len(points)), len(items))
        if all(item.cost(points[at]) < inf for item, at in zip(items, chosen, strict=True))
    ]
    full = [
        chosen
        for chosen in fitting
        if all(at in chosen or not p.certain or p.filtered for at, p in enumerate(points))
    ]
    ways = full or fitting
    least = min((sum(points[at].filtered for at in way) for way in ways), default=0)
    ways = [way for way in ways if sum(points[at].filtered for at in way) == least]
    return [{way[row] for way in ways} for row in range(len(items))]


@given(
    st.lists(st.sampled_from(SIGNS), min_size=1, max_size=4),
    st.lists(
        st.tuples(st.sampled_from(SIGNS), st.booleans(), st.booleans()), min_size=1, max_size=7
    ),
)
def test_alignment_equals_trying_all_ways(
    signs: list[str], drawn: list[tuple[str, bool, bool]]
) -> None:
    points = [point(*values) for values in drawn]
    items = [Item(at, (Wanted("math", operator=sign),)) for at, sign in enumerate(signs)]
    known = [item for item in items if any(item.cost(p) < inf for p in points)]
    expected = by_trying_all(known, points)
    found = align(items, points)
    for item, places in zip(items, found, strict=True):
        mine = {points.index(place) for place in places}
        if item not in known:
            assert mine == set()
        elif expected[known.index(item)]:
            assert mine == expected[known.index(item)]
        else:  # no order fits: each on its own
            assert mine == {at for at, p in enumerate(points) if item.cost(p) < inf}


def mutation(mutator: str, description: str) -> PitMutation:
    return PitMutation(
        0, "SURVIVED", "A.java", "A", "f", "()V", 1, MUTATORS + mutator, (1,), description, "", 0, 0
    )


def test_descriptions_are_understood_whatever_the_mutator_is_called() -> None:
    for mutator in ("MathMutator", "MATH", "MATH_MUTATOR"):
        assert wanted(mutation(mutator, "Replaced long modulus with multiplication")) == Wanted(
            "math", operator="%", replacement="*", number="long"
        )
    assert wanted(mutation("X", "Replaced bitwise OR with AND")) == Wanted(
        "math", operator="|", replacement="&"
    )
    assert wanted(mutation("X", "Replaced Unsigned Shift Right with Shift Left")) == Wanted(
        "math", operator=">>>", replacement="<<"
    )
    assert wanted(mutation("X", "Removed increment 4")) == Wanted("remove_increment", amount=4)
    assert wanted(mutation("X", "removed call to a/B::<init>")) == Wanted(
        "construct", owner="a/B", name="<init>"
    )
    assert wanted(mutation("X", "replaced call to a/B::c with receiver")) == Wanted(
        "naked_receiver", owner="a/B", name="c"
    )
    assert wanted(mutation("X", "replaced call to a/B::c with argument")) is None
    assert wanted(mutation("X", "Changed switch default to be first case")) is None
    assert wanted(mutation("X", "")) is None


def test_void_calls_are_told_from_others_by_the_mutator() -> None:
    called = "removed call to a/B::c"
    for mutator, void in (
        ("VoidMethodCallMutator", True),
        ("VOID_METHOD_CALLS", True),
        ("NonVoidMethodCallMutator", False),
    ):
        found = wanted(mutation(mutator, called))
        assert found is not None
        assert (found.name, found.void) == ("c", void)


def test_return_values_are_read_from_both_ways_to_say_them() -> None:
    for text, number, value in (
        ("replaced int return with 0 for a/B::c", "int", "0"),
        ("replaced Boolean return with True for a/B::c", "Boolean", "True"),
        ("replaced Long return value with 0L for a/B::c", "Long", "0L"),
        ('replaced return value with "" for a/B::c', "", '""'),
        (
            "replaced return value with Collections.emptyList for a/B::c",
            "",
            "Collections.emptyList",
        ),
        ("replaced return of long value with value + 1 for a/B::c", "", "old"),
        ("replaced return of integer sized value with (x == 0 ? 1 : 0)", "", "old"),
    ):
        assert wanted(mutation("X", text)) == Wanted("return", number=number, value=value)
