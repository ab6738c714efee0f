"""Labelled mutants of code in the wild: pairs that say what their label rests on."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

from pydantic import Field

from equimut.mutation.identity import draw
from equimut.records import Label, Mutant, Pair, ProverView

SOURCE = "corpus"
"""The dataset these pairs belong to."""

Evidence = Literal[
    "identical code",
    "different code",
    "fact",
    "killed",
    "unrefuted",
    "proved",
    "prior",
    "solver",
    "differs",
    "verified",
]
"""What a label rests on: compiled code, a rule on the text, the oracle, the operator alone, a proof
or a difference of the solver, or the runs of the verified benchmark."""

MOST_EQUIVALENT, MOST_DIFFERENT = 8, 16
"""Pairs kept of one origin, by label."""


class LabelledPair(Pair):
    """A pair of the corpus with the evidence for its label."""

    evidence: Evidence
    rule: str = ""
    """The rule that decided, by name."""
    weight: Annotated[float, Field(gt=0, le=1)]
    """How likely the label is right; 1 for what is proved or was seen to differ."""
    project: str = ""
    """Where rows come from named projects: that project, which is in one part as a whole."""
    line: int = 0
    """Where the origin begins in its file, whose path is in `program`."""
    view: ProverView | None = None
    """What the prover saw; nothing where it proved the mutant, or was not asked."""
    weak_view: ProverView | None = None
    """What it sees without some of its ingredients, where it then proves nothing."""
    without: tuple[str, ...] = ()
    """Those ingredients."""

    def plain(self) -> Pair:
        """The pair as every other dataset has it."""
        return Pair.model_validate(self.model_dump(include=set(Pair.model_fields)))


def pair_of(
    mutant: Mutant,
    language: str,
    program: str,
    label: Label,
    evidence: Evidence,
    *,
    weight: float = 1.0,
    rule: str = "",
) -> LabelledPair:
    """The row of one mutant; its class id is set when all rows are put together."""
    origin = hashlib.sha256(mutant.origin_function.encode()).hexdigest()[:12]
    return LabelledPair(
        id=f"{language}/{origin}/{mutant.id}",
        source=SOURCE,
        language=language,
        class_id=0,
        program=program,
        operators=(mutant.operator,),
        origin=mutant.origin_function,
        mutant=mutant.mutant_function,
        label=label,
        split="",
        evidence=evidence,
        rule=rule,
        weight=round(weight, 3),
    )


def in_turn(mutants: Iterable[Mutant], number: int, seed: int) -> list[Mutant]:
    """Some mutants, one operator after the other, the same for the same seed and mutants.

    The order comes from the mutants' own names, so a mutant more or less changes little.
    """
    by_operator: dict[str, list[Mutant]] = {}
    for mutant in sorted(mutants, key=lambda one: draw(one.id, seed)):
        by_operator.setdefault(mutant.operator, []).append(mutant)
    chosen: list[Mutant] = []
    queues = list(by_operator.values())
    while queues and len(chosen) < number:
        chosen += [queue.pop(0) for queue in queues]
        queues = [queue for queue in queues if queue]
    return chosen[:number]


def kept_of_origin(pairs: Sequence[LabelledPair], seed: int) -> list[LabelledPair]:
    """At most so many pairs of each label, the surest evidence first, operators in turn."""
    kept: list[LabelledPair] = []
    for label, most in ((1, MOST_EQUIVALENT), (0, MOST_DIFFERENT)):
        seen: Counter[str] = Counter()
        ranked = []
        for pair in sorted(
            (pair for pair in pairs if pair.label == label),
            key=lambda pair: (-pair.weight, draw(pair.id, seed)),
        ):
            ranked.append((seen[pair.operators[0]], pair))
            seen[pair.operators[0]] += 1
        ranked.sort(key=lambda item: item[0])
        kept += [pair for _, pair in ranked[:most]]
    return kept
