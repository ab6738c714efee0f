"""The joint loss: a metric loss, weighed, plus cross-entropy (eq. 1)."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from equimut.losses.processes import share_of_mean
from equimut.losses.validation import check_finite, check_labels, check_vector


class LossParts(NamedTuple):
    """The loss to minimise, and what it is made of."""

    total: Tensor
    metric: Tensor
    """The metric loss before weighing; 0 when there is none."""
    cross_entropy: Tensor


class JointLoss(nn.Module):
    """``weight * metric + cross-entropy``, with every part by name.

    Args:
        metric: A loss called as ``metric(origin, mutant, label, class_id, sample_index)``:
            :class:`ClusterPurgeLoss`, :class:`ContrastiveLoss` or your own. ``None`` trains with
            cross-entropy alone. For triplets use :meth:`combine`.
        weight: The paper's lambda.
        label_weights: How much a pair of each label (non-equivalent, equivalent) counts in the
            cross-entropy; default 1 and 1. See :func:`balanced_weights`.
        validate: Check the values of the labels on every call.

    Example:
        >>> from equimut.losses import ClusterPurgeLoss
        >>> joint = JointLoss(ClusterPurgeLoss(num_classes=2))
        >>> origin, mutant, logits = torch.randn(4, 8), torch.randn(4, 8), torch.randn(4, 2)
        >>> label, class_id = torch.tensor([1, 0, 1, 0]), torch.tensor([0, 0, 1, 1])
        >>> parts = joint(logits, origin, mutant, label, class_id)
        >>> bool(parts.total == 1.15 * parts.metric + parts.cross_entropy)
        True
    """

    label_weights: Tensor | None

    def __init__(
        self,
        metric: nn.Module | None,
        *,
        weight: float = 1.15,
        label_weights: tuple[float, float] | None = None,
        validate: bool = True,
    ) -> None:
        super().__init__()
        check_finite(weight=weight)
        given = None if label_weights is None else torch.tensor(label_weights)
        self.register_buffer("label_weights", given, persistent=False)
        self.metric = metric
        self.weight = weight
        self.validate = validate

    def forward(
        self,
        logits: Tensor,
        origin: Tensor,
        mutant: Tensor,
        label: Tensor,
        class_id: Tensor | None = None,
        sample_index: Tensor | None = None,
    ) -> LossParts:
        """The loss of a batch of pairs; ``logits`` is ``[m, 2]``, the second the equivalents'."""
        value = None
        if self.metric is not None:
            value = self.metric(origin, mutant, label, class_id, sample_index)
        return self.combine(value, logits, label)

    def combine(self, metric: Tensor | None, logits: Tensor, label: Tensor) -> LossParts:
        """Add the cross-entropy of ``logits`` to a metric loss computed elsewhere.

        For triplets, ``logits`` and ``label`` hold both pairs of every triplet.
        """
        if logits.ndim != 2 or logits.shape[1] != 2:
            raise ValueError(f"logits must have shape [m, 2], got {list(logits.shape)}")
        check_vector("label", label, logits.shape[0], integral=False)
        if self.validate:
            check_labels(label)
        with torch.autocast(device_type=logits.device.type, enabled=False):
            wide = torch.promote_types(logits.dtype, torch.float32)
            weights = None if self.label_weights is None else self.label_weights.to(wide)
            summed = F.cross_entropy(logits.to(wide), label.long(), weights, reduction="sum")
        share = share_of_mean(logits.shape[0], logits.device, local=not self.training)
        cross_entropy = summed * share
        if metric is None:
            return LossParts(cross_entropy, torch.zeros_like(cross_entropy), cross_entropy)
        return LossParts(self.weight * metric + cross_entropy, metric, cross_entropy)

    def extra_repr(self) -> str:
        """The hyperparameters, for ``print(loss)``."""
        return f"weight={self.weight}"


def balanced_weights(labels: Sequence[int]) -> tuple[float, float]:
    """Weights with which both labels count the same, and a pair counts 1 on average.

    A label that is not there weighs 1.

    Example:
        >>> balanced_weights([0, 0, 0, 1])
        (0.6666666666666666, 2.0)
    """
    counts = [len(labels) - sum(labels), sum(labels)]
    weights = [len(labels) / (2 * count) if count else 1.0 for count in counts]
    return weights[0], weights[1]
