"""A batch of pairs as tensors, each distinct sequence once, and their input embeddings."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from equimut.inputs.encode import EncodedPair, EncodedSnippet
from equimut.inputs.sequences import ROBERTA, Positions, Sequences, edited_positions, flat_features
from equimut.inputs.subtokens import SpecialIds


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
    The table is looked up once: each look-up makes a gradient of the table's size.
    """
    looked_up = torch.cat([batch.input_ids.flatten(), batch.node_ids])
    words = functional.embedding(looked_up, word_embeddings)
    embedded = words[: batch.input_ids.numel()].view(*batch.input_ids.shape, -1)
    if len(batch.node_rows) == 0:
        return embedded
    within = torch.arange(len(batch.node_ids), device=words.device)
    of_nodes = words[batch.input_ids.numel() :]
    nodes = functional.embedding_bag(within, of_nodes, batch.node_offsets, mode="mean")
    return embedded.index_put((batch.node_rows, batch.node_columns), nodes)


@dataclass(frozen=True)
class Collator:
    """Turns a list of encoded pairs into a `Batch`."""

    special: SpecialIds
    positions: Positions = ROBERTA
    multiple_of: int = 8
    """Lengths are rounded up to a multiple of this: faster kernels, fewer distinct shapes."""

    def __call__(self, pairs: Sequence[EncodedPair]) -> Batch:
        """Collate pairs; each distinct sequence becomes one row."""
        rows: dict[EncodedSnippet, int] = {}
        origin = [rows.setdefault(pair.origin, len(rows)) for pair in pairs]
        mutant = [rows.setdefault(pair.mutant, len(rows)) for pair in pairs]
        sequences = Sequences.of(list(rows), self.special, self.positions, self.multiple_of)
        length = sequences.input_ids.shape[1]
        features, feature_offsets = flat_features(pairs)
        edits = ([getattr(pair, name) for pair in pairs] for name in ("origin_edit", "mutant_edit"))
        origin_edit, mutant_edit = (
            torch.from_numpy(edited_positions(spans, length)) for spans in edits
        )
        return Batch(
            **{name: torch.from_numpy(array) for name, array in vars(sequences).items()},
            origin=torch.tensor(origin),
            mutant=torch.tensor(mutant),
            origin_edit=origin_edit,
            mutant_edit=mutant_edit,
            features=torch.from_numpy(features),
            feature_offsets=torch.from_numpy(feature_offsets),
            labels=torch.tensor([pair.label for pair in pairs]),
            class_ids=torch.tensor([pair.class_id for pair in pairs]),
            sample_index=torch.tensor([pair.index for pair in pairs]),
        )
