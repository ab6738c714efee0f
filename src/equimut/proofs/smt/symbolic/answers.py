"""Answers about loops that are kept: one origin and its mutants ask the same over and over."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from equimut.languages.lowered import Loop
from equimut.proofs.smt.symbolic.engine import Engine, Fact
from equimut.proofs.smt.symbolic.terms import Term

MOST_KEPT = 256
Answer = TypeVar("Answer")


@dataclass(frozen=True, eq=False)
class Answered:
    """An answer of one engine: to which question, on which facts."""

    question: tuple[object, ...]
    facts: frozenset[int]
    answer: Any
    lives: object
    """What has to live, so that terms keep their ids."""


@dataclass(frozen=True)
class _Cost:
    """What an answer leaves in an engine, found or kept: a later question is then the same."""

    steps: int
    effort: int
    made_up: int
    axioms: list[Fact]
    relied: frozenset[str]
    """Assumptions that the answer rests on."""
    leaned: frozenset[str]
    """Those that it may rest on."""


class Answers(Generic[Answer]):
    """Kept as long as what they depend on, with the steps they took.

    A term that lives keeps its id, and a budget does not depend on what is kept: an answer is given
    again if it would be found again with the effort that is left. An engine that
    asks again, knowing the same or more, is given its own answer of before. What an engine has
    been answered is the same whether an answer was kept or found: it comes with those inside it.
    """

    def __init__(self, *, on_facts: bool = True) -> None:
        self._on_facts = on_facts
        self._kept: OrderedDict[
            tuple[object, ...], tuple[Answer, _Cost, list[Answered], object]
        ] = OrderedDict()

    def to(
        self,
        engine: Engine,
        loop: Loop,
        on: Sequence[Term],
        answer: Callable[[Answer | None], Answer],
        further: tuple[object, ...] = (),
    ) -> Answer:
        """The answer for a loop, which depends on these terms, on the facts and further things.

        `answer` is given what was answered where the same and more was known, if anything was.
        """
        callees = (engine.digest(each.body) for _, each in sorted(engine.methods.items()))
        ids = (term.get_id() for term in on)
        question = (id(self), engine.digest(loop), *callees, *further, *ids)
        asserted = engine.facts if self._on_facts else []
        facts = frozenset(fact.term.get_id() for fact in asserted)
        mine = [each for each in engine.answered if each.question == question]
        for each in mine:
            if each.facts <= facts:
                return each.answer  # type: ignore[no-any-return]
        results = tuple(sorted(engine.results.items()))
        settings = (engine.budget, engine.without, id(engine.library.contracts), results)
        universal = engine.axioms if self._on_facts else []
        axioms = frozenset(fact.term.get_id() for fact in universal)
        key = (question, settings, facts, axioms)
        most = engine.budget.invariants
        effort = engine.effort
        if key in self._kept and effort.spent + self._kept[key][1].effort <= most:
            self._kept.move_to_end(key)
            found, cost, inside, _ = self._kept[key]
            engine.tick(cost.steps)
            effort.spent += cost.effort
            engine.made_up += cost.made_up
            for fact in cost.axioms:
                engine.axiom(fact.term, fact.words)
            engine.relied |= cost.relied
            engine.leaned |= cost.leaned
            engine.answered += inside
            return found
        steps, before, spent = engine.steps, len(engine.answered), effort.spent
        made_up, learnt = engine.made_up, len(engine.axioms)
        lives = [*on, *engine.known()], engine.library
        stronger = [each.answer for each in mine if each.facts >= facts]
        relied, engine.relied = engine.relied, set()
        leaned, engine.leaned = engine.leaned, set()
        try:
            found = answer(stronger[-1] if stronger else None)
        finally:
            used, engine.relied = frozenset(engine.relied), relied | engine.relied
            near, engine.leaned = frozenset(engine.leaned), leaned | engine.leaned
        engine.answered.append(Answered(question, facts, found, lives))
        if effort.spent > most:
            return found  # with more effort left, there may be more to say
        inside = engine.answered[before:]
        cost = _Cost(
            engine.steps - steps, effort.spent - spent, engine.made_up - made_up,
            engine.axioms[learnt:], used, near,
        )  # fmt: skip
        self._kept[key] = found, cost, inside, lives
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return found
