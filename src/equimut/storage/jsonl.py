"""JSON lines of records, plain or gzipped: one writer, one reader, one way to say what is wrong."""

import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from equimut.errors import DataError, EquimutError
from equimut.records import Record
from equimut.storage.files import read_text, replacing

Kind = TypeVar("Kind", bound=BaseModel)


def first_fault(error: ValidationError) -> tuple[str, str]:
    """Where the first fault is (`loss.margin`; empty for the whole) and what it is."""
    first = error.errors(include_url=False)[0]
    return ".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, ")


def explained(error: ValidationError) -> str:
    """The first fault with its place, and how many more there are."""
    place, fault = first_fault(error)
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    return (f"`{place}`: " if place else "") + fault + more


def validated(
    kind: type[Kind],
    content: str | bytes | Mapping[str, Any],
    where: str,
    advice: str = "",
    *,
    field: str = "field",
    strict: bool | None = None,
) -> Kind:
    """A record from JSON text or from a mapping, or one line that begins with `where`.

    A name that the record does not have is answered with those it has, called as `field` has it.
    """
    try:
        if isinstance(content, str | bytes):
            return kind.model_validate_json(content, strict=strict)
        return kind.model_validate(content, strict=strict)
    except ValidationError as error:
        fault = explained(error)
        first = error.errors(include_url=False)[0]
        if first["type"] == "extra_forbidden" and (known := _fields(kind, first["loc"][:-1])):
            fault = f"no {field} `{first_fault(error)[0]}`; there are {', '.join(known)}"
        raise DataError(f"{where}: {fault}{advice and f'; {advice}'}") from error


def read_document(path: Path, kind: type[Kind], advice: str = "") -> Kind:
    """The record in a JSON file; an error names the file."""
    return validated(kind, read_text(path), str(path), advice)


def _fields(kind: Any, place: Sequence[int | str]) -> list[str]:
    """The fields of a record within a record; none where there is no plain record."""
    for part in place:
        fields = getattr(kind, "model_fields", {})
        kind = fields[part].annotation if part in fields else None
    return [info.alias or name for name, info in getattr(kind, "model_fields", {}).items()]


LONGEST_LINE = 50_000_000
"""Bytes of a line; a longer one is no record, and reading it whole would fill the memory."""


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


Line = TypeVar("Line", bound=Record)


class Spool(Generic[Line]):
    """A file that is written once and then read as often as needed."""

    def __init__(self, path: Path, kind: type[Line]) -> None:
        self._path = path
        self._kind = kind

    def write(self, records: Iterable[Line | bytes]) -> "Spool[Line]":
        """Write all records as they come; some may be lines already, made by `spool_line`."""
        with self._room():
            file = self._path.open("wb")
        try:
            for record in records:  # what goes wrong in there is not ours
                line = record if isinstance(record, bytes) else spool_line(record)
                with self._room():
                    file.write(line)
            with self._room():
                file.flush()
        finally:
            with suppress(OSError):
                file.close()
        return self

    @contextmanager
    def _room(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise EquimutError(
                f"cannot write {self._path}: {error.strerror}; "
                "set TMPDIR to a directory with more room"
            ) from error

    def __iter__(self) -> Iterator[Line]:
        return read_records(self._path, self._kind)


def spool_line(record: Record) -> bytes:
    """A record as a line of a `Spool`."""
    try:
        return record.model_dump_json(exclude_defaults=True).encode() + b"\n"
    except ValueError:  # a lone surrogate: a report may hold it, UTF-8 may not
        fields = record.model_dump(exclude_defaults=True)
        return json.dumps(fields, ensure_ascii=False).encode(errors="replace") + b"\n"
