"""Input embeddings of a batch: tokens look theirs up, a node is the mean of its sub-tokens."""

from torch import Tensor
from torch.nn import functional

from equimut.inputs.batch import Batch


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
