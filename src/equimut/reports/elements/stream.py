"""Elements JSON as a stream of entries: the only place that knows how the report is nested."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

from equimut.reports.json_stream import (
    Event,
    Events,
    JsonFault,
    as_text,
    elements,
    json_events,
    members,
    skip,
    value_of,
)
from equimut.reports.reported import MAX_REASON

_TOP_LEVEL = ("schemaVersion", "projectRoot", "framework")
_KEPT = ("id", "mutatorName", "replacement", "status", "location")
_CUT = ("statusReason", "description")
_COUNTED = ("coveredBy", "killedBy")


@dataclass(frozen=True)
class TopLevel:
    """A value of the report itself."""

    key: str
    value: Any


@dataclass(frozen=True)
class FileStart:
    """The entry of a source file begins."""

    name: str


@dataclass(frozen=True)
class MutantEntry:
    """A mutant of the file that began last: the fields that matter, tests counted only."""

    fields: dict[str, Any]


@dataclass(frozen=True)
class ElementsFile:
    """The entry of a source file has ended; now all of it is known."""

    name: str
    language: str
    source: str | None


Item = TopLevel | FileStart | MutantEntry | ElementsFile


def walk(stream: IO[bytes]) -> Iterator[Item]:
    """All entries of a report, in the order of the file."""
    events = json_events(stream)
    if next(events)[0] != "start_map":
        raise JsonFault("not an Elements report: the JSON is not an object")
    for key, first in members(events):
        if key == "files":
            if first[0] != "start_map":
                raise JsonFault("not an Elements report: 'files' is not an object")
            yield TopLevel("files", True)
            for name, entry in members(events):
                yield from _file(name, entry, events)
        elif key in _TOP_LEVEL:
            yield TopLevel(key, value_of(first, events))
        else:
            skip(first, events)
    for _ in events:  # to the end: something may be wrong after the object
        pass


def _file(name: str, first: Event, events: Events) -> Iterator[Item]:
    yield FileStart(name)
    language, source = "", None
    if first[0] != "start_map":
        raise JsonFault(f"not an Elements report: the entry of {name[:200]!r} is not an object")
    for key, value in members(events):
        if key == "mutants" and value[0] == "start_array":
            for entry in elements(events):
                yield MutantEntry(_fields(entry, events))
        elif key == "language":
            language = as_text(value_of(value, events))
        elif key == "source" and value[0] == "string":
            source = value[1]
        else:
            skip(value, events)
    yield ElementsFile(name, language, source)


def _fields(first: Event, events: Events) -> dict[str, Any]:
    if first[0] != "start_map":
        skip(first, events)
        return {"unreadable": "the entry is not an object"}
    fields: dict[str, Any] = {}
    for key, value in members(events):
        if key in _KEPT:
            fields[key] = value_of(value, events)
        elif key in _CUT:
            fields[key] = as_text(value_of(value, events))[:MAX_REASON]
        elif key in _COUNTED:
            fields[key] = skip(value, events)
        else:
            skip(value, events)
    return fields
