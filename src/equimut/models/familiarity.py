"""How much of the code is in words that the tokenizer knows.

A byte-level tokenizer can write anything, letter by letter if it must, so nothing is ever
unreadable; but names in shreds mean nothing to an encoder that never saw them.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

STRANGE = 0.7
"""Share of shreds from which on the model abstains: beyond it lie one in a thousand windows of the
functions that were held out of pretraining."""
UNUSUAL = 0.5
"""Share of shreds that is said beside the verdict: one window in a hundred."""
FEWEST = 8
"""Pieces with letters that a window must have to be called anything."""
_SHRED = 2
"""Letters of a shred: a piece of a word that is neither its start nor longer than this."""


@dataclass(frozen=True)
class Familiarity:
    """A tokenizer's pieces by id: which have letters, which are shreds."""

    lettered: npt.NDArray[np.bool_]
    shreds: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, tokenizer: Any) -> "Familiarity":
        """Read the pieces of a tokenizer; the sign for a space marks the start of a word."""
        pieces: list[str] = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
        space = tokenizer.convert_ids_to_tokens(tokenizer.encode(" a", add_special_tokens=False))
        mark = space[0][0]
        lettered = [any(map(str.isalpha, piece.lstrip(mark))) for piece in pieces]
        shreds = [
            has_letters and not piece.startswith(mark) and len(piece) <= _SHRED
            for piece, has_letters in zip(pieces, lettered, strict=True)
        ]
        return cls(np.array(lettered), np.array(shreds))

    def shredded(self, ids: npt.NDArray[np.int32]) -> float:
        """The share of pieces with letters that are shreds; 0 where there are too few to say."""
        known = ids[ids < len(self.lettered)]
        lettered = int(self.lettered[known].sum())
        return float(self.shreds[known].sum()) / lettered if lettered >= FEWEST else 0.0
