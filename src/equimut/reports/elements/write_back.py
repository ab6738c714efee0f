"""Elements: a marked mutant is `Ignored` with a `statusReason`; all else is copied as a stream."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from equimut.reports.elements.script import opened_report
from equimut.reports.json_stream import (
    Event,
    Events,
    elements,
    json_events,
    members,
    reading_json,
    skip,
)
from equimut.storage.files import replacing

_Copier = Callable[[Event, Events], Iterator[str]]


def write_elements(path: Path, marks: Mapping[int, str], out: Path) -> None:
    """Copy the report to `out` with those mutants ignored; a script becomes plain JSON."""
    with reading_json(path), opened_report(path) as stream, replacing(out) as file:
        events = json_events(stream)
        for piece in _Copy(marks).report(next(events), events):
            file.write(piece.encode(errors="replace"))
        file.write(b"\n")


class _Copy:
    """JSON text made from events again, and the count of mutants on the way."""

    def __init__(self, marks: Mapping[int, str]) -> None:
        self._marks = marks
        self._next = 0

    def report(self, first: Event, events: Events) -> Iterator[str]:
        """The whole report; only `files.*.mutants[*]` is looked at."""
        yield from _object(first, events, {"files": self._files})
        for _ in events:  # an error after the object must still be seen
            pass

    def _files(self, first: Event, events: Events) -> Iterator[str]:
        yield from _object(first, events, default=self._file)

    def _file(self, first: Event, events: Events) -> Iterator[str]:
        yield from _object(first, events, {"mutants": self._mutants})

    def _mutants(self, first: Event, events: Events) -> Iterator[str]:
        if first[0] != "start_array":
            yield from _copied(first, events)
            return
        yield "["
        for number, entry in enumerate(elements(events)):
            yield "," if number else ""
            yield from self._mutant(entry, events)
        yield "]"

    def _mutant(self, first: Event, events: Events) -> Iterator[str]:
        reason = self._marks.get(self._next)
        self._next += 1
        if reason is None or first[0] != "start_map":
            yield from _copied(first, events)
            return
        yield "{"
        for key, value in members(events):
            if key in ("status", "statusReason"):
                skip(value, events)
            else:
                yield f"{json.dumps(key)}:"
                yield from _copied(value, events)
                yield ","
        yield f'"status":"Ignored","statusReason":{json.dumps(reason)}}}'


def _copied(first: Event, events: Events) -> Iterator[str]:
    """A value as it was."""
    event, value = first
    if event == "start_map":
        yield from _object(first, events)
    elif event == "start_array":
        yield "["
        for number, inner in enumerate(elements(events)):
            yield "," if number else ""
            yield from _copied(inner, events)
        yield "]"
    else:
        yield json.dumps(value, ensure_ascii=False)


def _object(
    first: Event,
    events: Events,
    special: Mapping[str, _Copier] | None = None,
    default: _Copier = _copied,
) -> Iterator[str]:
    """An object; the values of some keys, or of all, are copied by someone else."""
    if first[0] != "start_map":
        yield from _copied(first, events)
        return
    yield "{"
    for number, (key, value) in enumerate(members(events)):
        yield f"{',' if number else ''}{json.dumps(key, ensure_ascii=False)}:"
        yield from (special or {}).get(key, default)(value, events)
    yield "}"
