"""Distinct sequences as arrays, padded to one length: ids, positions, mask, nodes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from equimut.inputs.encode import EncodedPair, EncodedSnippet
from equimut.inputs.subtokens import SpecialIds

BoolArray = npt.NDArray[np.bool_]
LongArray = npt.NDArray[np.int64]


def attention_mask(snippet: EncodedSnippet, length: int | None = None) -> BoolArray:
    """[length, length], true where the row's position sees the column's; padded if longer."""
    length = snippet.length if length is None else length
    mask = np.zeros((length, length), np.bool_)
    fill_mask(mask, snippet)
    return mask


def fill_mask(mask: npt.NDArray[Any], snippet: EncodedSnippet, sees: Any = True) -> None:
    """Write the mask of a snippet, what it sees, into a square of the opposite.

    Tokens see tokens; `<s>` and `</s>` see everything that is not padding; a node and its own
    sub-tokens see each other; a node sees the nodes its value comes from. A position that would see
    nothing (padding, a node cut off from all it belongs to) sees itself: a softmax over nothing
    is not a number. No one sees padding, so this changes no other position.
    """
    tokens, total = snippet.token_count, snippet.length
    mask[:tokens, :tokens] = sees
    mask[(0, tokens - 1), :total] = sees
    node, position = snippet.node_pieces
    mask[tokens + node, position] = sees
    mask[position, tokens + node] = sees
    reached, source = snippet.edges.T
    mask[tokens + reached, tokens + source] = sees
    blind = np.ones(len(mask) - tokens, np.bool_)  # nodes, then padding
    blind[node] = blind[reached] = False
    alone = tokens + np.flatnonzero(blind)
    mask[alone, alone] = sees


@dataclass(frozen=True)
class Positions:
    """Position ids by the role of a position. RoBERTa's first two mean something else."""

    first_token: int = 2
    node: int = 0
    padding: int = 1


ROBERTA = Positions()


@dataclass(frozen=True)
class Sequences:
    """U distinct sequences of at most L positions, M nodes among them."""

    input_ids: LongArray
    """[U, L]; a node's position holds the unknown token."""
    position_ids: LongArray
    """[U, L]."""
    attention_mask: BoolArray
    """[U, 1, L, L]: true where the row's position sees the column's."""
    token_counts: LongArray
    """[U] tokens at the start of each sequence, `<s>` and `</s>` included."""
    node_counts: LongArray
    """[U] nodes that follow them."""
    node_rows: LongArray
    """[M]: the sequence each node belongs to."""
    node_columns: LongArray
    """[M]: its position there."""
    node_offsets: LongArray
    """[M]: where each node's sub-tokens start in `node_ids`; they end with the next's."""
    node_ids: LongArray
    """[*]: ids of the nodes' sub-tokens; a node that was cut off has none."""

    @classmethod
    def of(
        cls,
        snippets: Sequence[EncodedSnippet],
        special: SpecialIds,
        positions: Positions = ROBERTA,
        multiple_of: int = 8,
    ) -> "Sequences":
        """Collate snippets; lengths are rounded up: faster kernels, fewer distinct shapes."""
        longest = max(snippet.length for snippet in snippets)
        length = -(-longest // multiple_of) * multiple_of
        shape = (len(snippets), length)
        ids = np.full(shape, special.padding, np.int64)
        places = np.full(shape, positions.padding, np.int64)
        mask = np.zeros((len(snippets), 1, length, length), np.bool_)
        from_first = positions.first_token + np.arange(length)
        for row, snippet in enumerate(snippets):
            tokens, total = snippet.token_count, snippet.length
            ids[row, :tokens] = snippet.ids
            ids[row, tokens:total] = special.node
            places[row, :tokens] = from_first[:tokens]
            places[row, tokens:total] = positions.node
            fill_mask(mask[row, 0], snippet)
        counts = np.array([(each.token_count, each.node_count) for each in snippets], np.int64)
        return cls(ids, places, mask, counts[:, 0], counts[:, 1], *_nodes(snippets))


def flat_features(pairs: Sequence[EncodedPair]) -> tuple[LongArray, LongArray]:
    """The features of all pairs in a row, and where each pair's start."""
    sizes = np.array([len(pair.features) for pair in pairs], np.int64)
    rows = [pair.features for pair in pairs]
    flat = np.concatenate(rows) if rows else np.zeros(0, np.int32)
    return flat.astype(np.int64), np.cumsum(sizes) - sizes


def edited_positions(spans: Sequence[tuple[int, int]], length: int) -> BoolArray:
    """[B, length] true inside each span."""
    starts, ends = np.array(spans).T[:, :, None]
    position = np.arange(length)
    edited: BoolArray = (position >= starts) & (position < ends)
    return edited


def _nodes(
    snippets: Sequence[EncodedSnippet],
) -> tuple[LongArray, LongArray, LongArray, LongArray]:
    """Row, column, start in the flat ids of each node, and the flat ids."""
    rows = np.repeat(np.arange(len(snippets)), [snippet.node_count for snippet in snippets])
    columns = [snippet.token_count + np.arange(snippet.node_count) for snippet in snippets]
    sizes = np.concatenate([np.diff(snippet.node_spans)[:, 0] for snippet in snippets])
    ids = np.concatenate([snippet.ids[snippet.node_pieces[1]] for snippet in snippets])
    starts = np.cumsum(sizes) - sizes
    return (
        rows.astype(np.int64),
        np.concatenate(columns).astype(np.int64),
        starts.astype(np.int64),
        ids.astype(np.int64),
    )
