"""What a verdict rests on and what a scan found, in the words that every output uses."""

from equimut.records import Tier
from equimut.reports.reported import Report, Status
from equimut.scanning.records import (
    KilledCheck,
    NearestExample,
    OracleSummary,
    ScanResult,
    ScanVerdict,
)
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


def report_name(report: Report) -> str:
    """The path as it was given; the directory's own name where that says nothing, such as `.`."""
    path = report.path
    return str(path) if path.name not in ("", "..") else path.resolve().name


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
        inside = "where a change stays inside of its function"
        counted = f"predictions say equivalent, and count, from {from_} on {inside}: {result.basis}"
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
