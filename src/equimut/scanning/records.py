"""What a scan knows of a mutant, its verdict, and what the verdicts add up to."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import Field

from equimut.mutation.identity import MutantKey
from equimut.oracle.project import SuggestedTest
from equimut.records import Label, NonEmpty, ProverView, Query, Record, Tier, VerdictWord
from equimut.reports.reported import Report, ReportedMutant, Status

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
    details: str = ""
    """What else is known: how much of a function the model saw, what was tried in vain."""
    assumptions: tuple[str, ...] = ()
    """Contracts that a proof rests on; the reason names them too."""
    counts: bool = False
    """Whether the mutant is taken as equivalent in the scores: a prediction only from the
    precision that was asked for on."""
    test: str = ""
    """A test that kills the mutant, as source: it was seen to pass before the change and to fail
    after it."""


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


class Decision(Record):
    """A verdict that does not need the model: evidence, a person's word, or why there is none."""

    word: VerdictWord
    tier: Tier
    reason: str
    assumptions: tuple[str, ...] = ()


class Prediction(Record):
    """What a model says of a pair, before anybody asks which probabilities count."""

    probability: float | None = None
    """Of being equivalent, calibrated; None where the model abstains."""
    distance: float | None = None
    reason: str = ""
    """Why the model abstains."""
    note: str = ""
    """A remark on the probability, such as that the model saw a part of the function."""
    supports: tuple[str, ...] = ()
    """What speaks for equivalence, in words, the weightiest first."""
    opposes: tuple[str, ...] = ()
    """What speaks against it."""
    nearest: NearestExample | None = None


class Candidate(Record):
    """One mutant that is judged, or that serves as a check."""

    mutant: ReportedMutant
    key: MutantKey | None = None
    check: bool = False
    """A killed mutant that is judged only to see whether the model errs."""
    settled: Decision | None = None
    prediction: Prediction | None = None
    remark: str = ""
    """What was tried in vain, such as the oracle."""
    file: str = ""
    """The name under which the scan keeps the text of the whole file."""
    others: str = ""
    """The same for what other files tell of its constants."""
    waits_for_prover: bool = False
    state: dict[str, str] = Field(default_factory=dict)
    """Values of parameters that may tell the two apart, as the prover found them."""
    view: ProverView | None = None
    """What else it saw, where it proved nothing."""
    test: str = ""
    """A test that was seen to pass before the change and to fail after it."""

    def with_remark(self, remark: str) -> "Candidate":
        """The candidate with one more thing that was tried in vain."""
        remarks = [part for part in (self.remark, remark) if part]
        return self.model_copy(update={"remark": "; ".join(remarks)})

    @property
    def waits_for_oracle(self) -> bool:
        """Whether running it may say something that is asked for."""
        return self.settled is None and not self.check

    @property
    def waits_for_model(self) -> bool:
        """Whether only a model can say something."""
        return self.settled is None and self.prediction is None


class KilledCheck(Record):
    """Killed mutants are known not to be equivalent: each one called so is a known mistake."""

    judged: int = 0
    """Killed mutants that the model was asked about."""
    called_equivalent: int = 0
    undecided: int = 0
    """Those that it leaves undecided."""
    would_count: int = 0
    """Those called equivalent with a probability that counts in the scores."""
    proved: int = 0
    """Killed mutants proved equivalent: a mistake of ours, or a test that fails by chance."""


class OracleSummary(Record):
    """What running the functions came to."""

    tiers: dict[Tier, int]
    """How many mutants running showed to be what; `unknown`: no answer."""
    reasons: dict[str, int]
    """Why there was no answer, most frequent first."""
    functions: int = 0
    """Functions with mutants that waited for the oracle."""
    functions_run: int = 0
    """Those that could be run."""
    tests: int = 0
    """Tests that were seen to pass before the change and to fail after it, twice."""
    tested: int = 0
    """Mutants that they kill."""
    dropped_tests: int = 0
    """Tests that did not do so, and are not shown."""


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
    """The probability from which on a prediction says `equivalent`, and counts; None where the
    model cannot promise the precision."""
    basis: str
    """Which rows promise that precision, or why none do, in words."""
    tiers: Mapping[tuple[Tier, VerdictWord], int]
    """How many judged mutants have which verdict on which evidence."""
    unknown_reasons: Mapping[str, int]
    """Why there is no verdict, most frequent first."""
    scores: MutationScores
    killed: KilledCheck
    read: Callable[[], Iterator[ScanVerdict]] = field(repr=False, compare=False)
    worth_a_test_to: float | None = None
    """The probability up to which a prediction says `not-equivalent`; between the two it says
    nothing. None where the model cannot promise that either."""
    mistakes: tuple[ScanVerdict, ...] = ()
    """Killed mutants that the model calls equivalent, the surest first, as far as they are kept."""
    oracle: OracleSummary | None = None
    """What running the functions came to; None where nobody asked for it."""
    tests: Mapping[str, tuple[SuggestedTest, ...]] = field(default_factory=dict)
    """Source file -> tests that kill its mutants, which are named by their place in the report."""
    notes: tuple[str, ...] = ()
    """What a reader should know, one line each."""
    analysed: int = 0
    """Judged mutants whose change is known, so that somebody can decide on them."""
    seconds: Mapping[str, float] = field(default_factory=dict, compare=False)
    """Time spent in each stage."""
    source: Path | None = None
    """The root of the sources, where one is known: outputs then give whole files and real paths."""

    def verdicts(self) -> Iterator[ScanVerdict]:
        """The judged mutants, in the order of the report."""
        return self.read()


Predict = Callable[[Iterable[Query]], Iterator[Prediction]]
"""Queries as they come -> one prediction each, in the same order; wherever the work is done."""
