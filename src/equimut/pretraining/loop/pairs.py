"""Mutants with labels, drawn so that no origin and no label outweighs the others."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

import numpy as np

from equimut.data.benchmark.reader import BENCHMARK_LANGUAGES
from equimut.data.pairs import load_pairs
from equimut.data.splitting.split import split
from equimut.errors import DataError, ParseError
from equimut.inputs.encode import EncodedPair, PairEncoder
from equimut.pretraining.labels.records import LabelledPair
from equimut.records import Pair

HELD_OUT_FOLD, HELD_OUT_SEED = 0, 42
"""The origins of the bundled benchmark that are never trained on: a fold of `by-origin`."""


@dataclass(frozen=True)
class Weighed:
    """A pair and how much its label is to be believed."""

    pair: Pair
    weight: float


def bundled_parts(languages: Iterable[str] = BENCHMARK_LANGUAGES) -> tuple[list[Pair], list[Pair]]:
    """The verified benchmark: pairs to train on, and pairs of held-out origins."""
    train: list[Pair] = []
    held: list[Pair] = []
    for language in languages:
        pairs = load_pairs(f"bundled:{language}")
        parts = split(pairs, "by-origin", HELD_OUT_FOLD, HELD_OUT_SEED)
        train += parts.train
        held += parts.test
    return train, held


def halves(held: Sequence[Pair]) -> tuple[list[Pair], list[Pair]]:
    """Held-out pairs cut in two by origin: one half calibrates, the other measures.

    The origins of a language go by turns, in the order of a digest of their text.
    """
    first: set[tuple[str, str]] = set()
    for language in {pair.language for pair in held}:
        origins = {pair.origin for pair in held if pair.language == language}
        by_digest = sorted(origins, key=lambda text: sha256(text.encode()).hexdigest())
        first |= {(language, origin) for origin in by_digest[::2]}
    calibration = [pair for pair in held if (pair.language, pair.origin) in first]
    return calibration, [pair for pair in held if (pair.language, pair.origin) not in first]


def part_of_the_unseen(mutants: int) -> list[Pair]:
    """At most so many mutants of each label of every origin that is never trained on."""
    taken: Counter[tuple[str, str, int]] = Counter()
    classes: dict[tuple[str, str], int] = {}  # each language counts its origins from 0
    part = []
    for pair in bundled_parts()[1]:
        origin = (pair.language, pair.origin)
        taken[(*origin, pair.label)] += 1
        if taken[(*origin, pair.label)] <= mutants:
            number = classes.setdefault(origin, len(classes))
            part.append(pair.model_copy(update={"class_id": number}))
    return part


def benchmark_by_origin(training: int, seed: int = 42) -> list[Pair]:
    """So many rows to train on, drawn at random, and all rows of the held-out origins to test on.

    Each row says in `split` which it is. Classes are counted over all languages.
    """
    train, held = bundled_parts()
    if training > len(train):
        raise DataError(f"the benchmark has {len(train):,} rows to train on, not {training:,}")
    drawn = sorted(random.Random(seed).sample(range(len(train)), training))
    classes: dict[tuple[str, str], int] = {}
    return [
        pair.model_copy(
            update={
                "split": part,
                "class_id": classes.setdefault((pair.language, pair.origin), len(classes)),
            }
        )
        for part, pairs in (("train", [train[row] for row in drawn]), ("test", held))
        for pair in pairs
    ]


def weighed(pairs: Iterable[Pair]) -> list[Weighed]:
    """Pairs with the weight of their evidence; 1 where it is not given."""
    return [Weighed(pair, pair.weight if isinstance(pair, LabelledPair) else 1.0) for pair in pairs]


class PairLottery:
    """Draws pairs: first a label, then an origin that has it, then one of its mutants.

    An origin is drawn with the square root of the number of its pairs: a large one shows more
    kinds of mutants, but must not drown a hundred small ones.
    """

    def __init__(self, pairs: Sequence[Weighed], equivalent: float = 0.35) -> None:
        self.pairs = pairs
        self.equivalent = equivalent
        self._origins: dict[int, list[list[int]]] = {}
        self._odds: dict[int, np.ndarray] = {}
        for label in (0, 1):
            by_origin: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
            for place, each in enumerate(pairs):
                if each.pair.label == label:
                    by_origin[each.pair.language, each.pair.origin].append(place)
            if not by_origin:
                raise DataError(f"no pair has the label {label}: pretraining needs both")
            self._origins[label] = list(by_origin.values())
            odds = np.sqrt([len(places) for places in by_origin.values()])
            self._odds[label] = np.cumsum(odds / odds.sum())

    def draw(self, number: int, chance: np.random.Generator) -> list[Weighed]:
        """So many pairs."""
        drawn = []
        for _ in range(number):
            label = int(chance.random() < self.equivalent)
            at = int(np.searchsorted(self._odds[label], chance.random(), side="right"))
            places = self._origins[label][min(at, len(self._origins[label]) - 1)]
            drawn.append(self.pairs[places[int(chance.integers(len(places)))]])
        return drawn


def encode_drawn(
    drawn: Sequence[Weighed], encoder: PairEncoder
) -> tuple[list[EncodedPair], list[float]]:
    """The drawn pairs as the model reads them, without those that cannot be parsed."""
    encoded, weights = [], []
    for each in drawn:
        pair = each.pair
        try:
            read = encoder.encode_texts(pair.origin, pair.mutant, pair.language)
        except ParseError:
            continue
        encoded.append(replace(read, label=pair.label))
        weights.append(each.weight)
    return encoded, weights
