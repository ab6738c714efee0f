"""Lines and columns of a report to byte offsets of a source."""

from typing import Literal

from equimut.languages import LANGUAGES
from equimut.reports.reported import ReportError
from equimut.reports.sources import SourceFile

Unit = Literal["characters", "utf-16", "bytes"]
"""What one column is: tools on JavaScript, .NET and Java count UTF-16 units, clang counts bytes."""

_UNITS: dict[str, Unit] = {
    "javascript": "utf-16",
    "typescript": "utf-16",
    "vue": "utf-16",
    "svelte": "utf-16",
    "csharp": "utf-16",
    "kotlin": "utf-16",
    "scala": "utf-16",
    "cpp": "bytes",
    "php": "bytes",
}


def unit_of(language: str) -> Unit:
    """What tools for that language count as one column."""
    known = LANGUAGES.get(language)
    return known.columns if known is not None else _UNITS.get(language, "characters")


def line_bytes(source: SourceFile, line: int) -> tuple[int, int]:
    """Where a line (1-based) starts and ends, without its line break."""
    starts = source.line_starts
    if not 1 <= line <= len(starts):
        raise ReportError(f"not locatable: there is no line {line} in {len(starts)} lines")
    start = starts[line - 1]
    end = starts[line] - 1 if line < len(starts) else len(source.data)
    return start, end


def byte_at(source: SourceFile, line: int, column: int, unit: Unit = "characters") -> int:
    """The byte offset of a position; line and column count from 1, one past the end is allowed."""
    start, end = line_bytes(source, line)
    content = source.data[start:end]
    if column < 1:
        raise ReportError(f"not locatable: column {column} of line {line}; columns start at 1")
    passed = column - 1
    try:
        if unit == "bytes" or content.isascii():
            length = len(content)
            content[:passed].decode()
            at = passed
        elif unit == "utf-16":
            units = content.decode().encode("utf-16-le")
            length = len(units) // 2
            at = len(units[: 2 * passed].decode("utf-16-le").encode())
        else:
            text = content.decode()
            length = len(text)
            at = len(text[:passed].encode())
    except UnicodeDecodeError:
        raise ReportError(
            f"not locatable: column {column} of line {line} is inside a character"
        ) from None
    if passed > length:
        raise ReportError(f"not locatable: line {line} has {length} columns, not {column - 1}")
    return start + at
