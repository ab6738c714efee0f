"""Rows that a stack is fitted on and measured with, from labelled pairs of named projects."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from equimut.inputs.edit_features.reach import MARGIN, dense_features
from equimut.pretraining.labels.records import LabelledPair
from equimut.records import ProverView

Floats = NDArray[np.float64]
BASE_RATE = 0.11
"""The share of equivalents among survivors of real test suites that rows are weighed to: what was
measured on live mutants of well-known Java projects."""
SURE = frozenset({"fact", "solver", "differs", "verified", "killed", "proved", "identical code"})
"""Evidence that a label rests on by itself; the others are likely."""


@dataclass(frozen=True)
class StackRow:
    """A pair as a stack is asked about it."""

    pair: LabelledPair
    view: ProverView | None
    """As a scan would have it: of a proved mutant, what a weaker prover sees."""

    @property
    def verified(self) -> bool:
        """Whether its label rests on runs."""
        return self.pair.evidence == "verified"


@dataclass(frozen=True)
class Stackable:
    """Rows with the detector's margins and the dense features."""

    rows: Sequence[StackRow]
    margins: Floats
    features: Sequence[Mapping[str, float]] = field(repr=False)
    before: Floats = field(default_factory=lambda: np.zeros(0), repr=False)
    """[N] What the detector says as it is."""

    @property
    def labels(self) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
        """[N] 1 for equivalent."""
        return np.array([row.pair.label for row in self.rows], np.int64)

    @property
    def projects(self) -> list[str]:
        """The project of each row."""
        return [row.pair.project for row in self.rows]

    def chosen(self, keep: Sequence[bool]) -> "Stackable":
        """Some of the rows."""
        places = [place for place, kept in enumerate(keep) if kept]
        return Stackable(
            [self.rows[place] for place in places],
            self.margins[places],
            [self.features[place] for place in places],
            self.before[places],
        )

    def without(self, start: str) -> "Stackable":
        """The same rows without the features whose names begin so."""
        left = [
            {name: value for name, value in row.items() if not name.startswith(start)}
            for row in self.features
        ]
        return Stackable(self.rows, self.margins, left, self.before)


def stack_rows(pairs: Iterable[LabelledPair]) -> list[StackRow]:
    """Pairs that a detector could be asked about, each with the view that goes with it.

    Of named projects only pairs that a weaker prover was asked about, whatever their label: else
    how weak it was would tell the label.
    """
    found = []
    for pair in pairs:
        if pair.evidence == "verified":
            found.append(StackRow(pair, pair.view))
        elif pair.project and pair.weak_view is not None:
            found.append(StackRow(pair, pair.weak_view))
    return found


def stackable(rows: Sequence[StackRow], margins: Floats, before: Floats | None = None) -> Stackable:
    """Rows with their features; `before`, where margins are no longer the detector's own."""
    return Stackable(
        rows,
        margins,
        [
            dense_features(row.pair, float(margin), row.view)
            for row, margin in zip(rows, margins, strict=True)
        ],
        margins if before is None else before,
    )


def base_rate_weights(rows: Sequence[StackRow], base_rate: float = BASE_RATE) -> Floats:
    """[N] Weights under which equivalents are this share of each language, and rows N in all.

    A row also counts as much as its label is believed.
    """
    believed: Counter[tuple[str, int]] = Counter()
    languages: Counter[str] = Counter()
    for row in rows:
        believed[row.pair.language, row.pair.label] += row.pair.weight  # type: ignore[assignment]
        languages[row.pair.language] += 1
    shares = {0: 1 - base_rate, 1: base_rate}
    return np.array(
        [
            row.pair.weight
            * shares[row.pair.label]
            * languages[row.pair.language]
            / believed[row.pair.language, row.pair.label]
            for row in rows
        ]
    )


def names_of(features: Iterable[Mapping[str, float]], least: int = 5) -> tuple[str, ...]:
    """Names that several rows have, the margin first."""
    counts: Counter[str] = Counter()
    for row in features:
        counts.update(name for name, value in row.items() if value)
    rest = sorted(name for name, count in counts.items() if count >= least and name != MARGIN)
    return (MARGIN, *rest)
