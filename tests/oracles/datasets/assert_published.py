"""An encoding against the published features: the same ids, positions, mask and embeddings."""

import numpy as np
import torch

from equimut.inputs.batch import Collator, embed
from equimut.inputs.encode import EncodedPair, EncodedSnippet
from equimut.inputs.sequences import attention_mask
from oracles.encoders.published_inputs import Features
from oracles.encoders.small_tokenizer import small_subtokenizer, small_tokenizer

PLACES = 320


def assert_published(encoded: EncodedSnippet, expected: Features) -> None:
    """Ids, positions, mask and averaged places are those of the plain loops."""
    pair = EncodedPair(encoded, encoded, (0, 1), (0, 1))
    batch = Collator(small_subtokenizer().special, multiple_of=PLACES)([pair])
    assert batch.input_ids[0].tolist() == expected.ids
    assert batch.position_ids[0].tolist() == expected.positions

    mask = np.array(expected.mask)
    alone = np.flatnonzero(~mask.any(axis=1))  # the one difference: they see themselves
    mask[alone, alone] = True
    assert np.array_equal(attention_mask(encoded, PLACES), mask)
    assert np.array_equal(batch.attention_mask[0, 0].numpy(), mask)

    table = torch.randn(len(small_tokenizer()), 3, dtype=torch.float64)
    embedded = embed(batch, table)[0]
    looked_up = table[torch.tensor(expected.ids)]
    for place, averaged in enumerate(expected.averaged):
        if expected.positions[place] == 0:
            own = looked_up[averaged].mean(dim=0) if averaged else torch.zeros(3)
        else:
            own = looked_up[place]
        assert torch.allclose(embedded[place], own.double(), atol=1e-12)
