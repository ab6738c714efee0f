"""The prover: no state in which origin and mutant can be told apart is a proof."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import z3

from equimut.languages.lowered import (
    BOOL,
    Block,
    Choice,
    Declare,
    Expr,
    Function,
    Local,
    Loop,
    Stmt,
)
from equimut.proofs.budget import DEFAULT, Budget
from equimut.proofs.smt.comparing import narrowed, one_more, unequal
from equimut.proofs.smt.dynamic.loops import ValueLoops
from equimut.proofs.smt.dynamic.operations import DYNAMIC
from equimut.proofs.smt.models import readable
from equimut.proofs.smt.scopes import LAST, Descent, Scope
from equimut.proofs.smt.symbolic.calls import CALLS
from equimut.proofs.smt.symbolic.engine import (
    TRACED,
    Engine,
    Gave,
    Handlers,
    Library,
    evaluate,
    execute,
)
from equimut.proofs.smt.symbolic.loops import summarise
from equimut.proofs.smt.symbolic.memory import MEMORY
from equimut.proofs.smt.symbolic.operators import OPERATORS
from equimut.proofs.smt.symbolic.places import PLACES
from equimut.proofs.smt.symbolic.solving import ask, core
from equimut.proofs.smt.symbolic.state import Exit, Path, merged_exits
from equimut.proofs.smt.symbolic.statements import STATEMENTS, iterate
from equimut.proofs.smt.symbolic.terms import FALSE, TRUE, Term, negation
from equimut.proofs.smt.viewing import Looked
from equimut.records import ProverView

ROOM = "a capacity is seen in speed and memory only"
WAY = "what was tested and computed before leaves no other case"
HANDLERS: Handlers = {**OPERATORS, **PLACES, **CALLS, **MEMORY, **STATEMENTS, Loop: summarise}
"""What executes the nodes of a language whose types are in its text."""


@dataclass(frozen=True)
class Proof:
    """No state tells the two apart: in which scope, and what that rests on."""

    scope: str
    facts: tuple[str, ...]
    assumptions: tuple[str, ...]
    smallest: bool = False
    """The changed expression itself has the same value, not only what is around it."""
    before: str = ""
    after: str = ""
    """The change, as the two texts spell it."""


@dataclass(frozen=True)
class Answer:
    """A proof, or a state that may tell the two apart, or neither."""

    proof: Proof | None = None
    state: dict[str, str] | None = None
    """Values of parameters for which the model of the two differs; calls may behave otherwise."""
    view: ProverView | None = None
    """Without a proof: what there was to see."""
    leaned: frozenset[str] = frozenset()
    """Assumptions that invariants of the proof may rest on, though it does not name them."""


def compare_functions(
    origin: Function,
    mutant: Function,
    library: Library,
    without: frozenset[str] = frozenset(),
    budget: Budget = DEFAULT,
) -> Answer:
    """Whether two functions behave alike; an empty answer says nothing.

    A proof also names what its invariants rest on, unless there is a proof without that.
    """
    answer = _compared(origin, mutant, library, without, budget)
    if answer.proof is None or not answer.leaned:
        return answer
    without |= {TRACED}
    traced = _compared(origin, mutant, library, without, budget)
    leaned = answer.leaned if traced.proof is None else traced.leaned
    if leaned:
        less = _compared(origin, mutant, library, without | leaned, budget)
        answer, leaned = (answer, leaned) if less.proof is None else (less, less.leaned)
    assert answer.proof is not None
    assumed = dict.fromkeys((*answer.proof.assumptions, *sorted(leaned)))
    return replace(answer, proof=replace(answer.proof, assumptions=tuple(assumed)))


def _compared(
    origin: Function,
    mutant: Function,
    library: Library,
    without: frozenset[str],
    budget: Budget,
) -> Answer:
    answer = Answer()
    if (origin.parameters, origin.result, origin.signature) != (
        mutant.parameters, mutant.result, mutant.signature,
    ):  # fmt: skip
        return answer
    if origin.defaults != mutant.defaults:
        origin, mutant = (_with_omitted(each, origin, mutant) for each in (origin, mutant))
    engine, looked = _engine(origin, mutant, library, budget, without), Looked()
    try:
        for scope in _scopes(engine, origin, mutant):
            engine.steps, engine.anywhere = 0, scope.blind
            answer = _compare(engine, scope, looked)
            if answer.proof is not None:
                return answer
    except (Gave, RecursionError, z3.Z3Exception):  # a crash costs one proof, not a scan
        return Answer(view=looked.view(engine, finished=False))
    return replace(answer, view=looked.view(engine, finished=True))


def _with_omitted(function: Function, origin: Function, mutant: Function) -> Function:
    """A function whose callers may leave out the parameters of which the defaults differ."""
    begin: list[Stmt] = []
    omitted = []
    for (name, default), one, other in zip(
        function.defaults, origin.defaults, mutant.defaults, strict=True
    ):
        if one != other:
            local, given = Local(function.result, name), Local(BOOL, f"{name} is left out")
            value = Choice(function.result, given, default, local)
            begin.append(Declare(local, value))
            omitted.append(given)
    return replace(
        function,
        parameters=(*function.parameters, *omitted),
        body=Block((*begin, function.body)),
        assumptions=(*function.assumptions, "nobody asks a function for its defaults"),
    )


def _engine(
    origin: Function, mutant: Function, library: Library, budget: Budget, without: frozenset[str]
) -> Engine:
    """With the handlers that the functions need."""
    functions = (origin, mutant)
    if origin.result.kind != "value":
        return Engine(library, functions, HANDLERS, budget, without)
    handlers = {**HANDLERS, **DYNAMIC}
    return Engine(library, functions, handlers, budget, without, ValueLoops())


def _scopes(engine: Engine, origin: Function, mutant: Function) -> Iterator[Scope]:
    """Cheapest first: expressions in any state, then what is known where they stand."""
    blind = Descent(engine, origin, mutant, blind=True)
    for scope in blind.smallest_first():
        if scope.name == "expression":
            yield scope
    for scope in Descent(engine, origin, mutant, live=blind.live).smallest_first():
        kind = {
            "expression": "path facts",
            "iteration": "one iteration",
            LAST: "one iteration",
        }.get(scope.name)
        if (kind or "whole scopes") not in engine.without:
            yield scope


@dataclass
class _Outcome:
    end: Path
    exits: dict[tuple[str, str], Exit]
    value: Term | None = None
    capacities: tuple[Term, ...] = ()


def _same_terms(one: Sequence[Term], other: Sequence[Term]) -> bool:
    return len(one) == len(other) and all(a.eq(b) for a, b in zip(one, other, strict=True))


def _run(engine: Engine, node: Expr | Stmt, scope: Scope) -> _Outcome:
    path = scope.path.copy()
    before, engine.exits = engine.exits, []
    engine.capacities, value = [], None
    if isinstance(node, Expr):
        value = evaluate(engine, node, path)
    elif scope.name == "iteration":
        assert isinstance(node, Loop)
        end = iterate(engine, node, path)
        engine.exits.append(Exit("end", "", end))
    else:
        execute(engine, node, path)
    exits = merged_exits(engine.exits, engine.sorts)
    engine.exits = before
    return _Outcome(path, exits, value, tuple(engine.capacities))


def _compare(engine: Engine, scope: Scope, looked: Looked) -> Answer:
    known = engine.facts
    engine.facts = list(known)
    try:
        if scope.name == LAST:
            told = one_more(engine, scope)
            return Answer() if told is None else _solved(engine, scope, told, TRUE, looked)
        one, other = (_run(engine, node, scope) for node in (scope.origin, scope.mutant))
        if not _same_terms(one.capacities, other.capacities):
            engine.relied.add(ROOM)
        defined = negation(_undefined(one))
        differences = _differences(engine, scope, one, other)
        looked.compared(scope, one, other, differences)
        return _solved(engine, scope, differences, defined, looked)
    finally:
        engine.facts = known


def _undefined(origin: _Outcome) -> Term:
    """Where what the origin does is undefined: outside of its domain, so that anything is alike."""
    found = origin.exits.pop(("undefined", ""), None)
    return found.path.condition if found is not None else FALSE


def _differences(engine: Engine, scope: Scope, one: _Outcome, other: _Outcome) -> list[Term]:
    """What a state must satisfy to tell the two apart."""
    found: list[Term] = []
    empty = Path(z3.BoolVal(False), {}, scope.path.world)
    pairs = [("end", one.end, other.end, one.value, other.value, scope.live)]
    for target in sorted(one.exits.keys() | other.exits.keys()):
        left, right = (side.exits.get(target, Exit(*target, empty)) for side in (one, other))
        live = scope.jumps.get(target, scope.live)
        pairs.append((target[0], left.path, right.path, left.value, right.value, live))
    for how, mine, theirs, value, counterpart, live in pairs:
        if not mine.condition.eq(theirs.condition):
            found.append(z3.Xor(mine.condition, theirs.condition))
        lost = engine.never_seen and scope.name == "function" and how == "throw"
        found += [
            z3.And(mine.condition, theirs.condition, what)
            for what in unequal(engine, mine, theirs, live, lost=lost)
        ]
        if value is not None and counterpart is not None and not value.eq(counterpart):
            if value.sort() != counterpart.sort():
                found.append(z3.And(mine.condition, theirs.condition))
            else:
                found.append(z3.And(mine.condition, theirs.condition, value != counterpart))
    return found


def _solved(
    engine: Engine, scope: Scope, differences: list[Term], defined: Term, looked: Looked
) -> Answer:
    question = [scope.path.condition, defined, z3.Or(*differences)]
    known, plain = engine.known(), engine.loops is not None
    answer, solver = ask(known, question, engine.budget.query, plain=plain)
    if answer == z3.unknown and scope.name == "expression":
        near, about = narrowed(known, scope.path.condition, z3.Or(*differences), engine.symbols)
        if ask(near, about, max(1, engine.budget.query // 4), plain=plain)[0] == z3.unsat:
            known, question, answer = near, about, z3.unsat
    if scope.name != LAST:
        looked.answered(answer)
    if answer != z3.unsat:
        seen = answer == z3.sat and scope.name == "function"
        model = solver.model().translate(z3.main_ctx()) if seen else None
        return Answer(state=None if model is None else readable(engine, model))
    if not _consistent(engine):
        return Answer()
    needed = core(known, question, engine.budget.query, plain=plain) if differences else []
    words = tuple(dict.fromkeys(_spelt(fact.words) for fact in needed if not fact.assumed))
    if scope.name == "expression" and not scope.blind:
        words = (*words, WAY)  # in any state they did not agree
    assumed = [*(fact.words for fact in needed if fact.assumed), *sorted(engine.relied)]
    for function in engine.functions:
        assumed += function.assumptions if scope.blind else (*function.entry, *function.assumptions)
    proof = Proof(scope.name, words, tuple(dict.fromkeys(assumed)), scope.smallest)
    return Answer(proof, leaned=frozenset(engine.leaned) - frozenset(assumed))


def _spelt(words: str) -> str:
    """With the names of the text: a second `j` of a function is `j#2` here."""
    return re.sub(r"(?<=\w)#\d+\b", "", words)


def _consistent(engine: Engine) -> bool:
    """A proof over contradictory facts is no proof."""
    plain = engine.loops is not None
    return bool(ask(engine.known(), [], engine.budget.query, plain=plain)[0] != z3.unsat)
