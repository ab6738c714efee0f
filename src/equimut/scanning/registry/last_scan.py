"""The mutants of the last scan by key, so that `equimut accept KEY` needs no report.

Kept in the user's cache, one file per registry: nothing to ignore in the repository.
"""

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path

from equimut.errors import DataError, EquimutError
from equimut.mutation.identity import MutantKey
from equimut.records import Record, Tier
from equimut.scanning.records import ScanVerdict
from equimut.storage.jsonl import read_records, to_line, write_lines

SHORTEST_PREFIX = 4


class SeenMutant(Record):
    """A mutant that a scan printed, and what it rested its verdict on."""

    key: MutantKey
    tier: Tier


def last_scan_path(cache: Path, registry: Path) -> Path:
    """Where the keys of the last scan with this registry are."""
    name = blake2b(str(registry.resolve()).encode(errors="surrogateescape"), digest_size=8)
    return cache / "last" / f"{name.hexdigest()}.jsonl"


def remember(path: Path, verdicts: Iterable[ScanVerdict]) -> None:
    """Replace the keys of the scan before."""
    seen = (SeenMutant(key=each.key, tier=each.tier) for each in verdicts if each.key is not None)
    write_lines(path, map(to_line, seen))


def seen_mutants(path: Path) -> Iterator[SeenMutant]:
    """What the last scan printed; nothing where there was none."""
    if not path.exists():
        return
    try:
        yield from read_records(path, SeenMutant)
    except DataError as error:
        raise EquimutError(f"{error}; scan again") from error


def find_mutant(wanted: str, mutants: Iterable[SeenMutant]) -> SeenMutant | None:
    """The mutant with this key, or whose key begins so if only one does."""
    prefix = wanted.strip().lower()
    if len(prefix) < SHORTEST_PREFIX:
        raise EquimutError(f"{wanted!r} is too short for a key; give at least 4 of its characters")
    found: dict[str, SeenMutant] = {}
    for mutant in mutants:
        text = mutant.key.text
        if text.startswith(prefix):
            found.setdefault(text, mutant)
    if len(found) > 1 and prefix not in found:
        raise EquimutError(f"{wanted} fits {len(found)} keys: {', '.join(list(found)[:4])}")
    return found.get(prefix) or next(iter(found.values()), None)
