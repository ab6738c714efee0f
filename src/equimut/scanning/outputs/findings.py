"""What a verdict asks of a person, in words, and what one pass over all verdicts tells."""

from collections import Counter
from heapq import nsmallest
from typing import Literal, get_args

from equimut.records import Tier
from equimut.reports.reported import Report, Status
from equimut.scanning.records import (
    OPEN,
    KilledCheck,
    NearestExample,
    OracleSummary,
    ScanResult,
    ScanVerdict,
)
from equimut.scanning.tallying import MOST_REASONS, OTHER, reason_kind
from equimut.storage.files import counted

STATUS_WORDS: dict[Status, str] = {
    "killed": "killed",
    "survived": "survived",
    "no_coverage": "not covered",
    "timeout": "timed out",
    "compile_error": "did not compile",
    "runtime_error": "crashed",
    "ignored": "ignored",
    "pending": "pending",
    "unknown": "without a status",
}


ORACLE_WORDS: dict[Tier, str] = {
    "killed": "told apart by an input",
    "unrefuted": "without a difference",
    "proved": "proved equivalent",
}


def percent(share: float | None, digits: int = 1) -> str:
    """A share as people read it; a dash where there is none."""
    return "–" if share is None else f"{100 * share:.{digits}f} %"


def probability(value: float) -> str:
    """A probability in percent that never claims to be certain."""
    if value > 0.99:
        return "over 99 %"
    return "under 1 %" if value < 0.01 else f"{100 * value:.0f} %"


def mutants(count: int) -> str:
    """`1 mutant`, `2 mutants`."""
    return counted(count, "mutant")


def statuses(report: Report) -> str:
    """What became of the mutants according to the tool."""
    return ", ".join(f"{count:,} {STATUS_WORDS[name]}" for name, count in report.counts.items())


def tool(report: Report) -> str:
    """The tool by name and version."""
    return f"{report.tool} {report.tool_version}".strip()


def score_rows(result: ScanResult) -> tuple[tuple[str, float | None, str], ...]:
    """Name, value and meaning of the three scores."""
    scores = result.scores
    total = scores.detected + scores.undetected
    equivalent, possible = scores.equivalent, total - scores.equivalent
    return (
        ("as reported", scores.as_reported, f"{scores.detected:,} of {total:,} detected"),
        (
            "without equivalents",
            scores.without_equivalents,
            f"{scores.detected:,} of {possible:,} detected, {equivalent:,} equivalent left out",
        ),
        (
            "equivalents as killed",
            scores.equivalents_as_killed,
            f"{scores.detected + equivalent:,} of {total:,}, {equivalent:,} equivalent among them",
        ),
    )


def killed_check(check: KilledCheck) -> str:
    """How far the model can be trusted here: killed mutants are known not to be equivalent."""
    if not check.judged:
        return "no killed mutant was judged, so there is no check of the model on this code"
    judged = counted(check.judged, "killed mutant")
    text = f"of {judged} the model calls {check.called_equivalent or 'none'} equivalent"
    if check.called_equivalent:
        share = percent(check.called_equivalent / check.judged)
        one = check.called_equivalent == 1
        text += f" ({share}): {'a known mistake' if one else 'known mistakes'}"
    if check.undecided:
        text += f"; it leaves {check.undecided:,} undecided"
    if check.proved:
        them = (
            "is killed all the same: look at it"
            if check.proved == 1
            else ("are killed all the same: look at them")
        )
        text += f"; {mutants(check.proved)} proved equivalent {them}"
    return text


def oracle_lines(oracle: OracleSummary) -> list[str]:
    """What was run, what came of it, and why the rest was not."""
    ran = {
        ORACLE_WORDS[tier]: number
        for tier, number in oracle.tiers.items()
        if tier in ORACLE_WORDS and number
    }
    total = sum(oracle.tiers.values())
    lines = [f"ran {sum(ran.values()):,} of {mutants(total)}"]
    if ran:
        lines[0] += ": " + ", ".join(f"{number:,} {words}" for words, number in ran.items())
    if oracle.functions:
        lines.append(
            f"{oracle.functions_run:,} of {counted(oracle.functions, 'function')} could be run"
        )
    if oracle.tests or oracle.dropped_tests:
        words = f"{counted(oracle.tests, 'test')} written for {mutants(oracle.tested)}"
        words += ", each seen to pass before the change and to fail after it, twice"
        dropped = counted(oracle.dropped_tests, "test")
        lines.append(f"{words}; {dropped} dropped" if oracle.dropped_tests else words)
    return lines + [f"not run {number:,}: {reason}" for reason, number in oracle.reasons.items()]


def counting_rule(result: ScanResult) -> str:
    """Which predictions make a verdict, and which of them count in the scores."""
    if not result.model:
        return "no model was used: nothing is predicted"
    if result.counting_from is None:
        counted = f"no prediction counts: {result.basis}"
    else:
        from_ = percent(result.counting_from)
        counted = f"predictions say equivalent, and count, from {from_} on: {result.basis}"
    if result.worth_a_test_to is None:
        return f"{counted}; none says worth a test"
    return f"{counted}; up to {percent(result.worth_a_test_to)} they say worth a test"


def evidence(verdict: ScanVerdict) -> str:
    """What the verdict rests on, in a few words."""
    if verdict.tier == "predicted" and verdict.probability is not None:
        return f"{probability(verdict.probability)} chance of being equivalent"
    return {
        "proved": "proved",
        "unrefuted": "no input tells the two apart",
        "killed": "an input tells the two apart",
        "accepted": "accepted by a person",
        "rejected": "decided by a person",
    }.get(verdict.tier, "no verdict")


def nearest(example: NearestExample) -> str:
    """The labelled example in one line."""
    word = "equivalent" if example.label else "not equivalent"
    source = f", {example.source}" if example.source else ""
    return f"{example.change} ({word}{source}; similarity {example.similarity:.2f})"


def accept_command(verdict: ScanVerdict) -> str | None:
    """What to type to accept a mutant as equivalent; None where that would be wrong or is done."""
    if verdict.key is None or verdict.tier in ("killed", "accepted", "rejected"):
        return None
    return f'equimut accept {verdict.key.text} --reason "..."'


def reject_command(verdict: ScanVerdict) -> str | None:
    """What to type to say that it is worth a test; None where that is said already."""
    if verdict.key is None or verdict.tier == "rejected" or verdict.word == "not-equivalent":
        return None
    return f'equimut reject {verdict.key.text} --reason "..."'


def place(verdict: ScanVerdict) -> str:
    """`file:line`."""
    line = verdict.mutant.line
    return verdict.mutant.file if line is None else f"{verdict.mutant.file}:{line}"


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
