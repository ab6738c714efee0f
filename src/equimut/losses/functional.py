"""Cluster Purge Loss as pure functions: no state, no loop over samples or classes.

Equation numbers are those of the paper. ``m`` is the number of samples, ``e`` the embedding width.
"""

import torch
from torch import Tensor
from torch.nn import functional as F

EQUIVALENT, NON_EQUIVALENT = 1, 0


def half_cosine_distance(origin: Tensor, mutant: Tensor) -> Tensor:
    """Distance ``(1 - cos) / 2`` of two batches of embeddings, in [0, 1].

    0 means the same direction, 1 the opposite one. Half precision is raised to float32 and autocast
    is off, because the margins in use (0.01 to 0.18) are close to what bfloat16 can resolve.

    Args:
        origin: ``[..., e]``.
        mutant: ``[..., e]``, the same shape.

    Returns:
        ``[...]`` in float32, or in float64 for float64 input.
    """
    with torch.autocast(device_type=origin.device.type, enabled=False):
        wide = torch.promote_types(torch.promote_types(origin.dtype, mutant.dtype), torch.float32)
        cosine = F.cosine_similarity(origin.to(wide), mutant.to(wide), dim=-1)
        # Rounding can push the cosine of equal vectors just past 1.
        return ((1 - cosine) / 2).clamp(0, 1)


def hinge_power(x: Tensor, exponent: float, eps: float = 1e-4) -> Tensor:
    """``[x]_+ ** exponent`` with a slope that stays bounded.

    With an exponent below 1 the slope of the power is infinite at 0, and one sample that touches
    its verge would fill the whole gradient with inf. Between 0 and ``eps`` the curve is therefore
    the straight line to the point ``(eps, eps ** exponent)``. ``eps = 0`` is the bare power.
    The gradient is exactly 0 wherever ``x <= 0``.
    """
    if exponent >= 1:
        return F.relu(x) ** exponent
    on_the_curve = x >= eps if eps > 0 else x > 0
    # The branch that is not taken must be finite too: torch.where multiplies its gradient by 0.
    curve = torch.where(on_the_curve, x, 1.0) ** exponent
    line = F.relu(x) * eps ** (exponent - 1) if eps > 0 else torch.zeros_like(x)
    return torch.where(on_the_curve, curve, line)


def fold_verges(
    verge: Tensor, count: Tensor, distance: Tensor, group: Tensor, *, gamma: float = 12.0
) -> tuple[Tensor, Tensor]:
    """Fold a batch of distances into the moving averages of their groups (eq. 6 to 8).

    A group is a class and a polarity. Distances are folded oldest first. An average that has seen
    nothing starts at the group's first distance, so folding that one changes nothing.

    Args:
        verge: ``[m]``, for each sample the present average of its group.
        count: ``[m]``, for each sample how many distances that average has seen.
        distance: ``[m]``, in the order to fold them.
        group: ``[m]`` integers; equal numbers share one average.
        gamma: span of the average; the newest distance weighs ``2 / (gamma + 1)``.

    Returns:
        The new averages and counts, ``[m]`` each, the same for all samples of a group.
    """
    smoothing = 2 / (gamma + 1)
    same = group.unsqueeze(1) == group.unsqueeze(0)  # [m, m]
    position = torch.arange(group.shape[0], device=group.device)
    later = position.unsqueeze(0) > position.unsqueeze(1)
    size = same.sum(dim=1)
    remaining = (same & later).sum(dim=1)  # h - j of eq. 6
    # All samples of a group read the sum of its first one: equal to the last bit, so that the
    # order in which they are written back cannot matter.
    leader = same.int().argmax(dim=1)
    keep = 1 - smoothing
    weighted = smoothing * keep ** remaining.to(distance.dtype) * distance
    total = torch.where(same, weighted.unsqueeze(0), 0.0).sum(dim=1)[leader]
    start = torch.where(count == 0, distance[leader], verge.to(distance.dtype))
    return start * keep ** size.to(distance.dtype) + total, count + size


def mean_verges(verge: Tensor, count: Tensor) -> Tensor:
    """``[2]``: the mean verge by label over the classes that have one; NaN without any.

    Args:
        verge: ``[classes, 2]``, the average distance by class and label.
        count: ``[classes, 2]``, how many distances each average has seen.
    """
    seen = (count > 0).to(verge.dtype)
    return (verge * seen).sum(dim=0) / seen.sum(dim=0)


def shared_verges(
    verge: Tensor, count: Tensor, *, strength: float, gamma: float = 12.0
) -> tuple[Tensor, Tensor]:
    """Verges shrunk toward the mean of all classes: ``(n v_c + k v_all) / (n + k)``.

    ``n`` is how many distances an average rests on: those it has seen, at most its span ``gamma``,
    for it forgets the others. ``k`` is the strength. A class that has seen nothing has the mean.
    Distances then mean the same in every class, and in one that training never saw.

    Returns:
        ``[classes, 2]`` verges, and whether there is anything behind each.
    """
    means = mean_verges(verge, count)
    known = ~torch.isnan(means)
    rests_on = count.clamp(max=gamma).to(verge.dtype)
    pulled = (rests_on * verge + strength * means.nan_to_num()) / (rests_on + strength)
    return torch.where(known, pulled, 0.0), known.expand_as(verge)


def cluster_purge(
    distance: Tensor,
    label: Tensor,
    opposite_verge: Tensor,
    *,
    alpha: float = 2.0,
    beta: float = 0.5,
    margin: float | Tensor = -0.05,
    eps: float = 1e-4,
) -> Tensor:
    """The terms of Cluster Purge Loss at fixed verges, before the mean (eq. 9).

    An equivalent mutant (label 1) pays for every bit it lies outside the verge of the
    non-equivalents; a non-equivalent one (label 0) for every bit it lies inside the verge of the
    equivalents. ``margin`` is the paper's zeta: negative values forgive.

    Args:
        distance: ``[m]`` from each origin to its mutant.
        label: ``[m]``, 1 equivalent, 0 not.
        opposite_verge: ``[m]``, the verge of the other polarity of the sample's class.

    Returns:
        ``[m]`` terms, none negative.
    """
    pull = hinge_power(distance - opposite_verge + margin, alpha, eps)
    push = hinge_power(opposite_verge - distance + margin, beta, eps)
    return torch.where(label == 1, pull, push)
