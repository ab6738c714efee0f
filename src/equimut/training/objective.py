"""The training objective: the losses by name, on what the detector gives for a batch."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from equimut.config import LossConfig
from equimut.inputs.batch import Batch
from equimut.losses import ClusterPurgeLoss, ContrastiveLoss, JointLoss, TripletLoss
from equimut.losses.ablations import (
    PurgeWithFixedVerges,
    PurgeWithLearnedVerges,
    PurgeWithoutVerges,
)
from equimut.losses.functional import mean_verges
from equimut.losses.joint import LossParts, balanced_weights
from equimut.models.detector import DetectorOutput
from equimut.models.head import PairHead, compared


class Objective(nn.Module):
    """Cross-entropy, alone or with a metric loss on the distance of the embeddings.

    Class ids of a data set may be any numbers; the loss has one row of verges for each class
    that training holds, in ascending order, and keeps the ids beside them. The labels of training
    are needed where both are to count the same.
    """

    def __init__(
        self, config: LossConfig, class_ids: Sequence[int], labels: Sequence[int] = ()
    ) -> None:
        super().__init__()
        self.config = config
        self.classes = sorted(set(class_ids))
        self._row_of = {class_id: row for row, class_id in enumerate(self.classes)}
        self.joint = JointLoss(
            self._metric(),
            weight=config.weight,
            label_weights=balanced_weights(labels) if config.balanced else None,
            validate=False,
        )
        self.triplet = TripletLoss(margin=config.margin_or_default(), validate=False)

    @property
    def purge(self) -> ClusterPurgeLoss | None:
        """The loss that keeps verges, if it is in use."""
        metric = self.joint.metric
        return metric if isinstance(metric, ClusterPurgeLoss) else None

    def forward(self, output: DetectorOutput, batch: Batch, pairs: int) -> LossParts:
        """The loss of the first `pairs` pairs of a batch.

        A triplet is two pairs with one origin, the equivalent first. A process without pairs of its
        own takes part with none: it still communicates.
        """
        logits = output.logits[:pairs]
        origin, mutant = (
            compared(side, self.config.on)[:pairs] for side in (output.origin, output.mutant)
        )
        label = batch.labels[:pairs]
        if self.config.name == "triplet":
            value = self.triplet(origin[0::2], mutant[0::2], mutant[1::2])
            return self.joint.combine(value, logits, label)
        rows = self._rows(batch.class_ids[:pairs])
        parts: LossParts = self.joint(logits, origin, mutant, label, rows)
        return parts

    @torch.no_grad()
    def tell_verges(self, head: PairHead) -> None:
        """Let a head that looks at distances know where the two labels lie on average."""
        if self.purge is not None and head.distance is not None:
            means = mean_verges(self.purge.verge, self.purge.count)
            if not bool(means.isnan().any()):
                head.verges.copy_(means)

    def statistics(self) -> dict[str, Tensor]:
        """What the last step did to the verges, for the log."""
        if self.purge is None or self.purge.last_statistics is None:
            return {}
        return dict(vars(self.purge.last_statistics))

    def _rows(self, class_ids: Tensor) -> Tensor:
        rows = [self._row_of[class_id] for class_id in class_ids.tolist()]
        return torch.tensor(rows, dtype=torch.long, device=class_ids.device)

    def _metric(self) -> nn.Module | None:
        config = self.config
        if config.name == "contrastive":
            return ContrastiveLoss(margin=config.margin_or_default(), validate=False)
        if config.name == "cpl":
            return ClusterPurgeLoss(
                len(self.classes),
                gamma=config.gamma,
                alpha=config.alpha,
                beta=config.beta,
                margin=config.margin_or_default(),
                margin_unit=config.margin_unit,
                shared=config.shared,
                unseen=config.unseen,
                eps=config.eps,
                validate=False,
                collect_statistics=True,
                class_keys=self.classes,
            )
        if config.name in ("base", "triplet"):
            return None  # the metric, if any, is computed on triplets
        return self._ablation()

    def _ablation(self) -> nn.Module:
        config = self.config
        hinges: dict[str, float] = {
            "alpha": config.alpha,
            "beta": config.beta,
            "margin": config.margin_or_default(),
            "eps": config.eps,
            "validate": False,
        }
        classes = len(self.classes)
        if config.name == "cpl-fixed-verges":
            return PurgeWithFixedVerges(classes, verge=config.verge, **hinges)
        if config.name == "cpl-learned-verges":
            return PurgeWithLearnedVerges(classes, verge=config.verge, **hinges)
        return PurgeWithoutVerges(classes, **hinges)  # type: ignore[arg-type]
