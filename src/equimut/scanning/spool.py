"""Records on disk, one JSON line each: what would not fit into memory for a large report."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Generic, TypeVar

from equimut.errors import EquimutError
from equimut.records import Record

Line = TypeVar("Line", bound=Record)


class Spool(Generic[Line]):
    """A file that is written once and then read as often as needed."""

    def __init__(self, path: Path, kind: type[Line]) -> None:
        self._path = path
        self._kind = kind

    def write(self, records: Iterable[Line]) -> "Spool[Line]":
        """Write all records as they come."""
        try:
            with self._path.open("wb") as file:
                for record in records:
                    file.write(_line(record))
        except OSError as error:
            raise EquimutError(
                f"cannot write {self._path}: {error.strerror}; "
                "set TMPDIR to a directory with more room"
            ) from error
        return self

    def __iter__(self) -> Iterator[Line]:
        with self._path.open("rb") as file:
            for line in file:
                yield self._kind.model_validate_json(line)


def _line(record: Record) -> bytes:
    try:
        return record.model_dump_json(exclude_defaults=True).encode() + b"\n"
    except ValueError:  # a lone surrogate: a report may hold it, UTF-8 may not
        fields = record.model_dump(exclude_defaults=True)
        return json.dumps(fields, ensure_ascii=False).encode(errors="replace") + b"\n"
