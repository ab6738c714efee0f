"""The mutants of the last scan by key, so that `equimut accept KEY` needs no report.

Kept in the user's cache, one file per registry: nothing to ignore in the repository.
"""

import json
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path

from pydantic import ValidationError

from equimut.errors import EquimutError
from equimut.mutation.identity import MutantKey
from equimut.records import Record, Tier
from equimut.scanning.verdicts import ScanVerdict
from equimut.storage.files import replacing

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
    with replacing(path) as file:
        for verdict in verdicts:
            if verdict.key is not None:
                row = SeenMutant(key=verdict.key, tier=verdict.tier).model_dump()
                file.write(json.dumps(row).encode() + b"\n")


def seen_mutants(path: Path) -> Iterator[SeenMutant]:
    """What the last scan printed; nothing where there was none."""
    try:
        with path.open("rb") as file:
            for line in file:
                yield SeenMutant.model_validate_json(line)
    except FileNotFoundError:
        return
    except (OSError, ValidationError) as error:
        raise EquimutError(
            f"{path}: cannot be read ({error.__class__.__name__}); scan again"
        ) from error


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
