"""The verified benchmark that ships with the package: origins of ours, mutants, evidence."""

import random
from collections import Counter
from functools import cache
from pathlib import Path

from equimut.data.store import VerifiedPair
from equimut.errors import DataError
from equimut.records import Record, Snippet
from equimut.storage.jsonl import read_records

BENCHMARK_LANGUAGES = ("java", "c", "python")
"""Languages of the benchmark, in the order of their class ids.

Python origins end in `.pysrc`, so that they do not look like modules of ours.
"""
PREFIX = "bundled"
_HERE = Path(__file__).parent


class Origin(Record):
    """A function written for the benchmark."""

    name: str
    class_id: int
    snippet: Snippet


class BundledSummary(Record):
    """The benchmark of one language in numbers."""

    language: str
    origins: int
    mutants: int
    killed: int
    proved: int
    unrefuted: int
    operators: int
    kilobytes: int

    @property
    def equivalent(self) -> int:
        """Mutants with label 1."""
        return self.proved + self.unrefuted


@cache
def origins(language: str) -> tuple[Origin, ...]:
    """The origins of a language, by name. Class ids are unique over all languages."""
    _check_language(language)
    before = BENCHMARK_LANGUAGES[: BENCHMARK_LANGUAGES.index(language)]
    first = sum(len(origins(other)) for other in before)
    found = sorted((_HERE / "origins" / language).iterdir())
    return tuple(
        Origin(
            name=entry.stem,
            class_id=first + number,
            snippet=Snippet(text=entry.read_text("utf-8"), language=language),
        )
        for number, entry in enumerate(found)
    )


def shipped_file(language: str) -> Path:
    """The file of a language."""
    _check_language(language)
    return _HERE / "files" / f"{language}.jsonl.gz"


@cache
def bundled(language: str) -> tuple[VerifiedPair, ...]:
    """The verified pairs of a language."""
    return tuple(read_records(shipped_file(language), VerifiedPair))


def summarise(language: str) -> BundledSummary:
    """Count what the benchmark of a language holds."""
    pairs = bundled(language)
    tiers = Counter(pair.evidence.tier for pair in pairs)
    return BundledSummary(
        language=language,
        origins=len({pair.class_id for pair in pairs}),
        mutants=len(pairs),
        killed=tiers["killed"],
        proved=tiers["proved"],
        unrefuted=tiers["unrefuted"],
        operators=len({operator for pair in pairs for operator in pair.operators}),
        kilobytes=round(shipped_file(language).stat().st_size / 1000),
    )


def find_bundled(identity: str) -> VerifiedPair:
    """One pair by its id, such as `java/binary_search/1f2e3d`."""
    language = identity.split("/")[0]
    if language in BENCHMARK_LANGUAGES:
        for pair in bundled(language):
            if pair.id == identity:
                return pair
    raise DataError(
        f"no bundled mutant {identity!r}; `equimut data bundled --out pairs.jsonl` lists all ids"
    )


def sample_bundled(number: int, seed: int = 0) -> list[VerifiedPair]:
    """Some pairs to look at: each language and each tier in turn, the same for the same seed."""
    chance = random.Random(seed)
    chosen = []
    for turn in range(number):
        pairs = bundled(BENCHMARK_LANGUAGES[turn % len(BENCHMARK_LANGUAGES)])
        tiers = sorted({pair.evidence.tier for pair in pairs})  # Python has no `proved`
        tier = tiers[(turn + turn // len(BENCHMARK_LANGUAGES)) % len(tiers)]
        chosen.append(chance.choice([pair for pair in pairs if pair.evidence.tier == tier]))
    return chosen


def _check_language(language: str) -> None:
    if language not in BENCHMARK_LANGUAGES:
        known = ", ".join(BENCHMARK_LANGUAGES)
        raise DataError(f"the bundled benchmark has no language {language!r}; it has {known}")
