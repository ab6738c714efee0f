"""JSON lines of records, plain or gzipped: one writer, one reader.

The same records give the same bytes on every run: fields in the order of the schema, a gzip header
without time or name. A file is written whole or not at all, and read line by line.
"""

import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeVar

from equimut.errors import DataError
from equimut.records import Record
from equimut.storage.files import replacing
from equimut.storage.validated import validated

LONGEST_LINE = 50_000_000
"""Bytes of a line; a longer one is no record, and reading it whole would fill the memory."""
Kind = TypeVar("Kind", bound=Record)


def to_line(row: Record | Mapping[str, Any], *, spaced: bool = False) -> bytes:
    """One record as one line of JSON; `spaced` puts a space after commas and colons."""
    fields = row.model_dump(mode="json") if isinstance(row, Record) else row
    separators = (", ", ": ") if spaced else (",", ":")
    text = json.dumps(fields, ensure_ascii=False, separators=separators)
    # Lone surrogates are legal in JSON and cannot be encoded: keep them escaped.
    return text.encode(errors="backslashreplace") + b"\n"


@contextmanager
def writing(path: Path, level: int = 9) -> Iterator[IO[bytes]]:
    """A file for lines that takes the place of `path` at the end; `.gz` is compressed."""
    with replacing(path) as file:
        if path.suffix != ".gz":
            yield file
            return
        # Neither a name nor a time in the header: the same lines are the same bytes.
        with gzip.GzipFile(filename="", mode="wb", compresslevel=level, fileobj=file, mtime=0) as z:
            yield z  # type: ignore[misc]  # an IO[bytes] in all but name


def write_lines(path: Path, lines: Iterable[bytes], level: int = 9) -> None:
    """Write lines as `to_line` makes them, all or none."""
    with writing(path, level) as file:
        file.writelines(lines)


def read_lines(file: IO[bytes], where: object) -> Iterator[tuple[int, bytes]]:
    """The lines of an open file without their ends, numbered from 1."""
    number = 0
    try:
        while line := file.readline(LONGEST_LINE):
            number += 1
            if len(line) == LONGEST_LINE:
                raise DataError(
                    f"{where}, line {number} is longer than {LONGEST_LINE:,} bytes: no row is"
                )
            yield number, line.rstrip(b"\r\n")
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"{where} is not a whole gzip file ({error}); make it again") from error
    except OSError as error:
        raise DataError(f"cannot read {where}: {error.strerror}") from error


def open_lines(path: Path) -> IO[bytes]:
    """A file of lines for reading, unpacked on the way where its name ends in `.gz`."""
    try:
        return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")  # type: ignore[return-value]
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}") from error


def read_records(
    path: Path,
    kind: type[Kind],
    *,
    unique_ids: bool = False,
    parse: Callable[[bytes, str], Kind] | None = None,
) -> Iterator[Kind]:
    """The records of a file, one by one; an error names the file and the line.

    `parse(line, where)` reads a line in another way than the record itself would.
    """
    seen: dict[str, int] = {}
    with open_lines(path) as file:
        for number, line in read_lines(file, path):
            where = f"{path}, line {number}"
            record = parse(line, where) if parse else validated(kind, line, where, strict=True)
            if unique_ids:
                name: str = record.id  # type: ignore[attr-defined]
                if name in seen:
                    raise DataError(
                        f"{where}: id {name!r} is already that of line {seen[name]}; "
                        "ids must be unique"
                    )
                seen[name] = number
            yield record
