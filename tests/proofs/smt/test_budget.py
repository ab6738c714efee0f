"""A budget is counted in steps of the solver, and each part of it is obeyed."""

from dataclasses import replace

import pytest

from equimut.errors import EquimutError
from equimut.proofs.budget import BUDGETS, DEFAULT, budget_named
from equimut.proofs.smt.proving import prove

SEARCH = """
int best(int[] a) {
    int best = 0;
    int i = 0;
    for (i = 0; i < a.length; i++) { if (a[i] > best) best = a[i]; }
    return best < 0 ? 1 : i;
}
"""


@pytest.mark.parametrize("part", ["query", "invariant", "execution"])
def test_every_part_of_the_budget_is_obeyed(part: str) -> None:
    mutant = SEARCH.replace("best < 0 ?", "false ?")
    assert prove(SEARCH, mutant, "java") is not None
    assert prove(SEARCH, mutant, "java", budget=replace(DEFAULT, **{part: 1})) is None


def test_budgets_grow_with_their_names() -> None:
    none, small, default, large = (budget_named(name) for name in BUDGETS)
    assert none is None
    for part in ("query", "invariant", "execution"):
        assert getattr(small, part) < getattr(default, part) < getattr(large, part)
    with pytest.raises(EquimutError, match="none, small, default, large"):
        budget_named("huge")
