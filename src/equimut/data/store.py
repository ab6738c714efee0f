"""Pairs in JSON lines, plain or gzipped: one schema, checked on the way in and on the way out.

The same pairs give the same bytes on every run: fields in the order of the schema, no spaces that
carry no meaning, a gzip header without time or name.
"""

import gzip
import json
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from pydantic import ValidationError

from equimut.data.labelled import LabelledPair, complete_pair, row_problem
from equimut.errors import DataError
from equimut.records import Pair
from equimut.storage.files import replacing


def to_line(pair: Pair) -> bytes:
    """One pair as one line of JSON."""
    fields = pair.model_dump(mode="json")
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    return text.encode() + b"\n"


def write_pairs(path: Path, pairs: Iterable[Pair]) -> int:
    """Write all pairs or nothing; says how many. A name ending in `.gz` is compressed."""
    seen: dict[str, int] = {}
    with replacing(path) as file:
        if path.suffix == ".gz":
            with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
                packed.writelines(_checked_lines(path, pairs, seen))
        else:
            file.writelines(_checked_lines(path, pairs, seen))
    return len(seen)


def read_pairs(path: Path) -> tuple[Pair, ...]:
    """Every pair of a file; an error names the file and the line.

    Rows need origin, mutant, language and label; what else a pair has is filled in.
    """
    seen: dict[str, int] = {}
    made: Counter[str] = Counter()
    pairs = []
    for number, line in enumerate(_lines(path), start=1):
        pair = _parse(line, f"{path}, line {number}", made)
        if pair.id in seen:
            raise DataError(
                f"{path}, line {number}: id {pair.id!r} is already that of line {seen[pair.id]}; "
                "ids must be unique"
            )
        seen[pair.id] = number
        pairs.append(pair)
    if not pairs:
        raise DataError(f"{path} holds no pairs; make it with `equimut data prepare`")
    return tuple(pairs)


def _checked_lines(path: Path, pairs: Iterable[Pair], seen: dict[str, int]) -> Iterator[bytes]:
    for number, pair in enumerate(pairs, start=1):
        if pair.id in seen:
            raise DataError(f"{path} is not written: id {pair.id!r} occurs twice")
        seen[pair.id] = number
        line = to_line(pair)
        _parse(line, f"{path} is not written, line {number}")
        yield line


def _parse(line: bytes, where: str, made: Counter[str] | None = None) -> Pair:
    """A row as a pair; with `made` (ids made so far) one whose other fields are filled in."""
    try:
        return Pair.model_validate_json(line, strict=True)
    except ValidationError as error:
        if made is None:
            raise DataError(f"{where}: {row_problem(error)}") from error
    try:
        return complete_pair(LabelledPair.model_validate_json(line, strict=True), made)
    except ValidationError as error:
        raise DataError(f"{where}: {row_problem(error)}") from error


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with _open(path) as file:
            for line in file:
                yield line.rstrip(b"\r\n")
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DataError(
            f"{path} is not a whole gzip file ({error}); fetch or make it again"
        ) from error
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}") from error


def _open(path: Path) -> IO[bytes]:
    return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")  # type: ignore[return-value]
