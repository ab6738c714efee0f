"""Encoded pairs to one batch: distinct sequences once, padded to the longest of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from equimut.inputs.batch import Batch
from equimut.inputs.encoded import EncodedPair, EncodedSnippet
from equimut.inputs.mask import fill_mask
from equimut.inputs.subtokens import SpecialIds


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
