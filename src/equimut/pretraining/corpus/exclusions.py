"""What must not be in the corpus: benchmark programs, by their names and by their likeness."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from equimut.data.benchmark.reader import BENCHMARK_LANGUAGES, origins
from equimut.data.store import read_pairs
from equimut.errors import DataError, ParseError
from equimut.parsing.functions import functions
from equimut.parsing.tokens import tokenize
from equimut.parsing.tree import parse
from equimut.pretraining.corpus.near_duplicates import ShingleSets, shingles
from equimut.pretraining.corpus.sources import corpus_suffixes
from equimut.storage.files import read_text

MIN_TOKENS = 12
"""Shorter functions are like half of all code, and no one's program."""


@dataclass(frozen=True)
class Exclusions:
    """Shingle sets by language, and plain names of functions of any language."""

    sets: dict[str, ShingleSets]
    names: frozenset[str]


def plain_name(name: str) -> str:
    """A name without its spelling: `binarySearch`, `binary_search` and `BinarySearch` are one."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def exclusions(paths: Iterable[Path]) -> Exclusions:
    """The bundled benchmark's origins, always, and all programs in these files and directories.

    Origins go by likeness and by name; other programs by likeness alone, since a whole program
    has many functions with names like `main`, `get` or `init`.
    """
    known, names = _bundled()
    sets = {language: list(known[language]) for language in corpus_suffixes()}
    for path in paths:
        for language, text in _texts_of(path):
            sets.setdefault(language, []).extend(_sets(text, language))
    return Exclusions({key: ShingleSets.of(each) for key, each in sets.items()}, names)


@cache
def _bundled() -> tuple[dict[str, tuple[NDArray[np.uint32], ...]], frozenset[str]]:
    sets = {}
    names: set[str] = set()
    for language in BENCHMARK_LANGUAGES:
        texts = [origin.snippet.text for origin in origins(language)]
        sets[language] = tuple(each for text in texts for each in _sets(text, language))
        found = [function.name for text in texts for function in functions(parse(text, language))]
        names |= {plain_name(name) for name in found}
        names |= {plain_name(origin.name) for origin in origins(language)}
    return sets, frozenset(names)


def _texts_of(path: Path) -> Iterator[tuple[str, str]]:
    if path.is_dir():
        inside = [
            file for file in sorted(path.rglob("*")) if file.suffix in corpus_suffixes().values()
        ]
        if not inside:
            raise DataError(f"{path} holds no source files to exclude")
        languages = {suffix: name for name, suffix in corpus_suffixes().items()}
        for file in inside:  # of somebody else's project: old files are not always UTF-8
            yield languages[file.suffix], file.read_bytes().decode(errors="replace")
        return
    language = next(
        (name for name, suffix in corpus_suffixes().items() if path.suffix == suffix), None
    )
    if language is not None:
        yield language, read_text(path)
        return
    yield from dict.fromkeys((pair.language, pair.origin) for pair in read_pairs(path))


def _sets(text: str, language: str) -> Iterator[NDArray[np.uint32]]:
    """The shingles of each function of a text, or of all of it where there is no function."""
    try:
        tree = parse(text, language)
        tokens = tokenize(tree)
        spans = [(each.start, each.end) for each in functions(tree)] or [(0, len(tree.source))]
    except ParseError:  # no source code, so nothing in the corpus is like it
        return
    for start, end in spans:
        words = [token.text for token in tokens if start <= token.start < end]
        if len(words) >= MIN_TOKENS:
            yield shingles(words)
