"""A budget is counted in steps of the solver, and each part of it is obeyed."""

from dataclasses import replace
from typing import get_args

import pytest

from equimut.proofs.budget import BUDGETS, DEFAULT, BudgetName
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
    assert list(BUDGETS) == list(get_args(BudgetName))
    assert BUDGETS["none"] is None
    for part in ("query", "invariant", "execution", "seconds"):
        small, default, large = (getattr(BUDGETS[name], part) for name in list(BUDGETS)[1:])
        assert small < default < large
