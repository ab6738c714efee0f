"""Cluster Purge Loss as a sentence-transformers loss."""

from collections.abc import Iterable
from typing import Any

from sentence_transformers import SentenceTransformer
from torch import Tensor, nn

from equimut.losses.cluster_purge import ClusterPurgeLoss


class SentenceTransformerClusterPurgeLoss(nn.Module):
    """Cluster Purge Loss for the ``SentenceTransformerTrainer``.

    Args:
        model: The SentenceTransformer to train.
        num_classes: Number of classes (origins).
        options: Options of :class:`equimut.losses.ClusterPurgeLoss` (``gamma``, ``margin``, ...).

    Inputs:
        +-------------------------+---------------------------------------------+
        | Columns                 | Label column                                |
        +=========================+=============================================+
        | (origin, mutant) texts  | ``[label, class_id]``, label 1 = equivalent |
        +-------------------------+---------------------------------------------+
    """

    def __init__(self, model: SentenceTransformer, num_classes: int, **options: Any) -> None:
        super().__init__()
        self.model = model
        self.purge = ClusterPurgeLoss(num_classes, **options)

    def forward(self, sentence_features: Iterable[dict[str, Tensor]], labels: Tensor) -> Tensor:
        """Embed both columns and take the loss."""
        embeddings = [self.model(features)["sentence_embedding"] for features in sentence_features]
        return self.compute_loss_from_embeddings(embeddings, labels)

    def compute_loss_from_embeddings(self, embeddings: list[Tensor], labels: Tensor) -> Tensor:
        """The loss of embedded columns, origins first."""
        if len(embeddings) != 2:
            raise ValueError(
                f"two text columns are needed, origin and mutant, got {len(embeddings)}"
            )
        origin, mutant = embeddings
        if labels.shape != (len(origin), 2):
            raise ValueError(
                f"labels must hold [label, class_id] for each of the {len(origin)} pairs, "
                f"got shape {list(labels.shape)}"
            )
        label, class_id = labels.long().unbind(dim=1)
        loss: Tensor = self.purge(origin, mutant, label, class_id)
        return loss

    def get_config_dict(self) -> dict[str, Any]:
        """What the model card says of the loss."""
        purge = self.purge
        return {
            "num_classes": purge.num_classes,
            "gamma": purge.gamma,
            "alpha": purge.alpha,
            "beta": purge.beta,
            "margin": purge.margin,
            "unseen": purge.unseen,
            "eps": purge.eps,
        }

    @property
    def citation(self) -> str:
        """BibTeX of the paper."""
        return """
@misc{danilov2025clusterpurge,
    author={Danilov, Adelaide and Nourbakhsh, Aria and Schommer, Christoph},
    title={Cluster Purge Loss: Structuring Transformer Embeddings for Equivalent Mutants Detection},
    year={2025}
}
"""
