"""Masked language modelling on functions with their graph: what is hidden, what is asked."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from equimut.inputs.batch import Batch
from equimut.inputs.collate import Collator
from equimut.inputs.encoded import EncodedPair, EncodedSnippet

SHARE = 0.15
"""Of the sub-tokens that are asked for: four in five hidden, one in ten replaced."""


@dataclass(frozen=True)
class MaskedBatch:
    """Sequences with hidden sub-tokens, and what stood there."""

    batch: Batch
    rows: Tensor
    """[K] the sequence of each sub-token that is asked for."""
    places: Tensor
    """[K] its place there."""
    answers: Tensor
    """[K] its id."""


def masked_batch(
    snippets: Sequence[EncodedSnippet],
    collator: Collator,
    mask_id: int,
    vocabulary: int,
    chance: np.random.Generator,
) -> MaskedBatch:
    """Hide sub-tokens of each snippet.

    The embedding of a graph node is made from the ids shown, so a hidden name is hidden in its
    node too; another occurrence of it, along an edge, is a fair hint.
    """
    hidden, rows, places, answers = [], [], [], []
    for row, snippet in enumerate(snippets):
        code = np.arange(1, snippet.token_count - 1)
        asked = code[chance.random(len(code)) < SHARE]
        if not len(asked) and len(code):
            asked = code[[int(chance.integers(len(code)))]]
        ids = snippet.ids.copy()
        lot = chance.random(len(asked))
        ids[asked[lot < 0.8]] = mask_id
        other = asked[(lot >= 0.8) & (lot < 0.9)]
        ids[other] = chance.integers(mask_id + 1, vocabulary, len(other))
        hidden.append(replace(snippet, ids=ids))
        rows += [row] * len(asked)
        places += asked.tolist()
        answers += snippet.ids[asked].tolist()
    batch = collator([EncodedPair(each, each, (0, 1), (0, 1)) for each in hidden])
    return MaskedBatch(
        batch, batch.origin[torch.tensor(rows)], torch.tensor(places), torch.tensor(answers)
    )
