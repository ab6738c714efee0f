"""Cluster Purge Loss as a pytorch-metric-learning loss."""

from collections.abc import Mapping
from typing import Any

import torch
from pytorch_metric_learning.distances import BaseDistance
from pytorch_metric_learning.losses import BaseMetricLossFunction
from torch import Tensor

from equimut.losses.cluster_purge import ClusterPurgeLoss
from equimut.losses.functional import half_cosine_distance

_STATISTICS = (
    "active_equivalent",
    "active_non_equivalent",
    "positive_verge",
    "negative_verge",
    "classes_with_both",
)


class HalfCosineDistance(BaseDistance):  # type: ignore[misc]
    """``(1 - cos) / 2`` as a pytorch-metric-learning distance: small means close, in [0, 1]."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(is_inverted=False, **kwargs)

    def compute_mat(self, query_emb: Tensor, ref_emb: Tensor) -> Tensor:
        """All distances, ``[queries, references]``."""
        return half_cosine_distance(query_emb.unsqueeze(1), ref_emb.unsqueeze(0))

    def pairwise_distance(self, query_emb: Tensor, ref_emb: Tensor) -> Tensor:
        """The distance of each query to the reference in the same row, ``[m]``."""
        return half_cosine_distance(query_emb, ref_emb)


class MetricLearningClusterPurgeLoss(BaseMetricLossFunction):  # type: ignore[misc]
    """Cluster Purge Loss with the library's distance, reducer and statistics.

    Called as ``loss(mutant, label, ref_emb=origin, ref_labels=class_id)``: row ``i`` of ``ref_emb``
    is the origin of row ``i`` of the mutants. The default reducer takes the mean, as the paper
    does; any of the library's element reducers works. The distance must grow with dissimilarity
    (``is_inverted`` false).

    Args:
        num_classes: Number of classes.
        purge: Options of :class:`equimut.losses.ClusterPurgeLoss` (``gamma``, ``margin``, ...).
        kwargs: ``distance``, ``reducer``, ``embedding_regularizer``, ``collect_stats`` ... of the
            library.
    """

    def __init__(
        self, num_classes: int, *, purge: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        if self.distance.is_inverted:
            raise ValueError(
                f"distance {type(self.distance).__name__} is a similarity (is_inverted); Cluster "
                "Purge Loss needs a distance, for example HalfCosineDistance()"
            )
        options = {"collect_statistics": self.collect_stats, **(purge or {})}
        self.purge = ClusterPurgeLoss(num_classes, **options)
        self.add_to_recordable_attributes(list_of_names=list(_STATISTICS), is_stat=True)

    def get_default_distance(self) -> BaseDistance:
        """The distance of the paper."""
        return HalfCosineDistance()

    def compute_loss(
        self,
        embeddings: Tensor,
        labels: Tensor,
        indices_tuple: object,
        ref_emb: Tensor,
        ref_labels: Tensor,
    ) -> dict[str, dict[str, Any]]:
        """One loss per mutant, for the library's reducer."""
        if indices_tuple is not None:
            raise ValueError("indices_tuple is not used by Cluster Purge Loss: every row is a pair")
        if ref_emb is embeddings or labels is None:
            raise ValueError(
                "call as loss(mutant, label, ref_emb=origin, ref_labels=class_id): "
                "ref_emb and ref_labels are needed"
            )
        if len(ref_emb) != len(embeddings):
            raise ValueError(
                f"ref_emb must have one origin per mutant, {len(embeddings)} rows, "
                f"got {len(ref_emb)}"
            )
        distance = self.distance.pairwise_distance(
            self.distance.maybe_normalize(ref_emb), self.distance.maybe_normalize(embeddings)
        )
        terms = self.purge.elementwise(distance, labels, ref_labels)
        if self.collect_stats and self.purge.last_statistics is not None:
            statistics = self.purge.last_statistics.as_dict()
            for name in _STATISTICS:
                setattr(self, name, statistics[name])
        rows = torch.arange(len(terms), device=terms.device)
        return {"loss": {"losses": terms, "indices": rows, "reduction_type": "element"}}
