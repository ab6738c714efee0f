"""The location of an Elements mutant: 1-based positions, end exclusive."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from equimut.reports.json_stream import as_integer
from equimut.reports.locating import Located, locate
from equimut.reports.positions import byte_at, unit_of
from equimut.reports.reported import ReportError
from equimut.reports.sources import SourceFile


@dataclass(frozen=True)
class ElementsLocation:
    """Four numbers that may be missing."""

    start_line: int | None
    start_column: int | None
    stop_line: int | None
    stop_column: int | None

    @property
    def line(self) -> int | None:
        """The first line, if it can be one."""
        return self.start_line if self.start_line is not None and self.start_line > 0 else None

    @property
    def end_line(self) -> int | None:
        """The last line, if it can be one."""
        return self.stop_line if self.stop_line is not None and self.stop_line > 0 else None

    def locate(self, replacement: object, lookup: Callable[[], SourceFile | str]) -> Located:
        """Build the mutant, or say why that cannot be done."""
        numbers = (self.start_line, self.start_column, self.stop_line, self.stop_column)
        if any(number is None for number in numbers):
            return Located(None, "not locatable: the report gives no start and end")
        if not isinstance(replacement, str):
            return Located(None, "not locatable: the report gives no replacement")
        source = lookup()
        if isinstance(source, str):
            return Located(None, source)
        unit = unit_of(source.language)
        try:
            start = byte_at(source, self.start_line or 0, self.start_column or 0, unit)
            end = byte_at(source, self.stop_line or 0, self.stop_column or 0, unit)
        except ReportError as error:
            return Located(None, str(error))
        if end < start:
            return Located(None, "not locatable: the end comes before the start")
        return locate(source, start, end, replacement, whole_tokens=True)


def elements_location(value: Any) -> ElementsLocation:
    """The `location` of a mutant, whatever is there."""

    def number(border: str, part: str) -> int | None:
        position = value.get(border) if isinstance(value, dict) else None
        return as_integer(position.get(part)) if isinstance(position, dict) else None

    return ElementsLocation(
        number("start", "line"),
        number("start", "column"),
        number("end", "line"),
        number("end", "column"),
    )
