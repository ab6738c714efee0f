"""The sentences that the formats for people have in common."""

from equimut.reports.reported import Report, Status
from equimut.scanning.result import KilledCheck, ScanResult
from equimut.scanning.verdicts import NearestExample, ScanVerdict

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
    return f"{count:,} mutant{'' if count == 1 else 's'}"


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
    text = (
        f"of {check.judged:,} killed mutants the model calls {check.called_equivalent:,} equivalent"
    )
    if check.called_equivalent:
        share = percent(check.called_equivalent / check.judged)
        text += f" ({share}): known mistakes, {check.would_count or 'none'} sure enough to count"
    if check.proved:
        text += f"; {mutants(check.proved)} proved equivalent are killed all the same: look at them"
    return text


def counting_rule(result: ScanResult) -> str:
    """When a prediction counts in the scores."""
    if not result.model:
        return "no model was used: nothing is predicted"
    wish = f"precision {result.min_precision:g}"
    if result.counting_from is None:
        return f"the model cannot promise {wish}: predictions only rank, none counts"
    return f"predictions count from a probability of {result.counting_from:.3g} on ({wish})"


def evidence(verdict: ScanVerdict) -> str:
    """What the verdict rests on, in a few words."""
    if verdict.tier == "predicted" and verdict.probability is not None:
        return f"{probability(verdict.probability)} chance of being equivalent"
    return {
        "proved": "proved",
        "unrefuted": "no input tells the two apart",
        "killed": "an input tells the two apart",
        "accepted": "accepted by a person",
    }.get(verdict.tier, "no verdict")


def nearest(example: NearestExample) -> str:
    """The labelled example in one line."""
    word = "equivalent" if example.label else "not equivalent"
    source = f", {example.source}" if example.source else ""
    return f"{example.change} ({word}{source}; similarity {example.similarity:.2f})"


def accept_command(verdict: ScanVerdict) -> str | None:
    """What to type to accept a mutant as equivalent; None where that would be wrong or is done."""
    if verdict.key is None or verdict.tier in ("killed", "accepted"):
        return None
    return f'equimut accept {verdict.key.text} --reason "..."'


def place(verdict: ScanVerdict) -> str:
    """`file:line`."""
    line = verdict.mutant.line
    return verdict.mutant.file if line is None else f"{verdict.mutant.file}:{line}"
