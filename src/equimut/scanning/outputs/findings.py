"""What a verdict asks of a person, and which one to look at first."""

from typing import Literal, get_args

from equimut.scanning.verdicts import OPEN, ScanVerdict

Finding = Literal[
    "worth-a-test",
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
    "cannot-tell": "Cannot tell",
    "predicted-equivalent": "Predicted equivalent",
    "unrefuted": "Not refuted",
    "accepted-equivalent": "Accepted",
    "proved-equivalent": "Proved equivalent",
    "detected": "Detected",
}
MEANINGS: dict[Finding, str] = {
    "worth-a-test": "a test that notices the change can probably be written",
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
        return "cannot-tell"
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
    if verdict.tier == "killed":  # an input tells the two apart: nothing is surer
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
