"""A small model behind a detector: its log-odds, dense features of the edit, the prover's view.

It is a sum of weights and of small regression trees, fitted by scikit-learn and kept as plain
numbers, so that a scan needs nothing but numpy to use it, and not even that to know of it: whoever
reads the settings of a detector need not run it.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from pydantic import model_validator

from equimut.errors import DataError
from equimut.records import PairLike, ProverView, Record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

LEAF = -1
"""In the place of a feature: the node is a leaf."""


class Tree(Record):
    """A regression tree: the nodes one after the other, the root first."""

    feature: tuple[int, ...]
    """What a node asks for, by its place among the names; `LEAF` for none."""
    threshold: tuple[float, ...]
    """Rows go left up to this value."""
    left: tuple[int, ...]
    right: tuple[int, ...]
    value: tuple[float, ...]
    """Of a leaf."""

    @model_validator(mode="after")
    def _leads_down(self) -> "Tree":
        """Children come after their parent, so that every walk ends."""
        columns = (self.feature, self.threshold, self.left, self.right, self.value)
        if not self.feature or any(len(one) != len(other) for one, other in pairwise(columns)):
            raise ValueError("the columns of a tree have different lengths")
        for at, feature in enumerate(self.feature):
            if feature != LEAF and not all(
                at < child < len(self.feature) for child in (self.left[at], self.right[at])
            ):
                raise ValueError(f"node {at} of a tree leads nowhere")
        return self

    def values(self, rows: "Floats") -> "Floats":
        """[N] What the tree says of each row of [N, features]."""
        import numpy as np

        feature, left, right = (np.array(each) for each in (self.feature, self.left, self.right))
        threshold, value = np.array(self.threshold), np.array(self.value)
        at = np.zeros(len(rows), np.int64)
        every = np.arange(len(rows))
        while (inner := feature[at] != LEAF).any():
            goes_left = rows[every, np.maximum(feature[at], 0)] <= threshold[at]
            at = np.where(inner, np.where(goes_left, left[at], right[at]), at)
        return np.asarray(value[at])


class Stack(Record):
    """Weights and trees over named features."""

    names: tuple[str, ...]
    constant: float
    weights: tuple[float, ...]
    trees: tuple[Tree, ...] = ()

    @model_validator(mode="after")
    def _fits_together(self) -> "Stack":
        if len(self.weights) != len(self.names):
            raise ValueError("a stack has one weight for each name")
        if any(feature >= len(self.names) for tree in self.trees for feature in tree.feature):
            raise ValueError("a tree asks for a feature without a name")
        return self

    def matrix(self, rows: Sequence[Mapping[str, float]]) -> "Floats":
        """[N, features] Named features in their columns; what has no column is not used."""
        import numpy as np

        places = {name: place for place, name in enumerate(self.names)}
        found = np.zeros((len(rows), len(self.names)))
        for number, row in enumerate(rows):
            for name, value in row.items():
                if name in places:
                    found[number, places[name]] = value
        return found

    def margins(self, rows: Sequence[Mapping[str, float]]) -> "Floats":
        """[N] Log-odds of "equivalent", before calibration."""
        import numpy as np

        matrix = self.matrix(rows)
        total = self.constant + matrix @ np.array(self.weights)
        for tree in self.trees:
            total = total + tree.values(matrix)
        return np.asarray(total)


def view_of(pair: PairLike) -> ProverView | None:
    """What the prover saw of a pair, where it was asked."""
    view = getattr(pair, "view", None)
    if view is not None and not isinstance(view, ProverView):
        raise DataError("the view of a pair is not what a prover gives")
    return view


def stacked(stack: Stack, pairs: Sequence[PairLike], margins: "Floats") -> "Floats":
    """[N] What a stack makes of the log-odds of a detector."""
    from equimut.inputs.edit_features.reach import dense_features

    rows = [
        dense_features(pair, float(margin), view_of(pair))
        for pair, margin in zip(pairs, margins, strict=True)
    ]
    return stack.margins(rows)
