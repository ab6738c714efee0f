"""What is true of every value that a longer function of the same class returns."""

from collections.abc import Iterator
from dataclasses import replace

import z3

from equimut.languages.lowered import (
    BOOL,
    Binary,
    Function,
    Leave,
    Lit,
    Local,
    Loop,
    Promise,
    Try,
    Type,
    walk,
)
from equimut.proofs.budget import Budget
from equimut.proofs.smt.symbolic.engine import Engine, Gave, Handlers, Library, execute
from equimut.proofs.smt.symbolic.loops import head, summarise
from equimut.proofs.smt.symbolic.solving import all_that_hold
from equimut.proofs.smt.symbolic.state import Path
from equimut.proofs.smt.symbolic.statements import iterate

STEPS = 1_500
"""Nodes of one callee that are executed."""
MOST_NUMBERS = 4
"""Constants that a callee returns, which may bound its results."""
_WORDS = {">=": "nothing below", "<=": "nothing above"}


def promised_results(
    callee: Function, library: Library, handlers: Handlers, budget: Budget
) -> tuple[Promise, ...]:
    """The candidates that hold of every result, in whatever state and with whatever arguments.

    Nothing of the class is assumed: neither its invariants nor what its callers give.
    """
    candidates = list(_candidates(callee))
    kinds = {type(each) for each in walk(callee.body)}
    if not candidates or {Loop, Try} <= kinds:  # ways out of a loop would be taken together
        return ()
    handlers = {**handlers, Loop: _looked_into}
    budget = replace(budget.aside(), execution=min(STEPS, budget.execution))
    engine = Engine(library, (callee,), handlers, budget, frozenset({"file"}))
    for each in candidates:
        engine.register(each.fact)
    try:
        path = engine.start()
        execute(engine, callee.body, path)
        for left in engine.exits:
            if left.how != "return" or left.path.dead:
                continue
            if left.value is None:
                return ()
            state = left.path.copy()
            state.locals["result"] = left.value
            claims = [engine.evaluated(promise.fact, state) for promise in candidates]
            candidates = [candidates[place] for place in all_that_hold(engine, state, claims)]
    except (Gave, RecursionError, z3.Z3Exception):
        return ()
    assumed = {fact.words for fact in engine.facts if fact.assumed} | engine.relied | engine.leaned
    words = "; ".join(sorted(assumed))
    return tuple(replace(each, assumes=words) for each in candidates)


def _looked_into(engine: Engine, loop: Loop, path: Path) -> None:
    """A loop, and the values that any of its iterations returns."""
    inside, exits = path.copy(), engine.exits
    engine.exits = []
    head(engine, loop, inside)
    iterate(engine, loop, inside)
    returned = [each for each in engine.exits if each.how == "return"]
    engine.exits = []
    summarise(engine, loop, path)
    others = [each for each in engine.exits if each.how != "return"]
    engine.exits = [*exits, *returned, *others]


def _candidates(callee: Function) -> Iterator[Promise]:
    """Not null; or between constants: 0, -1, 1 and what the callee returns."""
    result = Local(callee.result, "result")
    if callee.result.kind == "ref":
        null = Lit(Type("ref", name="null"), None)
        yield Promise(f"`{callee.name}` never returns null", Binary(BOOL, "!=", result, null))
    if callee.result.kind != "int" or not callee.result.signed:
        return
    returned = {
        each.value.value
        for each in walk(callee.body)
        if isinstance(each, Leave) and each.how == "return" and isinstance(each.value, Lit)
    }
    numbers = [each for each in returned if isinstance(each, int) and not isinstance(each, bool)]
    for number in dict.fromkeys((0, -1, 1, *sorted(numbers, key=abs)[:MOST_NUMBERS])):
        for op, words in _WORDS.items():
            fact = Binary(BOOL, op, result, Lit(callee.result, number))
            yield Promise(f"`{callee.name}` returns {words} {number}", fact)
