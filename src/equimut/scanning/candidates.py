"""A mutant on its way to a verdict: what is known of it so far, as one line of a spool."""

from equimut.mutation.identity import MutantKey
from equimut.records import Record, Tier, VerdictWord
from equimut.reports.reported import ReportedMutant
from equimut.scanning.verdicts import NearestExample


class Decision(Record):
    """A verdict that does not need the model: evidence, a person's word, or why there is none."""

    word: VerdictWord
    tier: Tier
    reason: str


class Prediction(Record):
    """What a model says of a pair, before anybody asks which probabilities count."""

    probability: float | None = None
    """Of being equivalent, calibrated; None where the model abstains."""
    distance: float | None = None
    reason: str = ""
    """Why the model abstains."""
    note: str = ""
    """A remark on the probability, such as that the model saw a part of the function."""
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
    """What was tried in vain, such as the oracle: it is added to the reason."""

    @property
    def waits_for_model(self) -> bool:
        """Whether only a model can say something."""
        return self.settled is None and self.prediction is None
