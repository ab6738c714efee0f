"""The registry against a report: which decisions still stand."""

from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Literal

from equimut.mutation.identity import MutantKey
from equimut.records import Record
from equimut.reports.reported import Change, Report
from equimut.scanning.records import DETECTED
from equimut.scanning.registry.last_scan import SeenMutant
from equimut.scanning.registry.registry import Entry, Registry, key_of

State = Literal["valid", "stale", "gone", "killed", "outdated", "ambiguous"]
_CHANGED = "has changed in the source"
"""What a reader says of code that the tool saw otherwise."""


class EntryCheck(Record):
    """What became of an entry."""

    entry: Entry
    state: State
    """stale: the function is there, with other code. gone: no mutant of it was found. killed: a
    test noticed it. outdated: the report is older than the source, so nobody can tell. ambiguous:
    an entry without an owner fits mutants of several classes."""
    new_key: str = ""
    """For a stale entry: the key of the same change in the present code."""
    now: MutantKey | None = None
    """For a stale entry, and for a valid one of before that does not name the owner: that key with
    its parts."""
    change: Change | None = None
    """The code of `now`."""

    @property
    def stands(self) -> bool:
        """Whether nobody needs to look again; a rejected mutant that a test kills is done with."""
        return self.state == "valid" or (
            self.state == "killed" and self.entry.decision == "rejected"
        )


def check_registry(
    report: Report,
    registry: Registry,
    source: Path | None = None,
    progress: Callable[[], None] = lambda: None,
) -> list[EntryCheck]:
    """Look at every mutant of the report, whatever its status; only entries are kept in memory."""
    entries = registry.decisions
    wanted = {(entry.file, entry.function) for entry in entries}
    files = {entry.file for entry in entries}
    present: dict[str, tuple[MutantKey, Change]] = {}
    killed: list[MutantKey] = []
    outdated = {file for file in files if _newer_than(report, source, file)}
    for mutant in report.mutants():
        progress()
        if mutant.file in files and _CHANGED in (mutant.problem or ""):
            outdated.add(mutant.file)
        function = mutant.change.function if mutant.change else ""
        if (mutant.file, function) not in wanted:
            continue  # no entry is about this function, so nobody needs its key
        key = key_of(mutant)
        if key is None or mutant.change is None:
            continue
        present[key.full] = key, mutant.change
        if mutant.status in DETECTED and registry.find(key) is not None:
            killed.append(key)
    checked = check_entries(entries, [key for key, _ in present.values()], killed, outdated)
    return [
        each.model_copy(update={"change": present[each.now.full][1]}) if each.now else each
        for each in checked
    ]


def check_entries(
    entries: Iterable[Entry],
    present: Iterable[MutantKey],
    killed: Collection[MutantKey] = (),
    outdated: Collection[str] = (),
) -> list[EntryCheck]:
    """Compare entries with the mutants of the present code; anything but `valid` fails closed.

    `killed` holds the keys of mutants that the tests noticed, `outdated` the files that changed
    since the report was made.
    """
    alike: dict[tuple[str, str, str], list[MutantKey]] = {}
    for key in present:
        alike.setdefault((key.file, key.function, key.change), []).append(key)
    return [
        _checked(entry, alike.get((entry.file, entry.function, entry.change), []), killed, outdated)
        for entry in entries
    ]


def _checked(
    entry: Entry,
    similar: list[MutantKey],
    killed: Collection[MutantKey],
    outdated: Collection[str],
) -> EntryCheck:
    fitting = [key for key in similar if entry.fits(key)]
    if fitting:
        owners = {key.owner for key in fitting}
        if len(owners) > 1:
            return EntryCheck(entry=entry, state="ambiguous")
        dead = any(entry.fits(key) for key in killed)
        now = fitting[0] if entry.is_short else None
        return EntryCheck(entry=entry, state="killed" if dead else "valid", now=now)
    if entry.file in outdated:
        return EntryCheck(entry=entry, state="outdated")
    own = [key for key in similar if entry.is_short or key.owner == entry.owner]
    nearest = min(own or similar, key=lambda key: abs(key.place - entry.place), default=None)
    if nearest is None:
        return EntryCheck(entry=entry, state="gone")
    return EntryCheck(entry=entry, state="stale", new_key=nearest.text, now=nearest)


def _newer_than(report: Report, source: Path | None, file: str) -> bool:
    """Whether a source file was changed after the report was written."""
    above = report.path if report.path.is_dir() else report.path.parent
    for root in (source, above, above.parent):
        try:
            if root is not None and (root / file).is_file():
                return (root / file).stat().st_mtime > _written(report.path)
        except (OSError, ValueError):  # a name that no file can have
            continue
    return False


def _written(path: Path) -> float:
    """When a report was written; a directory, with the last file in it."""
    times = [path.stat().st_mtime]
    if path.is_dir():
        results = (each for each in path.rglob("*") if each.suffix in (".meta", ".json", ".diff"))
        times = [each.stat().st_mtime for each in results] or times
    return max(times)


def mutants_by_key(report: Report) -> Iterator[SeenMutant]:
    """All mutants of a report that have a key; nothing has judged them."""
    for mutant in report.mutants():
        key = key_of(mutant)
        if key is not None:
            yield SeenMutant(key=key, tier="unknown")
