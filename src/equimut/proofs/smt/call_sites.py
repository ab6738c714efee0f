"""What every call of a private function keeps true of its parameters."""

from dataclasses import replace

import z3

from equimut.languages.lowered import Call, Callers, Expr, Function, Node, Stmt, children, walk
from equimut.proofs.budget import Budget
from equimut.proofs.smt.scopes import Descent
from equimut.proofs.smt.symbolic.engine import (
    TRACED,
    Effort,
    Engine,
    Gave,
    Handlers,
    Library,
    evaluate,
)
from equimut.proofs.smt.symbolic.operators import convert
from equimut.proofs.smt.symbolic.solving import all_that_hold
from equimut.proofs.smt.symbolic.state import Path

MOST_ROUNDS = 4
Facts = tuple[tuple[str, Expr], ...]


def given_by_all(
    function: Function,
    callers: Callers,
    promised: Facts,
    owner: str,
    means: tuple[Library, Handlers, Budget],
) -> Facts:
    """The candidates that hold at every call; those that rest on an assumption say so."""
    asked = function, callers, promised, owner, means
    left, leaned = _standing(*asked, frozenset())
    sure = _standing(*asked, leaned)[0] if leaned else left
    if sure != left:
        _, leaned = _standing(*asked, frozenset({TRACED}))
    condition = ", if " + "; ".join(sorted(leaned))
    return tuple(each if each in sure else (each[0] + condition, each[1]) for each in left)


def _standing(
    function: Function,
    callers: Callers,
    promised: Facts,
    owner: str,
    means: tuple[Library, Handlers, Budget],
    without: frozenset[str],
) -> tuple[Facts, frozenset[str]]:
    """What holds at every call, and what that may rest on; a call of itself may rely on it."""
    library, handlers, budget = means
    left, effort = list(callers.candidates), Effort()
    for _ in range(MOST_ROUNDS):
        kept = list(left)
        leaned: set[str] = set()
        for caller, finished, itself in callers.functions:
            told = replace(caller, invariants=promised if finished else (), owner=owner)
            told = replace(told, given=tuple(left)) if itself else told
            for call in _calls(told, function):
                other = _with_another(told, call)
                engine = Engine(
                    library, (told, other), handlers, budget.aside(), without, effort=effort
                )
                holding = _holding(engine, call, function, kept)
                kept = [each for each in kept if each in holding]
                leaned |= engine.leaned
            if not kept:
                return (), frozenset()
        if len(kept) == len(left):
            return tuple(kept), frozenset(leaned) - {words for words, _ in callers.candidates}
        left = kept
    return (), frozenset()


def _calls(caller: Function, function: Function) -> list[Call]:
    return [
        part
        for part in walk(caller.body)
        if isinstance(part, Call)
        and part.name == function.name
        and len(part.arguments) == len(function.parameters)
    ]


def _holding(
    engine: Engine, call: Call, function: Function, candidates: list[tuple[str, Expr]]
) -> list[tuple[str, Expr]]:
    """The candidates that are true where one call is made."""
    try:
        scope = Descent(engine, *engine.functions).scopes[-1]
        if scope.origin is not call:
            return []  # it is not seen in which state the call is made
        path = scope.path.copy()
        if call.receiver is not None:
            evaluate(engine, call.receiver, path)
        state = path.copy()
        for argument, local in zip(call.arguments, function.parameters, strict=True):
            value = evaluate(engine, argument, path)
            state.locals[local.name] = convert(engine, value, argument.type, local.type, path)
        state.condition, state.world, state.heap = path.condition, path.world, path.heap
        claims = [engine.evaluated(fact, _only(state, function)) for _, fact in candidates]
        return [candidates[place] for place in all_that_hold(engine, state, claims)]
    except (Gave, RecursionError, z3.Z3Exception):
        return []


def _only(state: Path, function: Function) -> Path:
    """The state as the callee sees it."""
    found = {local.name: state.locals[local.name] for local in function.parameters}
    return Path(state.condition, found, state.world, state.heap)


def _with_another(caller: Function, call: Call) -> Function:
    """The caller with another call in the place of this one: they differ only there."""
    body = _without(caller.body, call)
    assert isinstance(body, Stmt)
    return replace(caller, body=body)


def _without(node: Node, call: Call) -> Node:
    """The code with another call in the place of this one."""
    if node is call:
        return replace(call, name=f"not {call.name}")
    changed: dict[str, object] = {}
    for name, part in children(node):
        made = _without(part, call)
        if made is not part:
            field, _, place = name.partition("[")
            if place:
                items = list(changed.get(field, getattr(node, field)))  # type: ignore[call-overload]
                items[int(place[:-1])] = made
                changed[field] = tuple(items)
            else:
                changed[field] = made
    return replace(node, **changed) if changed else node  # type: ignore[arg-type]
