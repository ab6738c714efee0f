"""Where a change is: paths that other tools can open, lines and columns in their units."""

from dataclasses import dataclass
from pathlib import Path

from equimut.parsing.text_diff import common_prefix, common_suffix
from equimut.reports.positions import Unit
from equimut.reports.reported import Change, ReportedMutant, ReportError
from equimut.reports.sources import SourceFile, SourceTree
from equimut.scanning.records import ScanResult


@dataclass(frozen=True)
class Region:
    """A span of lines and columns from 1, end exclusive; columns are None where not known."""

    start_line: int
    end_line: int
    start_column: int | None = None
    end_column: int | None = None


class Places:
    """Looks up the sources of a scan, if it knows where they are."""

    def __init__(self, result: ScanResult) -> None:
        root = result.source
        self._tree = SourceTree(root) if root is not None and root.is_dir() else None
        self._here = Path.cwd().resolve()

    def source(self, mutant: ReportedMutant) -> SourceFile | None:
        """The mutant's file; None where it cannot be found or is no longer the scanned one."""
        if self._tree is None:
            return None
        try:
            source = self._tree.find(mutant.file, mutant.language)
        except ReportError:
            return None
        change = mutant.change
        return None if change is not None and not fits(source, change) else source

    def path(self, mutant: ReportedMutant) -> str:
        """The file as seen from the working directory, else as the report calls it."""
        source = self.source(mutant)
        if source is None or self._tree is None:
            return mutant.file.replace("\\", "/")
        path = self._tree.root / source.path
        if path.is_relative_to(self._here):
            path = path.relative_to(self._here)
        return path.as_posix()

    def region(self, mutant: ReportedMutant, unit: Unit) -> Region | None:
        """What changes; None where the report does not even give a line."""
        change = mutant.change
        if change is None:
            line = mutant.line
            return (
                None if line is None or line < 1 else Region(line, max(line, mutant.end_line or 0))
            )
        source = self.source(mutant)
        if source is not None:
            return source_region(source, change, unit)
        start, end = edit_span(change)
        text = change.origin_function
        region = span_region(text[:start], text[start:end], change.start_line, unit)
        first = change.scope == "function" and region.start_line == change.start_line
        # A function's first line is cut where the function begins: its columns are not the file's.
        return Region(region.start_line, region.end_line) if first else region


def fits(source: SourceFile, change: Change) -> bool:
    """Whether the source still is the text that the change was found in."""
    data, function = source.data, change.origin_function.encode(errors="replace")
    if data[change.start_byte : change.end_byte] != change.original.encode(errors="replace"):
        return False
    around = max(change.start_byte - len(function), 0)
    return function in data[around : change.end_byte + len(function)]


def source_region(source: SourceFile, change: Change, unit: Unit) -> Region:
    """Where a change is in its file."""
    line = source.line(change.start_byte)
    before = source.data[source.line_starts[line - 1] : change.start_byte].decode(errors="replace")
    return span_region(before, change.original, line, unit)


def span_region(before: str, changed: str, first_line: int, unit: Unit) -> Region:
    """The region of a text that comes after another one."""
    start_line = first_line + before.count("\n")
    start = before[before.rfind("\n") + 1 :]
    lines = changed.count("\n")
    end = changed[changed.rfind("\n") + 1 :] if lines else start + changed
    return Region(
        start_line=start_line,
        end_line=start_line + lines,
        start_column=1 + width(start, unit),
        end_column=1 + width(end, unit),
    )


def width(text: str, unit: Unit) -> int:
    """How many columns a text takes."""
    if unit == "utf-16":
        return len(text.encode("utf-16-le", errors="surrogatepass")) // 2
    return len(text.encode(errors="replace")) if unit == "bytes" else len(text)


def edit_span(change: Change) -> tuple[int, int]:
    """Where `original` stands in `origin_function`, in characters.

    Only the offset in the file is known. The same text may fit in several places, all of which
    give the same mutant; where none does, the smallest difference is taken.
    """
    old, new = change.origin_function, change.mutant_function
    prefix, suffix = common_prefix(old, new), common_suffix(old, new)
    length = len(change.original)
    for start in range(prefix, max(len(old) - length - suffix, 0) - 1, -1):
        here = old[start : start + length], new[start : start + len(change.replacement)]
        if here == (change.original, change.replacement):
            return start, start + length
    return prefix, max(len(old) - suffix, prefix)
