"""Tells two functions apart by running both on chosen states: then no proof is looked for."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field

from equimut.languages.concrete import Natives, Stuck, Thrown
from equimut.languages.contracts import Contract
from equimut.languages.lowered import Function, InstanceOf
from equimut.proofs.concrete.compiling import Compiler
from equimut.proofs.concrete.dynamic import DYNAMIC
from equimut.proofs.concrete.expressions import EXPRESSIONS, TARGETS
from equimut.proofs.concrete.memory import MEMORY, MEMORY_TARGETS
from equimut.proofs.concrete.run import Code, Endless, Instance, Run, Undefined, seen
from equimut.proofs.concrete.statements import STATEMENTS
from equimut.proofs.concrete.states import State, states

FUEL = 2_000
"""Steps of loops and calls that the origin is given in one state."""
PATIENCE = 10
"""How many times as many steps a mutant may take before it counts as endless."""
MOST_STEPS = 20_000
"""Of all runs of the mutant together."""
_KEPT = 16
Outcome = tuple[object, ...]


@dataclass(frozen=True)
class Known:
    """What is known of a language and its library."""

    natives: Natives
    contracts: Mapping[tuple[str, str, int], Contract]
    supertypes: Mapping[str, tuple[str, ...]]
    undefined: bool

    def compiled(self, function: Function) -> Code:
        """What runs a function."""
        handlers = {**EXPRESSIONS, **MEMORY, **STATEMENTS}
        if function.result.kind == "value":
            handlers |= DYNAMIC
        compiler = Compiler(
            self.natives, self.contracts, self.supertypes, self.undefined, handlers,
            {**TARGETS, **MEMORY_TARGETS}, function.methods,
        )  # fmt: skip
        return compiler.code(function.body)

    def facts(self, function: Function) -> list[Code]:
        """What a state must satisfy."""
        compiler = Compiler(
            self.natives, self.contracts, self.supertypes, self.undefined, {**EXPRESSIONS},
            {}, {},
        )  # fmt: skip
        told = (*function.facts, *function.invariants, *function.given)
        return [compiler.code(fact) for _, fact in told if not isinstance(fact, InstanceOf)]


@dataclass
class _Subject:
    """An origin, with what it does in each state that tells something."""

    function: Function
    known: Known
    outcomes: list[tuple[State, Outcome, Run, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        code, facts = self.known.compiled(self.function), self.known.facts(self.function)
        for state in states(self.function):
            try:
                scratch = state.run(self.function, FUEL)
                if not all(fact(scratch) for fact in facts):
                    continue
                run = state.run(self.function, FUEL)
                found = _outcome(code, run, self.function)
            except (Stuck, Thrown, Endless, Undefined, RecursionError):
                continue
            self.outcomes.append((state, found, run, FUEL - run.fuel))


_SUBJECTS: OrderedDict[int, _Subject] = OrderedDict()


@dataclass(frozen=True)
class Refutation:
    """A state in which two functions do different things."""

    state: State
    effects: tuple[str, ...]
    """What differs: `return`, `throw`, `diverge`, `undefined`, `call`, `element`, `memory`, ..."""
    drawn: int = 0
    """Values on the way that were made up: of fields, and of calls that nobody looks into."""


def refute(origin: Function, mutant: Function, known: Known) -> Refutation | None:
    """The first state in which the two can be told apart; None says nothing about them."""
    try:
        return _first(origin, mutant, known)
    except RecursionError:  # nested too deep
        return None


def _first(origin: Function, mutant: Function, known: Known) -> Refutation | None:
    subject = _SUBJECTS.get(id(origin))
    if subject is None or subject.function is not origin:
        subject = _SUBJECTS[id(origin)] = _Subject(origin, known)
        if len(_SUBJECTS) > _KEPT:
            _SUBJECTS.popitem(last=False)
    if not subject.outcomes:
        return None
    code, left = known.compiled(mutant), MOST_STEPS
    for state, expected, before, steps in subject.outcomes:
        fuel = PATIENCE * steps + FUEL
        run = state.run(mutant, fuel)
        try:
            found = _outcome(code, run, mutant)
            effects = _effects(expected, found, before, run)
            if found[0] == "throw" and origin.unseen == mutant.unseen == "all":
                effects = tuple(each for each in effects if each != "field")  # nobody knew it
        except Undefined:
            effects = ("undefined",)
        except Endless:
            effects = ("diverge",)
        except (Stuck, RecursionError):
            continue
        finally:
            left -= fuel - run.fuel
        if effects:
            return Refutation(state, effects, min(before.drawn + run.drawn, 9))
        if left < 0:
            break
    return None


def _effects(expected: Outcome, found: Outcome, before: Run, after: Run) -> tuple[str, ...]:
    """The kinds of what differs."""
    names = ("return", "return", "element", "memory", "call")
    effects = {
        "throw" if name == "return" and "throw" in (expected[0], found[0]) else name
        for name, one, other in zip(names, expected, found, strict=True)
        if one != other
    }
    if _fields_differ(before, after):
        effects.add("field")
    return tuple(sorted(effects))


def _outcome(code: Code, run: Run, function: Function) -> Outcome:
    """How a run ends and what can be seen then."""
    given = [run.locals[each.name] for each in function.parameters]
    blocks = list(run.blocks.values())
    try:
        left = code(run)
        end: Outcome = ("return", None if left is None else seen(left[2]))
    except Thrown as thrown:
        end = ("throw", thrown.kind)
    memory = [bytes(block.data) for block in blocks]
    return (*end, [seen(each) for each in given], memory, run.events)


def _fields_differ(one: Run, other: Run) -> bool:
    """Whether a field that both have touched holds something else."""
    left, right = _this(one), _this(other)
    return any(
        seen(left.fields[name]) != seen(right.fields[name])
        for name in left.fields.keys() & right.fields.keys()
    )


def _this(run: Run) -> Instance:
    found = run.locals["this"]
    assert isinstance(found, Instance)
    return found
