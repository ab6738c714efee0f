"""How large a difference is; a small p alone does not say."""

import numpy as np

from equimut.evaluation.arrays import Floats, Probabilities


def cliffs_delta(first: Probabilities, second: Probabilities) -> float:
    """P(a value of the first is larger) - P(it is smaller): from -1 to 1, 0 without difference."""
    from scipy.stats import rankdata

    one, other = _floats(first), _floats(second)
    ranks = rankdata(np.concatenate([one, other]))
    wins = ranks[: len(one)].sum() - len(one) * (len(one) + 1) / 2  # ties count half
    return float(2 * wins / (len(one) * len(other)) - 1)


def rank_biserial(differences: Probabilities) -> float:
    """Of paired differences: the share of rank sums above zero minus that below; zeros dropped.

    From -1 (every pair is worse) to 1 (every pair is better).
    """
    from scipy.stats import rankdata

    moved = _floats(differences)
    moved = moved[moved != 0]
    if not moved.size:
        return 0.0
    ranks = rankdata(np.abs(moved))
    return float((ranks * np.sign(moved)).sum() / ranks.sum())


def cohens_d(first: Probabilities, second: Probabilities) -> float | None:
    """Difference of the means in pooled standard deviations; None without any spread."""
    one, other = _floats(first), _floats(second)
    freedom = len(one) + len(other) - 2
    if freedom < 1 or min(len(one), len(other)) < 1:
        return None
    spread = sum(float(((part - part.mean()) ** 2).sum()) for part in (one, other)) / freedom
    return float((one.mean() - other.mean()) / np.sqrt(spread)) if spread > 0 else None


def discordant_odds_ratio(only_first: int, only_second: int) -> float:
    """Odds that, where exactly one of two judges is right, it is the first.

    Half a pair is added to both counts (Haldane and Anscombe), so it is always a number.
    """
    return (only_first + 0.5) / (only_second + 0.5)


def _floats(values: Probabilities) -> Floats:
    return np.asarray(values, dtype=np.float64)
