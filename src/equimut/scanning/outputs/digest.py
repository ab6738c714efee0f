"""What one pass over the verdicts tells: counts, the likeliest gaps, reasons for no verdict."""

from collections import Counter
from heapq import nsmallest

from equimut.scanning.outputs import wording
from equimut.scanning.outputs.findings import (
    Finding,
    finding_of,
    gap_order,
    is_gap_candidate,
    is_settled,
)
from equimut.scanning.result import ScanResult
from equimut.scanning.tallying import MOST_REASONS, OTHER, reason_kind
from equimut.scanning.verdicts import ScanVerdict

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
            self.places.append(wording.place(verdict))
