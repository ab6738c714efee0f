"""Records on disk, one JSON line each: what would not fit into memory for a large report."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Generic, TypeVar

from equimut.errors import EquimutError
from equimut.records import Record
from equimut.storage.jsonl import read_records

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
                file.writelines(map(_line, records))
        except OSError as error:
            raise EquimutError(
                f"cannot write {self._path}: {error.strerror}; "
                "set TMPDIR to a directory with more room"
            ) from error
        return self

    def __iter__(self) -> Iterator[Line]:
        return read_records(self._path, self._kind)


def _line(record: Record) -> bytes:
    try:
        return record.model_dump_json(exclude_defaults=True).encode() + b"\n"
    except ValueError:  # a lone surrogate: a report may hold it, UTF-8 may not
        fields = record.model_dump(exclude_defaults=True)
        return json.dumps(fields, ensure_ascii=False).encode(errors="replace") + b"\n"
