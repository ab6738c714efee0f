"""Plain unified diffs: one section of a file is one mutant, in one file or many."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import compress
from pathlib import Path

from equimut.errors import ParseError
from equimut.parsing.edits import apply_diff
from equimut.reports.locating import Located, Row, RowsPart, at_most, locate_text, numbered
from equimut.reports.reported import Report, ReportedMutant, ReportError, Status
from equimut.reports.sources import SourceFile, SourceTree, language_name
from equimut.storage.files import read_text

SUFFIXES = (".diff", ".patch")
MAX_FILE = 64 * 1024 * 1024

_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_NOTE = re.compile(r"^#\s*(?P<id>\S+):\s*(?P<status>[a-z][a-z _-]*?)\s*$")
_JOB = re.compile(r"^\[job-id\] (\w+)\s*$")
_OUTCOME = re.compile(r"test outcome: TestOutcome\.(\w+)\s*$")
_STATUS: dict[str, Status] = {
    "killed": "killed",
    "survived": "survived",
    "incompetent": "runtime_error",
    "no tests": "no_coverage",
    "timeout": "timeout",
    "skipped": "ignored",
    "not checked": "pending",
}


@dataclass(frozen=True)
class Section:
    """One file's part of a diff, with the line before it (`# ID: survived`)."""

    file: str
    text: str
    line: int | None
    end_line: int | None
    given_id: str = ""
    given_status: str = ""


def read_diffs(path: Path, source: Path | None) -> Report:
    """Read a diff, or a directory of diffs; `source` is where the files they change are."""
    tree = SourceTree(source or (path if path.is_dir() else path.parent))
    return Report.counted(
        "diff",
        path,
        (_status(section) for section in _all_sections(path)),
        lambda most: _parts(path, tree, most),
        if_empty="no unified diff in it (a line like '@@ -28 +28 @@')",
        root=tree.root,
    )


def locate_diff(source: SourceFile, diff: str) -> Located:
    """Apply a unified diff of one file and locate what it changes.

    Some tools count lines from the start of the function: then the diff applies where its lines
    stand, if there is one such place.
    """
    try:
        mutant = apply_diff(source.text, diff)
    except ParseError as error:
        try:
            mutant = apply_diff(source.text, diff, max_shift=len(source.line_starts))
        except ParseError:
            return Located(None, f"not locatable: {error}")
    return locate_text(source, mutant)


def sections(text: str) -> Iterator[Section]:
    """The parts of a diff, file by file; what stands between them is passed over."""
    lines = text.split("\n")
    at, note = 0, ("", "")
    while at < len(lines):
        header = lines[at].startswith("--- ") and lines[at + 1 : at + 2]
        if header and header[0].startswith("+++ "):
            end, first, last = _end_of_section(lines, at + 2)
            body = "\n".join(line.removesuffix("\r") for line in lines[at + 2 : end])
            if body:
                name = _file_name(lines[at], header[0])
                yield Section(name, body + "\n", first, last, *note)
            at, note = max(end, at + 2), ("", "")
            continue
        note = _noted(lines[at], note)
        at += 1


def _noted(line: str, note: tuple[str, str]) -> tuple[str, str]:
    """(id, status) after a line between diffs: of `mutmut show`, or of `cr-report --show-diff`."""
    if match := _NOTE.match(line):
        return match["id"], match["status"]
    if match := _JOB.match(line):
        return match[1], ""
    if match := _OUTCOME.search(line):
        return note[0], match[1].lower()
    return note


def _end_of_section(lines: list[str], at: int) -> tuple[int, int | None, int | None]:
    """Where the hunks end: their headers say how many lines they have, so `--- ` may be code."""
    first: int | None = None
    last: int | None = None
    while at < len(lines) and (match := _HUNK.match(lines[at])):
        at += 1
        old, new = int(match[2] or 1), int(match[4] or 1)
        number = int(match[1])
        while at < len(lines) and (old > 0 or new > 0):
            sign = lines[at][:1]
            if sign not in ("", " ", "+", "-", "\\", "\r"):
                break
            if sign in ("+", "-"):
                first = number if first is None else first
                last = max(first, number - (sign == "+"))
            old -= sign not in ("+", "\\")
            new -= sign not in ("-", "\\")
            number += sign not in ("+", "\\")
            at += 1
        if at < len(lines) and lines[at].startswith("\\"):
            at += 1
    return at, first, last


def _file_name(old: str, new: str) -> str:
    """The changed file; `a/` and `b/` are marks of git, not folders."""
    before, after = (line[4:].split("\t")[0].strip().strip('"') for line in (old, new))
    if before.startswith("a/") and after.startswith("b/"):
        before, after = before[2:], after[2:]
    return after if before in ("/dev/null", "") else before


def _status(section: Section) -> tuple[Status, str]:
    return _STATUS.get(section.given_status, "unknown"), section.given_status


def _all_sections(path: Path) -> Iterator[Section]:
    if not path.is_dir():
        yield from sections(_text(path))
        return
    for file in sorted(path.rglob("*")):
        if file.suffix in SUFFIXES and file.is_file() and not file.is_symlink():
            yield from sections(_text(file))


def _text(path: Path) -> str:
    if path.is_file() and path.stat().st_size > MAX_FILE:
        raise ReportError(f"{path}: over {MAX_FILE:,} bytes; split it into several files")
    return read_text(path)


def _parts(path: Path, tree: SourceTree, most: int) -> Iterator[RowsPart[Section]]:
    for rows in at_most(numbered(_all_sections(path), _name), most):
        statuses = tuple(_status(row.entry)[0] for row in rows)
        yield RowsPart(rows, statuses, partial(_mutants, tree))


def _mutants(
    tree: SourceTree, rows: Sequence[Row[Section]], wanted: Sequence[bool]
) -> Iterator[ReportedMutant]:
    for row in compress(rows, wanted):
        section = row.entry
        status, word = _status(section)
        try:
            source = tree.find(section.file)
            located = locate_diff(source, section.text)
        except ReportError as error:
            located = Located(None, str(error))
        yield ReportedMutant(
            index=row.index,
            id=row.id,
            tool="diff",
            file=section.file,
            language=language_name(section.file),
            status=status,
            tool_status=word,
            operator="",
            line=section.line,
            end_line=section.end_line,
            change=located.change,
            problem=located.problem,
        )


def _name(section: Section) -> str:
    return section.given_id or diff_id(section.file, section.text)


def diff_id(file: str, diff: str) -> str:
    """A name for a mutant without one: from the changed lines, not from where they stand."""
    lines = [line for line in diff.split("\n") if not line.startswith("@@")]
    return hashlib.sha256("\n".join([file, *lines]).encode(errors="replace")).hexdigest()[:16]
