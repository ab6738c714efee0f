"""Which mutants are judged, their verdicts, and what they add up to."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from equimut.models.settings import Thresholds, unpromised
from equimut.records import Tier, VerdictWord
from equimut.reports.reported import Report, Status
from equimut.scanning.records import (
    OPEN,
    UNDETECTED,
    Candidate,
    KilledCheck,
    Prediction,
    ScanVerdict,
)


class Selection:
    """Asked about each mutant in the order of the report.

    Of the killed mutants a few are taken as a check, evenly over the report and the same ones
    every time, whatever the tool's order.
    """

    def __init__(self, report: Report, *, everything: bool, check_killed: int) -> None:
        self._everything = everything
        self._killed = report.counts.get("killed", 0)
        self._wanted = min(check_killed, self._killed)
        self._met = 0

    def judged(self, status: Status) -> bool:
        """Whether mutants with this status get a verdict."""
        return self._everything or status in OPEN

    def check(self, status: Status) -> bool:
        """Whether this mutant serves as a check; to be asked once for each mutant, in order."""
        if status != "killed" or not self._wanted:
            return False
        before = self._met * self._wanted // self._killed
        self._met += 1
        return self._met * self._wanted // self._killed > before


MOST_REASONS = 40
"""Kinds of `unknown` that are counted by name; a stranger's report may invent any number."""
OTHER = "other reasons"
MOST_MISTAKES = 200
"""Killed mutants called equivalent that are kept by name; all of them are counted."""
NO_PROMISE = Thresholds(equivalent_from=None, not_equivalent_to=None, basis="")


@dataclass(frozen=True)
class Rules:
    """When a probability makes a verdict; one that says `equivalent` counts."""

    thresholds: Thresholds = NO_PROMISE
    """Where verdicts begin and end; between the two a prediction only ranks."""
    everything: bool = False
    """Whether killed mutants are listed too."""


@dataclass
class Totals:
    """What the verdicts add up to, counted as they pass."""

    tiers: Counter[tuple[Tier, VerdictWord]] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    analysed: int = 0
    """Mutants whose change is known, so that somebody can decide on them."""
    equivalent: int = 0
    """Undetected mutants taken as equivalent."""
    killed: KilledCheck = field(default_factory=KilledCheck)
    """What the killed mutants say about the model."""
    mistakes: list[ScanVerdict] = field(default_factory=list)
    """Killed mutants that the model calls equivalent, the surest first."""

    def count(self, candidates: Iterable[Candidate], rules: Rules) -> Iterator[ScanVerdict]:
        """The verdicts on the candidates, in order; those that are only a check stay behind."""
        for candidate in candidates:
            verdict = decide(candidate, rules)
            if candidate.check:
                self._count_check(verdict)
                if not rules.everything:
                    continue
            self._count(verdict)
            yield verdict

    def _count(self, verdict: ScanVerdict) -> None:
        self.tiers[verdict.tier, verdict.word] += 1
        self.analysed += verdict.mutant.change is not None
        self.equivalent += verdict.counts and verdict.mutant.status in UNDETECTED
        if verdict.tier == "unknown":
            count_reason(self.reasons, verdict.reason)

    def _count_check(self, verdict: ScanVerdict) -> None:
        known, predicted = self.killed, verdict.tier == "predicted"
        called = predicted and verdict.word == "equivalent"
        self.killed = KilledCheck(
            judged=known.judged + predicted,
            called_equivalent=known.called_equivalent + called,
            undecided=known.undecided + (predicted and verdict.word == "unknown"),
            would_count=known.would_count + called,
            proved=known.proved + (verdict.tier == "proved"),
        )
        if called:
            self.mistakes.append(verdict)
            self.mistakes.sort(key=lambda each: (-(each.probability or 0), each.mutant.index))
            del self.mistakes[MOST_MISTAKES:]


def decide(candidate: Candidate, rules: Rules) -> ScanVerdict:
    """The verdict on a candidate: evidence first, then the model, else `unknown`."""
    mutant, key = candidate.mutant, candidate.key
    may_count = mutant.status in OPEN
    if candidate.settled is not None:
        word, tier = candidate.settled.word, candidate.settled.tier
        return ScanVerdict(
            mutant=mutant,
            key=key,
            word=word,
            tier=tier,
            reason=candidate.settled.reason,
            assumptions=candidate.settled.assumptions,
            counts=may_count and tier in ("proved", "accepted"),
            test=candidate.test,
        )
    prediction = candidate.prediction
    if prediction is None or prediction.probability is None:
        reasons = [prediction.reason if prediction else "no model was asked", candidate.remark]
        reason = "; ".join(reason for reason in reasons if reason)
        return ScanVerdict(mutant=mutant, key=key, word="unknown", tier="unknown", reason=reason)
    word = rules.thresholds.verdict(prediction.probability)
    outside = ""
    if word == "equivalent" and (change := mutant.change) is not None:
        outside = unpromised(change.origin_function, change.mutant_function, mutant.language)
        word = "unknown" if outside else word
    return ScanVerdict(
        mutant=mutant,
        key=key,
        word=word,
        tier="predicted",
        probability=prediction.probability,
        nearest=prediction.nearest,
        reason="; ".join(part for part in (outside, _why(word, prediction)) if part),
        details="; ".join(part for part in (prediction.note, candidate.remark) if part),
        counts=may_count and word == "equivalent",
    )


def _why(word: VerdictWord, prediction: Prediction) -> str:
    """What speaks for the verdict; where there is none, the best reason of each side."""
    sides = {
        "for equivalence": prediction.supports,
        "against equivalence": prediction.opposes,
    }
    if word == "unknown":
        sides = {side: reasons[:1] for side, reasons in sides.items()}
    else:
        sides.pop("against equivalence" if word == "equivalent" else "for equivalence")
    said = [f"{side}: {', '.join(reasons)}" for side, reasons in sides.items() if reasons]
    return "; ".join(said) or "no single reason weighs much"


def count_reason(reasons: Counter[str], reason: str) -> None:
    """Count a reason by its kind; kinds beyond the first ones are counted together."""
    kind = reason_kind(reason)
    known = kind in reasons or len(reasons) < MOST_REASONS
    reasons[kind if known else OTHER] += 1


def reason_kind(reason: str) -> str:
    """A reason without the particulars of one mutant: `not locatable: no line 7` is one kind."""
    kind, colon, rest = reason.partition(":")
    if not colon:
        return reason[:100]
    if kind == "language not supported":
        return f"{kind}:{rest[:40]}"
    return kind[:60]
