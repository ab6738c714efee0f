"""What a verdict asks of a person, in one word, and what one pass over all verdicts tells."""

from collections import Counter
from heapq import nsmallest
from typing import Literal, get_args

from equimut.scanning.outputs.wording import place
from equimut.scanning.records import OPEN, ScanResult, ScanVerdict
from equimut.scanning.tallying import MOST_REASONS, OTHER, reason_kind

Finding = Literal[
    "worth-a-test",
    "undecided",
    "cannot-tell",
    "predicted-equivalent",
    "unrefuted",
    "accepted-equivalent",
    "proved-equivalent",
    "detected",
]
"""One word per mutant for people, in the order in which they matter."""

FINDINGS: tuple[Finding, ...] = get_args(Finding)

LABELS: dict[Finding, str] = {
    "worth-a-test": "Worth a test",
    "undecided": "Undecided",
    "cannot-tell": "Cannot tell",
    "predicted-equivalent": "Predicted equivalent",
    "unrefuted": "Not refuted",
    "accepted-equivalent": "Accepted",
    "proved-equivalent": "Proved equivalent",
    "detected": "Detected",
}
MEANINGS: dict[Finding, str] = {
    "worth-a-test": "a test that notices the change can probably be written",
    "undecided": "the model is not sure enough to say either; look at it",
    "cannot-tell": "there is no verdict, and the reason is given",
    "predicted-equivalent": "the model finds it behaves like the original",
    "unrefuted": "no input that was tried tells the two apart",
    "accepted-equivalent": "somebody looked at it and accepted it as equivalent",
    "proved-equivalent": "it provably behaves like the original; no test can notice it",
    "detected": "the tests noticed it, or it never ran",
}


def finding_of(verdict: ScanVerdict) -> Finding:
    """The word for a verdict."""
    if verdict.mutant.status not in OPEN:
        return "detected"
    if verdict.tier == "accepted":
        return "accepted-equivalent"
    if verdict.tier == "unrefuted":
        return "unrefuted"
    if verdict.word == "not-equivalent":
        return "worth-a-test"
    if verdict.word == "unknown":
        return "undecided" if verdict.tier == "predicted" else "cannot-tell"
    return "proved-equivalent" if verdict.tier == "proved" else "predicted-equivalent"


def gap_order(verdict: ScanVerdict) -> tuple[int, float, int]:
    """Sorts what is most probably a real gap first, what counts as equivalent after the rest.

    A mutant without a verdict stands between the probably not and the probably equivalent ones.
    """
    finding = finding_of(verdict)
    if finding == "detected":
        return 2, 0.0, verdict.mutant.index
    settled = verdict.counts or finding in ("accepted-equivalent", "proved-equivalent")
    return int(settled), _equivalence(verdict, finding), verdict.mutant.index


def _equivalence(verdict: ScanVerdict, finding: Finding) -> float:
    """How equivalent a mutant looks, from 0 to 3: predicted ones by probability, proofs last."""
    if finding == "proved-equivalent":
        return 3.0
    if finding == "accepted-equivalent":
        return 2.0
    if verdict.tier in ("killed", "rejected"):  # an input tells the two apart: nothing is surer
        return -1.0
    if verdict.probability is not None:
        return verdict.probability
    return {"worth-a-test": 0.25, "cannot-tell": 0.5}.get(finding, 0.75)


def is_gap_candidate(verdict: ScanVerdict) -> bool:
    """Whether it stands in the list of survivors: there is a verdict, and it is not closed."""
    return gap_order(verdict)[0] == 0 and finding_of(verdict) != "cannot-tell"


def is_settled(verdict: ScanVerdict) -> bool:
    """Whether it is taken as equivalent: by proof, by a person, or by a prediction that counts."""
    return gap_order(verdict)[0] == 1


PLACES = 3
"""Mutants named for each kind of reason."""


class Digest:
    """A scan in short; of the lists only the first `limit` mutants are kept in memory."""

    def __init__(self, result: ScanResult, limit: int | None) -> None:
        self.findings: Counter[Finding] = Counter()
        self.counting: Counter[Finding] = Counter()
        """Of these, how many count as equivalent in the scores."""
        self.survivors = Ranking(limit)
        self.settled = Ranking(limit)
        self.open = Ranking(limit)
        """Without a verdict, but somebody can look at the change and decide."""
        self.unknown: dict[str, ReasonGroup] = {}
        self.without_status = 0
        """Mutants of plain diffs and file pairs, of which nobody says what became of them."""
        for verdict in result.verdicts():
            self._add(verdict)

    def _add(self, verdict: ScanVerdict) -> None:
        finding = finding_of(verdict)
        self.findings[finding] += 1
        self.counting[finding] += verdict.counts
        self.without_status += verdict.mutant.status == "unknown"
        if is_settled(verdict):
            self.settled.add(verdict)
        elif is_gap_candidate(verdict):
            self.survivors.add(verdict)
        elif finding == "cannot-tell":
            kind = reason_kind(verdict.reason)
            if kind not in self.unknown and len(self.unknown) >= MOST_REASONS:
                kind = OTHER
            self.unknown.setdefault(kind, ReasonGroup()).add(verdict)
            if verdict.key is not None:
                self.open.add(verdict)


class Ranking:
    """The first mutants in the order of probable gaps, and how many there are in all."""

    def __init__(self, limit: int | None) -> None:
        self.total = 0
        self._limit = limit if limit is None else max(limit, 0)
        self._kept: list[ScanVerdict] = []

    def add(self, verdict: ScanVerdict) -> None:
        """Count one; now and then those that cannot come first any more are let go."""
        self.total += 1
        self._kept.append(verdict)
        if self._limit is not None and len(self._kept) > 2 * self._limit + 100:
            self._kept = nsmallest(self._limit, self._kept, key=gap_order)

    @property
    def first(self) -> list[ScanVerdict]:
        """The first ones, in order."""
        return sorted(self._kept, key=gap_order)[: self._limit]


class ReasonGroup:
    """Mutants that have no verdict for the same kind of reason."""

    def __init__(self) -> None:
        self.number = 0
        self.places: list[str] = []
        self.reason: str | None = None
        """The reason itself, if all of them have the same."""

    def add(self, verdict: ScanVerdict) -> None:
        """Count one mutant, and remember where the first ones are."""
        self.reason = verdict.reason if self.number == 0 or verdict.reason == self.reason else None
        self.number += 1
        if len(self.places) < PLACES:
            self.places.append(place(verdict))
