"""A source file for an Elements report, which must show the code around its mutants."""

from equimut.reports.positions import Unit
from equimut.reports.reported import Change, ReportedMutant
from equimut.reports.sources import SourceFile
from equimut.scanning.outputs.places import Region, edit_span, fits, source_region, span_region


class ElementsSource:
    """The whole file where it is known; else the functions with mutants, each on its lines."""

    def __init__(self, language: str, file: SourceFile | None) -> None:
        self.language = language or "unknown"
        self.mutants: list[str] = []
        self._file = file
        self._lines: dict[int, str] = {}
        self._ids: set[str] = set()

    @property
    def source(self) -> str:
        """What a viewer shows."""
        if self._file is not None:
            return self._file.text
        last = max(self._lines, default=1)
        return "\n".join(self._lines.get(number, "") for number in range(1, last + 1)) + "\n"

    def unique_id(self, mutant: ReportedMutant) -> str:
        """The tool's id; with the position in the report where two names mean one file."""
        name = mutant.id if mutant.id not in self._ids else f"{mutant.id}~{mutant.index}"
        self._ids.add(name)
        return name

    def place(self, mutant: ReportedMutant, unit: Unit) -> tuple[Region, bool]:
        """Where the mutant is in `source`, and whether its replacement fits there."""
        change = mutant.change
        if change is not None and self._file is not None and fits(self._file, change):
            return source_region(self._file, change, unit), True
        if change is not None and self._file is None and self._add(change):
            start, end = edit_span(change)
            text = change.origin_function
            whole = text[start:end] == change.original
            return span_region(text[:start], text[start:end], change.start_line, unit), whole
        line = max(mutant.line or 1, 1)
        return Region(line, line, 1, 2), False

    def _add(self, change: Change) -> bool:
        """Put a function on its lines; another one may be there already, with other text."""
        given = dict(enumerate(change.origin_function.split("\n"), start=max(change.start_line, 1)))
        if any(self._lines.get(number, line) != line for number, line in given.items()):
            return False
        self._lines |= given
        return True
