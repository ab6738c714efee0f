"""What a forward pass of Cluster Purge Loss did, for logs."""

from dataclasses import dataclass

import torch
from torch import Tensor

from equimut.losses.functional import EQUIVALENT, NON_EQUIVALENT, mean_verges


@dataclass(frozen=True)
class PurgeStatistics:
    """What a forward pass did, as 0-dimensional tensors: reading them is left to the caller."""

    active_equivalent: Tensor
    """Share of the batch's equivalents with a non-zero term (NaN without any)."""
    active_non_equivalent: Tensor
    """Share of the batch's non-equivalents with a non-zero term (NaN without any)."""
    active: Tensor
    """Share of all samples of the batch with a non-zero term."""
    positive_verge: Tensor
    """Mean verge of the equivalents, over the classes that have one (NaN without any)."""
    negative_verge: Tensor
    """Mean verge of the non-equivalents, over the classes that have one (NaN without any)."""
    classes_with_both: Tensor
    """Number of classes in which both polarities have been seen."""

    def as_dict(self) -> dict[str, float]:
        """Plain numbers for a log."""
        return {name: float(value) for name, value in vars(self).items()}


@torch.no_grad()
def purge_statistics(terms: Tensor, label: Tensor, verge: Tensor, count: Tensor) -> PurgeStatistics:
    """Of the terms of a batch, and of the verges after it."""
    active = (terms > 0).float()
    means = mean_verges(verge, count)
    return PurgeStatistics(
        active_equivalent=active[label == EQUIVALENT].mean(),
        active_non_equivalent=active[label == NON_EQUIVALENT].mean(),
        active=active.mean(),
        positive_verge=means[EQUIVALENT],
        negative_verge=means[NON_EQUIVALENT],
        classes_with_both=(count > 0).all(dim=1).sum(),
    )
