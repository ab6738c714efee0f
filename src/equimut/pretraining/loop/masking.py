"""Questions about functions with their graph: what is hidden, what is asked."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from equimut.inputs.batch import Batch, Collator
from equimut.inputs.encode import EncodedPair, EncodedSnippet
from equimut.inputs.subtokens import IntArray

SHARE = 0.15
"""Of the sub-tokens that are asked for: four in five hidden, one in ten replaced."""


EDGE_SHARE = 0.2
"""Of the nodes whose edges are hidden."""


@dataclass(frozen=True)
class HiddenEdges:
    """Pairs of nodes: does a value flow between them? As many do as do not."""

    rows: Tensor
    """[E] the sequence of each pair of nodes."""
    nodes: Tensor
    """[E, 2] their positions there."""
    answers: Tensor
    """[E] 1.0 where an edge was hidden, 0.0 where there was none."""


@dataclass(frozen=True)
class MaskedBatch:
    """Sequences with hidden sub-tokens, and what stood there."""

    batch: Batch
    rows: Tensor
    """[K] the sequence of each sub-token that is asked for."""
    positions: Tensor
    """[K] its position there."""
    answers: Tensor
    """[K] its id."""
    edges: HiddenEdges | None = None
    """What is asked about edges; None for nothing."""


def masked_batch(
    snippets: Sequence[EncodedSnippet],
    collator: Collator,
    mask_id: int,
    vocabulary: int,
    chance: np.random.Generator,
    *,
    edges: bool = False,
) -> MaskedBatch:
    """Hide sub-tokens of each snippet, and edges of its graph if asked to.

    The embedding of a graph node is made from the ids shown, so a hidden name is hidden in its
    node too; another occurrence of it, along an edge, is a fair hint.
    """
    hidden, rows, positions, answers = [], [], [], []
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
        positions += asked.tolist()
        answers += snippet.ids[asked].tolist()
    questions = [hide_edges(snippet, chance) for snippet in hidden] if edges else []
    shown = [question.snippet for question in questions] if edges else hidden
    batch = collator([EncodedPair(each, each, (0, 1), (0, 1)) for each in shown])
    return MaskedBatch(
        batch,
        batch.origin[torch.tensor(rows)],
        torch.tensor(positions),
        torch.tensor(answers),
        _asked(questions, batch.origin),
    )


@dataclass(frozen=True)
class EdgeQuestion:
    """A snippet without the edges of some nodes, and pairs of nodes to tell apart."""

    snippet: EncodedSnippet
    there: IntArray
    """[E / 2, 2] nodes between which an edge was hidden."""
    absent: IntArray
    """[E / 2, 2] one of the same nodes each, with one it has no edge with."""


def hide_edges(snippet: EncodedSnippet, chance: np.random.Generator) -> EdgeQuestion:
    """Hide every edge of a share of the nodes, as GraphCodeBERT does.

    There are as many false pairs as true ones; where the graph has not enough of them, both are
    cut to the smaller number.
    """
    count = snippet.node_count
    chosen = chance.random(count) < EDGE_SHARE
    edges = snippet.edges[(snippet.edges[:, 0] != snippet.edges[:, 1])]
    there = edges[chosen[edges].any(axis=1)]
    linked = np.eye(count, dtype=np.bool_)
    linked[edges[:, 0], edges[:, 1]] = linked[edges[:, 1], edges[:, 0]] = True
    free = np.argwhere(~linked & chosen[:, None]).astype(np.int32)
    number = min(len(there), len(free))
    return EdgeQuestion(
        replace(snippet, edges=snippet.edges[~chosen[snippet.edges].any(axis=1)]),
        there[chance.permutation(len(there))[:number]],
        free[chance.permutation(len(free))[:number]],
    )


def _asked(questions: Sequence[EdgeQuestion], row_of: Tensor) -> HiddenEdges | None:
    """The pairs of nodes of all snippets; None where there is nothing to ask."""
    rows, nodes, answers = [], [], []
    for at, question in enumerate(questions):
        for pairs, answer in ((question.there, 1.0), (question.absent, 0.0)):
            rows += [at] * len(pairs)
            nodes.append(pairs + question.snippet.token_count)
            answers += [answer] * len(pairs)
    if not rows:
        return None
    positions = torch.from_numpy(np.concatenate(nodes).astype(np.int64))
    return HiddenEdges(row_of[torch.tensor(rows)], positions, torch.tensor(answers))
