"""Tensors in, a scalar out: the losses of equimut, usable in any model.

Nothing here knows a model, a tokenizer or a file.
"""

from equimut.losses.cluster_purge import ClusterPurgeLoss
from equimut.losses.contrastive import ContrastiveLoss
from equimut.losses.functional import cluster_purge, fold_verges, half_cosine_distance, hinge_power
from equimut.losses.joint import JointLoss, LossParts, balanced_weights
from equimut.losses.statistics import PurgeStatistics
from equimut.losses.triplet import TripletLoss

__all__ = [
    "ClusterPurgeLoss",
    "ContrastiveLoss",
    "JointLoss",
    "LossParts",
    "PurgeStatistics",
    "TripletLoss",
    "balanced_weights",
    "cluster_purge",
    "fold_verges",
    "half_cosine_distance",
    "hinge_power",
]
