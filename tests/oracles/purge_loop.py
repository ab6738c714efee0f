"""Cluster Purge Loss as the equations read: one sample at a time, plain Python floats."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field


def distance(a: Sequence[float], b: Sequence[float]) -> float:
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    norms = math.sqrt(sum(x * x for x in a)) * math.sqrt(sum(y * y for y in b))
    cosine = dot / norms if norms > 0 else 0.0
    return min(max((1 - cosine) / 2, 0.0), 1.0)


def hinge_power(x: float, exponent: float, eps: float) -> float:
    if x <= 0:
        return 0.0
    if exponent < 1 and x < eps:
        return x * eps**exponent / eps
    return x**exponent


def hinge_power_slope(x: float, exponent: float, eps: float) -> float:
    if x <= 0:
        return 0.0
    if exponent < 1 and x < eps:
        return eps**exponent / eps
    return exponent * x ** (exponent - 1)


@dataclass
class PurgeLoop:
    """The state of the loss: one moving average per class and polarity, absent until first seen."""

    gamma: float = 12.0
    alpha: float = 2.0
    beta: float = 0.5
    margin: float = -0.05
    margin_unit: str = "distance"
    shared: float = 0.0
    unseen: str = "zero"
    eps: float = 1e-4
    verges: dict[tuple[int, int], float] = field(default_factory=dict)
    counts: dict[tuple[int, int], int] = field(default_factory=dict)

    def fold(self, distances: Sequence[float], labels: Sequence[int], ids: Sequence[int]) -> None:
        s = 2 / (self.gamma + 1)
        for d, label, class_id in zip(distances, labels, ids, strict=True):
            previous = self.verges.get((class_id, label), d)
            self.verges[class_id, label] = previous * (1 - s) + d * s
            self.counts[class_id, label] = self.counts.get((class_id, label), 0) + 1

    def mean(self, label: int) -> float | None:
        """The mean verge of a label over the classes that have one."""
        found = [verge for (_, polarity), verge in self.verges.items() if polarity == label]
        return sum(found) / len(found) if found else None

    def verge(self, class_id: int, label: int) -> float | None:
        """What a sample of the other label is measured against."""
        own, mean = self.verges.get((class_id, label)), self.mean(label)
        if not self.shared or mean is None:
            return own
        if own is None:
            return mean
        n = min(self.counts[class_id, label], self.gamma)
        return (n * own + self.shared * mean) / (n + self.shared)

    def margin_now(self) -> float:
        """The margin in units of distance."""
        if self.margin_unit == "distance":
            return self.margin
        outer, inner = self.mean(0), self.mean(1)
        return 0.0 if outer is None or inner is None else self.margin * max(outer - inner, 0.0)

    def loss(
        self, distances: Sequence[float], labels: Sequence[int], ids: Sequence[int]
    ) -> tuple[float, list[float]]:
        """The mean loss and its derivative by each distance, at the present verges."""
        total, slopes = 0.0, []
        m = len(distances)
        for d, label, class_id in zip(distances, labels, ids, strict=True):
            verge, margin = self.verge(class_id, 1 - label), self.margin_now()
            if verge is None and self.unseen == "skip":
                slopes.append(0.0)
                continue
            verge = verge or 0.0
            if label == 1:
                total += hinge_power(d - verge + margin, self.alpha, self.eps) / m
                slopes.append(hinge_power_slope(d - verge + margin, self.alpha, self.eps) / m)
            else:
                total += hinge_power(verge - d + margin, self.beta, self.eps) / m
                slopes.append(-hinge_power_slope(verge - d + margin, self.beta, self.eps) / m)
        return total, slopes


def distance_gradient(a: Sequence[float], b: Sequence[float]) -> list[float]:
    """The derivative of `distance(a, b)` by b; that by a is `distance_gradient(b, a)`."""
    norm_a = math.sqrt(sum(x * x for x in a))
    norm_b = math.sqrt(sum(y * y for y in b))
    cosine = sum(x * y for x, y in zip(a, b, strict=True)) / (norm_a * norm_b)
    return [
        -0.5 * (x / (norm_a * norm_b) - cosine * y / norm_b**2) for x, y in zip(a, b, strict=True)
    ]
