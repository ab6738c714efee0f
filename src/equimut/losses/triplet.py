"""Triplet loss over an origin, one of its equivalents and one of its non-equivalents."""

from torch import Tensor, nn
from torch.nn import functional as F

from equimut.losses.functional import half_cosine_distance
from equimut.losses.processes import share_of_mean
from equimut.losses.validation import check_embeddings, check_finite


class TripletLoss(nn.Module):
    """``mean [d(origin, equivalent) - d(origin, non_equivalent) + margin]+``.

    ``d`` is the half cosine distance. The three embeddings of a row belong to one class.

    Args:
        margin: By how much the equivalent must lie closer to the origin.
        validate: Check the values of the arguments on every call.

    Inputs:
        origin, equivalent, non_equivalent: ``[m, e]`` each.
    """

    def __init__(self, *, margin: float = 0.1, validate: bool = True) -> None:
        super().__init__()
        check_finite(margin=margin)
        self.margin = margin
        self.validate = validate

    def forward(self, origin: Tensor, equivalent: Tensor, non_equivalent: Tensor) -> Tensor:
        """The loss of a batch: a scalar."""
        check_embeddings(
            self.validate, origin=origin, equivalent=equivalent, non_equivalent=non_equivalent
        )
        near = half_cosine_distance(origin, equivalent)
        far = half_cosine_distance(origin, non_equivalent)
        terms = F.relu(near - far + self.margin)
        return terms.sum() * share_of_mean(len(terms), terms.device, local=not self.training)

    def extra_repr(self) -> str:
        """The hyperparameters, for ``print(loss)``."""
        return f"margin={self.margin}"
