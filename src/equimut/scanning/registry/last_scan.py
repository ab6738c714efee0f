"""The mutants of the last scan by key, so that `equimut accept KEY` needs no report.

Kept in the user's cache, one file per registry: nothing to ignore in the repository.
"""

import os
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path

from equimut.errors import DataError, EquimutError
from equimut.mutation.identity import MutantKey
from equimut.records import Record, Tier
from equimut.scanning.records import ScanVerdict
from equimut.storage.files import shown, write_bytes
from equimut.storage.jsonl import read_records, to_line, write_lines

SHORTEST_PREFIX = 4


class SeenMutant(Record):
    """A mutant that a scan printed, and what it rested its verdict on."""

    key: MutantKey
    tier: Tier


def last_scan_path(cache: Path, registry: Path) -> Path:
    """Where the keys of the last scan with this registry are."""
    return cache / "last-scan" / f"{_name(registry)}.jsonl"


def remember(cache: Path, registry: Path, verdicts: Iterable[ScanVerdict]) -> None:
    """Replace the keys of the scan before; and note which registry a scan from here uses."""
    seen = (SeenMutant(key=each.key, tier=each.tier) for each in verdicts if each.key is not None)
    write_lines(last_scan_path(cache, registry), map(to_line, seen))
    write_bytes(_note(cache), str(registry.resolve()).encode(errors="surrogateescape"))


def registry_of_last_scan(cache: Path) -> Path | None:
    """The registry that the last scan from the working directory used."""
    try:
        return Path(os.fsdecode(_note(cache).read_bytes()))
    except (OSError, ValueError):
        return None


def _note(cache: Path) -> Path:
    return cache / "last-scan" / f"{_name(Path.cwd())}.registry"


def _name(path: Path) -> str:
    text = str(path.resolve()).encode(errors="surrogateescape")
    return blake2b(text, digest_size=16).hexdigest()


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
        full = mutant.key.full
        if full.startswith(prefix):
            found.setdefault(full, mutant)
    if len(found) > 1:
        first = "; ".join(
            _candidate(full, found, mutant) for full, mutant in list(found.items())[:4]
        )
        raise EquimutError(f"{wanted} fits {len(found)} keys, give more of one: {first}")
    return next(iter(found.values()), None)


def _candidate(full: str, found: Iterable[str], mutant: SeenMutant) -> str:
    """A key as long as it takes to tell it from the others, and what it is about."""
    others = [other for other in found if other != full]
    length = next(
        length
        for length in range(len(mutant.key.text), len(full) + 1)
        if not any(other.startswith(full[:length]) for other in others)
    )
    key = mutant.key
    where = ".".join(part for part in (key.owner, key.function) if part)
    return shown(f"{full[:length]} {key.file} {where}: {key.change}")
