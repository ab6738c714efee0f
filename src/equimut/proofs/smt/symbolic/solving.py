"""Questions to the solver, with a fixed budget of work instead of time."""

from collections.abc import Sequence

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


def all_that_hold(
    engine: Engine, path: Path, claims: list[Term], given: Sequence[Term] = ()
) -> list[int]:
    """The places of the claims that are true wherever the path leads.

    `given` has a switch for each claim that is assumed to hold at the start: claims that fall take
    theirs with them, until the rest stands by itself. A state in which one claim fails is asked
    about all others, so there are few questions.
    """
    solver = z3.SimpleSolver()
    solver.set("rlimit", engine.budget.invariant)
    solver.add(*(fact.term for fact in engine.known()), path.condition)
    left = list(range(len(claims)))
    while left:
        solver.push()
        solver.add(z3.Not(z3.And(*(claims[place] for place in left))))
        answer = solver.check(*(given[place] for place in left if given))
        if answer == z3.unsat:
            break
        fallen = []
        if answer == z3.sat:
            model = solver.model()
            fallen = [
                place
                for place in left
                if z3.is_false(model.eval(claims[place], model_completion=True))
            ]
        solver.pop()
        if not fallen:
            standing = _one_by_one(solver, claims, given, left)
            if not given or len(standing) == len(left):
                return standing
            fallen = sorted(set(left) - set(standing))
        left = [place for place in left if place not in fallen]
    return left


def _one_by_one(
    solver: z3.Solver, claims: list[Term], given: Sequence[Term], left: list[int]
) -> list[int]:
    """The claims that hold, each asked by itself: together they were too much."""
    found = []
    for place in left:
        solver.push()
        solver.add(z3.Not(claims[place]))
        if solver.check(*(given[each] for each in left if given)) == z3.unsat:
            found.append(place)
        solver.pop()
    return found
