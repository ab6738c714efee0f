"""Cluster purging on a toy that fits in a picture.

The embeddings themselves are the parameters: points on a sphere, whose surface is a plane to
whoever stands on it. At first the two kinds of mutants lie mixed around their origin. Cluster Purge
Loss alone, without encoder or classifier, has to put the order there.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from equimut.losses import ClusterPurgeLoss, half_cosine_distance

ORIGINS = torch.eye(3)
MUTANTS_PER_ORIGIN = 60
REACH = 0.25
BATCH = 16
LEARNING_RATE = 0.02


@dataclass(frozen=True)
class Clusters:
    """The mutants as their origins see them: how far, in which direction, and the verges."""

    class_id: NDArray[np.int64]
    label: NDArray[np.int64]
    distance: NDArray[np.float64]
    direction: NDArray[np.float64]
    """Angle around the origin, in radians."""
    verge: NDArray[np.float64]
    """``[classes, 2]``: mean distance by class and label."""

    @property
    def in_order(self) -> float:
        """Share of mutants on the right side of the other polarity's verge."""
        opposite = self.verge[self.class_id, 1 - self.label]
        right = np.where(self.label == 1, self.distance < opposite, self.distance > opposite)
        return float(right.mean())


@dataclass(frozen=True)
class PurgeDemo:
    """The clusters before and after training, and how the training was done."""

    before: Clusters
    after: Clusters
    margin: float
    steps: int
    seed: int

    def summary(self) -> dict[str, object]:
        """The outcome in a few numbers."""
        told: dict[str, object] = {"steps": self.steps, "seed": self.seed, "margin": self.margin}
        for name, clusters in (("before", self.before), ("after", self.after)):
            told[name] = asdict(_Outcome.of(clusters))
        return told


@dataclass(frozen=True)
class _Outcome:
    share_in_order: float
    equivalent_distance: float
    non_equivalent_distance: float

    @classmethod
    def of(cls, clusters: Clusters) -> "_Outcome":
        mean = [float(clusters.distance[clusters.label == label].mean()) for label in (0, 1)]
        return cls(clusters.in_order, equivalent_distance=mean[1], non_equivalent_distance=mean[0])


def run_purge_demo(
    *,
    steps: int = 2500,
    seed: int = 0,
    margin: float = 0.02,
    on_step: Callable[[int], None] = lambda step: None,
) -> PurgeDemo:
    """Train the toy; the same seed gives the same result."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        class_id = torch.arange(len(ORIGINS)).repeat_interleave(MUTANTS_PER_ORIGIN)
        label = torch.randint(0, 2, class_id.shape)
        mutant = nn.Parameter(_scatter_around(ORIGINS[class_id]))
        loss = ClusterPurgeLoss(len(ORIGINS), margin=margin)
        optimiser = torch.optim.SGD([mutant], lr=LEARNING_RATE)
        before = _observe(mutant, label, class_id)
        for step in range(steps):
            rows = torch.randint(0, len(label), (BATCH,))
            # Times the batch size: each point moves by its own term, not by a share of the mean.
            value = BATCH * loss(ORIGINS[class_id[rows]], mutant[rows], label[rows], class_id[rows])
            optimiser.zero_grad()
            value.backward()
            optimiser.step()
            on_step(step + 1)
        after = _observe(mutant, label, class_id)
    return PurgeDemo(before, after, margin, steps, seed)


def _scatter_around(origin: Tensor) -> Tensor:
    """A point in a random direction from each origin, at any distance up to `REACH`."""
    angle = torch.acos(1 - 2 * REACH * torch.rand(len(origin), 1))
    sideways = torch.linalg.cross(origin, torch.randn_like(origin))
    return angle.cos() * origin + angle.sin() * nn.functional.normalize(sideways)


@torch.no_grad()
def _observe(mutant: Tensor, label: Tensor, class_id: Tensor) -> Clusters:
    """Look from each origin: the embedding sphere's tangent plane gives the directions."""
    origin = ORIGINS[class_id]
    image = nn.functional.normalize(mutant)
    distance = half_cosine_distance(origin, image)
    # Two axes across each origin's own direction.
    aside = origin.roll(1, dims=1)
    first = nn.functional.normalize(torch.linalg.cross(origin, aside))
    second = torch.linalg.cross(origin, first)
    direction = torch.atan2((image * second).sum(1), (image * first).sum(1))
    verge = torch.stack(
        [
            torch.stack([distance[(class_id == c) & (label == y)].mean() for y in (0, 1)])
            for c in range(len(ORIGINS))
        ]
    )
    return Clusters(
        class_id.numpy(),
        label.numpy(),
        distance.double().numpy(),
        direction.double().numpy(),
        verge.double().numpy(),
    )
