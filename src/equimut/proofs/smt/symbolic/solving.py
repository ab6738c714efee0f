"""Questions to the solver, with a fixed budget of work instead of time.

Each question is asked in a world of its own (a context of z3): how far a budget reaches depends on
the numbers that z3 gives to terms, and these on everything it was asked before.
"""

from collections.abc import Sequence

import z3

from equimut.proofs.smt.symbolic.engine import TRACED, Engine, Fact
from equimut.proofs.smt.symbolic.state import Path
from equimut.proofs.smt.symbolic.terms import Term

z3.set_param("model.compact", False)  # to make a model small takes longer than to find it
MOST_TRIED = 24
"""Facts of a core that are tried to do without."""
PLAIN_SHARE = 10
"""Part of the budget for a first look: its steps are longer."""
ALONE = 4
"""Times the budget for claims one by one, where all together were too much."""


def apart(terms: Sequence[Term]) -> list[Term]:
    """The same terms where nobody has been."""
    vector = z3.AstVector()
    for term in terms:
        vector.push(term)
    return list(vector.translate(z3.Context()))


def ask(
    facts: Sequence[Fact], terms: Sequence[Term], steps: int, *, plain: bool = False
) -> tuple[z3.CheckSatResult, z3.Solver]:
    """Whether a state satisfies facts and terms; the solver has it, if there is one.

    Args:
        facts: What is known.
        terms: What is asked.
        steps: The budget.
        plain: Whether to look first without rewriting the question, with a part of the budget: of
            values that carry their types, to rewrite it takes longer than to answer it.
    """
    if plain:
        own = apart([z3.BoolVal(True), *(fact.term for fact in facts), *terms])
        solver = z3.SimpleSolver(ctx=own[0].ctx)
        solver.set("rlimit", max(1, steps // PLAIN_SHARE))  # 0 would be no limit
        solver.add(*own)
        if (answer := solver.check()) != z3.unknown:
            return answer, solver
    own = apart([z3.BoolVal(True), *(fact.term for fact in facts), *terms])
    solver = z3.Solver(ctx=own[0].ctx)
    solver.set("rlimit", steps)
    solver.add(*own)
    return solver.check(), solver


def core(
    facts: Sequence[Fact], terms: Sequence[Term], steps: int, *, plain: bool = False
) -> list[Fact]:
    """Facts without which the terms could be true: no fewer of these would do.

    If the budget ends before there is a core, all facts that rest on an assumption are given.
    """
    own = apart([z3.BoolVal(True), *(fact.term for fact in facts), *terms])
    solver = z3.Solver(ctx=own[0].ctx)
    solver.set("rlimit", steps)
    labels = {}
    for place, fact in enumerate(facts):
        label = z3.Bool(f"fact {place}", own[0].ctx)
        labels[str(label)] = fact
        solver.assert_and_track(own[1 + place], label)
    solver.add(*own[1 + len(facts) :])
    if solver.check() != z3.unsat:
        return [fact for fact in facts if fact.assumed]
    left = [labels[str(label)] for label in solver.unsat_core()]
    for fact in list(left)[:MOST_TRIED]:
        fewer = [each for each in left if each is not fact]
        if ask(fewer, terms, max(1, steps // 10), plain=plain)[0] == z3.unsat:
            left = fewer
    return left


def all_that_hold(
    engine: Engine, path: Path, claims: list[Term], given: Sequence[Term] = ()
) -> list[int]:
    """The places of the claims that are true wherever the path leads.

    `given` has a switch for each claim that is assumed to hold at the start: claims that fall take
    theirs with them, until the rest stands by itself. A state in which one claim fails is asked
    about all others, so there are few questions. Once the engine has spent what it may on
    invariants, nothing is claimed any more.
    """
    if not claims or engine.effort.spent > engine.budget.invariants:
        return []
    facts = engine.known()
    own = apart([*claims, *given, path.condition, *(fact.term for fact in facts)])
    known = own[len(claims) + len(given) :]
    claims, given = own[: len(claims)], own[len(claims) : len(claims) + len(given)]
    solver = z3.SimpleSolver(ctx=own[0].ctx)
    solver.set("rlimit", engine.budget.invariant)
    solver.add(*known)
    asked = [z3.Bool(f"claim {place}", own[0].ctx) for place in range(len(claims))]
    terms = claims
    if engine.loops is not None:  # a state is asked for a name, not for a long term
        names = [z3.Bool(f"holds {place}", own[0].ctx) for place in range(len(claims))]
        solver.add(*(name == claim for name, claim in zip(names, claims, strict=True)))
        claims = names
    pairs = zip(asked, claims, strict=True)
    solver.add(z3.Or(*(z3.And(one, z3.Not(claim)) for one, claim in pairs)))
    found = _standing(solver, asked, claims, given, engine.budget.invariant)
    engine.effort.spent += _steps(solver)
    if found:
        false = z3.Or(*(z3.Not(terms[place]) for place in found))
        switched = [given[place] for place in found] if given else []
        engine.leaned |= _rests_on(engine, facts, known, false, switched)
    return found


def _rests_on(
    engine: Engine, facts: Sequence[Fact], known: Sequence[Term], false: Term, given: Sequence[Term]
) -> set[str]:
    """The assumptions without which claims might be false; `known` is a condition and the facts."""
    assumed = [place for place, fact in enumerate(facts) if fact.assumed]
    if TRACED not in engine.without or not assumed:
        return {facts[place].words for place in assumed}
    solver = z3.SimpleSolver(ctx=false.ctx)
    solver.set("rlimit", ALONE * engine.budget.invariant)
    labels = {place: z3.Bool(f"fact {place}", false.ctx) for place in assumed}
    for place, term in enumerate(known[1:]):
        solver.add(z3.Implies(labels[place], term) if place in labels else term)
    solver.add(known[0], false)
    needed = assumed
    if solver.check(*labels.values(), *given) == z3.unsat:
        core = {str(each) for each in solver.unsat_core()}
        needed = [place for place in assumed if str(labels[place]) in core]
    return {facts[place].words for place in needed}


def _standing(
    solver: z3.Solver, asked: list[Term], claims: list[Term], given: Sequence[Term], steps: int
) -> list[int]:
    """The places of the claims that are left when no state is found in which one falls."""
    left = list(range(len(claims)))
    while left:
        answer = _check(solver, asked, given, left, left)
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
        if not fallen:  # together they were too much
            solver.set("rlimit", max(1, min(steps, ALONE * steps // len(left))))
            alone = [
                place for place in left if _check(solver, asked, given, left, [place]) == z3.unsat
            ]
            solver.set("rlimit", steps)
            if not given or len(alone) == len(left):
                return alone
            fallen = sorted(set(left) - set(alone))
        left = [place for place in left if place not in fallen]
    return left


def _check(
    solver: z3.Solver,
    asked: list[Term],
    given: Sequence[Term],
    left: list[int],
    about: list[int],
) -> z3.CheckSatResult:
    """Whether one of these claims can be false, where those that are left hold at the start."""
    others = [z3.Not(one) for place, one in enumerate(asked) if place not in about]
    return solver.check(*(given[place] for place in left if given), *others)


def _steps(solver: z3.Solver) -> int:
    """What a solver with a context of its own has done so far."""
    return int(solver.statistics().get_key_value("rlimit count"))
