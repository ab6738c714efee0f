"""A batch of pairs as tensors: every distinct sequence once, and which pairs it belongs to."""

from dataclasses import dataclass, fields
from typing import Any

import torch
from torch import Tensor


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

    @property
    def nbytes(self) -> int:
        """Memory of all tensors."""
        return sum(tensor.nbytes for tensor in self._tensors().values())

    def to(self, device: torch.device | str, non_blocking: bool = False) -> "Batch":
        """The same batch on another device."""
        moved = {
            name: tensor.to(device, non_blocking=non_blocking)
            for name, tensor in self._tensors().items()
        }
        return Batch(**moved)

    def pin_memory(self) -> "Batch":
        """The same batch in pinned memory; a data loader calls this."""
        return Batch(**{name: tensor.pin_memory() for name, tensor in self._tensors().items()})

    def _tensors(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}
