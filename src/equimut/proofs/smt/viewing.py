"""What a comparison that is no proof shows: how far it got, what differs, what it depends on."""

import re
from dataclasses import dataclass
from typing import Protocol

import z3

from equimut.languages.lowered import Function
from equimut.proofs.smt.scopes import Scope
from equimut.proofs.smt.symbolic.engine import Engine
from equimut.proofs.smt.symbolic.state import Exit, Path
from equimut.proofs.smt.symbolic.terms import Term, names_in
from equimut.records import ProverAnswer, ProverView

_PLAIN = re.compile(r"[\w~!@$%^&*+=<>.?/-]+")
"""The name of a parameter or of something made up; what the model applies has names in words."""
_MADE_UP = re.compile(r"(\w+)!\d+")
"""A name for what nobody knows."""
_MODELLED = ("length of array", "literal ", "exception ", "is ", "address of ")
"""How names begin that stand for what the model knows exactly."""
_STATE = ("heap ", "no read ", "no write ")
_KINDS = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        ("loop", r"^\w+(#\d+)? after loop |^ends loop |^world after loop |from loop |of loop "),
        ("opaque", r"^opaque |opaque "),
        ("call", r"^(result|exception) of |^(throws|world after|undefined|size|new) ?"),
        ("float", r"^float"),
        ("operator", r"^(operator|convert) "),
        ("iteration", r"^[\w#$ ]+$"),
    )
)
"""What names of unmodelled functions stand for, the first that fits."""
MANY = 9
"""Unmodelled functions that are counted; more are many."""
_STATE_EFFECTS = {"[]": "element", "memory": "memory", "items": "element", "size": "element"}
MOST_NODES = 20_000
"""Of a difference that is read; a larger one counts as unmodelled."""


class Outcome(Protocol):
    """How one execution of a scope ended."""

    end: Path
    exits: dict[tuple[str, str], Exit]
    value: Term | None


@dataclass
class Looked:
    """The last comparison of two functions, and how many there were."""

    tried: int = 0
    unsure: int = 0
    last: tuple[Scope, Outcome, Outcome, list[Term]] | None = None
    answer: ProverAnswer = "not modelled"

    def compared(self, scope: Scope, one: Outcome, other: Outcome, differences: list[Term]) -> None:
        """A comparison begins."""
        self.tried += 1
        self.last = scope, one, other, differences
        self.answer = "unknown"

    def answered(self, answer: z3.CheckSatResult) -> None:
        """The solver has answered, or has given up."""
        self.answer = "differs" if answer == z3.sat else "unknown"
        self.unsure += answer == z3.unknown

    def view(self, engine: Engine, *, finished: bool) -> ProverView:
        """What there was to see at the widest scope."""
        answer = self.answer if finished or not self.last else "too large"
        if self.last is None:
            return ProverView(answer="not modelled" if finished else "too large")
        scope, one, other, differences = self.last
        unmodelled, through, state = _symbols(engine, differences)
        return ProverView(
            answer=answer,
            scope=scope.name,
            effects=_effects(engine, scope, one, other),
            unmodelled=unmodelled,
            through=through,
            reads_state=state,
            tried=self.tried,
            unsure=self.unsure,
        )


def _effects(engine: Engine, scope: Scope, one: Outcome, other: Outcome) -> tuple[str, ...]:
    """The kinds of what is not the same term in both executions."""
    found: set[str] = set()
    pairs = [("end", one.end, other.end, one.value, other.value)]
    for how, label in one.exits.keys() | other.exits.keys():
        left, right = one.exits.get((how, label)), other.exits.get((how, label))
        values = [each.value for each in (left, right) if each is not None]
        nothing = how == "return" and values == [None] * len(values)
        kind = "end" if nothing else how  # to return nothing is to end
        if left is None or right is None:
            found.add(kind)
        else:
            pairs.append((kind, left.path, right.path, left.value, right.value))
    for how, mine, theirs, value, counterpart in pairs:
        if not mine.condition.eq(theirs.condition):
            found.add(how)
        if value is not None and counterpart is not None and not value.eq(counterpart):
            found.add("value" if how == "end" else how)
        if mine.dead or theirs.dead:
            continue
        if not mine.world.eq(theirs.world):
            found.add("call")
        shared = mine.locals.keys() & theirs.locals.keys()
        shared = shared if scope.live is None else shared & scope.live
        if any(not mine.locals[name].eq(theirs.locals[name]) for name in shared):
            found.add("local")
        for key in mine.heap.keys() | theirs.heap.keys():
            if not mine.array(key, engine.sorts).eq(theirs.array(key, engine.sorts)):
                found.add(_STATE_EFFECTS.get(key[0], "field"))
    return tuple(sorted(found))


def _symbols(engine: Engine, differences: list[Term]) -> tuple[int, tuple[str, ...], bool]:
    """Unmodelled functions in a difference: how many, of which kinds; whether it reads state."""
    names = names_in(z3.Or(*differences), MOST_NODES)
    if names is None:
        return MANY, ("long",), True
    known = {name for function in engine.functions for name in _own_names(function)}
    unmodelled, state = set(), False
    for spelt in names:
        made_up = _MADE_UP.fullmatch(spelt)
        if _PLAIN.fullmatch(spelt) and not made_up:
            continue
        name = made_up[1] if made_up else spelt
        if name.startswith(_STATE):
            state = True
        elif not name.startswith(_MODELLED) and not name.endswith(" of") and name not in known:
            unmodelled.add(name)
    return min(len(unmodelled), MANY), tuple(sorted(set(map(_kind, unmodelled)))), state


def _kind(name: str) -> str:
    return next((kind for kind, pattern in _KINDS if pattern.search(name)), "other")


def _own_names(function: Function) -> list[str]:
    return [local.name for local in function.parameters]
