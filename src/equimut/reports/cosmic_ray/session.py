"""cosmic-ray: a session is an SQLite file, or its dump; every result holds a unified diff."""

import sqlite3
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from itertools import compress
from pathlib import Path
from urllib.parse import quote

from equimut.reports.cosmic_ray.dump import WorkRow, dump_rows
from equimut.reports.diffs import locate_diff
from equimut.reports.locating import Located, Row, RowsPart, at_most, numbered
from equimut.reports.reported import (
    MAX_REASON,
    Report,
    ReportedMutant,
    ReportError,
    Status,
    reading,
)
from equimut.reports.sources import SourceTree, language_name

MAGIC = b"SQLite format 3\0"
MAX_VALUE = 16 * 1024 * 1024
"""Bytes of one value in the database."""

_TABLES = ("mutation_specs", "work_items", "work_results")
_OUTCOME: dict[str, Status] = {
    "killed": "killed",
    "survived": "survived",
    "incompetent": "runtime_error",
}
_WORKER: dict[str, Status] = {
    "skipped": "ignored",
    "no_test": "no_coverage",
    "exception": "runtime_error",
    "abnormal": "runtime_error",
}
_QUERY = """
    SELECT item.job_id, spec.module_path, spec.operator_name, spec.occurrence,
           spec.start_pos_row, spec.end_pos_row, spec.definition_name,
           result.worker_outcome, result.test_outcome, substr(result.output, 1, 500), result.diff
    FROM work_items AS item
    -- A job is one mutant, however many specs and results it may have: the last ones, since every
    -- spec with every result of one job could be any number of rows.
    LEFT JOIN (SELECT job_id, max(rowid) AS place FROM mutation_specs GROUP BY job_id) AS one_spec
        ON one_spec.job_id = item.job_id
    LEFT JOIN mutation_specs AS spec ON spec.rowid = one_spec.place
    LEFT JOIN (SELECT job_id, max(rowid) AS place FROM work_results GROUP BY job_id) AS one_result
        ON one_result.job_id = item.job_id
    LEFT JOIN work_results AS result ON result.rowid = one_result.place
    ORDER BY item.rowid
"""


def read_cosmic_ray(path: Path, source: Path | None) -> Report:
    """Read a session; `source` is the directory in which cosmic-ray was run."""
    tree = SourceTree(source or path.parent)
    with closing(_rows(path)) as rows:
        statuses = (_status(row) for row in rows)
        return Report.counted(
            "cosmic-ray", path, statuses, lambda most: _parts(path, tree, most), root=tree.root
        )


@contextmanager
def session(path: Path) -> Iterator[sqlite3.Connection]:
    """A session opened for reading only; a database that is none is refused in one line."""
    try:
        with path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise ReportError(f"{path}: not an SQLite file, so no cosmic-ray session")
        address = f"file:{quote(str(path.absolute()))}?mode=ro"
        with closing(sqlite3.connect(address, uri=True)) as connection:
            harden(connection)
            refuse_foreign_schema(connection, path)
            yield connection
    except OSError as error:
        raise ReportError(f"cannot read {path}: {error.strerror}") from None
    except (sqlite3.Error, UnicodeError) as error:  # SQLite's own message may be no UTF-8
        reason = str(error).split("\n")[0][:200]
        raise ReportError(f"{path}: not a readable cosmic-ray session: {reason}") from None


def harden(connection: sqlite3.Connection) -> None:
    """Let an untrusted database hold data only: no code in its schema, no giant values."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.text_factory = lambda raw: raw.decode(errors="replace")


def refuse_foreign_schema(connection: sqlite3.Connection, path: Path) -> None:
    """The three tables must be plain tables: a view could run for ever, a trigger could write.

    So could a virtual table or a generated column, whose code is somebody else's.
    """
    kinds = dict(connection.execute("SELECT name, type FROM sqlite_master").fetchall())
    virtual = "SELECT 1 FROM sqlite_master WHERE sql LIKE 'create virtual%' LIMIT 1"
    if connection.execute(virtual).fetchone():
        raise ReportError(f"{path}: not a cosmic-ray session: it holds a virtual table")
    if missing := [name for name in _TABLES if kinds.get(name) != "table"]:
        raise ReportError(f"{path}: not a cosmic-ray session: no table {missing[0]}")
    if odd := {"view", "trigger"} & set(kinds.values()):
        raise ReportError(f"{path}: not a cosmic-ray session: it holds a {min(odd)}")
    for name in _TABLES:
        columns = connection.execute(f"PRAGMA table_xinfo({name})").fetchall()
        if any(column[-1] for column in columns):  # hidden or generated
            raise ReportError(f"{path}: not a cosmic-ray session: {name} has a generated column")


def _rows(path: Path) -> Generator[WorkRow]:
    if _is_dump(path):
        yield from dump_rows(path)
        return
    with session(path) as connection:
        for row in connection.execute(_QUERY):
            job, file, operator, occurrence, line, end_line, definition, *result = row
            yield WorkRow(
                _text(job),
                _text(file),
                _text(operator),
                _positive(occurrence) or 0,
                _positive(line),
                _positive(end_line),
                _text(definition),
                *map(_text, result),
            )


def _is_dump(path: Path) -> bool:
    with reading(path), path.open("rb") as file:
        return file.read(64).lstrip().startswith(b"[{")


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return "" if value is None else str(value)


def _positive(value: object) -> int | None:
    return value if isinstance(value, int) and 0 < value < 2**31 else None


def _status(row: WorkRow) -> tuple[Status, str]:
    if not row.worker:
        return "pending", ""
    worker = row.worker.lower().removeprefix("workeroutcome.")
    if worker != "normal":
        return _WORKER.get(worker, "unknown"), row.worker
    return _OUTCOME.get(row.test.lower().removeprefix("testoutcome."), "unknown"), row.test


def _parts(path: Path, tree: SourceTree, most: int) -> Iterator[RowsPart[WorkRow]]:
    with closing(_rows(path)) as found:
        for rows in at_most(numbered(found, lambda row: row.job_id), most):
            statuses = tuple(_status(row.entry)[0] for row in rows)
            yield RowsPart(rows, statuses, partial(_mutants, tree))


def _mutants(
    tree: SourceTree, rows: Sequence[Row[WorkRow]], wanted: Sequence[bool]
) -> Iterator[ReportedMutant]:
    for numbered_row in compress(rows, wanted):
        row = numbered_row.entry
        status, word = _status(row)
        located = _located(row, tree)
        yield ReportedMutant(
            index=numbered_row.index,
            id=numbered_row.id,
            tool="cosmic-ray",
            file=row.file,
            language=language_name(row.file),
            status=status,
            tool_status=word,
            status_reason=row.output[:MAX_REASON],
            operator=row.operator,
            line=row.line,
            end_line=row.end_line,
            description=f"occurrence {row.occurrence} in {row.definition or 'the module'}",
            change=located.change,
            problem=located.problem,
        )


def _located(row: WorkRow, tree: SourceTree) -> Located:
    # Results start with a line of their own: '--- mutation diff ---'.
    diff = row.diff.removeprefix("--- mutation diff ---").lstrip("\n")
    if not diff.strip():
        return Located(None, "not locatable: the session has no diff, the mutant was not run")
    try:
        return locate_diff(tree.find(row.file), diff)
    except ReportError as error:
        return Located(None, str(error))
