"""`equivalents.toml`: the equivalents that people accepted, kept in the user's repository.

    [[equivalent]]
    key = "1f0c9a3b77de"
    file = "src/main/java/Search.java"
    function = "find"
    change = "lo <= hi -> lo < hi + 1"
    place = 14
    context = "5e0f6b1f2c9d8a77"
    reason = "hi + 1 cannot overflow: hi < arr.length"
    author = "Ada"
    tier = "predicted"
    date = 2026-03-01

An entry counts only while the code is the one it was accepted for: `context` is a digest of the
whole function. Comments and everything else in the file survive.
"""

from collections.abc import Container, Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any, Literal

import tomlkit
from tomlkit.exceptions import TOMLKitError

from equimut.errors import DataError
from equimut.mutation.identity import ChangeDescription, MutantKey, describe
from equimut.records import NonEmpty, Record, Tier
from equimut.reports.reported import ReportedMutant
from equimut.storage.files import read_text, write_bytes
from equimut.storage.jsonl import validated

NAME = "equivalents.toml"
_HEADER = """\
# Mutants that somebody looked at and found equivalent. `equimut registry check` fails when the code
# of an entry has changed, since then somebody must look again.
"""


class Entry(Record):
    """One accepted equivalent."""

    key: NonEmpty
    file: str
    function: str
    change: NonEmpty
    place: int
    context: NonEmpty
    reason: NonEmpty
    author: str = ""
    tier: Tier = "accepted"
    """What the tool's own verdict rested on when it was accepted."""
    date: date

    @property
    def mutant_key(self) -> MutantKey:
        """The key that its content gives."""
        return MutantKey.model_validate(
            self.model_dump(include={"file", "function", "change", "place", "context"})
        )


def key_of(
    mutant: ReportedMutant, description: ChangeDescription | None = None
) -> MutantKey | None:
    """The key of a located mutant (whose change may have been described already).

    None where the report does not say what changes.
    """
    change = mutant.change
    if change is None:
        return None
    texts = change.origin_function, change.mutant_function
    known = description or describe(*texts, mutant.language)
    return MutantKey(file=mutant.file, function=change.function, **known.model_dump())


class Registry:
    """The entries of a file, which need not be there yet."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._document = _read(path)
        self.entries = _entries(path, self._document)
        self._by_key = {entry.key: entry for entry in self.entries}

    def find(self, key: MutantKey | None) -> Entry | None:
        """The entry that accepts this very mutant in this very code."""
        return None if key is None else self._by_key.get(key.text)

    def accept(self, key: MutantKey, *, reason: str, author: str, tier: Tier, day: date) -> Entry:
        """Add an entry and write the file, whole or not at all."""
        if not reason.strip():
            raise DataError(f"{key.text}: an equivalent is accepted with a reason: --reason TEXT")
        if key.text in self._by_key:
            raise DataError(f"{key.text} is accepted already: {self._by_key[key.text].reason}")
        entry = Entry(
            key=key.text,
            **key.model_dump(),
            reason=reason.strip(),
            author=author,
            tier=tier,
            date=day,
        )
        table = tomlkit.table()
        for name, value in entry.model_dump().items():
            table.add(name, value)
        if "equivalent" not in self._document:
            self._document.add("equivalent", tomlkit.aot())
        self._document["equivalent"].append(table)
        write_bytes(self.path, tomlkit.dumps(self._document).encode())
        self.entries = (*self.entries, entry)
        self._by_key[entry.key] = entry
        return entry


State = Literal["valid", "stale", "gone", "killed"]


class EntryCheck(Record):
    """What became of an entry."""

    entry: Entry
    state: State
    """stale: the function is there, with other code. gone: no mutant of it was found. killed: a
    test noticed it, so it is not equivalent."""
    new_key: str = ""
    """For a stale entry: the key of the same change in the present code."""
    now: MutantKey | None = None
    """For a stale entry: that key with its parts."""


def check_entries(
    entries: Iterable[Entry], present: Iterable[MutantKey], killed: Container[str] = ()
) -> list[EntryCheck]:
    """Compare entries with the mutants of the present code; anything but `valid` fails closed.

    `killed` holds the keys of mutants that the tests noticed.
    """
    exact: set[str] = set()
    alike: dict[tuple[str, str, str], list[MutantKey]] = {}
    for key in present:
        exact.add(key.text)
        alike.setdefault((key.file, key.function, key.change), []).append(key)
    found = []
    for entry in entries:
        if entry.key in exact:
            state: State = "killed" if entry.key in killed else "valid"
            found.append(EntryCheck(entry=entry, state=state))
            continue
        similar = alike.get((entry.file, entry.function, entry.change), [])
        nearest = min(similar, key=lambda key: abs(key.place - entry.place), default=None)
        state = "gone" if nearest is None else "stale"
        new_key = "" if nearest is None else nearest.text
        found.append(EntryCheck(entry=entry, state=state, new_key=new_key, now=nearest))
    return found


def _read(path: Path) -> tomlkit.TOMLDocument:
    if not path.exists():
        return tomlkit.parse(_HEADER)
    try:
        return tomlkit.parse(read_text(path))
    except TOMLKitError as error:
        raise DataError(f"{path}: not TOML: {error}") from error


def _entries(path: Path, document: Mapping[str, Any]) -> tuple[Entry, ...]:
    rows = document.get("equivalent", [])
    if not isinstance(rows, list):
        raise DataError(f"{path}: `equivalent` must be a list of tables: [[equivalent]]")
    entries: list[Entry] = []
    for number, row in enumerate(rows, start=1):
        plain = row.unwrap() if hasattr(row, "unwrap") else row
        entry = validated(Entry, plain, f"{path}, entry {number}")
        if entry.key != entry.mutant_key.text:
            raise DataError(
                f"{path}, entry {number}: its key {entry.key} does not fit its content "
                f"(that would be {entry.mutant_key.text}); was it edited by hand?"
            )
        entries.append(entry)
    keys = [entry.key for entry in entries]
    twice = next((key for key in keys if keys.count(key) > 1), None)
    if twice is not None:
        raise DataError(f"{path}: the key {twice} is there twice; delete one")
    return tuple(entries)
