"""What speaks for a prediction and what against it, in words: the named features by weight."""

from math import log
from typing import NamedTuple

from equimut.inputs.edit_features.groups import feature_groups
from equimut.inputs.edit_features.surroundings import buckets
from equimut.models.detector import Detector
from equimut.models.settings import Calibration
from equimut.records import PairLike

MOST = 2
"""Reasons given for each side."""
LEAST = 0.2
"""Of the log-odds: what moves a probability less is no reason."""
NETWORK = "how the network reads the code around it"


class Contribution(NamedTuple):
    """A part of the log-odds."""

    words: str
    log_odds: float
    """Above 0 where it speaks for equivalence."""


class Explanation(NamedTuple):
    """The largest parts on either side, the largest first."""

    supports: tuple[str, ...]
    opposes: tuple[str, ...]


def explain(detector: Detector, pair: PairLike, probability: float) -> Explanation:
    """Why a detector gives a pair this probability."""
    found = sorted(contributions(detector, pair, probability), key=lambda part: -abs(part.log_odds))
    named = [part for part in found if part.words and abs(part.log_odds) >= LEAST]
    return Explanation(
        supports=tuple(part.words for part in named if part.log_odds > 0)[:MOST],
        opposes=tuple(part.words for part in named if part.log_odds < 0)[:MOST],
    )


def contributions(detector: Detector, pair: PairLike, probability: float) -> list[Contribution]:
    """The log-odds of a prediction as a sum: groups of named features, then the network.

    What the calibration adds to all pairs alike belongs to none of them.
    """
    parts: list[Contribution] = []
    if detector.head.wide is not None:
        weights = detector.head.wide.weight.detach()[:, 0]
        counted: set[int] = set()
        for group in feature_groups(pair):
            new = set(buckets(group.names).tolist()) - counted  # two names may share a bucket
            counted |= new
            parts.append(Contribution(group.words, float(weights[sorted(new)].sum())))
    calibration = detector.settings.calibration or Calibration()
    sure = min(max(probability, 1e-12), 1 - 1e-12)
    margin = (log(sure / (1 - sure)) - calibration.offset) * calibration.temperature
    rest = margin - sum(part.log_odds for part in parts)
    return [*parts, Contribution(NETWORK, rest)]
