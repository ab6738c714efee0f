"""Questions to the solver, with a fixed budget of work instead of time."""

import z3

from equimut.proofs.smt.symbolic.engine import Engine
from equimut.proofs.smt.symbolic.state import Path
from equimut.proofs.smt.symbolic.terms import Term

RLIMIT = 1_500_000
INVARIANT_RLIMIT = 300_000
MEMORY_MB = 1_000


def holds(engine: Engine, path: Path, claim: Term, rlimit: int = INVARIANT_RLIMIT) -> bool:
    """Whether a claim is true wherever the path leads; False also when the budget is used up."""
    return unsatisfiable(engine, [path.condition, z3.Not(claim)], rlimit)


def unsatisfiable(engine: Engine, terms: list[Term], rlimit: int = RLIMIT) -> bool:
    """Whether no state satisfies all facts and these terms."""
    solver = z3.Solver()
    solver.set("rlimit", rlimit)
    solver.add(*(fact.term for fact in engine.known()), *terms)
    return bool(solver.check() == z3.unsat)


def all_that_hold(engine: Engine, path: Path, claims: list[Term]) -> list[bool]:
    """For each claim, whether it is true wherever the path leads."""
    solver = z3.SimpleSolver()
    solver.set("rlimit", INVARIANT_RLIMIT)
    solver.add(*(fact.term for fact in engine.known()), path.condition)
    found = []
    for claim in claims:
        solver.push()
        solver.add(z3.Not(claim))
        found.append(bool(solver.check() == z3.unsat))
        solver.pop()
    return found
