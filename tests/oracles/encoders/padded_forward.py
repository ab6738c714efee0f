"""The published form of the forward pass: every side padded to all places, encoded by itself.

Eager attention with an additive mask, node embeddings by a masked mean over a square matrix. Used
as the oracle of the detector and as what `benchmarks/training.py` measures against.
"""

from collections.abc import Sequence
from copy import deepcopy

import numpy as np
import torch
from torch import Tensor, nn
from transformers import AutoModel

from equimut.inputs.encode import EncodedPair, EncodedSnippet
from equimut.inputs.sequences import attention_mask
from equimut.inputs.subtokens import SpecialIds
from equimut.models.detector import Detector
from equimut.models.head import Features


class PaddedForward(nn.Module):
    """Shares the weights of a detector; twice as many sequences, all of the same length."""

    def __init__(
        self, detector: Detector, places: int | None = None, attention: str = "eager"
    ) -> None:
        super().__init__()
        transformer = detector.encoder.transformer
        self.transformer = AutoModel.from_config(
            deepcopy(transformer.config), attn_implementation=attention, add_pooling_layer=False
        )
        self.transformer.load_state_dict(transformer.state_dict())
        self.additive = attention == "eager"
        self.head = detector.head
        self.pooling = detector.settings.pooling
        self.special = detector.sub_tokenizer.special
        self.places = places or detector.settings.limits.max_length

    def forward(self, pairs: Sequence[EncodedPair]) -> tuple[Tensor, Tensor, Tensor]:
        """Logits and the two CLS embeddings."""
        origin = self.side([p.origin for p in pairs], [p.origin_edit for p in pairs])
        mutant = self.side([p.mutant for p in pairs], [p.mutant_edit for p in pairs])
        return self.head(origin, mutant), origin.cls, mutant.cls

    def side(
        self, snippets: Sequence[EncodedSnippet], edits: Sequence[tuple[int, int]]
    ) -> Features:
        """One side of all pairs."""
        ids, positions, mask = padded(snippets, self.places, self.special)
        words = self.transformer.get_input_embeddings()(ids)
        nodes, tokens = positions == 0, positions >= 2
        of_node = (nodes[:, :, None] & tokens[:, None, :] & mask).float()
        of_node = of_node / (of_node.sum(-1, keepdim=True) + 1e-10)
        mean = torch.einsum("abc,acd->abd", of_node, words)
        embedded = torch.where(nodes[:, :, None], mean, words)
        seen = mask[:, None]
        if self.additive:
            lowest = torch.finfo(embedded.dtype).min
            seen = torch.where(seen, 0.0, lowest)
        states = self.transformer(
            inputs_embeds=embedded, attention_mask=seen, position_ids=positions
        ).last_hidden_state
        if self.pooling == "cls":
            return Features(states[:, 0], None)
        means = [
            state[start:end].mean(0) for state, (start, end) in zip(states, edits, strict=True)
        ]
        return Features(states[:, 0], torch.stack(means))


def padded(
    snippets: Sequence[EncodedSnippet], places: int, special: SpecialIds
) -> tuple[Tensor, Tensor, Tensor]:
    """Ids, positions and masks, each padded to all places."""
    ids = np.full((len(snippets), places), special.padding, np.int64)
    positions = np.ones((len(snippets), places), np.int64)
    masks = np.stack([attention_mask(snippet, places) for snippet in snippets])
    for row, snippet in enumerate(snippets):
        ids[row, : snippet.token_count] = snippet.ids
        ids[row, snippet.token_count : snippet.length] = special.node
        positions[row, : snippet.token_count] = 2 + np.arange(snippet.token_count)
        positions[row, snippet.token_count : snippet.length] = 0
    return torch.from_numpy(ids), torch.from_numpy(positions), torch.from_numpy(masks)
