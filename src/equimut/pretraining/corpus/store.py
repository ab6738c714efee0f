"""The corpus on disk: shards of gzipped JSON lines, an index with digests, a held-out part.

Functions stand in an order drawn by hash, so the first n of a language are a fair sample of it.
"""

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Literal

import numpy as np

from equimut.errors import DataError
from equimut.pretraining.corpus.functions import CorpusFunction
from equimut.pretraining.corpus.packages import FetchedPackage
from equimut.records import Record
from equimut.storage.files import write_bytes
from equimut.storage.jsonl import read_document, write_lines

Part = Literal["train", "held-out"]
PARTS: tuple[Part, ...] = ("train", "held-out")
SHARD_FUNCTIONS = 5000
HELD_OUT_SHARE = 0.01
INDEX = "index.json"


class Shard(Record):
    """One file of the corpus."""

    name: str
    language: str
    part: Part
    functions: int
    code_tokens: int
    sha256: str


class CorpusIndex(Record):
    """What a corpus holds, and what it was made from."""

    packages: tuple[FetchedPackage, ...]
    settings: dict[str, float | int | None]
    found: dict[str, int]
    """Functions per language before anything was removed for being like another."""
    removed: dict[str, dict[str, int]]
    """Per language and reason, what was left out."""
    shards: tuple[Shard, ...]

    def count(self, language: str, part: Part) -> int:
        """The functions of a language in a part."""
        chosen = (s for s in self.shards if (s.language, s.part) == (language, part))
        return sum(shard.functions for shard in chosen)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the corpus, in the order of the shards."""
        return tuple(dict.fromkeys(shard.language for shard in self.shards))


def part_of(package: str, path: str) -> Part:
    """The part of all functions of a file: decided by its name alone, the same for ever."""
    digest = blake2b(f"{package}\0{path}".encode(), digest_size=8).digest()
    held = int.from_bytes(digest, "big") < HELD_OUT_SHARE * 2**64
    return "held-out" if held else "train"


def hash_order(lines: Sequence[bytes]) -> list[int]:
    """The positions of the lines in the order of their hashes."""
    hashes = [blake2b(line, digest_size=8).digest() for line in lines]
    return sorted(range(len(lines)), key=hashes.__getitem__)


def write_shards(
    directory: Path, language: str, part: Part, lines: Sequence[bytes], tokens: Sequence[int]
) -> list[Shard]:
    """Write the lines (JSON, each with its line break) of one part of a language."""
    shards = []
    for number, at in enumerate(range(0, len(lines), SHARD_FUNCTIONS)):
        some = lines[at : at + SHARD_FUNCTIONS]
        name = f"{language}-{part}-{number:03}.jsonl.gz"
        write_lines(directory / name, some, level=6)
        shards.append(
            Shard(
                name=name,
                language=language,
                part=part,
                functions=len(some),
                code_tokens=sum(tokens[at : at + SHARD_FUNCTIONS]),
                sha256=sha256((directory / name).read_bytes()).hexdigest(),
            )
        )
    return shards


def write_index(directory: Path, index: CorpusIndex) -> None:
    """Write the index; files of an earlier corpus that it does not name go."""
    write_bytes(directory / INDEX, index.model_dump_json(indent=2).encode() + b"\n")
    named = {shard.name for shard in index.shards}
    for path in directory.glob("*.jsonl.gz"):
        if path.name not in named:
            path.unlink()


@dataclass(frozen=True)
class Corpus:
    """A corpus that is there. Lines are read once and parsed when they are asked for."""

    directory: Path
    _lines: dict[str, list[bytes]] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def index(self) -> CorpusIndex:
        """The index, or an error that says how to make a corpus."""
        path = self.directory / INDEX
        if not path.exists():
            raise DataError(
                f"no corpus in {self.directory}; make one with `equimut dev corpus build`"
            )
        return read_document(path, CorpusIndex, "build the corpus again")

    def functions(
        self,
        part: Part = "train",
        languages: Sequence[str] | None = None,
        per_language: int | None = None,
    ) -> Iterator[CorpusFunction]:
        """All functions of a part, or the first so many of each language."""
        for line in self._chosen(part, languages, per_language):
            yield _parse(line)

    def count(self, part: Part = "train") -> int:
        """How many functions `functions` gives, and one epoch of `shuffled`."""
        return sum(self.index.count(each, part) for each in self.index.languages)

    def shuffled(self, seed: int, epoch: int, start: int = 0) -> Iterator[CorpusFunction]:
        """One epoch in an order of its own, the same for the same seed; from any position."""
        lines = self._chosen("train", None, None)
        order = np.random.default_rng([seed, epoch]).permutation(len(lines))
        for position in order[start:]:
            yield _parse(lines[position])

    def _languages(self, wanted: Sequence[str] | None) -> Sequence[str]:
        there = self.index.languages
        unknown = [name for name in wanted or () if name not in there]
        if unknown:
            raise DataError(
                f"the corpus in {self.directory} has no {', '.join(unknown)}; "
                f"it has {', '.join(there)}"
            )
        return there if wanted is None else wanted

    def _chosen(
        self, part: Part, languages: Sequence[str] | None, per_language: int | None
    ) -> list[bytes]:
        chosen: list[bytes] = []
        for language in self._languages(languages):
            here: list[bytes] = []
            for shard in self.index.shards:
                enough = per_language is not None and len(here) >= per_language
                if (shard.language, shard.part) == (language, part) and not enough:
                    here += self._read(shard)
            chosen += here[:per_language]
        return chosen

    def _read(self, shard: Shard) -> list[bytes]:
        if shard.name not in self._lines:
            path = self.directory / shard.name
            try:
                content = path.read_bytes()
            except OSError as error:
                raise DataError(f"cannot read {path}: {error.strerror}; build it again") from error
            if sha256(content).hexdigest() != shard.sha256:
                raise DataError(f"{path} is not what the index says; build the corpus again")
            self._lines[shard.name] = gzip.decompress(content).splitlines()
        return self._lines[shard.name]


def _parse(line: bytes) -> CorpusFunction:
    return CorpusFunction.model_construct(**json.loads(line))  # the digest vouches for the schema
