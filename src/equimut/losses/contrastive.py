"""Contrastive loss between a mutant and its origin, as the paper adapts it."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from equimut.losses.functional import half_cosine_distance
from equimut.losses.processes import share_of_mean
from equimut.losses.validation import check_embeddings, check_finite, check_labels, check_vector


class ContrastiveLoss(nn.Module):
    """``mean(l * [d]+ + (1 - l) * [margin - d]+)`` with the half cosine distance ``d``.

    Equivalents are pulled to their origin; non-equivalents are pushed until they are ``margin``
    away. Takes the same arguments as :class:`ClusterPurgeLoss`, so the two can be exchanged;
    ``class_id`` and ``sample_index`` play no part.

    Args:
        margin: Distance at which a non-equivalent mutant is far enough (the paper's zeta).
        validate: Check the values of the arguments on every call.
    """

    def __init__(self, *, margin: float = 0.09, validate: bool = True) -> None:
        super().__init__()
        check_finite(margin=margin)
        self.margin = margin
        self.validate = validate

    def forward(
        self,
        origin: Tensor,
        mutant: Tensor,
        label: Tensor,
        class_id: Tensor | None = None,
        sample_index: Tensor | None = None,
    ) -> Tensor:
        """The loss of a batch: a scalar."""
        check_embeddings(self.validate, origin=origin, mutant=mutant)
        check_vector("label", label, origin.shape[0], integral=False)
        if self.validate:
            check_labels(label)
        distance = half_cosine_distance(origin, mutant)
        terms = torch.where(label == 1, F.relu(distance), F.relu(self.margin - distance))
        return terms.sum() * share_of_mean(len(terms), terms.device, local=not self.training)

    def extra_repr(self) -> str:
        """The hyperparameters, for ``print(loss)``."""
        return f"margin={self.margin}"
