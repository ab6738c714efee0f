"""Pairs by name, and names for pairs: load them, and tell them apart by what they hold."""

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

from equimut.data.benchmark.reader import BENCHMARK_LANGUAGES, PREFIX, bundled
from equimut.data.store import read_pairs
from equimut.records import Pair
from equimut.storage.jsonl import to_line


def load_pairs(source: str | Path) -> tuple[Pair, ...]:
    """Pairs from a file, or from the package: `bundled`, `bundled:java`, `bundled:c,python`."""
    name = str(source)
    if name != PREFIX and not name.startswith(f"{PREFIX}:"):
        return read_pairs(Path(source))
    _, _, wanted = name.partition(":")
    languages = wanted.split(",") if wanted else list(BENCHMARK_LANGUAGES)
    return tuple(pair for language in languages for pair in _without_evidence(language))


@cache
def _without_evidence(language: str) -> tuple[Pair, ...]:
    """What a study loads again and again; pairs are frozen, and share their texts with those."""
    return tuple(pair.without_evidence() for pair in bundled(language))


def data_fingerprint(pairs: Sequence[Pair]) -> str:
    """A short digest of the pairs, whatever their order."""
    digest = sha256()
    for line in sorted(map(to_line, pairs)):
        digest.update(line)
    return digest.hexdigest()[:16]
