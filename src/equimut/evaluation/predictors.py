"""What every judge can do, be it a look-up table or a large model."""

from collections.abc import Sequence
from typing import Protocol

from numpy import float64
from numpy.typing import NDArray

from equimut.records import Pair


class Speaker(Protocol):
    """Says how probable it is that a pair is equivalent."""

    @property
    def name(self) -> str:
        """How tables call it."""

    def probabilities(self, pairs: Sequence[Pair]) -> NDArray[float64]:
        """P(equivalent) of each pair, in order. Never reads their labels."""


class Judge(Speaker, Protocol):
    """Learns from labelled pairs, then speaks."""

    def fit(self, pairs: Sequence[Pair]) -> None:
        """Learn from pairs with labels; forgets what was learnt before."""
