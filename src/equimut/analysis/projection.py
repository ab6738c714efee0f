"""High-dimensional points in the plane: t-SNE and PCA, the same picture every time."""

from dataclasses import dataclass

import numpy as np

from equimut.evaluation.arrays import Floats

SEED = 0
USUAL_PERPLEXITY = 30.0
FEWEST = 5
"""Below so many points t-SNE has no neighbourhoods to keep."""


@dataclass(frozen=True)
class Projection:
    """Points in the plane and how they came there."""

    points: Floats
    """[N, 2]."""
    method: str
    """In words, with what was adapted."""


def perplexity_for(points: int) -> float:
    """The usual one where there are points enough, else a third of the neighbours there are."""
    return min(USUAL_PERPLEXITY, max(1.0, (points - 1) / 3))


def tsne(points: Floats) -> Projection | None:
    """t-SNE; None where there are too few points, or all are the same."""
    if len(points) < FEWEST or not np.ptp(points, axis=0).any():
        return None
    from sklearn.manifold import TSNE

    perplexity = perplexity_for(len(points))
    model = TSNE(
        n_components=2,
        perplexity=perplexity,
        init="pca" if min(points.shape) >= 2 else "random",
        learning_rate="auto",
        random_state=SEED,
    )
    placed = np.asarray(model.fit_transform(points), dtype=np.float64)
    return Projection(placed, f"t-SNE, perplexity {perplexity:.0f}")


def pca(points: Floats) -> Projection:
    """The two directions of largest variance, by singular values; signs are fixed."""
    centred = points - points.mean(axis=0)
    left, values, right = np.linalg.svd(centred, full_matrices=False)
    signs = np.where(np.take_along_axis(right, np.abs(right).argmax(1)[:, None], 1) < 0, -1.0, 1.0)
    placed = (left * values * signs[:, 0])[:, :2]
    if placed.shape[1] < 2:
        placed = np.pad(placed, ((0, 0), (0, 2 - placed.shape[1])))
    total = float((values**2).sum())
    kept = float((values[:2] ** 2).sum()) / total if total else 1.0
    return Projection(placed, f"PCA, {100 * kept:.0f} % of the variance")
