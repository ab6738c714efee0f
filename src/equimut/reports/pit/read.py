"""PIT's `mutations.xml`: read as a stream, both dialects, each mutation located in the source."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import compress, groupby, islice, starmap
from pathlib import Path
from typing import IO
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import iterparse

from equimut.reports.locating import Locate, Located, Row, RowsPart, at_most, numbered
from equimut.reports.pit.locate import PitLocator
from equimut.reports.pit.mutation import PitMutation, mutator_name
from equimut.reports.reported import (
    MAX_REASON,
    Report,
    ReportedMutant,
    ReportError,
    Status,
    reading,
)
from equimut.reports.sources import SourceTree, language_name

STATUSES: dict[str, Status] = {
    "KILLED": "killed",
    "SURVIVED": "survived",
    "NO_COVERAGE": "no_coverage",
    "TIMED_OUT": "timeout",
    "NON_VIABLE": "compile_error",
    "MEMORY_ERROR": "runtime_error",
    "RUN_ERROR": "runtime_error",
    "NOT_STARTED": "pending",
    "STARTED": "pending",
    "IGNORED": "ignored",
    "EQUIVALENT": "ignored",
}
"""PIT's words for what became of a mutant; the last two are what equimut writes back."""

_MAX_DEPTH = 20
_MAX_PARTS = 10_000
"""Elements directly within another one, but for the mutations themselves."""
_MAX_OF_CLASS = 20_000
"""Mutations of one class that are located together; Java's limits leave room for few more."""
_MAX_PIECE = 8 * 1024 * 1024
"""Bytes of one text or tag: the parser has to hold it whole."""
_MAX_TEXT = 4_000
"""Characters of a name or description: what is longer was not written by PIT."""
_UP = 6
_BUILDS = ("pom.xml", "build.gradle", "build.gradle.kts")
_WHOLE = re.compile(r"[0-9]{1,9}$")


def read_pit(path: Path, source: Path | None) -> Report:
    """Read a report; `source` is the directory below which its classes are looked for.

    Left out, it is the Maven or Gradle project that the report was written into, if any.
    Raises ReportError if the file is not a PIT report or breaks off. What a single mutation
    lacks is in its `problem`, and the mutation is counted all the same.
    """
    root = source if source is not None else _project(path)
    sources = SourceTree(root) if root is not None else None
    return Report.counted(
        "pit",
        path,
        ((_status(m.status), m.status) for m in read_mutations(path)),
        lambda _: _parts(path, sources),
        if_empty="a PIT report without a single mutation; nothing to read",
        root=root,
    )


def _project(path: Path) -> Path | None:
    """The innermost directory around a report that holds a build file."""
    around = path.absolute().parents[:_UP]
    return next((d for d in around if any((d / name).is_file() for name in _BUILDS)), None)


def read_mutations(path: Path) -> Iterator[PitMutation]:
    """The mutations as they stand in the file, one at a time."""
    with reading(path), path.open("rb") as file:
        for position, element in enumerate(mutation_elements(file, path)):
            yield _mutation(position, element)


def mutation_elements(file: IO[bytes], path: Path) -> Iterator[Element]:
    """The `<mutation>` elements; each is emptied before the next one is read."""
    stack: list[Element] = []
    try:
        for event, element in iterparse(
            _Bounded(file, path), events=("start", "end"), forbid_dtd=True
        ):
            if event == "start":
                stack.append(element)
                if len(stack) == 1 and element.tag not in ("mutations", "mutation"):
                    shown = str(element.tag)[:40]
                    raise ReportError(f"{path}: not a PIT report: it starts with <{shown}>")
                if len(stack) > 1 and len(stack[-2]) > _MAX_PARTS:
                    raise ReportError(f"{path}: not a PIT report: an element of too many parts")
                if len(stack) > _MAX_DEPTH:
                    raise ReportError(f"{path}: not a PIT report: elements nested too deeply")
                continue
            stack.pop()
            if element.tag == "mutation" and len(stack) <= 1:
                yield element
            if len(stack) == 1 and stack[0].tag == "mutations":
                stack[0].clear()  # drops the element: what was read takes no memory
    except DefusedXmlException:
        raise ReportError(f"{path}: refused: it defines XML entities; PIT never does") from None
    except ParseError as error:
        raise ReportError(f"{path}: broken XML: {error}; let PIT write it again") from None
    except (ValueError, LookupError) as error:
        raise ReportError(f"{path}: not readable as XML: {error}") from None


def _mutation(position: int, element: Element) -> PitMutation:
    def text(name: str, limit: int = _MAX_TEXT) -> str:
        found = element.find(name)
        return (found.text or "")[:limit].strip() if found is not None else ""

    status = (element.get("status") or "").strip()
    if not status:
        status = {"true": "KILLED", "false": "SURVIVED"}.get(element.get("detected") or "", "")
    indexes = [(found.text or "").strip() for found in element.iter("index")]
    killing = [name for name in text("killingTests", 10**9).split("|") if name]
    if not killing and text("killingTest"):
        killing = [text("killingTest")]
    ran = element.get("numberOfTestsRun") or ""
    line = text("lineNumber")
    return PitMutation(
        position=position,
        status=status[:40] or "UNKNOWN",
        source_file=text("sourceFile"),
        class_name=text("mutatedClass").replace("/", "."),
        method=text("mutatedMethod"),
        descriptor=text("methodDescription"),
        line=int(line) if _WHOLE.match(line) and int(line) > 0 else None,
        mutator=text("mutator"),
        indexes=tuple(sorted({int(text) for text in indexes if _WHOLE.match(text)})),
        description=text("description"),
        reason=(element.get("statusReason") or "")[:MAX_REASON],
        tests_run=int(ran) if _WHOLE.match(ran) else None,
        killing_tests=len(killing) if element.get("status") else None,
    )


def _parts(path: Path, sources: SourceTree | None) -> Iterator[RowsPart[PitMutation]]:
    """The mutations of one class at a time: together they tell which sites are meant."""
    rows = numbered(read_mutations(path), mutation_id)
    for _, members in groupby(rows, key=lambda row: (row.entry.class_name, row.entry.source_file)):
        yield _part(tuple(islice(members, _MAX_OF_CLASS)), partial(_located, sources))
        for more in at_most(members, _MAX_OF_CLASS):
            yield _part(more, _too_many)


def _part(rows: tuple[Row[PitMutation], ...], locate: Locate[PitMutation]) -> RowsPart[PitMutation]:
    return RowsPart(rows, tuple(_status(row.entry.status) for row in rows), locate)


def _located(
    sources: SourceTree | None, rows: Sequence[Row[PitMutation]], wanted: Sequence[bool]
) -> Iterator[ReportedMutant]:
    if sources is None:
        nowhere = Located(None, "not locatable: no source directory known; --source names it")
        places = iter([nowhere] * len(rows))
    else:
        places = _locator(sources).locate([row.entry for row in rows])
    return starmap(_record, compress(zip(rows, places, strict=True), wanted))


def _too_many(rows: Sequence[Row[PitMutation]], wanted: Sequence[bool]) -> Iterator[ReportedMutant]:
    many = Located(None, f"not locatable: its class has more than {_MAX_OF_CLASS:,} mutations")
    return (_record(row, many) for row in compress(rows, wanted))


@lru_cache(maxsize=1)  # it keeps the files of the classes that follow each other
def _locator(sources: SourceTree) -> PitLocator:
    return PitLocator(sources)


class _Bounded:
    """A file that stops at a text or a tag that is too long to hold."""

    def __init__(self, file: IO[bytes], path: Path) -> None:
        self._file, self._path, self._piece = file, path, 0

    def read(self, size: int = -1) -> bytes:
        chunk = self._file.read(size)
        end = max(chunk.rfind(b"<"), chunk.rfind(b">"))
        self._piece = len(chunk) - end if end >= 0 else self._piece + len(chunk)
        if self._piece > _MAX_PIECE:
            raise ReportError(
                f"{self._path}: not a PIT report: a text of over {_MAX_PIECE:,} bytes"
            )
        return chunk


def _record(row: Row[PitMutation], located: Located) -> ReportedMutant:
    mutation = row.entry
    package, _, _ = mutation.class_name.rpartition(".")
    file = mutation.source_file
    return ReportedMutant(
        index=row.index,
        id=row.id,
        tool="pit",
        file=f"{package.replace('.', '/')}/{file}" if package else file,
        language=language_name(file),
        status=_status(mutation.status),
        tool_status=mutation.status,
        status_reason=mutation.reason,
        operator=mutator_name(mutation.mutator),
        line=mutation.line,
        description=mutation.description,
        covering_tests=mutation.tests_run,
        killing_tests=mutation.killing_tests,
        change=located.change,
        problem=located.problem or (_incomplete(mutation) if located.change is None else None),
    )


def mutation_id(mutation: PitMutation) -> str:
    """What PIT itself tells mutations apart by: class, method, mutator and index."""
    where = f"{mutation.class_name}.{mutation.method}{mutation.descriptor}"
    index = ",".join(map(str, mutation.indexes))
    return f"{where}/{mutator_name(mutation.mutator)}/{index or mutation.line}"


def _incomplete(mutation: PitMutation) -> str:
    return f"not locatable: nothing is known of {mutation.class_name or 'this mutation'}"


def _status(word: str) -> Status:
    return STATUSES.get(word.upper(), "unknown")
