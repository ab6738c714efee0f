"""Questions that are too large are asked again with what is near: less, never something else."""

from dataclasses import replace

import pytest
import z3

from equimut.proofs.budget import DEFAULT
from equimut.proofs.smt import prover
from equimut.proofs.smt.comparing import narrowed
from equimut.proofs.smt.proving import prove
from equimut.proofs.smt.symbolic.engine import Fact

STEPS = " ".join(
    f'if (s.startsWith("{name}") && next{name}(x) > {name}) {{ x += x / (y + {name}); }}'
    for name in range(1, 13)
)
ORIGIN = (
    f"int f(String s, int n, int x, int y) {{ char c = s.charAt(n); {STEPS} "
    "if (n == 0) { return c; } return x; }"
)
SMALL = replace(DEFAULT, query=40_000)


def test_what_is_near_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    mutant = ORIGIN.replace("n == 0", "n <= 0")
    assert prove(ORIGIN, mutant, "java", budget=SMALL) is not None
    assert prove(ORIGIN, ORIGIN.replace("n == 0", "n <= 1"), "java", budget=SMALL) is None
    later = ORIGIN.replace("char c = s.charAt(n);", "int c = s.length();")
    assert prove(later, later.replace("n == 0", "n <= 0"), "java", budget=SMALL) is None
    monkeypatch.setattr(prover, "narrowed", lambda facts, *_: (list(facts), [z3.BoolVal(True)]))
    assert prove(ORIGIN, mutant, "java", budget=SMALL) is None, "it was too large"


def test_a_fact_is_taken_where_its_way_is_given() -> None:
    n, p, q, r = z3.Int("n"), *z3.Bools("p q r")
    branches = z3.Or(z3.And(p, q), z3.And(p, z3.Not(q)))
    difference = z3.And(branches, n == 0)
    here = Fact(z3.Implies(p, n > 0), "here")
    elsewhere = Fact(z3.Implies(z3.And(p, r), n > 0), "elsewhere")
    one_branch = Fact(z3.Implies(z3.And(p, q), n > 0), "one branch")
    facts, terms = narrowed([here, elsewhere, one_branch], branches, difference)
    told = {fact.words: fact.term for fact in facts}
    assert told["here"].eq(n > 0)
    assert told["elsewhere"].eq(elsewhere.term)
    assert told["one branch"].eq(one_branch.term)
    assert any(term.eq(n == 0) for term in map(z3.simplify, terms))


def test_what_is_said_to_be_given_is_implied() -> None:
    p, q, r, s = z3.Bools("p q r s")
    way = z3.And(z3.Or(z3.And(p, q), z3.And(q, z3.Or(z3.And(r, p), z3.And(s, p)))), z3.Or(r, s))
    _, terms = narrowed([], way, z3.And(p, q, r, s))
    solver = z3.Solver()
    solver.add(way, z3.Not(z3.And(*terms[:-1])))
    assert solver.check() == z3.unsat
    assert {str(term) for term in terms} >= {"p", "q"}
