"""A finished scan: the verdicts on disk, and what they add up to."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from equimut.records import Record, Tier, VerdictWord
from equimut.reports.reported import Report
from equimut.scanning.verdicts import MutationScores, ScanVerdict


class KilledCheck(Record):
    """Killed mutants are known not to be equivalent: each one called so is a known mistake."""

    judged: int = 0
    """Killed mutants that the model was asked about."""
    called_equivalent: int = 0
    would_count: int = 0
    """Those of them with a probability that counts in the scores."""
    proved: int = 0
    """Killed mutants proved equivalent: a mistake of ours, or a test that fails by chance."""


@dataclass(frozen=True)
class ScanResult:
    """What a scan found.

    The verdicts are not kept in memory: each call of `verdicts` reads them again, in the order of
    the report, so that memory does not grow with it.
    """

    report: Report
    model: str
    """The model that predicted, by name; empty where none did."""
    min_precision: float
    """The precision from which on a prediction counts in the scores."""
    counting_from: float | None
    """The probability that stands for it; None where the model cannot promise it."""
    tiers: Mapping[tuple[Tier, VerdictWord], int]
    """How many judged mutants have which verdict on which evidence."""
    unknown_reasons: Mapping[str, int]
    """Why there is no verdict, most frequent first."""
    scores: MutationScores
    killed: KilledCheck
    read: Callable[[], Iterator[ScanVerdict]] = field(repr=False, compare=False)
    notes: tuple[str, ...] = ()
    """What a reader should know, one line each."""
    analysed: int = 0
    """Judged mutants that were located in a function, or that somebody accepted."""
    seconds: Mapping[str, float] = field(default_factory=dict, compare=False)
    """Time spent in each stage."""
    source: Path | None = None
    """The root of the sources, where one is known: outputs then give whole files and real paths."""

    def verdicts(self) -> Iterator[ScanVerdict]:
        """The judged mutants, in the order of the report."""
        return self.read()
