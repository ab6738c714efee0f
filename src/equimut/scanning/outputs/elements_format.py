"""`--format elements`: the open mutation testing report, equivalents `Ignored` with a reason.

A report that is in this format already is copied with the marks; any other is translated.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from equimut.reports.positions import unit_of
from equimut.reports.reported import Report, ReportedMutant, Status
from equimut.reports.write_back import write_back
from equimut.scanning.outputs import wording
from equimut.scanning.outputs.elements_source import ElementsSource
from equimut.scanning.outputs.places import Places
from equimut.scanning.records import OPEN, ScanResult, ScanVerdict

_STATUS: dict[Status, str] = {
    "killed": "Killed",
    "survived": "Survived",
    "no_coverage": "NoCoverage",
    "timeout": "Timeout",
    "compile_error": "CompileError",
    "runtime_error": "RuntimeError",
    "ignored": "Ignored",
    "pending": "Pending",
    "unknown": "Pending",
}
_CHUNK = 1 << 20


def pieces(result: ScanResult) -> Iterator[str]:
    """The document; all mutants of the report are in it, judged or not."""
    marks = {each.mutant.index: reason(each) for each in result.verdicts() if _ignored(each)}
    if result.report.format == "elements":
        yield from _copied(result.report, marks)
        return
    files = _files(result, marks)
    head = {
        "schemaVersion": "2",
        "thresholds": {"high": 80, "low": 60},
        "framework": {
            "name": result.report.tool or "unknown",
            "version": result.report.tool_version or "unknown",
        },
    }
    yield json.dumps(head, ensure_ascii=False).removesuffix("}") + ', "files": {'
    for number, (name, entry) in enumerate(files.items()):
        yield ",\n" if number else "\n"
        yield f"{json.dumps(name, ensure_ascii=False)}: {{"
        yield f'"language": {json.dumps(entry.language)}, '
        yield f'"source": {json.dumps(entry.source, ensure_ascii=False)}, "mutants": ['
        yield ",\n".join(entry.mutants)
        yield "]}"
    yield "\n}}\n"


def files_in_part(result: ScanResult) -> int:
    """Files of which only functions with mutants can be shown, because their text is not found."""
    if result.report.format == "elements":
        return 0
    places = Places(result)
    mutants = result.report.mutants()
    return len({mutant.file for mutant in mutants if places.source(mutant) is None})


def reason(verdict: ScanVerdict) -> str:
    """What the mark says."""
    text = f"equivalent ({wording.evidence(verdict)})"
    return f"{text}: {verdict.reason}" if verdict.reason else text


def _ignored(verdict: ScanVerdict) -> bool:
    return verdict.counts and verdict.mutant.status in OPEN


def _copied(report: Report, marks: dict[int, str]) -> Iterator[str]:
    with TemporaryDirectory(prefix="equimut-") as folder:
        copy = Path(folder) / "report.json"
        write_back(report, marks, copy)
        with copy.open(encoding="utf-8", errors="replace", newline="") as file:
            while chunk := file.read(_CHUNK):
                yield chunk


def _files(result: ScanResult, marks: dict[int, str]) -> dict[str, ElementsSource]:
    """Mutants by file, in the order in which the report comes to them."""
    places = Places(result)
    files: dict[str, ElementsSource] = {}
    for mutant in result.report.mutants():
        source = places.source(mutant)
        name = mutant.file.replace("\\", "/") if source is None else source.path
        if name not in files:
            files[name] = ElementsSource(mutant.language, source)
        entry = files[name]
        entry.mutants.append(json.dumps(_mutant(mutant, entry, marks), ensure_ascii=False))
    return files


def _mutant(mutant: ReportedMutant, file: ElementsSource, marks: dict[int, str]) -> dict[str, Any]:
    region, located = file.place(mutant, unit_of(mutant.language))
    entry: dict[str, Any] = {
        "id": file.unique_id(mutant),
        "mutatorName": mutant.operator or "unknown",
        "location": {
            "start": {"line": region.start_line, "column": region.start_column},
            "end": {"line": region.end_line, "column": region.end_column},
        },
        "status": _STATUS[mutant.status],
    }
    if located and mutant.change is not None:
        entry["replacement"] = mutant.change.replacement
    if mutant.description:
        entry["description"] = mutant.description
    if mutant.status_reason:
        entry["statusReason"] = mutant.status_reason
    if mutant.index in marks:
        entry |= {"status": "Ignored", "statusReason": marks[mutant.index]}
    return entry
