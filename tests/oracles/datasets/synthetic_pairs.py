"""Pairs out of thin air, for the tests that care about rows and not about code."""

from hypothesis import strategies as st

from equimut.records import Pair


def make_pair(number: int, **changes: object) -> Pair:
    """A valid pair; any field may be set."""
    fields: dict[str, object] = {
        "id": f"synthetic:{number}",
        "source": "synthetic",
        "language": "java",
        "class_id": 0,
        "program": "A.java",
        "operators": (),
        "origin": "int f() { return 0; }",
        "mutant": f"int f() {{ return {number}; }}",
        "label": 0,
        "split": "",
    }
    return Pair.model_validate(fields | changes)


@st.composite
def pair_lists(draw: st.DrawFn, published: bool = False) -> list[Pair]:
    """Rows with repeats and contradictions, and origins that stand in two programs now and then.

    Origin c belongs to program c // 2; an alias gives one origin the text of another.
    """
    rows = draw(
        st.lists(
            st.tuples(
                st.integers(0, 23),  # origin
                st.integers(0, 3),  # mutant
                st.integers(0, 1),  # label
                st.sampled_from(["train", "test"]),
            ),
            min_size=20,
            max_size=80,
        )
    )
    alias = draw(st.dictionaries(st.integers(0, 23), st.integers(0, 23), max_size=3))
    return [
        make_pair(
            number,
            class_id=origin,
            origin=f"int f() {{ return {alias.get(origin, origin)}; }}",
            program=f"P{origin // 2}.java",
            mutant=f"int f() {{ return {alias.get(origin, origin)} + {mutant}; }}",
            label=label,
            split=part if published else "",
        )
        for number, (origin, mutant, label, part) in enumerate(rows)
    ]
