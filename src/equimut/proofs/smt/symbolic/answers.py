"""Answers about loops that are kept: mutants of one origin ask the same questions over and over."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from equimut.languages.lowered import Loop
from equimut.proofs.smt.symbolic.engine import Engine
from equimut.proofs.smt.symbolic.terms import Term

MOST_KEPT = 256
Answer = TypeVar("Answer")


class Answers(Generic[Answer]):
    """Kept as long as what they depend on, with the steps they took.

    A term that lives keeps its id, and a budget does not depend on what is kept.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[object, ...], tuple[Answer, int, object]] = OrderedDict()

    def to(
        self,
        engine: Engine,
        loop: Loop,
        on: Sequence[Term],
        answer: Callable[[], Answer],
        further: tuple[object, ...] = (),
    ) -> Answer:
        """The answer for a loop, which depends on these terms and further things."""
        settings = (engine.budget, engine.without, id(engine.library.contracts))
        callees = (engine.digest(each.body) for _, each in sorted(engine.methods.items()))
        key = (engine.digest(loop), *callees, *settings, *further, *(term.get_id() for term in on))
        if key in self._kept:
            self._kept.move_to_end(key)
            found, steps, _ = self._kept[key]
            engine.tick(steps)
            return found
        steps = engine.steps
        found = answer()
        self._kept[key] = found, engine.steps - steps, (list(on), engine.library)
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return found
