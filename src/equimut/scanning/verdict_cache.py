"""What was found out about a pair of texts, kept between scans in the user's cache directory.

An answer is found by all it depends on: the two texts, the language, and whoever answered (a
model's digest, the settings of the oracle) in which version of the code. It is kept with a digest
of its own, so one that was damaged on disk is made again. A cache that is damaged as a whole,
locked, read-only or on a full disk is done without.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import ClassVar, TypeVar
from weakref import WeakSet

from pydantic import ValidationError

from equimut.records import Record
from equimut.storage.files import digest_of

NAME = "verdicts.sqlite"
MOST_ANSWERS = 1_000_000
"""About 300 MB; beyond it the oldest half goes."""
_WRITE_AT_ONCE = 500
_DAMAGE = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite answers with; its message may quote what is damaged."""
_PARTS = ("-wal", "-shm")
"""Files that SQLite keeps beside its own."""
_TABLE = """
    CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, answer TEXT NOT NULL)
"""
_SEAL = 16
"""Bytes of the digest that an answer begins with."""
Answer = TypeVar("Answer", bound=Record)


class VerdictCache:
    """Answers on disk; without a directory, a cache that never knows anything."""

    _open_here: ClassVar["WeakSet[VerdictCache]"] = WeakSet()

    @classmethod
    def is_open(cls) -> bool:
        """Whether this process has some cache open: it must not be forked then, since SQLite would
        take the locks of one process for those of another."""
        return bool(cls._open_here)

    def __init__(self, directory: Path | None, *, shared: bool = False) -> None:
        """`shared`: another process has the cache open, and writes what this one finds out."""
        self.trouble = ""
        """Why the cache is not used, if it should have been."""
        self.hits = 0
        self._shared = shared
        self._waiting: dict[bytes, bytes] = {}
        self._path = None if directory is None else directory / NAME
        self._connection = None if self._path is None else self._open(self._path)
        if self._connection is not None:
            self._open_here.add(self)

    def __enter__(self) -> "VerdictCache":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def is_kept(self) -> bool:
        """Whether there is anything to look up; where not, nobody needs a key."""
        return self._connection is not None

    def get(self, key: bytes, kind: type[Answer]) -> Answer | None:
        """The answer kept under a key, or None."""
        if self._connection is None:
            return None
        kept = self._waiting.get(key)
        if kept is None:
            try:
                found = self._connection.execute(
                    "SELECT answer FROM answers WHERE key = ?", (key,)
                ).fetchone()
            except _DAMAGE as error:
                self._give_up(error)
                return None
            if found is None:
                return None
            kept = found[0]
        text = kept[_SEAL:] if isinstance(kept, bytes) else b""
        if kept != _sealed(key, text):  # damaged: it is made again
            return None
        try:
            answer = kind.model_validate_json(text)
        except ValidationError:  # of another shape, by an earlier version
            return None
        self.hits += 1
        return answer

    def put(self, key: bytes, answer: Record) -> None:
        """Keep an answer."""
        if self._connection is None:
            return
        try:
            text = answer.model_dump_json(exclude_defaults=True).encode()
        except ValueError:  # not encodable (a lone surrogate): done without
            return
        self._waiting[key] = _sealed(key, text)
        self._written()

    def handed_over(self) -> dict[bytes, bytes]:
        """What was put since the last time, for the process that writes."""
        waiting, self._waiting = self._waiting, {}
        return waiting

    def take(self, answers: dict[bytes, bytes]) -> None:
        """Keep what another process handed over."""
        if self._connection is not None:
            self._waiting |= answers
            self._written()

    def _written(self) -> None:
        if len(self._waiting) >= _WRITE_AT_ONCE and not self._shared:
            self._flush()

    def close(self) -> None:
        """Write what waits; drop the oldest answers of a cache that has grown too large."""
        self._flush()
        if self._connection is None:
            return
        with suppress(*_DAMAGE), self._connection as connection:
            (last,) = connection.execute("SELECT max(rowid) FROM answers").fetchone()
            (first,) = connection.execute("SELECT min(rowid) FROM answers").fetchone()
            if last is not None and last - first > MOST_ANSWERS:
                middle = last - MOST_ANSWERS // 2
                connection.execute("DELETE FROM answers WHERE rowid < ?", (middle,))
        self._connection.close()
        self._connection = None
        self._open_here.discard(self)

    def _flush(self) -> None:
        if self._connection is None or not self._waiting:
            return
        try:
            with self._connection as connection:
                connection.executemany(
                    "INSERT OR REPLACE INTO answers VALUES (?, ?)", self._waiting.items()
                )
        except _DAMAGE as error:
            self._give_up(error)
        self._waiting.clear()

    def _open(self, path: Path) -> sqlite3.Connection | None:
        for _ in range(2):
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                connection = sqlite3.connect(path, timeout=10)
                connection.text_factory = bytes  # earlier versions kept texts; damage is no error
                if self._shared:
                    return connection
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.execute(_TABLE)
                return connection
            except sqlite3.OperationalError as error:  # read-only, locked, a full disk
                self.trouble = f"{path}: {error}"
                return None
            except _DAMAGE as error:  # damaged: it is only a cache, so it starts again
                if self._shared:
                    self.trouble = f"{path}: {error}"
                    return None
                for part in (path, *(path.with_name(f"{path.name}{end}") for end in _PARTS)):
                    with suppress(OSError):
                        part.unlink()
            except OSError as error:
                self.trouble = f"{path}: {error.strerror or error}"
                return None
        self.trouble = f"{path}: it is damaged and cannot be replaced"
        return None

    def _give_up(self, error: Exception) -> None:
        self.trouble = f"{self._path}: {error}"
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
        self._connection = None
        self._open_here.discard(self)


def _sealed(key: bytes, text: bytes) -> bytes:
    return blake2b(key + text, digest_size=_SEAL).digest() + text


def answer_key(kind: str, version: str, parts: Sequence[str]) -> bytes:
    """Names an answer by all it depends on."""
    return digest_of((kind, version, *parts))
