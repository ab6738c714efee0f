"""Elements JSON (mutation-testing-report-schema 1 and 2): Stryker, Infection, Mull and others.

A report may be larger than memory, and `source` may come after the mutants that need it. So the
mutants of one file wait in a temporary file until that file's entry has been read to its end.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress, count, islice
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from equimut.reports.elements.location import elements_location
from equimut.reports.elements.pit_export import PitEntries
from equimut.reports.elements.script import opened_report
from equimut.reports.elements.stream import ElementsFile, FileStart, MutantEntry, TopLevel, walk
from equimut.reports.json_stream import as_integer, as_text, reading_json
from equimut.reports.locating import Located
from equimut.reports.reported import (
    MAX_REASON,
    Report,
    ReportedMutant,
    ReportError,
    Status,
    UniqueIds,
)
from equimut.reports.sources import SourceFile, SourceTree, grammar_for, language_name

WAITING_BYTES = 4 * 1024 * 1024
"""Mutants of one file that wait in memory; the rest waits on disk."""

STATUS: dict[str, Status] = {
    "killed": "killed",
    "survived": "survived",
    "nocoverage": "no_coverage",
    "timeout": "timeout",
    "timedout": "timeout",
    "compileerror": "compile_error",
    "builderror": "compile_error",  # Stryker.NET before schema 1 was settled
    "transpileerror": "compile_error",
    "runtimeerror": "runtime_error",
    "ignored": "ignored",
    "skipped": "ignored",
    "pending": "pending",
}


@dataclass(frozen=True)
class _Header:
    tool: str
    version: str
    project_root: str


def read_elements(path: Path, source: Path | None) -> Report:
    """Read an Elements report; `source` is only needed for files whose text is not in it."""
    header, statuses = _first_pass(path)
    tree = SourceTree(source) if source is not None else None
    return Report.counted(
        "elements",
        path,
        statuses.elements(),
        lambda most: _parts(path, header, tree, most),
        tool=header.tool,
        version=header.version,
    )


def elements_status(word: str) -> Status:
    """Our word for a status of the schema, or of a dialect."""
    return STATUS.get(word.replace("_", "").replace(" ", "").lower(), "unknown")


def _first_pass(path: Path) -> tuple[_Header, Counter[tuple[Status, str]]]:
    """Read to the end, so that a broken report is refused before anything is done with it."""
    top: dict[str, Any] = {}
    statuses: Counter[tuple[Status, str]] = Counter()
    files = False
    with reading_json(path), opened_report(path) as stream:
        for item in walk(stream):
            if isinstance(item, TopLevel):
                top[item.key] = item.value
            elif isinstance(item, FileStart):
                files = True
            elif isinstance(item, MutantEntry):
                word = as_text(item.fields.get("status"))
                statuses[elements_status(word), word] += 1
    if not files and "files" not in top:
        raise ReportError(f"{path}: not an Elements report: it has no 'files'")
    framework = top.get("framework")
    named = framework if isinstance(framework, dict) else {}
    header = _Header(
        tool=as_text(named.get("name")) or "elements",
        version=as_text(named.get("version")),
        project_root=as_text(top.get("projectRoot")),
    )
    return header, statuses


def _parts(
    path: Path, header: _Header, tree: SourceTree | None, most: int
) -> Iterator["ElementsPart"]:
    """The mutants of each file, at most so many at a time."""
    index = 0
    with reading_json(path), opened_report(path) as stream, closing(_Waiting()) as waiting:
        for item in walk(stream):
            if isinstance(item, MutantEntry):
                waiting.add(item.fields)
            elif isinstance(item, ElementsFile):
                ids, entries = UniqueIds(), waiting.entries()
                while some := tuple(islice(entries, most)):
                    named = tuple(ids.add(as_text(fields.get("id"))) for fields in some)
                    yield ElementsPart(item, header, tree, index, some, named)
                    index += len(some)
                waiting.clear()


@dataclass(frozen=True)
class ElementsPart:
    """Some mutants of one file, with all that is needed to locate them."""

    file: ElementsFile
    header: _Header
    tree: SourceTree | None
    first: int
    """Where in the report they begin."""
    entries: tuple[dict[str, Any], ...]
    ids: tuple[str, ...]

    @property
    def statuses(self) -> tuple[Status, ...]:
        """What became of each of them."""
        return tuple(elements_status(as_text(fields.get("status"))) for fields in self.entries)

    def located(self, wanted: Sequence[bool]) -> Iterator[ReportedMutant]:
        """Those of them that are wanted, located in the source where possible."""
        lookup = _source_lookup(self.file, self.header, self.tree)
        pit = _by_description(self.file, lookup)
        numbered = zip(count(self.first), self.ids, self.entries, strict=False)
        for index, name, fields in compress(numbered, wanted):
            yield _mutant(index, name, fields, self.file, self.header.tool, lookup, pit)


class _Waiting:
    """Entries kept until they are needed, on disk when there are many."""

    def __init__(self) -> None:
        self._file: IO[bytes] = SpooledTemporaryFile(max_size=WAITING_BYTES)  # noqa: SIM115

    def add(self, fields: dict[str, Any]) -> None:
        self._file.write(json.dumps(fields, separators=(",", ":")).encode() + b"\n")

    def entries(self) -> Iterator[dict[str, Any]]:
        self._file.seek(0)
        for line in self._file:
            yield json.loads(line)

    def clear(self) -> None:
        self._file.seek(0)
        self._file.truncate()

    def close(self) -> None:
        self._file.close()


def _source_lookup(
    file: ElementsFile, header: _Header, tree: SourceTree | None
) -> Callable[[], SourceFile | str]:
    """The file's text, from the report itself or from the source root; or why there is none."""
    language = language_name(file.name, file.language)
    found: list[SourceFile | str] = []

    def find() -> SourceFile | str:
        if file.source is not None:
            return _brought(file.name, file.source.removeprefix("\ufeff"), language)
        if tree is None:
            return "not locatable: the report has no source text; give --source"
        try:
            return tree.find(_below(header.project_root, file.name), file.language)
        except ReportError as error:
            return str(error)

    def once() -> SourceFile | str:
        if not found:
            found.append(find())
        return found[0]

    return once


@lru_cache(maxsize=1)  # the parts of one file follow each other
def _brought(name: str, text: str, language: str) -> SourceFile:
    """A file that stands in the report."""
    return SourceFile(name, text, language)


def _by_description(
    file: ElementsFile, lookup: Callable[[], SourceFile | str]
) -> Callable[[int, str, str], Located] | None:
    """How Java mutants without a replacement are placed: PIT describes what it did."""
    language = grammar_for(language_name(file.name, file.language))
    if language is None or not language.jvm:
        return None
    entries: list[PitEntries] = []

    def locate(line: int, mutator: str, description: str) -> Located:
        source = lookup()
        if isinstance(source, str):
            return Located(None, source)
        if not entries:
            entries.append(PitEntries(source))
        return entries[0].locate(line, mutator, description)

    return locate


def _below(project_root: str, name: str) -> str:
    """An absolute path of the machine that made the report, relative to that project's root."""
    root = project_root.replace("\\", "/").rstrip("/")
    plain = name.replace("\\", "/")
    return plain[len(root) + 1 :] if root and plain.startswith(f"{root}/") else name


def _mutant(
    index: int,
    name: str,
    fields: dict[str, Any],
    file: ElementsFile,
    tool: str,
    lookup: Callable[[], SourceFile | str],
    pit: Callable[[int, str, str], Located] | None,
) -> ReportedMutant:
    word, operator = as_text(fields.get("status")), as_text(fields.get("mutatorName"))
    location = elements_location(fields.get("location"))
    if problem := fields.get("unreadable"):
        located = Located(None, f"not readable: {problem}")
    elif fields.get("replacement") is None and location.line is not None and pit is not None:
        located = pit(location.line, operator, as_text(fields.get("description")))
    else:
        located = location.locate(fields.get("replacement"), lookup)
    return ReportedMutant(
        index=index,
        id=name,
        tool=tool,
        file=file.name,
        language=language_name(file.name, file.language),
        status=elements_status(word),
        tool_status=word,
        status_reason=as_text(fields.get("statusReason"))[:MAX_REASON],
        operator=operator,
        line=location.line,
        end_line=location.end_line,
        description=as_text(fields.get("description"))[:MAX_REASON],
        covering_tests=as_integer(fields.get("coveredBy")),
        killing_tests=as_integer(fields.get("killedBy")),
        change=located.change,
        problem=located.problem,
    )
