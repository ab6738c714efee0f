"""Parts of a report: entries that follow each other, read here and located in any process."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Generic, Protocol, TypeVar

from equimut.reports.reported import ReportedMutant, Status, UniqueIds

Entry = TypeVar("Entry")


@dataclass(frozen=True)
class Row(Generic[Entry]):
    """What a report says of one mutant, its position and its id."""

    index: int
    id: str
    entry: Entry


class Locate(Protocol[Entry]):
    """Locates those rows that are wanted; it sees all, since their neighbours may tell where."""

    def __call__(
        self, rows: Sequence[Row[Entry]], wanted: Sequence[bool]
    ) -> Iterator[ReportedMutant]: ...


@dataclass(frozen=True)
class RowsPart(Generic[Entry]):
    """Rows, and what locates them: a function of a module, which may have arguments bound."""

    rows: tuple[Row[Entry], ...]
    statuses: tuple[Status, ...]
    locate: Locate[Entry]

    def located(self, wanted: Sequence[bool]) -> Iterator[ReportedMutant]:
        """Those that are wanted, located in the source where possible."""
        return self.locate(self.rows, wanted)


def numbered(entries: Iterable[Entry], name: Callable[[Entry], str]) -> Iterator[Row[Entry]]:
    """The entries of a whole report, in order; an id that comes again is made unique."""
    ids = UniqueIds()
    for index, entry in enumerate(entries):
        yield Row(index, ids.add(name(entry)), entry)


def at_most(rows: Iterable[Row[Entry]], most: int) -> Iterator[tuple[Row[Entry], ...]]:
    """So many rows at a time."""
    left = iter(rows)
    return iter(lambda: tuple(islice(left, most)), ())
