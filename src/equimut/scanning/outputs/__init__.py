"""What a scan found, in the format somebody wants: for people, for programs, for other tools."""

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

from equimut.errors import EquimutError
from equimut.scanning.records import ScanResult
from equimut.storage.files import replacing, shown_json

FORMATS = ("text", "json", "elements", "sarif", "github", "junit", "html")
"""The formats; each but `text` is `pieces(result)` in `scanning.outputs.<name>_format`."""

_JSON = ("json", "elements", "sarif")


class OutputError(EquimutError):
    """An output that cannot be given as it was asked for."""


def write_output(
    result: ScanResult,
    format: str,
    out: Path | None = None,
    *,
    limit: int | None = None,
    mistakes: bool = False,
) -> None:
    """Write a scan to a file, whole or not at all, or to standard output.

    `limit` is how many mutants `text` shows at most, `mistakes` whether it lists killed mutants
    that the model calls equivalent; the other formats are always complete.
    """
    if format not in FORMATS:
        raise OutputError(f"unknown output format {format!r}; known: {', '.join(FORMATS)}")
    if format == "html" and out is None:
        raise OutputError("a page is a file: name it with --out, for example --out scan.html")
    if format == "text":
        from equimut.scanning.outputs.text_format import write_text

        write_text(result, out, limit, mistakes=mistakes)
        return
    module = import_module(f"equimut.scanning.outputs.{format}_format")
    made: Callable[[ScanResult], Iterator[str]] = module.pieces
    pieces = map(shown_json, made(result)) if format in _JSON else made(result)
    if out is None:
        sys.stdout.flush()
        for piece in pieces:
            sys.stdout.buffer.write(piece.encode(errors="replace"))
        sys.stdout.buffer.flush()
        return
    with replacing(out) as file:
        for piece in pieces:
            file.write(piece.encode(errors="replace"))
