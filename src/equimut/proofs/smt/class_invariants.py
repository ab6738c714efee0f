"""What every constructor of a class establishes, and every method keeps true, of its fields."""

from dataclasses import replace

import z3

from equimut.languages.lowered import (
    Assign,
    Block,
    Call,
    ClassCode,
    Do,
    Expr,
    Field,
    Function,
    walk,
)
from equimut.proofs.budget import Budget
from equimut.proofs.smt.symbolic.engine import (
    TRACED,
    Effort,
    Engine,
    Gave,
    Handlers,
    Library,
    execute,
)
from equimut.proofs.smt.symbolic.places import is_between_calls
from equimut.proofs.smt.symbolic.solving import all_that_hold
from equimut.proofs.smt.symbolic.state import Path, merged_exits
from equimut.proofs.smt.symbolic.terms import Term, ref

MOST_ROUNDS = 5
MOST_CHECKS = 30
"""States of one method in which others may see its object."""
MOST_FUNCTIONS = 24
"""Constructors and methods that set fields: a class with more is left alone."""
_WITHOUT = frozenset({"loop invariants"})
CLAIMS = 20_000
"""Nodes of candidates that are evaluated for one method."""
STEPS = 1_500
"""Nodes of one method that are executed."""


def established(
    code: ClassCode, library: Library, handlers: Handlers, budget: Budget
) -> tuple[tuple[str, Expr], ...]:
    """The candidates that hold between calls; those that rest on an assumption say so."""
    if len(code.makers) + len(code.writers) > MOST_FUNCTIONS:
        return ()
    budget = replace(budget, execution=STEPS)
    means = code, library, handlers, budget
    left, leaned = _standing(*means, _WITHOUT)
    sure = _standing(*means, _WITHOUT | leaned)[0] if leaned else left
    if sure != left:
        _, leaned = _standing(*means, _WITHOUT | {TRACED})
    condition = ", if " + "; ".join(sorted(leaned))
    return tuple(
        (words if place in sure else words + condition, fact)
        for place, (words, fact, _) in enumerate(code.candidates)
        if place in left
    )


def _standing(
    code: ClassCode, library: Library, handlers: Handlers, budget: Budget, without: frozenset[str]
) -> tuple[list[int], frozenset[str]]:
    """What is true of new objects, and kept by all that writes; and what that may rest on.

    Those that fall are no longer assumed of the others, until the rest stands by itself (Houdini).
    """
    left, effort = list(range(len(code.candidates))), Effort()
    for _ in range(MOST_ROUNDS):
        fallen: set[int] = set()
        leaned: set[str] = set()
        for place, function in enumerate((*code.makers, *code.writers)):
            made = place < len(code.makers)
            told = _told(code, function, made, left)
            engine = Engine(library, (told,), handlers, budget, without, effort=effort)
            fallen |= _fallen(code, engine, made, left)
            leaned |= engine.leaned
        if not fallen:
            return left, frozenset(leaned) - {each[0] for each in code.candidates}
        left = [place for place in left if place not in fallen]
    return [], frozenset()


def _told(code: ClassCode, function: Function, made: bool, left: list[int]) -> Function:
    """A constructor or method that may rely on what is left of the candidates."""
    chosen = [code.candidates[place] for place in left]
    kept = tuple((words, inside if made else fact) for words, fact, inside in chosen)
    return replace(function, invariants=kept, owner=code.name)


def _fallen(code: ClassCode, engine: Engine, made: bool, left: list[int]) -> set[int]:
    """The candidates that a constructor or method may break, given that all hold before it."""
    function = engine.functions[0]
    facts = [fact for _, fact in function.invariants]
    made = made and not _chained(function)
    unseen = made and not code.leaking
    engine.checkpoints = None if unseen else []
    engine.making, this = made, z3.Const("this", ref())
    engine.owned = this if unseen else None
    always = z3.BoolVal(True)
    engine.watched = (
        [(_other() != this, _other())] if made else [(always, this), (always, _other())]
    )
    try:
        states = _states(engine, function, unseen)
    except (Gave, RecursionError, z3.Z3Exception):
        return {place for place in left if _fields(code.candidates[place][1]) & _written(function)}
    engine.steps = 0
    engine.budget = replace(engine.budget, execution=CLAIMS)
    other = _other()
    fallen = {
        place
        for place in left
        if _fields(code.candidates[place][1]) & engine.unsteady or len(states) > MOST_CHECKS
    }
    for state in states:
        places = [place for place in range(len(left)) if left[place] not in fallen]
        claims = [engine.of_object(facts[each], state.world, state.heap, other) for each in places]
        stand = {places[each] for each in all_that_hold(engine, state, claims)}
        fallen |= {left[each] for each in places if each not in stand}
    return fallen


def _chained(maker: Function) -> bool:
    """Whether a constructor begins with another one of its class: that one has made the object."""
    first = maker.body.statements[:1] if isinstance(maker.body, Block) else ()
    call = first[0].value if first and isinstance(first[0], Do) else None
    return isinstance(call, Call) and call.name == "<init>" and call.key.startswith("this")


def _other() -> Term:
    """Any object of the class."""
    return z3.Const("some object", ref())


def _states(engine: Engine, function: Function, unseen: bool) -> list[Path]:
    """The states of an execution in which others may look at objects of the class."""
    path = engine.start()
    execute(engine, function.body, path)
    exits = merged_exits(engine.exits, engine.sorts)
    ends = [each.path for each in exits.values() if each.how == "return"]
    if not unseen:
        ends += [each.path for each in exits.values() if each.how == "throw"]
    found = [path, *ends, *(engine.checkpoints or ())]
    return [each for each in found if not each.dead and _touched(engine, each)]


def _touched(engine: Engine, path: Path) -> bool:
    """Whether a promised field was written since the last call, as far as can be seen."""
    if engine.making or not is_between_calls(path.world):
        return True
    for key in engine.sorts.keys:
        if key[0] in engine.promised:
            base = Path(path.condition, {}, path.world).array(key, engine.sorts)
            if not path.array(key, engine.sorts).eq(base):
                return True
    return False


def _fields(fact: Expr) -> set[str]:
    return {part.name for part in walk(fact) if isinstance(part, Field)}


def _written(function: Function) -> set[str]:
    return {
        part.target.name
        for part in walk(function.body)
        if isinstance(part, Assign) and isinstance(part.target, Field)
    }
