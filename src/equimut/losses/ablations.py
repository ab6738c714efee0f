"""What is left of Cluster Purge Loss without its moving verges: losses for ablation studies.

Each takes the arguments of :class:`ClusterPurgeLoss`, keeps its two hinges with their exponents and
margin, and changes only where the verges come from:

| class | verge of the equivalents, of the others |
|---|---|
| `PurgeWithoutVerges` | none: 1 and 0, the ends of the distance; every mutant always pays |
| `PurgeWithFixedVerges` | one number for all classes, both polarities and the whole training |
| `PurgeWithLearnedVerges` | one boundary per class, learnt by gradient (as in margin loss) |
"""

import torch
from torch import Tensor, nn

from equimut.losses.functional import cluster_purge, half_cosine_distance
from equimut.losses.processes import process_count, share_of_mean
from equimut.losses.validation import (
    check_at_least,
    check_class_ids,
    check_embeddings,
    check_finite,
    check_labels,
    check_vector,
)


class _Purge(nn.Module):
    """The hinges against verges that a child class provides."""

    def __init__(
        self,
        num_classes: int,
        *,
        alpha: float = 2.0,
        beta: float = 0.5,
        margin: float = -0.05,
        eps: float = 1e-4,
        validate: bool = True,
    ) -> None:
        super().__init__()
        check_at_least(1, num_classes=num_classes)
        check_at_least(0, strictly=True, alpha=alpha, beta=beta)
        check_at_least(0, eps=eps)
        check_finite(margin=margin)
        self.num_classes = num_classes
        self.alpha, self.beta, self.margin, self.eps = alpha, beta, margin, eps
        self.validate = validate

    def opposite_verge(self, distance: Tensor, label: Tensor, class_id: Tensor) -> Tensor:
        """``[m]``: what each sample is measured against."""
        raise NotImplementedError

    def forward(
        self,
        origin: Tensor,
        mutant: Tensor,
        label: Tensor,
        class_id: Tensor,
        sample_index: Tensor | None = None,
    ) -> Tensor:
        """The loss of a batch: a scalar. ``sample_index`` plays no part."""
        check_embeddings(self.validate, origin=origin, mutant=mutant)
        distance = half_cosine_distance(origin, mutant)
        check_vector("label", label, len(distance), integral=False)
        check_vector("class_id", class_id, len(distance))
        if self.validate:
            check_labels(label)
            check_class_ids(class_id, self.num_classes)
        terms = cluster_purge(
            distance,
            label.long(),
            self.opposite_verge(distance, label.long(), class_id.long()),
            alpha=self.alpha,
            beta=self.beta,
            margin=self.margin,
            eps=self.eps,
        )
        return terms.sum() * share_of_mean(len(terms), distance.device, local=not self.training)

    def extra_repr(self) -> str:
        """The hyperparameters, for ``print(loss)``."""
        return f"alpha={self.alpha}, beta={self.beta}, margin={self.margin}, eps={self.eps}"


class PurgeWithoutVerges(_Purge):
    """Equivalents pay for any distance, non-equivalents for any closeness.

    ``[d + margin]+ ^ alpha`` and ``[1 - d + margin]+ ^ beta``: no verge ever says "far enough".
    """

    def opposite_verge(self, distance: Tensor, label: Tensor, class_id: Tensor) -> Tensor:
        """0 for an equivalent, 1 for any other: as far as a distance can be from its aim."""
        return (1 - label).to(distance.dtype)


class PurgeWithFixedVerges(_Purge):
    """The verges stand where they are put, the same for every class and polarity.

    Args:
        verge: The distance within which equivalents belong and outside which the others do.
    """

    def __init__(self, num_classes: int, *, verge: float = 0.1, **hinges: float) -> None:
        super().__init__(num_classes, **hinges)  # type: ignore[arg-type]
        check_at_least(0, verge=verge)
        self.verge = verge

    def opposite_verge(self, distance: Tensor, label: Tensor, class_id: Tensor) -> Tensor:
        """The same number for all."""
        return torch.full_like(distance, self.verge)


class PurgeWithLearnedVerges(_Purge):
    """One boundary per class, moved by the gradient of the loss itself.

    Margin loss learns the boundary between near and far in this way. Both polarities of a class are
    measured against its boundary: an equivalent outside pulls it outwards, another inside pulls it
    inwards. ``boundary`` is a parameter, so an optimiser has to be given it. One process only: the
    gradients of the boundaries are not exchanged.

    Args:
        verge: Where every boundary begins.
    """

    def __init__(self, num_classes: int, *, verge: float = 0.1, **hinges: float) -> None:
        super().__init__(num_classes, **hinges)  # type: ignore[arg-type]
        check_at_least(0, verge=verge)
        self.boundary = nn.Parameter(torch.full((num_classes,), verge))

    def opposite_verge(self, distance: Tensor, label: Tensor, class_id: Tensor) -> Tensor:
        """The boundary of the sample's class."""
        if self.training and process_count() > 1:
            raise ValueError("learned verges train in one process only")
        return self.boundary[class_id].to(distance.dtype)
