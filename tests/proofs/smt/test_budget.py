"""A budget is counted in steps of the solver, and each part of it is obeyed."""

from dataclasses import replace
from typing import get_args

import pytest
import z3

from equimut.proofs.budget import BUDGETS, DEFAULT, BudgetName
from equimut.proofs.smt.prover import HANDLERS
from equimut.proofs.smt.proving import lowered, prove
from equimut.proofs.smt.symbolic.engine import Engine, Library
from equimut.proofs.smt.symbolic.solving import ALONE, all_that_hold

SEARCH = """
int best(int[] a) {
    int best = 0;
    int i = 0;
    for (i = 0; i < a.length; i++) { if (a[i] > best) best = a[i]; }
    return best < 0 ? 1 : i;
}
"""
LOOP = "for (int i = 0; i < a.length; i++) { if (a[i] > best) best = a[i]; }"
STEPS = 5_000
LOOPS = (LOOP, LOOP.replace("best", "more").replace("a", "b"), LOOP.replace("best", "most"))
THREE = f"""
int f(int[] a, int[] b) {{
    int best = 0, more = 0, most = 0;
    {" ".join(LOOPS)}
    return best < 0 ? 1 : more < 0 ? 2 : most < 0 ? 3 : 4;
}}
"""


@pytest.mark.parametrize("part", ["query", "invariant", "invariants", "execution"])
def test_every_part_of_the_budget_is_obeyed(part: str) -> None:
    mutant = SEARCH.replace("best < 0 ?", "false ?")
    assert prove(SEARCH, mutant, "java") is not None
    assert prove(SEARCH, mutant, "java", budget=replace(DEFAULT, **{part: 1})) is None


def test_budgets_grow_with_their_names() -> None:
    assert list(BUDGETS) == list(get_args(BudgetName))
    assert BUDGETS["none"] is None
    for part in ("query", "invariant", "invariants", "execution", "seconds"):
        small, default, large = (getattr(BUDGETS[name], part) for name in list(BUDGETS)[1:])
        assert small < default < large


def test_what_is_kept_of_earlier_mutants_costs_what_it_cost() -> None:
    """An effort that ends behind the second loop ends there, whatever was asked before."""
    mutants = [THREE.replace(f"{name} < 0", "false") for name in ("best", "more", "most")]
    found = []
    for effort in (1, 200_000, 1_000_000):
        budget = replace(DEFAULT, invariants=effort)
        asked = [prove(THREE, each, "java", budget=budget) for each in mutants]
        again = [prove(THREE, each, "java", budget=budget) for each in mutants[::-1]]
        assert asked == again[::-1], effort
        found.append([proof is not None for proof in asked])
    assert found == [[False, False, False], [True, True, False], [True, True, True]]


def test_claims_one_by_one_share_what_all_together_did_not_get() -> None:
    """Sums of squares that no budget of a test decides: each claim would take all of it."""
    function = lowered("int f(int a) { return a; }", "java")
    assert function is not None
    engine = Engine(Library({}, {}), (function,), HANDLERS, replace(DEFAULT, invariant=STEPS))
    names = [z3.BitVec(f"x{place}", 64) for place in range(60)]
    triples = zip(names[:20], names[20:40], names[40:], strict=True)
    hard = [x * x + y * y != 3 * z * z + 7 for x, y, z in triples]
    assert all_that_hold(engine, engine.start(), hard) == []
    assert STEPS <= engine.effort.spent <= (2 + 2 * ALONE) * STEPS
