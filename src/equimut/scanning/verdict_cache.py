"""What was found out about a pair of texts, kept between scans in the user's cache directory.

An answer is found by all it depends on: the two texts, the language, and whoever answered (a
model's digest, the settings of the oracle) in which version of the code. So nothing in here is
ever wrong, only unused. A cache that is damaged, locked or read-only is done without.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from pydantic import ValidationError

from equimut.records import Record
from equimut.storage.files import digest_of

NAME = "verdicts.sqlite"
MOST_ANSWERS = 1_000_000
"""About 300 MB; beyond it the oldest half goes."""
_WRITE_AT_ONCE = 500
_TABLE = """
    CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, answer TEXT NOT NULL)
"""
Answer = TypeVar("Answer", bound=Record)


class VerdictCache:
    """Answers on disk; without a directory, a cache that never knows anything."""

    def __init__(self, directory: Path | None) -> None:
        self.trouble = ""
        """Why the cache is not used, if it should have been."""
        self.hits = 0
        self._waiting: dict[bytes, str] = {}
        self._connection = None if directory is None else self._open(directory / NAME)

    def __enter__(self) -> "VerdictCache":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def get(self, key: bytes, kind: type[Answer]) -> Answer | None:
        """The answer kept under a key, or None."""
        if self._connection is None:
            return None
        text = self._waiting.get(key)
        if text is None:
            try:
                found = self._connection.execute(
                    "SELECT answer FROM answers WHERE key = ?", (key,)
                ).fetchone()
            except sqlite3.Error as error:
                self._give_up(error)
                return None
            if found is None:
                return None
            text = found[0]
        try:
            answer = kind.model_validate_json(text)
        except ValidationError:  # damaged: it is made again
            return None
        self.hits += 1
        return answer

    def put(self, key: bytes, answer: Record) -> None:
        """Keep an answer."""
        if self._connection is None:
            return
        try:
            self._waiting[key] = answer.model_dump_json(exclude_defaults=True)
        except ValueError:  # not encodable (a lone surrogate): done without
            return
        if len(self._waiting) >= _WRITE_AT_ONCE:
            self._flush()

    def close(self) -> None:
        """Write what waits; drop the oldest answers of a cache that has grown too large."""
        self._flush()
        if self._connection is None:
            return
        with suppress(sqlite3.Error), self._connection as connection:
            (last,) = connection.execute("SELECT max(rowid) FROM answers").fetchone()
            (first,) = connection.execute("SELECT min(rowid) FROM answers").fetchone()
            if last is not None and last - first > MOST_ANSWERS:
                middle = last - MOST_ANSWERS // 2
                connection.execute("DELETE FROM answers WHERE rowid < ?", (middle,))
        self._connection.close()
        self._connection = None

    def _flush(self) -> None:
        if self._connection is None or not self._waiting:
            return
        try:
            with self._connection as connection:
                connection.executemany(
                    "INSERT OR REPLACE INTO answers VALUES (?, ?)", self._waiting.items()
                )
        except sqlite3.Error as error:
            self._give_up(error)
        self._waiting.clear()

    def _open(self, path: Path) -> sqlite3.Connection | None:
        for _ in range(2):
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                connection = sqlite3.connect(path, timeout=10)
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.execute(_TABLE)
                return connection
            except sqlite3.OperationalError as error:  # read-only, locked, a full disk
                self.trouble = str(error)
                return None
            except sqlite3.DatabaseError:  # damaged: it is only a cache, so it starts again
                with suppress(OSError):
                    path.unlink()
            except OSError as error:
                self.trouble = error.strerror or str(error)
                return None
        self.trouble = "it is damaged and cannot be replaced"
        return None

    def _give_up(self, error: sqlite3.Error) -> None:
        self.trouble = str(error)
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
        self._connection = None


def answer_key(kind: str, version: str, parts: Sequence[str]) -> bytes:
    """Names an answer by all it depends on."""
    return digest_of((kind, version, *parts))
