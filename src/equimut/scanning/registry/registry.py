"""`equivalents.toml`: what people decided about mutants, kept in the user's repository.

    [[equivalent]]
    key = "1f0c9a3b77de2d1b8f0f6a9be0de1fb07a10c9e54f0d3bd1"
    file = "src/main/java/Search.java"
    owner = "Search"
    function = "find"
    change = "lo <= hi -> lo < hi + 1"
    place = 14
    context = "5e0f6b1f2c9d8a77a81d6b2fd9b1c3d55ef1a0c2b7e84f16"
    reason = "hi + 1 cannot overflow: hi < arr.length"
    author = "Ada"
    tier = "predicted"
    date = 2026-03-01

    [[rejected]]
    key = ...

An entry counts only while the code is the one it was made for: `context` is a digest of the whole
function. Comments and everything else in the file survive. Entries of before, with a key of 12
characters, a context of 16 and no owner, go on counting.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any, Literal

import tomlkit
from pydantic import Field
from tomlkit.exceptions import TOMLKitError

from equimut.errors import DataError
from equimut.mutation.identity import ChangeDescription, MutantKey, describe
from equimut.records import NonEmpty, Record, Tier
from equimut.reports.reported import ReportedMutant
from equimut.storage.files import read_text, write_bytes
from equimut.storage.jsonl import validated
from equimut.storage.locks import alone_in

NAME = "equivalents.toml"
WAIT = 20
"""Seconds that a writer waits for another one."""
_HEADER = """\
# Mutants that somebody looked at: found equivalent, or rejected as such. `equimut registry check`
# fails when the code of an entry has changed, since then somebody must look again.
"""
DecisionWord = Literal["equivalent", "rejected"]
_KINDS: dict[DecisionWord, str] = {"equivalent": "accepted", "rejected": "rejected"}
"""The tables of the file, and what people call the decision."""


class Entry(Record):
    """What somebody decided about one mutant."""

    key: NonEmpty
    file: str
    owner: str = ""
    function: str
    change: NonEmpty
    place: int
    context: NonEmpty
    reason: NonEmpty
    author: str = ""
    tier: Tier = "accepted"
    """What the tool's own verdict rested on when it was decided."""
    date: date
    decision: DecisionWord = Field(default="equivalent", exclude=True)
    """In the file, the table that it stands in."""

    @property
    def mutant_key(self) -> MutantKey:
        """The key that its content gives."""
        parts = {"file", "owner", "function", "change", "place", "context"}
        return MutantKey.model_validate(self.model_dump(include=parts))

    @property
    def is_short(self) -> bool:
        """Whether it was written before keys said what their function stands in."""
        return len(self.key) == len(self.mutant_key.text)

    @property
    def shown_key(self) -> str:
        """The key as people see it."""
        return self.mutant_key.text

    def fits(self, key: MutantKey) -> bool:
        """Whether it is about this very mutant in this very code: everything is compared."""
        if self.is_short:
            return key.context.startswith(self.context) and _coarse(key) == _coarse(self)
        return (key.owner, key.context, *_coarse(key)) == (
            self.owner,
            self.context,
            *_coarse(self),
        )


def _coarse(key: MutantKey | Entry) -> tuple[str, str, str, int]:
    return key.file, key.function, key.change, key.place


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
    return MutantKey(
        file=mutant.file, owner=change.owner, function=change.function, **known.model_dump()
    )


class Registry:
    """The entries of a file, which need not be there yet."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read()

    def _read(self) -> None:
        self._document = _read(self.path)
        self.decisions = _entries(self.path, self._document)
        self._by_place: dict[tuple[str, str, str, int], list[Entry]] = {}
        for entry in self.decisions:
            self._by_place.setdefault(_coarse(entry), []).append(entry)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The accepted equivalents."""
        return tuple(entry for entry in self.decisions if entry.decision == "equivalent")

    def find(self, key: MutantKey | None) -> Entry | None:
        """The decision about this very mutant in this very code."""
        if key is None:
            return None
        fitting = [entry for entry in self._by_place.get(_coarse(key), ()) if entry.fits(key)]
        return min(fitting, key=lambda entry: entry.is_short, default=None)

    def accept(self, key: MutantKey, *, reason: str, author: str, tier: Tier, day: date) -> Entry:
        """Add an accepted equivalent and write the file, whole or not at all."""
        return self.decide("equivalent", key, reason=reason, author=author, tier=tier, day=day)

    def decide(
        self,
        decision: DecisionWord,
        key: MutantKey,
        *,
        reason: str,
        author: str,
        tier: Tier,
        day: date,
    ) -> Entry:
        """Add a decision and write the file; the opposite decision on the same mutant goes."""
        word = _KINDS[decision]
        if not reason.strip():
            raise DataError(f"{key.text}: a mutant is {word} with a reason: --reason TEXT")
        entry = Entry(
            key=key.full,
            **key.model_dump(exclude={"statement"}),
            reason=_text(reason.strip(), "--reason"),
            author=_text(author, "--author"),
            tier=tier,
            date=day,
            decision=decision,
        )
        with self._changed():
            before = self.find(key)
            if before is not None and before.decision == decision:
                raise DataError(f"{key.text} is {word} already: {before.reason}")
            if before is not None:
                self._remove(before)
            if decision not in self._document:
                self._document.add(decision, tomlkit.aot())
            self._document[decision].append(_table(entry))
        return entry

    def renew(self, renewed: Mapping[str, MutantKey]) -> None:
        """Entries (by their keys) get the keys of the same changes in the present code."""
        with self._changed():
            for row in (row for name in _KINDS for row in self._document.get(name, ())):
                if (key := renewed.get(row["key"])) is not None:
                    row["key"] = key.full
                    for name, value in key.model_dump(exclude={"statement"}).items():
                        row[name] = value

    @contextmanager
    def _changed(self) -> Iterator[None]:
        """The file is read again, changed in the block and written, by one process at a time."""
        busy = f"{self.path}: another process is writing it; try again"
        with alone_in(self.path.absolute().parent, busy, seconds=WAIT):
            self._read()
            yield
            write_bytes(self.path, tomlkit.dumps(self._document).encode())
            self._read()

    def _remove(self, entry: Entry) -> None:
        rows = self._document[entry.decision]
        rows.remove(next(row for row in rows if row["key"] == entry.key))
        if not rows:
            self._document.remove(entry.decision)


def _table(entry: Entry) -> tomlkit.items.Table:
    table = tomlkit.table()
    for name, value in entry.model_dump().items():
        table.add(name, value)
    return table


def _text(value: str, option: str) -> str:
    """A text that can stand in a file: bytes of a command line need not be any."""
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise DataError(f"{option} is not UTF-8: {value.encode(errors='replace')!r}") from error
    return value


def _read(path: Path) -> tomlkit.TOMLDocument:
    if not path.exists():
        return tomlkit.parse(_HEADER)
    try:
        return tomlkit.parse(read_text(path))
    except TOMLKitError as error:
        raise DataError(f"{path}: not TOML: {error}") from error


def _entries(path: Path, document: Mapping[str, Any]) -> tuple[Entry, ...]:
    entries = tuple(entry for name in _KINDS for entry in _rows(path, document, name))
    keys = [entry.key for entry in entries]
    twice = next((key for key in keys if keys.count(key) > 1), None)
    if twice is not None:
        raise DataError(f"{path}: the key {twice} is there twice; delete one")
    return entries


def _rows(path: Path, document: Mapping[str, Any], name: DecisionWord) -> Iterable[Entry]:
    rows = document.get(name, [])
    if not isinstance(rows, list):
        raise DataError(f"{path}: `{name}` must be a list of tables: [[{name}]]")
    for number, row in enumerate(rows, start=1):
        plain = row.unwrap() if hasattr(row, "unwrap") else row
        what = "entry" if name == "equivalent" else f"{name} entry"
        entry = validated(Entry, plain, f"{path}, {what} {number}")
        entry = entry.model_copy(update={"decision": name})
        key = entry.mutant_key
        if entry.key != (wanted := key.text if entry.is_short else key.full):
            raise DataError(
                f"{path}, {what} {number}: its key {entry.key} does not fit its content "
                f"(that would be {wanted}); was it edited by hand?"
            )
        yield entry
