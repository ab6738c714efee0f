"""Questions to the solver, with a fixed budget of work instead of time."""

import z3

from equimut.proofs.smt.symbolic.engine import Engine
from equimut.proofs.smt.symbolic.state import Path
from equimut.proofs.smt.symbolic.terms import Term


def holds(engine: Engine, path: Path, claim: Term) -> bool:
    """Whether a claim is true wherever the path leads; False also when the budget is used up."""
    return unsatisfiable(engine, [path.condition, z3.Not(claim)], engine.budget.invariant)


def unsatisfiable(engine: Engine, terms: list[Term], steps: int) -> bool:
    """Whether no state satisfies all facts and these terms."""
    solver = z3.Solver()
    solver.set("rlimit", steps)
    solver.add(*(fact.term for fact in engine.known()), *terms)
    return bool(solver.check() == z3.unsat)


def all_that_hold(engine: Engine, path: Path, claims: list[Term]) -> list[bool]:
    """For each claim, whether it is true wherever the path leads."""
    solver = z3.SimpleSolver()
    solver.set("rlimit", engine.budget.invariant)
    solver.add(*(fact.term for fact in engine.known()), path.condition)
    found = []
    for claim in claims:
        solver.push()
        solver.add(z3.Not(claim))
        found.append(bool(solver.check() == z3.unsat))
        solver.pop()
    return found
