"""Functions of named projects that are like another, or like what is kept for measuring."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from equimut.parsing.tokens import tokenize
from equimut.parsing.tree import parse
from equimut.pretraining.corpus.build import DUPLICATE, EXCLUDED
from equimut.pretraining.corpus.exclusions import exclusions
from equimut.pretraining.corpus.near_duplicates import (
    ShingleSets,
    most_similar,
    near_duplicates,
    shingles,
)
from equimut.pretraining.labels.records import LabelledPair

_ORDER = ("test", "validation", "train")
"""Of two functions that are alike, the one in the part that comes first stays."""


def distinct(
    rows: Sequence[LabelledPair], held_out: Sequence[Path] = ()
) -> tuple[list[LabelledPair], dict[str, int]]:
    """Rows without those of functions that are left out, and how many functions that were.

    Only rows of named projects are looked at: other sources have been through this before, and
    origins of the benchmark are like themselves.
    """
    wild = [row for row in rows if row.project and row.evidence != "verified"]
    left_out: Counter[str] = Counter()
    gone: set[tuple[str, str, str]] = set()
    measured = exclusions(held_out).sets if wild else {}
    for language in sorted({row.language for row in wild}):
        keys = sorted(
            {_key(row): row.split for row in wild if row.language == language}.items(),
            key=lambda item: (_ORDER.index(item[1]), item[0]),
        )
        sets = ShingleSets.of([shingles(_words(key[2], language)) for key, _ in keys])
        known = measured.get(language)
        like = np.zeros(len(keys), np.bool_)
        if known is not None and len(known):
            like = most_similar(sets, known) >= EXCLUDED
        double = near_duplicates(sets, DUPLICATE) & ~like
        left_out["like one that is kept for measuring"] += int(like.sum())
        left_out["near-duplicates"] += int(double.sum())
        gone |= {key for (key, _), out in zip(keys, like | double, strict=True) if out}
    kept = [row for row in rows if row.evidence == "verified" or _key(row) not in gone]
    return kept, dict(+left_out)


def _words(text: str, language: str) -> list[str]:
    return [token.text for token in tokenize(parse(text, language))]


def _key(row: LabelledPair) -> tuple[str, str, str]:
    return row.language, row.project, row.origin
