"""Equivalents marked in a copy of the report."""

from collections.abc import Collection, Iterable
from pathlib import Path

from equimut.reports.write_back import write_back
from equimut.scanning.api import WriteBackTier
from equimut.scanning.records import UNDETECTED, ScanResult, ScanVerdict

_LONGEST = 300


def mark_report(result: ScanResult, out: Path, tiers: Collection[WriteBackTier]) -> int:
    """Write the copy; says how many mutants it marks."""
    marks = {
        verdict.mutant.index: mark_reason(verdict) for verdict in marked(result.verdicts(), tiers)
    }
    write_back(result.report, marks, out)
    return len(marks)


def marked(
    verdicts: Iterable[ScanVerdict], tiers: Collection[WriteBackTier]
) -> Iterable[ScanVerdict]:
    """Undetected mutants that are equivalent by one of these tiers; predictions must count."""
    for verdict in verdicts:
        if verdict.mutant.status not in UNDETECTED or verdict.tier not in tiers:
            continue
        if verdict.counts or (verdict.tier == "unrefuted" and verdict.word == "equivalent"):
            yield verdict


def mark_reason(verdict: ScanVerdict) -> str:
    """What the report says about it then."""
    if verdict.probability is not None:
        return f"equimut: predicted equivalent, probability {verdict.probability:.3f}"
    reason = f"equimut: equivalent, {verdict.tier}: {verdict.reason}"
    return reason if len(reason) <= _LONGEST else reason[: _LONGEST - 3] + "..."
