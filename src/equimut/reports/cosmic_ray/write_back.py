"""cosmic-ray: a marked mutant is skipped, in a copy of the session, as the tool's filters do it."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from equimut.errors import DataError
from equimut.reports.cosmic_ray.session import harden, session
from equimut.reports.reported import ReportError

_SKIP = """
    INSERT INTO work_results (job_id, worker_outcome, output, test_outcome, diff)
    VALUES (?, 'SKIPPED', ?, NULL, NULL)
    ON CONFLICT (job_id) DO UPDATE
    SET worker_outcome = excluded.worker_outcome, output = excluded.output, test_outcome = NULL
"""


def write_cosmic_ray(path: Path, marks: Mapping[int, str], out: Path) -> None:
    """Copy the session to `out` with those work items skipped; the diffs stay readable."""
    if out.exists() and not out.is_file():
        raise DataError(f"cannot write {out}: it is there and is not a file; name another")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=out.parent, prefix=f".{out.name}.") as folder:
            copy = Path(folder) / "session.sqlite"
            with session(path) as original, closing(sqlite3.connect(copy)) as connection:
                original.backup(connection)
                harden(connection)
                with connection:
                    connection.executemany(_SKIP, _results(connection, marks))
            copy.replace(out)
    except OSError as error:
        raise DataError(
            f"cannot write {out}: {error.strerror}; choose an output in a writable directory"
        ) from None
    except sqlite3.Error as error:
        raise ReportError(f"cannot write {out}: {error}") from None


def _results(connection: sqlite3.Connection, marks: Mapping[int, str]) -> list[tuple[str, str]]:
    jobs = connection.execute("SELECT job_id FROM work_items ORDER BY rowid")
    return [(job, marks[index]) for index, (job,) in enumerate(jobs) if index in marks]
