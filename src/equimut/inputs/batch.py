"""A batch of pairs as tensors: mask, padding, input embeddings, each distinct sequence once."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from equimut.inputs.encode import EncodedPair, EncodedSnippet
from equimut.inputs.subtokens import SpecialIds

BoolArray = npt.NDArray[np.bool_]


def attention_mask(snippet: EncodedSnippet, length: int | None = None) -> BoolArray:
    """[length, length], true where the row's position sees the column's; padded if longer."""
    length = snippet.length if length is None else length
    mask = np.zeros((length, length), np.bool_)
    fill_mask(mask, snippet)
    return mask


def fill_mask(mask: BoolArray, snippet: EncodedSnippet) -> None:
    """Write the mask of a snippet into an all-false square.

    Tokens see tokens; `<s>` and `</s>` see everything that is not padding; a node and its own
    sub-tokens see each other; a node sees the nodes its value comes from. A position that would see
    nothing (padding, a node cut off from all it belongs to) sees itself: a softmax over nothing
    is not a number. No one sees padding, so this changes no other position.
    """
    tokens, total = snippet.token_count, snippet.length
    mask[:tokens, :tokens] = True
    mask[(0, tokens - 1), :total] = True
    node, position = snippet.node_pieces
    mask[tokens + node, position] = True
    mask[position, tokens + node] = True
    reached, source = snippet.edges.T
    mask[tokens + reached, tokens + source] = True
    sees = np.zeros(len(mask) - tokens, np.bool_)  # nodes, then padding
    sees[node] = sees[reached] = True
    alone = tokens + np.flatnonzero(~sees)
    mask[alone, alone] = True


@dataclass(frozen=True)
class Batch:
    """B pairs made of U distinct sequences of at most L positions, M nodes among them.

    An encoder reads the U sequences; `origin` and `mutant` gather its output for the pairs:
    `states[batch.origin, 0]` are the origins' `<s>` embeddings.
    """

    input_ids: Tensor
    """[U, L] int64; a node's position holds the unknown token."""
    position_ids: Tensor
    """[U, L] int64."""
    attention_mask: Tensor
    """[U, 1, L, L] bool: true where the row's position sees the column's."""
    token_counts: Tensor
    """[U] int64 tokens at the start of each sequence, `<s>` and `</s>` included."""
    node_counts: Tensor
    """[U] int64 nodes that follow them."""
    node_rows: Tensor
    """[M] int64: the sequence each node belongs to."""
    node_columns: Tensor
    """[M] int64: its position there."""
    node_offsets: Tensor
    """[M] int64: where each node's sub-tokens start in `node_ids`; they end with the next's."""
    node_ids: Tensor
    """[*] int64: ids of the nodes' sub-tokens; a node that was cut off has none."""
    origin: Tensor
    """[B] int64: the row of each pair's origin."""
    mutant: Tensor
    """[B] int64: the row of each pair's mutant."""
    origin_edit: Tensor
    """[B, L] bool: the edited positions of the origin; at least one."""
    mutant_edit: Tensor
    """[B, L] bool: the edited positions of the mutant; at least one."""
    features: Tensor
    """[*] int64: buckets of the edits' features, pair by pair."""
    feature_offsets: Tensor
    """[B] int64: where each pair's features start; they end with the next's."""
    labels: Tensor
    """[B] int64: 1 equivalent, 0 not, -1 not known."""
    class_ids: Tensor
    """[B] int64."""
    sample_index: Tensor
    """[B] int64: the position of each pair in its data set."""

    def __len__(self) -> int:
        return len(self.origin)

    def to(self, device: torch.device | str) -> "Batch":
        """The same batch on another device."""
        return Batch(**{name: tensor.to(device) for name, tensor in vars(self).items()})


def embed(batch: Batch, word_embeddings: Tensor) -> Tensor:
    """[U, L, hidden] input embeddings, before positions are added.

    `word_embeddings` is the encoder's table [vocabulary, hidden]. A node that was cut off is
    an empty bag, whose mean is zero. No [U, L, L] product is formed, as a masked mean would.
    """
    embedded = functional.embedding(batch.input_ids, word_embeddings)
    if len(batch.node_rows) == 0:
        return embedded
    nodes = functional.embedding_bag(
        batch.node_ids, word_embeddings, batch.node_offsets, mode="mean"
    )
    return embedded.index_put((batch.node_rows, batch.node_columns), nodes)


@dataclass(frozen=True)
class Positions:
    """Position ids by the role of a position. RoBERTa's first two mean something else."""

    first_token: int = 2
    node: int = 0
    padding: int = 1


@dataclass(frozen=True)
class Collator:
    """Turns a list of encoded pairs into a `Batch`."""

    special: SpecialIds
    positions: Positions = Positions()
    multiple_of: int = 8
    """Lengths are rounded up to a multiple of this: faster kernels, fewer distinct shapes."""

    def __call__(self, pairs: Sequence[EncodedPair]) -> Batch:
        """Collate pairs; each distinct sequence becomes one row."""
        rows: dict[EncodedSnippet, int] = {}
        origin = [rows.setdefault(pair.origin, len(rows)) for pair in pairs]
        mutant = [rows.setdefault(pair.mutant, len(rows)) for pair in pairs]
        snippets = list(rows)
        longest = max(snippet.length for snippet in snippets)
        length = -(-longest // self.multiple_of) * self.multiple_of
        input_ids, position_ids, mask = self._sequences(snippets, length)
        node_rows, node_columns, node_offsets, node_ids = _nodes(snippets)
        features, feature_offsets = flat_features(pairs)
        return Batch(
            input_ids=input_ids,
            position_ids=position_ids,
            attention_mask=mask,
            token_counts=torch.tensor([snippet.token_count for snippet in snippets]),
            node_counts=torch.tensor([snippet.node_count for snippet in snippets]),
            node_rows=node_rows,
            node_columns=node_columns,
            node_offsets=node_offsets,
            node_ids=node_ids,
            origin=torch.tensor(origin),
            mutant=torch.tensor(mutant),
            origin_edit=_edits([pair.origin_edit for pair in pairs], length),
            mutant_edit=_edits([pair.mutant_edit for pair in pairs], length),
            features=features,
            feature_offsets=feature_offsets,
            labels=torch.tensor([pair.label for pair in pairs]),
            class_ids=torch.tensor([pair.class_id for pair in pairs]),
            sample_index=torch.tensor([pair.index for pair in pairs]),
        )

    def _sequences(
        self, snippets: Sequence[EncodedSnippet], length: int
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Ids, positions and mask of all rows."""
        shape = (len(snippets), length)
        ids = np.full(shape, self.special.padding, np.int64)
        positions = np.full(shape, self.positions.padding, np.int64)
        mask = np.zeros((len(snippets), 1, length, length), np.bool_)
        from_first = self.positions.first_token + np.arange(length)
        for row, snippet in enumerate(snippets):
            tokens, total = snippet.token_count, snippet.length
            ids[row, :tokens] = snippet.ids
            ids[row, tokens:total] = self.special.node
            positions[row, :tokens] = from_first[:tokens]
            positions[row, tokens:total] = self.positions.node
            fill_mask(mask[row, 0], snippet)
        return torch.from_numpy(ids), torch.from_numpy(positions), torch.from_numpy(mask)


def flat_features(pairs: Sequence[EncodedPair]) -> tuple[Tensor, Tensor]:
    """The features of all pairs in a row, and where each pair's start."""
    sizes = np.array([len(pair.features) for pair in pairs], np.int64)
    rows = [pair.features for pair in pairs]
    flat = np.concatenate(rows) if rows else np.zeros(0, np.int32)
    return _int64(flat), torch.from_numpy(np.cumsum(sizes) - sizes)


def _nodes(snippets: Sequence[EncodedSnippet]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Row, column, start in the flat ids of each node, and the flat ids."""
    rows = np.repeat(np.arange(len(snippets)), [snippet.node_count for snippet in snippets])
    columns = [snippet.token_count + np.arange(snippet.node_count) for snippet in snippets]
    sizes = np.concatenate([np.diff(snippet.node_spans)[:, 0] for snippet in snippets])
    ids = np.concatenate([snippet.ids[snippet.node_pieces[1]] for snippet in snippets])
    starts = np.cumsum(sizes) - sizes
    return _int64(rows), _int64(np.concatenate(columns)), _int64(starts), _int64(ids)


def _edits(spans: Sequence[tuple[int, int]], length: int) -> Tensor:
    """[B, length] true inside each span."""
    starts, ends = np.array(spans).T[:, :, None]
    position = np.arange(length)
    return torch.from_numpy((position >= starts) & (position < ends))


def _int64(values: npt.NDArray[np.generic]) -> Tensor:
    return torch.from_numpy(values.astype(np.int64))
