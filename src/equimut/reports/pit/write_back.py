"""PIT: a marked mutant gets another status; every other byte of the report stays as it was."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import IO
from xml.parsers.expat import ExpatError, ParserCreate
from xml.sax.saxutils import quoteattr

from equimut.reports.reported import ReportError, reading
from equimut.storage.files import replacing

STATUS = "EQUIVALENT"
"""PIT has no word for an ignored mutant: this one is ours, and is read back as `ignored`."""

_CHUNK = 1024 * 1024
_MAX_TAG = 64 * 1024
_TAG = re.compile(rb"""<mutation(?:[^>"']|"[^"]*"|'[^']*')*>""")
_ATTRIBUTE = rb"""\s%s\s*=\s*(?:"[^"]*"|'[^']*')"""


def write_pit(path: Path, marks: Mapping[int, str], out: Path, status: str = STATUS) -> None:
    """Copy the report to `out` with that status, and the reason, on those mutants."""
    if not re.fullmatch(r"[A-Z_]{1,40}", status):
        raise ReportError(f"{status!r} is no status of PIT: capital letters and _ only")
    with reading(path), path.open("rb") as file:
        places = _places(file, path, marks)
        with replacing(out) as copy:
            _copy(file, copy, places, status, path)


def _places(file: IO[bytes], path: Path, marks: Mapping[int, str]) -> dict[int, str]:
    """Where the tags of the marked mutants start, in bytes, with the reason of each."""
    found: dict[int, str] = {}
    parser = ParserCreate()
    depth, number = 0, 0

    def start(name: str, _: dict[str, str]) -> None:
        nonlocal depth, number
        if name == "mutation" and depth <= 1:
            if number in marks:
                found[parser.CurrentByteIndex] = marks[number]
            number += 1
        depth += 1

    def end(_: str) -> None:
        nonlocal depth
        depth -= 1

    def refuse(*_: object) -> None:
        raise ReportError(f"{path}: refused: it defines XML entities; PIT never does")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.ParseFile(file)
    except (ExpatError, ValueError, LookupError) as error:
        raise ReportError(f"{path}: broken XML: {error}; let PIT write it again") from None
    if beyond := [index for index in marks if not 0 <= index < number]:
        raise ReportError(f"{path}: no mutant at position {beyond[0]} of {number}")
    return found


def _copy(
    file: IO[bytes], copy: IO[bytes], places: Mapping[int, str], status: str, path: Path
) -> None:
    file.seek(0)
    for place, reason in places.items():
        while (missing := place - file.tell()) > 0:
            copy.write(file.read(min(missing, _CHUNK)))
        tag = _TAG.match(file.read(_MAX_TAG))
        if tag is None:  # UTF-16, or an attribute of absurd length
            raise ReportError(f"{path}: cannot be marked as it is; save it as UTF-8")
        copy.write(_marked(tag[0], status, reason))
        file.seek(place + len(tag[0]))
    while chunk := file.read(_CHUNK):
        copy.write(chunk)


def _marked(tag: bytes, status: str, reason: str) -> bytes:
    for name in (b"status", b"statusReason"):
        tag = re.sub(_ATTRIBUTE % name, b"", tag)
    ending = b"/>" if tag.endswith(b"/>") else b">"
    printable = "".join(char if char.isprintable() else " " for char in reason)
    # Character references keep the text right in whatever encoding the report has.
    text = quoteattr(printable).encode("ascii", "xmlcharrefreplace")
    added = b' status="%s" statusReason=%s' % (status.encode(), text)
    return tag[: -len(ending)].rstrip() + added + ending
