"""Whether a difference could be chance (two-sided throughout), and how large it is.

| question | test |
|---|---|
| two predictors on the same pairs | `mcnemar` |
| two predictors over the same seeds or folds | `wilcoxon_over_seeds` |
| two unpaired groups of results | `mann_whitney`, or `welch` where a mean is meant |
| several of these at once | `holm` on their p-values |
"""

from collections.abc import Sequence

import numpy as np

from equimut.errors import DataError
from equimut.evaluation.arrays import Floats, Labels, Probabilities
from equimut.records import Record

ENUMERATED = 12
"""Up to so many pairs, Wilcoxon tries every choice of signs: exact also with ties."""


class McNemar(Record):
    """Two predictors on the same pairs: only those count where exactly one is right."""

    only_first: int
    only_second: int
    p_value: float
    """Exact, from the binomial distribution."""
    odds_ratio: float
    """Odds that, where exactly one is right, it is the first."""


class Significance(Record):
    """A test, its p-value, and how large the effect is."""

    test: str
    statistic: float | None
    p_value: float | None
    """None where the test does not apply."""
    effect_name: str
    effect: float | None
    counts: tuple[int, int]
    """Values on each side."""
    smallest_p: float = 0.0
    """The smallest p-value that so few values can give at all; 0 where none is known."""


def p_text(p_value: float | None) -> str:
    """A p-value as every table and sentence shows it."""
    if p_value is None:
        return "p undefined"
    return "p < 0.0001" if p_value < 1e-4 else f"p = {p_value:.4f}"


def mcnemar(first_right: Labels, second_right: Labels) -> McNemar:
    """Compare two predictors by which pairs each of them got right (1) or wrong (0)."""
    from scipy.stats import binom

    one, other = (np.asarray(right).astype(bool) for right in (first_right, second_right))
    if one.shape != other.shape or one.ndim != 1:
        raise DataError(f"McNemar needs the same pairs on both sides: {one.size} and {other.size}")
    only_first, only_second = int((one & ~other).sum()), int((~one & other).sum())
    tails = 2 * float(binom.cdf(min(only_first, only_second), only_first + only_second, 0.5))
    return McNemar(
        only_first=only_first,
        only_second=only_second,
        p_value=min(1.0, tails),
        # Half a pair more on both sides (Haldane and Anscombe), so that it is always a number.
        odds_ratio=(only_first + 0.5) / (only_second + 0.5),
    )


def wilcoxon_over_seeds(first: Probabilities, second: Probabilities) -> Significance:
    """The signed-rank test on paired results: position i of both sides has the same seed and fold.

    Pairs without a difference are dropped. Effect: the rank-biserial correlation.
    """
    from scipy.stats import PermutationMethod, wilcoxon

    one, other = (_values(values, "Wilcoxon") for values in (first, second))
    if len(one) != len(other):
        raise DataError(
            f"Wilcoxon pairs results by seed: {len(one)} on one side and {len(other)} on the other"
        )
    moved = (one - other)[one != other]
    statistic, p_value = 0.0, 1.0
    if moved.size > 1:
        few = moved.size <= ENUMERATED
        found = wilcoxon(moved, method=PermutationMethod(n_resamples=np.inf) if few else "auto")
        statistic, p_value = float(found.statistic), float(found.pvalue)
    return Significance(
        test="Wilcoxon signed-rank",
        statistic=statistic,
        p_value=p_value,
        effect_name="rank-biserial correlation",
        effect=rank_biserial(one - other),
        counts=(len(one), len(other)),
        smallest_p=min(1.0, 2.0 ** (1 - len(one))),
    )


def mann_whitney(first: Probabilities, second: Probabilities) -> Significance:
    """Whether one of two unpaired groups tends to be larger.

    Effect: Cliff's delta, P(a value of the first is larger) - P(it is smaller).
    """
    from scipy.stats import mannwhitneyu

    one, other = (_values(values, "Mann-Whitney") for values in (first, second))
    alike = len(set(one.tolist() + other.tolist())) == 1  # scipy divides by the spread of ranks
    found = None if alike else mannwhitneyu(one, other, alternative="two-sided")
    wins = len(one) * len(other) / 2 if found is None else float(found.statistic)
    return Significance(
        test="Mann-Whitney U",
        statistic=wins,
        p_value=1.0 if found is None else float(found.pvalue),
        effect_name="Cliff's delta",
        effect=2 * wins / (len(one) * len(other)) - 1,
        counts=(len(one), len(other)),
    )


def welch(first: Probabilities, second: Probabilities) -> Significance:
    """Whether two means differ, without assuming the same variance. Effect: Cohen's d.

    Needs two values on each side and some spread; without, its p-value is None.
    """
    from scipy.stats import ttest_ind

    one, other = (_values(values, "Welch's t-test") for values in (first, second))
    applies = min(len(one), len(other)) > 1 and (np.ptp(one) > 0 or np.ptp(other) > 0)
    found = ttest_ind(one, other, equal_var=False) if applies else None
    return Significance(
        test="Welch's t-test",
        statistic=None if found is None else float(found.statistic),
        p_value=None if found is None else float(found.pvalue),
        effect_name="Cohen's d",
        effect=cohens_d(one, other),
        counts=(len(one), len(other)),
    )


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """p-values corrected for being several, in the order given (Holm's step-down)."""
    found = np.asarray(p_values, dtype=np.float64)
    if np.any(~((found >= 0) & (found <= 1))):
        raise DataError("Holm's correction needs p-values between 0 and 1")
    order = np.argsort(found, kind="stable")
    steps = np.maximum.accumulate(found[order] * np.arange(len(found), 0, -1))
    corrected = np.empty_like(found)
    corrected[order] = np.minimum(steps, 1.0)
    return tuple(corrected.tolist())


def _values(values: Probabilities, test: str) -> Floats:
    found = np.asarray(values, dtype=np.float64)
    if found.ndim != 1 or not found.size or not np.isfinite(found).all():
        raise DataError(f"{test} needs at least one value on each side, all of them finite")
    return found


def rank_biserial(differences: Floats) -> float:
    """Of paired differences: the share of rank sums above zero minus that below; zeros dropped.

    From -1 (every pair is worse) to 1 (every pair is better).
    """
    from scipy.stats import rankdata

    moved = differences[differences != 0]
    if not moved.size:
        return 0.0
    ranks = rankdata(np.abs(moved))
    return float((ranks * np.sign(moved)).sum() / ranks.sum())


def cohens_d(one: Floats, other: Floats) -> float | None:
    """Difference of the means in pooled standard deviations; None without any spread."""
    freedom = len(one) + len(other) - 2
    if freedom < 1 or min(len(one), len(other)) < 1:
        return None
    spread = sum(float(((part - part.mean()) ** 2).sum()) for part in (one, other)) / freedom
    return float((one.mean() - other.mean()) / np.sqrt(spread)) if spread > 0 else None
