"""Reports written the plain way, to compare with what the readers make of them."""

import json
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from equimut.records import Mutant

PYTHON = '''\
"""A till: prices in cents, names of goods may have umlauts."""

RATE = 19


def tax(cents, rate=RATE):
    """Whole cents, rounded down."""
    return cents * rate // 100


class Till:
    """Adds up what is sold: Käse, Brot, 🧀."""

    def __init__(self, name="Käse"):
        self.name = name
        self.total = 0

    def add(self, cents, count=1):
        if cents <= 0 or count < 1:
            raise ValueError("nothing to sell: ä 🧀" + self.name)
        for _ in range(count):
            self.total += cents
        return self


def outer(limit):
    def inner(value):
        return value < limit

    return [inner(value) for value in range(3)]
'''


def column(source: str, byte: int, unit: str) -> tuple[int, int]:
    """Line and column (1-based) of a byte, counted one character at a time."""
    line, at = 1, 1
    for character in source.encode()[:byte].decode():
        if character == "\n":
            line, at = line + 1, 1
        elif unit == "utf-16":
            at += 2 if ord(character) > 0xFFFF else 1
        else:
            at += len(character.encode()) if unit == "bytes" else 1
    return line, at


def elements_mutant(source: str, mutant: Mutant, unit: str, **more: Any) -> dict[str, Any]:
    """A mutant of ours as an entry of the schema."""
    borders = {
        name: dict(zip(("line", "column"), column(source, byte, unit), strict=True))
        for name, byte in (("start", mutant.start_byte), ("end", mutant.end_byte))
    }
    return {
        "id": mutant.id,
        "mutatorName": mutant.operator,
        "replacement": mutant.replacement,
        "location": borders,
        "status": "Survived",
        **more,
    }


def elements_report(
    file: str, source: str | None, language: str, mutants: Sequence[Any], **more: Any
) -> dict[str, Any]:
    """A report of one file; mutants come before the source, as many tools write it."""
    entry: dict[str, Any] = {"language": language, "mutants": list(mutants)}
    if source is not None:
        entry["source"] = source
    return {
        "schemaVersion": "2.0",
        "thresholds": {"high": 80, "low": 60},
        "framework": {"name": "Handmade", "version": "1.2"},
        "files": {file: entry},
        **more,
    }


def write_json(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


SESSION_TABLES = """
    CREATE TABLE work_items (job_id VARCHAR NOT NULL, PRIMARY KEY (job_id));
    CREATE TABLE mutation_specs (
        module_path VARCHAR, operator_name VARCHAR, operator_args JSON, occurrence INTEGER,
        start_pos_row INTEGER, start_pos_col INTEGER, end_pos_row INTEGER, end_pos_col INTEGER,
        definition_name VARCHAR, job_id VARCHAR NOT NULL, PRIMARY KEY (job_id));
    CREATE TABLE work_results (
        worker_outcome VARCHAR(9), output TEXT, test_outcome VARCHAR(11), diff TEXT,
        job_id VARCHAR NOT NULL, PRIMARY KEY (job_id));
"""


def cosmic_ray_session(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    """A session with these mutants: job, file, line, worker, test, diff."""
    with sqlite3.connect(path) as connection:
        connection.executescript(SESSION_TABLES)
        for row in rows:
            connection.execute("INSERT INTO work_items VALUES (?)", (row["job"],))
            connection.execute(
                "INSERT INTO mutation_specs VALUES (?, 'core/X', '{}', 0, ?, 0, ?, 1, 'f', ?)",
                (row["file"], row.get("line", 1), row.get("line", 1), row["job"]),
            )
            if "worker" in row:
                connection.execute(
                    "INSERT INTO work_results VALUES (?, 'output', ?, ?, ?)",
                    (row["worker"], row.get("test"), row.get("diff"), row["job"]),
                )
    connection.close()
    return path


_opened: list[str] | None = None
_hooked = False


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    if _opened is None or event not in ("open", "sqlite3.connect"):
        return
    if isinstance(arguments[0], str | bytes | Path):
        _opened.append(str(arguments[0]))


@contextmanager
def files_opened() -> Iterator[list[str]]:
    """The paths of all files and databases that Python opens meanwhile, whoever asks for them."""
    global _opened, _hooked
    if not _hooked:
        sys.addaudithook(_note)  # there is no way to take it away again
        _hooked = True
    _opened = []
    try:
        yield _opened
    finally:
        _opened = None


def splice(source: str, start: int, end: int, replacement: str) -> str:
    """The mutant's whole file, built the plain way."""
    data = source.encode()
    return (data[:start] + replacement.encode() + data[end:]).decode()
