"""What a scan says of each mutant, and the scores that follow from it."""

from equimut.mutation.identity import MutantKey
from equimut.records import Label, NonEmpty, Record, Tier, VerdictWord
from equimut.reports.reported import ReportedMutant, Status

DETECTED: tuple[Status, ...] = ("killed", "timeout")
"""Mutants that the tests noticed."""
UNDETECTED: tuple[Status, ...] = ("survived", "no_coverage")
"""Mutants that the tests did not notice."""
OPEN: tuple[Status, ...] = (*UNDETECTED, "unknown")
"""Mutants somebody may have to write a test for, which are judged. A plain diff or a pair of files
comes without a status."""


class NearestExample(Record):
    """The labelled mutant that the model finds most alike."""

    change: NonEmpty
    """What it changes, in tokens: `i < n -> i <= n`."""
    label: Label
    source: str
    """Where it comes from: the verified benchmark and the function's name."""
    similarity: float
    """Cosine between the two, as the model's head sees them."""


class ScanVerdict(Record):
    """One mutant with its verdict, what the verdict rests on, and whether it counts."""

    mutant: ReportedMutant
    key: MutantKey | None
    word: VerdictWord
    tier: Tier
    probability: float | None = None
    """Of being equivalent, calibrated; None unless it was predicted."""
    nearest: NearestExample | None = None
    reason: str = ""
    """The evidence, or why there is none, in one line."""
    counts: bool = False
    """Whether the mutant is taken as equivalent in the scores: a prediction only from the
    precision that was asked for on."""


class MutationScores(Record):
    """Three scores side by side; None where there is nothing to divide by."""

    detected: int
    undetected: int
    equivalent: int
    """Undetected mutants taken as equivalent."""

    @property
    def as_reported(self) -> float | None:
        """Detected among all."""
        return _share(self.detected, self.detected + self.undetected)

    @property
    def without_equivalents(self) -> float | None:
        """Detected among those that can be detected."""
        return _share(self.detected, self.detected + self.undetected - self.equivalent)

    @property
    def equivalents_as_killed(self) -> float | None:
        """As if someone had dealt with every equivalent mutant."""
        total = self.detected + self.undetected
        return _share(self.detected + self.equivalent, total)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
