"""The registry against a report: which accepted equivalents still stand."""

from collections.abc import Callable, Iterator

from equimut.mutation.identity import MutantKey
from equimut.reports.reported import Report
from equimut.scanning.records import DETECTED
from equimut.scanning.registry.last_scan import SeenMutant
from equimut.scanning.registry.registry import EntryCheck, Registry, check_entries, key_of


def check_registry(
    report: Report, registry: Registry, progress: Callable[[], None] = lambda: None
) -> list[EntryCheck]:
    """Look at every mutant of the report, whatever its status; only entries are kept in memory."""
    wanted = {(entry.file, entry.function) for entry in registry.entries}
    keys = {entry.key for entry in registry.entries}
    killed: set[str] = set()

    def present() -> Iterator[MutantKey]:
        for mutant in report.mutants():
            progress()
            function = mutant.change.function if mutant.change else ""
            if (mutant.file, function) not in wanted:
                continue  # no entry is about this function, so nobody needs its key
            key = key_of(mutant)
            if key is None:
                continue
            if mutant.status in DETECTED and key.text in keys:
                killed.add(key.text)
            yield key

    return check_entries(registry.entries, list(present()), killed)


def mutants_by_key(report: Report) -> Iterator[SeenMutant]:
    """All mutants of a report that have a key; nothing has judged them."""
    for mutant in report.mutants():
        key = key_of(mutant)
        if key is not None:
            yield SeenMutant(key=key, tier="unknown")


def paste_ready(checked: EntryCheck) -> list[str]:
    """The lines of `equivalents.toml` that a stale entry needs, once somebody has looked again."""
    if checked.now is None:
        return []
    now = checked.now
    return [f'key = "{now.text}"', f"place = {now.place}", f'context = "{now.context}"']
