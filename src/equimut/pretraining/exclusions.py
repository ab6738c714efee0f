"""What must not be in the corpus: benchmark programs, by their names and by their likeness."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from equimut.data.bundled import SUFFIXES as BUNDLED_LANGUAGES
from equimut.data.bundled import origins
from equimut.data.store import read_pairs
from equimut.errors import DataError, ParseError
from equimut.files import read_text
from equimut.parsing.functions import functions
from equimut.parsing.tokens import tokenize
from equimut.parsing.tree import parse
from equimut.pretraining.near_duplicates import ShingleSets, shingles
from equimut.pretraining.sources import SUFFIXES

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
    texts: dict[str, list[str]] = {language: [] for language in SUFFIXES}
    names: set[str] = set()
    for language in BUNDLED_LANGUAGES:
        for origin in origins(language):
            texts[language].append(origin.snippet.text)
            found = functions(parse(origin.snippet.text, language))
            names |= {plain_name(origin.name), *(plain_name(each.name) for each in found)}
    for path in paths:
        for language, text in _texts_of(path):
            texts.setdefault(language, []).append(text)
    sets = {
        language: ShingleSets.of(
            [shingles(tokens) for text in known for tokens in _tokens(text, language)]
        )
        for language, known in texts.items()
    }
    return Exclusions(sets, frozenset(names))


def _texts_of(path: Path) -> Iterator[tuple[str, str]]:
    if path.is_dir():
        inside = [file for file in sorted(path.rglob("*")) if file.suffix in SUFFIXES.values()]
        if not inside:
            raise DataError(f"{path} holds no source files to exclude")
        for file in inside:
            yield from _texts_of(file)
        return
    language = next((name for name, suffix in SUFFIXES.items() if path.suffix == suffix), None)
    if language is not None:
        yield language, read_text(path)
        return
    yield from dict.fromkeys((pair.language, pair.origin) for pair in read_pairs(path))


def _tokens(text: str, language: str) -> Iterator[Sequence[str]]:
    """The tokens of each function of a text, or of all of it where there is no function."""
    try:
        tree = parse(text, language)
        words = [(token.start, token.text) for token in tokenize(tree)]
        spans = [(each.start, each.end) for each in functions(tree)] or [(0, len(tree.source))]
    except ParseError:
        return
    for start, end in spans:
        inside = [word for at, word in words if start <= at < end]
        if len(inside) >= MIN_TOKENS:
            yield inside
