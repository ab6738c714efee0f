"""`--format junit`: a failed case for each survivor that is not taken as equivalent."""

from collections.abc import Iterator
from itertools import chain
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

from equimut.scanning.outputs import wording
from equimut.scanning.outputs.change_view import change_view, one_line
from equimut.scanning.outputs.findings import LABELS, finding_of, is_settled
from equimut.scanning.records import ScanResult, ScanVerdict
from equimut.storage.files import shown

Outcome = Literal["passed", "failed", "skipped"]


def outcome(verdict: ScanVerdict) -> Outcome:
    """Detected and equivalent ones pass, those without a verdict are skipped, the others fail."""
    finding = finding_of(verdict)
    if finding == "detected" or is_settled(verdict):
        return "passed"
    return "skipped" if finding == "cannot-tell" else "failed"


def pieces(result: ScanResult) -> Iterator[str]:
    """One suite; the counts come first, so the verdicts are read twice."""
    counts: dict[Outcome, int] = {"passed": 0, "failed": 0, "skipped": 0}
    for verdict in result.verdicts():
        counts[outcome(verdict)] += 1
    numbers = (
        f'tests="{sum(counts.values())}" failures="{counts["failed"]}" '
        f'errors="0" skipped="{counts["skipped"]}" time="0"'
    )
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f'<testsuites name="equimut scan" {numbers}>\n'
    name = _quoted(f"equimut scan: {wording.report_name(result.report)}")
    yield f"<testsuite name={name} {numbers}>\n"
    yield "<properties>\n"
    for name, value, meaning in wording.score_rows(result):
        given = _quoted(f"{wording.percent(value)}: {meaning}")
        yield f"<property name={_quoted(f'mutation score {name}')} value={given}/>\n"
    yield "</properties>\n"
    for verdict in result.verdicts():
        yield from _case(verdict)
    yield "</testsuite>\n</testsuites>\n"


def _case(verdict: ScanVerdict) -> Iterator[str]:
    mutant = verdict.mutant
    what = one_line(mutant.change) if mutant.change is not None else mutant.description
    where = "" if mutant.line is None else f"line {mutant.line}: "
    name = f"{where}{what or mutant.operator} (mutant {mutant.id})"
    function = mutant.change.function if mutant.change is not None else ""
    group = f"{mutant.file}.{function}" if function else mutant.file
    yield f'<testcase classname={_quoted(group)} name={_quoted(name)} time="0"'
    yield f" file={_quoted(mutant.file)}"
    yield f' line="{mutant.line}">' if mutant.line is not None else ">"
    message = f"{LABELS[finding_of(verdict)]}: {wording.evidence(verdict)}"
    match outcome(verdict):
        case "failed":
            kind = _quoted(finding_of(verdict))
            yield f"\n<failure message={_quoted(message)} type={kind}>"
            yield escape("\n".join(_details(verdict))) + "</failure>\n"
        case "skipped":
            yield f"\n<skipped message={_quoted(verdict.reason or message)}/>\n"
    yield "</testcase>\n"


def _details(verdict: ScanVerdict) -> Iterator[str]:
    """What a person needs to write the test, or to accept the mutant."""
    mutant = verdict.mutant
    yield shown(f"{wording.place(verdict)} {mutant.operator} ({mutant.tool_status})")
    if mutant.change is not None:
        view = change_view(mutant.change)
        before, after = view.context(2)
        yield from (f"  {view.lines[at]}" for at in before)
        signed = chain((("-", line) for line in view.before), (("+", line) for line in view.after))
        yield from (f"{sign} {''.join(line)}" for sign, line in signed)
        yield from (f"  {view.lines[at]}" for at in after)
    for note in (verdict.reason, verdict.details):
        if note:
            yield shown(note)
    if verdict.nearest is not None:
        yield shown(f"nearest example: {wording.nearest(verdict.nearest)}")
    if command := wording.accept_command(verdict):
        yield f"if equivalent: {command}"


def _quoted(text: str) -> str:
    """An attribute; signs that XML does not allow are written out."""
    return quoteattr(shown(text))
