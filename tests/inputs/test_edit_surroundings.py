"""What becomes of the edited names elsewhere in the function is told, and names are not."""

import re

import pytest

from equimut.inputs.edit_features.surroundings import hashed_features, surrounding_features
from oracles.datasets.small_data import small_pairs
from oracles.datasets.synthetic_pairs import make_pair

ORIGIN = """int f(int low, int high) {
  int sum = 0;
  while (low < high) {
    sum = sum + low;
    low++;
  }
  int twice = sum * 2;
  return twice;
}"""


def features(old: str, new: str, origin: str = ORIGIN) -> set[str]:
    assert origin.count(old) == 1
    pair = make_pair(0, origin=origin, mutant=origin.replace(old, new), language="java")
    return set(surrounding_features(pair))


def test_uses_before_and_after_the_edit_are_counted_by_a_plain_count() -> None:
    found = features("sum * 2", "twice * 2")
    assert {"edit earlier 3", "edit later 0", "edit next nothing"} <= found  # sum
    assert {"edit earlier 1", "edit later 1", "edit next returned"} <= found  # twice
    assert {"set type int", "set given False"} <= found


@pytest.mark.parametrize(
    ("rest", "said"),
    [
        ("x = 1; return x;", "set"),
        ("x += 1; return x;", "updated"),
        ("++x; return x;", "updated"),
        ("return x;", "returned"),
        ("g(x); return 0;", "read"),
        ("return 0;", "nothing"),
    ],
)
def test_what_happens_next_to_a_name_is_told(rest: str, said: str) -> None:
    origin = f"int f(int x) {{ x = 5; {rest} }}"
    mutant = origin.replace("x = 5", "x -= 5", 1)
    pair = make_pair(0, origin=origin, mutant=mutant, language="java")
    assert f"set next {said}" in surrounding_features(pair)
    assert "set given True" in surrounding_features(pair)


def test_loops_around_the_edit_are_told() -> None:
    assert "< -> <=, loops 1" in features("low < high", "low <= high")
    assert "* -> +, loops 0" in features("sum * 2", "sum + 2")


def test_other_names_give_the_same_features() -> None:
    other = re.sub(r"\b(low|high|sum|twice)\b", lambda name: f"{name[0]}Value", ORIGIN)
    assert other != ORIGIN
    assert features("low < high", "low <= high") == features(
        "lowValue < highValue", "lowValue <= highValue", other
    )


def test_every_bucket_comes_from_a_feature_and_the_order_of_rows_does_not_matter() -> None:
    for pair in small_pairs()[:30]:
        once = hashed_features(pair.origin, pair.mutant, pair.language)
        again = hashed_features(pair.origin, pair.mutant, pair.language)
        assert once.tolist() == again.tolist() == sorted(set(once.tolist()))
        assert len(once) > 20
