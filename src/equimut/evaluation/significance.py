"""Whether a difference could be chance. Two-sided throughout.

| question | test |
|---|---|
| two judges on the same pairs | `mcnemar` |
| two judges over the same seeds or folds | `wilcoxon_over_seeds` |
| two unpaired lots of results | `mann_whitney`, or `welch` where a mean is meant |
| several of these at once | `holm` on their p-values |
"""

from collections.abc import Sequence
from itertools import product

import numpy as np

from equimut.errors import DataError
from equimut.evaluation.arrays import Floats, Labels, Probabilities
from equimut.evaluation.effect_sizes import (
    cliffs_delta,
    cohens_d,
    discordant_odds_ratio,
    rank_biserial,
)
from equimut.records import Record

ENUMERATED = 12
"""Up to so many pairs, Wilcoxon tries every choice of signs: exact also with ties."""


class McNemar(Record):
    """Two judges on the same pairs: only those count where exactly one is right."""

    both_right: int
    only_first: int
    only_second: int
    both_wrong: int
    p_value: float
    """Exact, from the binomial distribution."""
    p_mid: float
    """The same with half the probability of what was seen: less cautious, more power."""
    p_chi_square: float
    """The approximation with Edwards' correction, for comparison with older work; good from about
    25 discordant pairs on."""
    odds_ratio: float

    @property
    def discordant(self) -> int:
        """Pairs that exactly one judge got right."""
        return self.only_first + self.only_second


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


def mcnemar(first_right: Labels, second_right: Labels) -> McNemar:
    """Compare two judges by which pairs each of them got right (1) or wrong (0)."""
    from scipy.stats import binom, chi2

    one, other = (np.asarray(right).astype(bool) for right in (first_right, second_right))
    if one.shape != other.shape or one.ndim != 1:
        raise DataError(f"McNemar needs the same pairs on both sides: {one.size} and {other.size}")
    only_first, only_second = int((one & ~other).sum()), int((~one & other).sum())
    discordant, fewer = only_first + only_second, min(only_first, only_second)
    tails = 2 * float(binom.cdf(fewer, discordant, 0.5))
    apart = max(abs(only_first - only_second) - 1, 0) ** 2 / max(discordant, 1)
    return McNemar(
        both_right=int((one & other).sum()),
        only_first=only_first,
        only_second=only_second,
        both_wrong=int((~one & ~other).sum()),
        p_value=min(1.0, tails),
        p_mid=min(1.0, tails - float(binom.pmf(fewer, discordant, 0.5))),
        p_chi_square=float(chi2.sf(apart, 1)),
        odds_ratio=discordant_odds_ratio(only_first, only_second),
    )


def wilcoxon_over_seeds(first: Probabilities, second: Probabilities) -> Significance:
    """The signed-rank test on paired results: place i of both sides has the same seed and fold.

    Pairs without a difference are dropped. Effect: the rank-biserial correlation.
    """
    from scipy.stats import wilcoxon

    one, other = (_values(values, "Wilcoxon") for values in (first, second))
    if len(one) != len(other):
        raise DataError(
            f"Wilcoxon pairs results by seed: {len(one)} on one side and {len(other)} on the other"
        )
    moved = (one - other)[one != other]
    if not moved.size:
        statistic, p_value = 0.0, 1.0
    elif moved.size <= ENUMERATED:
        statistic, p_value = _signed_rank(moved)
    else:
        found = wilcoxon(moved)
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
    """Whether one of two unpaired lots tends to be larger. Effect: Cliff's delta."""
    from scipy.stats import mannwhitneyu

    one, other = (_values(values, "Mann-Whitney") for values in (first, second))
    alike = len(set(one.tolist() + other.tolist())) == 1  # scipy divides by the spread of ranks
    found = None if alike else mannwhitneyu(one, other, alternative="two-sided")
    return Significance(
        test="Mann-Whitney U",
        statistic=len(one) * len(other) / 2 if found is None else float(found.statistic),
        p_value=1.0 if found is None else float(found.pvalue),
        effect_name="Cliff's delta",
        effect=cliffs_delta(one, other),
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


def _signed_rank(moved: Floats) -> tuple[float, float]:
    """The statistic of scipy's two-sided test, and its exact p-value by trying all signs."""
    from scipy.stats import rankdata

    ranks = rankdata(np.abs(moved))
    above, total = float(ranks[moved > 0].sum()), float(ranks.sum())
    sums = np.array(list(product((0, 1), repeat=len(ranks)))) @ ranks
    statistic = min(above, total - above)
    return statistic, min(1.0, 2 * float((sums <= statistic).mean()))


def _values(values: Probabilities, test: str) -> Floats:
    found = np.asarray(values, dtype=np.float64)
    if found.ndim != 1 or not found.size or not np.isfinite(found).all():
        raise DataError(f"{test} needs at least one value on each side, all of them finite")
    return found
