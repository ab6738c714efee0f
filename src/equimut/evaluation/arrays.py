"""Labels and probabilities as arrays, checked once at the door."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from equimut.errors import DataError

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Labels: TypeAlias = Sequence[int] | NDArray[np.integer]
Probabilities: TypeAlias = Sequence[float] | NDArray[np.floating]


def checked_labels(labels: Labels) -> Integers:
    """Labels as integers, each 0 or 1; at least one."""
    found = np.asarray(labels)
    if found.ndim != 1 or found.size == 0:
        raise DataError("there is nothing to measure: give at least one label, in one dimension")
    wrong = np.flatnonzero(~np.isin(found, (0, 1)))
    if wrong.size:
        raise DataError(f"label {found[wrong[0]]} at position {wrong[0]} is neither 0 nor 1")
    return found.astype(np.int64)


def checked_numbers(values: Probabilities, count: int, what: str) -> Floats:
    """Finite numbers, as many as there are labels."""
    found = np.asarray(values, dtype=np.float64)
    if found.shape != (count,):
        raise DataError(f"{found.size} {what} for {count} labels; every label needs its own")
    wrong = np.flatnonzero(~np.isfinite(found))
    if wrong.size:
        raise DataError(f"{what}: {found[wrong[0]]} at position {wrong[0]} is not a finite number")
    return found


def checked(labels: Labels, probabilities: Probabilities) -> tuple[Integers, Floats]:
    """Labels and their probabilities, the latter within [0, 1]."""
    known = checked_labels(labels)
    found = checked_numbers(probabilities, len(known), "probabilities")
    wrong = np.flatnonzero((found < 0) | (found > 1))
    if wrong.size:
        raise DataError(
            f"probability {found[wrong[0]]} at position {wrong[0]} is not within [0, 1]"
        )
    return known, found


def group_numbers(groups: Sequence[object] | NDArray[np.generic], count: int) -> Integers:
    """Groups numbered from 0 in the order of their first row."""
    if len(groups) != count:
        raise DataError(f"{len(groups)} groups for {count} labels; every label needs its own")
    numbers: dict[object, int] = {}
    return np.array([numbers.setdefault(group, len(numbers)) for group in groups], dtype=np.int64)
