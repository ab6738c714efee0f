"""Builds a corpus: files to pieces, on several cores and resumable; pieces to shards."""

import gzip
import io
import json
import multiprocessing
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from equimut.errors import DataError
from equimut.pretraining.corpus.exclusions import Exclusions, plain_name
from equimut.pretraining.corpus.functions import functions_of
from equimut.pretraining.corpus.near_duplicates import (
    ShingleSets,
    most_similar,
    near_duplicates,
    shingles,
)
from equimut.pretraining.corpus.packages import FetchedPackage
from equimut.pretraining.corpus.sources import SourceFile, chunks
from equimut.pretraining.corpus.store import (
    PARTS,
    CorpusIndex,
    Shard,
    hash_order,
    part_of,
    write_index,
    write_shards,
)
from equimut.storage.files import code_version, write_bytes

PIECE_BYTES = 2_000_000
RULES = ("languages", "parsing", "pretraining/corpus")
"""Folders whose code decides what a piece holds."""

Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and of how much."""


DUPLICATE, EXCLUDED = 0.7, 0.5
"""Similarities from which functions count as the same, and as a benchmark's."""
PER_PACKAGE = 12_000
"""Functions of one package where there are several: no project should set the style of all."""


@dataclass(frozen=True)
class Piece:
    """Functions of some files: their lines, token counts and shingles; what was dropped."""

    lines: list[bytes]
    tokens: NDArray[np.int64]
    sets: ShingleSets
    dropped: Counter[str]


def build_corpus(
    files: Sequence[SourceFile],
    packages: Sequence[FetchedPackage],
    out: Path,
    *,
    work: Path,
    excluded: Exclusions,
    limit: int | None = None,
    jobs: int = 2,
    progress: Progress = lambda *_: None,
) -> CorpusIndex:
    """Build the corpus of these files in `out`; finished pieces in `work` are used again."""
    languages = list(dict.fromkeys(file.language for file in files))
    shards: list[Shard] = []
    found: dict[str, int] = {}
    removed: dict[str, dict[str, int]] = {}
    for language in languages:
        own = [file for file in files if file.language == language]
        paths = make_pieces(own, work, jobs, progress)
        piece = _joined(read_piece(path) for path in paths)
        if not piece.lines:
            raise DataError(f"no {language} function in {len(own)} files fits the corpus")
        progress(f"{language}: near-duplicates", 0, 1)
        kept, reasons = choose(piece, excluded, language, limit)
        progress(f"{language}: near-duplicates", 1, 1)
        found[language] = len(piece.lines)
        removed[language] = dict(sorted((piece.dropped + reasons).items()))
        shards += _write(out, language, piece, kept)
    index = CorpusIndex(
        packages=tuple(packages),
        settings={
            "duplicate_similarity": DUPLICATE,
            "excluded_similarity": EXCLUDED,
            "per_package": PER_PACKAGE,
            "limit": limit,
        },
        found=found,
        removed=removed,
        shards=tuple(shards),
    )
    write_index(out, index)
    return index


def make_pieces(
    files: Sequence[SourceFile], work: Path, jobs: int, progress: Progress
) -> list[Path]:
    """A piece for every chunk of files, made unless it is there."""
    parts = list(chunks(files, PIECE_BYTES))
    paths = [work / f"{_digest(part)}.npz" for part in parts]
    missing = [(part, path) for part, path in zip(parts, paths, strict=True) if not path.exists()]
    done = len(parts) - len(missing)
    title = f"{files[0].language}: functions" if files else "functions"
    progress(title, done, len(parts))
    if missing:
        # Spawned, not forked: the progress display runs in a thread of this process.
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(min(jobs, len(missing)), mp_context=context) as pool:
            running = [pool.submit(make_piece, part, path) for part, path in missing]
            for number, future in enumerate(as_completed(running), start=1):
                future.result()
                progress(title, done + number, len(parts))
    return paths


def make_piece(files: Sequence[SourceFile], path: Path) -> None:
    """Take the functions of some files and write them as one piece."""
    dropped: Counter[str] = Counter()
    found = [each for file in files for each in functions_of(file, dropped)]
    lines = [
        json.dumps(each.function.model_dump(), ensure_ascii=False, separators=(",", ":"))
        for each in found
    ]
    text = "".join(f"{line}\n" for line in lines).encode()
    sets = ShingleSets.of([shingles(each.tokens) for each in found])
    buffer = io.BytesIO()
    np.savez(
        buffer,
        text=np.frombuffer(gzip.compress(text, compresslevel=3, mtime=0), np.uint8),
        tokens=np.array([len(each.tokens) for each in found], np.int64),
        values=sets.values,
        starts=sets.starts,
        dropped=np.frombuffer(json.dumps(dropped).encode(), np.uint8),
    )
    write_bytes(path, buffer.getvalue())


def read_piece(path: Path) -> Piece:
    """A finished piece."""
    with np.load(path) as arrays:
        return Piece(
            gzip.decompress(arrays["text"].tobytes()).splitlines(keepends=True),
            arrays["tokens"],
            ShingleSets(arrays["values"], arrays["starts"]),
            Counter(json.loads(arrays["dropped"].tobytes())),
        )


def choose(
    piece: Piece, excluded: Exclusions, language: str, limit: int | None
) -> tuple[list[int], Counter[str]]:
    """The rows that stay, in the order of their hashes, and why the others go."""
    reasons: Counter[str] = Counter()
    records = [json.loads(line) for line in piece.lines]
    named = np.array([plain_name(each["name"]) in excluded.names for each in records], np.bool_)
    others = excluded.sets.get(language, ShingleSets.of([]))
    alike = most_similar(piece.sets, others) >= EXCLUDED
    twice = near_duplicates(piece.sets, DUPLICATE)
    reasons["excluded: name of a benchmark's origin"] = int(named.sum())
    reasons["excluded: like a benchmark's program"] = int((alike & ~named).sum())
    reasons["near-duplicate"] = int((twice & ~alike & ~named).sum())
    gone = named | alike | twice
    single = len({each["package"] for each in records}) == 1
    kept: list[int] = []
    taken: Counter[str] = Counter()
    for row in hash_order(piece.lines):
        package = records[row]["package"]
        if gone[row]:
            continue
        if limit is not None and len(kept) >= limit:
            reasons["over the limit"] += 1
        elif not single and taken[package] >= PER_PACKAGE:
            reasons["over the limit of one package"] += 1
        else:
            taken[package] += 1
            kept.append(row)
    return kept, +reasons


def _write(out: Path, language: str, piece: Piece, kept: Sequence[int]) -> list[Shard]:
    rows: dict[str, list[int]] = {part: [] for part in PARTS}
    for row in kept:
        function = json.loads(piece.lines[row])
        rows[part_of(function["package"], function["path"])].append(row)
    return [
        shard
        for part in PARTS
        for shard in write_shards(
            out,
            language,
            part,
            [piece.lines[row] for row in rows[part]],
            [int(piece.tokens[row]) for row in rows[part]],
        )
    ]


def _joined(pieces: Iterable[Piece]) -> Piece:
    known = list(pieces)
    return Piece(
        [line for piece in known for line in piece.lines],
        np.concatenate([np.zeros(0, np.int64), *(piece.tokens for piece in known)]),
        ShingleSets.joined(piece.sets for piece in known),
        sum((piece.dropped for piece in known), Counter()),
    )


def _digest(files: Sequence[SourceFile]) -> str:
    """Names what a piece is made from: the rules, and the files with their content."""
    digest = sha256(code_version(RULES).encode())
    for file in files:
        digest.update(f"{file.language}\0{file.package}\0{file.path}\0".encode())
        digest.update(sha256(file.location.read_bytes()).digest())
    return digest.hexdigest()[:24]
