"""`--format github`: annotations on the changed lines, and a summary of the job."""

import os
from collections.abc import Iterator
from pathlib import Path

from equimut.scanning.outputs import OutputError, wording
from equimut.scanning.outputs.change_view import one_line
from equimut.scanning.outputs.findings import FINDINGS, LABELS, Digest, finding_of
from equimut.scanning.outputs.places import Places
from equimut.scanning.records import ScanResult, ScanVerdict
from equimut.storage.files import counted, shown

MAX_ANNOTATIONS = 50
"""GitHub shows ten of each kind for a step and fifty for a job: the likeliest gaps come first."""
SUMMARY_ROWS = 20
_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})
_MARKDOWN = {ord(sign): f"\\{sign}" for sign in "\\`*_{}[]()#+-!|~$@"} | {
    ord("<"): "&lt;",
    ord(">"): "&gt;",
    ord("&"): "&amp;",
}


def pieces(result: ScanResult) -> Iterator[str]:
    """The workflow commands; the summary goes to the file that GitHub names."""
    places, digest = Places(result), Digest(result, MAX_ANNOTATIONS)
    listed = [*digest.survivors.first, *digest.open.first]
    for verdict in listed[:MAX_ANNOTATIONS]:
        yield _command(verdict, places)
    if more := digest.survivors.total + digest.open.total - len(listed[:MAX_ANNOTATIONS]):
        rest = f"{counted(more, 'more survivor')}; --format html shows all of them"
        yield f"::notice title=equimut::{rest.translate(_DATA)}\n"
    if path := os.environ.get("GITHUB_STEP_SUMMARY"):
        try:
            with Path(path).open("a", encoding="utf-8", errors="replace") as file:
                file.write("".join(summary(result, digest)))
        except OSError as error:
            raise OutputError(
                f"cannot write the job summary {path} (GITHUB_STEP_SUMMARY): {error.strerror}"
            ) from error


def _command(verdict: ScanVerdict, places: Places) -> str:
    mutant, finding = verdict.mutant, finding_of(verdict)
    properties = {"file": places.path(mutant)}
    region = places.region(mutant, "utf-16")
    if region is not None:
        properties |= {"line": str(region.start_line), "endLine": str(region.end_line)}
        if region.start_column is not None and region.start_line == region.end_line:
            properties |= {"col": str(region.start_column), "endColumn": str(region.end_column)}
    properties["title"] = f"Mutant: {LABELS[finding].lower()}, {wording.evidence(verdict)}"
    lines = [_what(verdict)]
    if verdict.reason:
        lines.append(verdict.reason)
    if command := wording.accept_command(verdict):
        lines.append(f"If it is equivalent: {command}")
    given = ",".join(
        f"{name}={shown(value).translate(_PROPERTY)}" for name, value in properties.items()
    )
    kind = "warning" if finding == "worth-a-test" else "notice"
    return f"::{kind} {given}::{chr(10).join(map(shown, lines)).translate(_DATA)}\n"


def summary(result: ScanResult, digest: Digest) -> Iterator[str]:
    """Markdown for the page of the job."""
    yield f"## equimut scan\n\n{_plain(wording.tool(result.report))}, "
    yield f"{wording.mutants(result.report.total)}: {wording.statuses(result.report)}.\n\n"
    yield "| mutation score | | |\n|---|---:|---|\n"
    for name, value, meaning in wording.score_rows(result):
        yield f"| {name} | **{wording.percent(value)}** | {meaning} |\n"
    yield "\n| verdict | mutants |\n|---|---:|\n"
    for finding in FINDINGS:
        if count := digest.findings[finding]:
            yield f"| {LABELS[finding]} | {count:,} |\n"
    check = _plain(wording.killed_check(result.killed))
    yield f"\nCheck: {check}. Rule: {_plain(wording.counting_rule(result))}.\n"
    first = digest.survivors.first[:SUMMARY_ROWS]
    if first:
        yield "\n### Most probably a real gap\n\n"
        yield "| place | change | verdict | key |\n|---|---|---|---|\n"
    for verdict in first:
        label = LABELS[finding_of(verdict)]
        key = verdict.key.text if verdict.key is not None else ""
        yield f"| {_plain(wording.place(verdict))} | {_plain(_what(verdict))} | {label}, "
        yield f"{wording.evidence(verdict)} | {key} |\n"
    yield "\n"


def _what(verdict: ScanVerdict) -> str:
    mutant = verdict.mutant
    if mutant.change is not None:
        return one_line(mutant.change)
    return mutant.description or mutant.operator


def _plain(text: str) -> str:
    """Text in a table of Markdown: no markup, no line breaks."""
    return shown(text).translate(_MARKDOWN)
