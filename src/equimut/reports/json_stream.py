"""JSON of any size as a stream of events, with limits: nothing is held but what is asked for."""

import codecs
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import ijson

from equimut.reports.reported import ReportError

MAX_STRING = 8 * 1024 * 1024
"""Bytes of one string: a source file is shorter, and the parser has to hold a string whole."""
MAX_DEPTH = 100

Event = tuple[str, Any]
Events = Iterator[Event]

_CHUNK = 256 * 1024  # a string is scanned again from its start with every chunk
_LONGEST_ESCAPE = 12  # bytes of a pair of surrogates
_HIGH = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}$")
_SURROGATES = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\.",
    re.S,
)
_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


class JsonFault(Exception):
    """What is wrong with JSON, without the name of the file."""


class _Guarded:
    """Hands bytes on as UTF-8 without a mark, and stops at a string that is too long."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._start = stream.read(4)
        encoding = next((name for mark, name in _MARKS.items() if self._start.startswith(mark)), "")
        self._decode = codecs.getincrementaldecoder(encoding)().decode if encoding else None
        self._piece = 0
        self._in_string = False
        self._escaped = self._held = b""

    def read(self, size: int = -1, /) -> bytes:
        if size == 0:  # the parser asks for nothing to learn whether it gets bytes
            return b""
        chunk = self._start or self._stream.read(_CHUNK)
        self._start = b""
        if self._decode:
            text = ""
            while chunk and not (text := self._decode(chunk)):
                chunk = self._stream.read(_CHUNK)  # an empty answer would mean the end
            chunk = text.lstrip("\ufeff").encode()
        return self._mended(chunk)

    def _mended(self, chunk: bytes) -> bytes:
        """The bytes with a replacement for surrogates that have no partner: no text has those.

        An escape that the end of a chunk may have cut is kept for the next one.
        """
        data, self._held = self._held + chunk, b""
        while chunk:
            tail = data.find(b"\\", max(0, len(data) - _LONGEST_ESCAPE))
            if tail < 0:
                break
            tail = len(data[:tail].rstrip(b"\\"))
            if _HIGH.match(data, max(0, tail - 6), tail):
                tail = len(data[: tail - 6].rstrip(b"\\"))
            data, self._held = data[:tail], data[tail:]
            if data:
                break
            chunk = self._stream.read(_CHUNK)  # nothing left to hand on: an empty one is the end
            if self._decode:
                chunk = self._decode(chunk).encode()
            data, self._held = self._held + chunk, b""
        self._watch(data)
        if b"\\ud" not in data and b"\\uD" not in data:
            return data
        return _SURROGATES.sub(lambda m: b"\\ufffd" if m.group(1) else m.group(0), data)

    def _watch(self, chunk: bytes) -> None:
        # Of all escapes only these two decide where a string ends.
        plain = (self._escaped + chunk).replace(b"\\\\", b"  ").replace(b'\\"', b"  ")
        self._escaped = b"\\" if plain.endswith(b"\\") else b""
        self._in_string ^= plain.count(b'"') % 2 == 1
        # A string ends at a quote, a number at any sign between values.
        ends = b'"' if self._in_string else b'",:[]{} \n'
        end = max(plain.rfind(sign) for sign in (ends[at : at + 1] for at in range(len(ends))))
        self._piece = len(plain) - end if end >= 0 else self._piece + len(plain)
        if self._piece > MAX_STRING:
            kind = "string" if self._in_string else "number"
            raise JsonFault(f"a {kind} of more than {MAX_STRING:,} bytes is in the JSON")


@contextmanager
def reading_json(path: Path) -> Iterator[None]:
    """Turn what can go wrong while JSON is read into one line that names the file."""
    try:
        yield
    except JsonFault as error:
        raise ReportError(f"{path}: {error}") from None
    except ijson.JSONError as error:
        raise ReportError(f"{path}: not valid JSON, or cut off: {_first_line(error)}") from None
    except UnicodeError:
        raise ReportError(f"{path}: not valid JSON: the text is not UTF-8") from None
    except OSError as error:
        raise ReportError(f"cannot read {path}: {error.strerror}") from None


def json_events(stream: IO[bytes]) -> Events:
    """The events of a JSON text; nesting is limited."""
    depth = 0
    # use_float: exact numbers of thousands of digits upset the parser's C code.
    for event, value in ijson.basic_parse(_Guarded(stream), buf_size=_CHUNK, use_float=True):
        if event in ("start_map", "start_array"):
            depth += 1
            if depth > MAX_DEPTH:
                raise JsonFault(f"JSON nested deeper than {MAX_DEPTH}: this is no report")
        elif event in ("end_map", "end_array"):
            depth -= 1
        yield event, value


def members(events: Events) -> Iterator[tuple[str, Event]]:
    """Keys of an object whose start was read, with the first event of each value.

    The caller must read the rest of the value (`value_of`, `skip`, ...) before going on.
    """
    for event, value in events:
        if event == "end_map":
            return
        yield value, next(events)


def elements(events: Events) -> Iterator[Event]:
    """First events of the elements of an array whose start was read; rules as for `members`."""
    for event, value in events:
        if event == "end_array":
            return
        yield event, value


def skip(first: Event, events: Events) -> int:
    """Read a value to its end and forget it; the number of direct elements if it is an array."""
    depth = _opens(first[0])
    count = 0
    while depth:
        event, _ = next(events)
        if depth == 1 and first[0] == "start_array" and not event.startswith("end_"):
            count += 1
        depth += _opens(event)
    return count


def value_of(first: Event, events: Events) -> Any:
    """A whole value; nesting is limited by `json_events`."""
    event, value = first
    if event == "start_map":
        return {key: value_of(inner, events) for key, inner in members(events)}
    if event == "start_array":
        return [value_of(inner, events) for inner in elements(events)]
    return value


def as_text(value: object) -> str:
    """A scalar as text; empty for anything else."""
    if isinstance(value, bool) or value is None:
        return ""
    return str(value) if isinstance(value, str | int | float) else ""


def as_integer(value: object) -> int | None:
    """A whole number of ordinary size, however it was written."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if abs(value) < 2**31 and value == int(value) else None


def _opens(event: str) -> int:
    if event in ("start_map", "start_array"):
        return 1
    return -1 if event in ("end_map", "end_array") else 0


def _first_line(error: Exception) -> str:
    # The parser hands over bytes where its excerpt of the text is not UTF-8.
    given = error.args[0] if error.args else ""
    text = given.decode(errors="replace") if isinstance(given, bytes) else str(given)
    return text.strip().split("\n")[0][:200] or type(error).__name__
