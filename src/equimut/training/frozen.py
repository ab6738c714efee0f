"""Training of the head alone: the encoder's features are computed once."""

from collections.abc import Sequence

import torch
from torch import nn

from equimut.inputs.batch import Batch
from equimut.inputs.encode import EncodedPair
from equimut.models.detector import Detector, DetectorOutput
from equimut.models.scoring import ViewStore, side_rows


class FrozenDetector(nn.Module):
    """Stands in for a detector whose encoder does not change: a look-up, then the head.

    Pairs are found by `sample_index`, so a batch must come from the pairs it was made with.
    """

    def __init__(self, detector: Detector, pairs: Sequence[EncodedPair]) -> None:
        super().__init__()
        detector.encoder.requires_grad_(False)
        self.head = detector.head
        self._row_of = {pair.index: row for row, pair in enumerate(pairs)}
        rows = side_rows(detector, pairs, ViewStore(kept=2 * len(pairs)))
        self._origin, self._mutant = (detector.as_features(side) for side in rows)

    def forward(self, batch: Batch) -> DetectorOutput:
        """Logits and embeddings, as the detector would give them with its encoder in evaluation."""
        rows = torch.tensor([self._row_of[index] for index in batch.sample_index.tolist()])
        device = self.head.out.weight.device
        origin, mutant = (
            side.map(lambda part: part[rows.to(part.device)].to(device))
            for side in (self._origin, self._mutant)
        )
        features = (batch.features.to(device), batch.feature_offsets.to(device))
        return DetectorOutput(self.head(origin, mutant, features), origin, mutant)
