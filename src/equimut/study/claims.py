"""The claims of the paper, each with our verdict and the test behind it.

A verdict is "supported" or "not supported" only where a test says so on enough data; all else is
"inconclusive". The limits below are what "enough" means.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import BeforeValidator

from equimut.analysis.distances import DistanceTable, Spread
from equimut.evaluation.comparison import Gain
from equimut.evaluation.significance import Significance, p_text
from equimut.records import Record
from equimut.study.differences import Contrast
from equimut.study.matrix import Matrix
from equimut.study.published import BEST, DISTANCES, LANGUAGES, MEDIANS, RATIOS, TRIPLET_F1
from equimut.study.trials import f1
from equimut.sweep.results import TrialResult

Verdict = Literal["supported", "not supported", "inconclusive"]
OPEN: Verdict = "inconclusive"
_BEFORE = {"holds": "supported", "does not hold": "not supported", "cannot be told here": OPEN}
"""The verdicts in a study.json written by an earlier version."""
FEWEST_RUNS, FEWEST_CELLS, FEWEST_MUTANTS = 3, 20, 30
LEVEL = 0.05
UNKNOWN = "not measured"
_SHORT = {
    "macro_f1": "F1", "macro_precision": "precision", "macro_recall": "recall",
    "average_precision": "average precision",
}  # fmt: skip


class Claim(Record):
    """A claim in our words, what was published for it, what we found, and what follows."""

    statement: str
    published: str
    ours: str
    verdict: Annotated[Verdict, BeforeValidator(lambda said: _BEFORE.get(said, said))]
    because: str
    evidence: str = ""
    """The anchor of its evidence on the page."""


def ahead(
    statement: str, published: str, found: Contrast | None, metrics: Sequence[str] = ("macro_f1",)
) -> Claim:
    """That the first of a contrast is better, in all of these metrics."""
    if found is None or found.runs < FEWEST_RUNS:
        runs = 0 if found is None else found.runs
        return _open(statement, published, f"{runs} paired runs, at least {FEWEST_RUNS} needed")
    gains = [(name, found.gains[name]) for name in metrics if name in found.gains]
    above = all(gain.settled and gain.mean > 0 for _, gain in gains)
    below = any(gain.settled and gain.mean < 0 for _, gain in gains)
    first = found.gains["macro_f1"]
    return Claim(
        statement=statement,
        published=published,
        ours="; ".join(_gain(name, gain) for name, gain in gains),
        verdict="supported" if above else "not supported" if below else OPEN,
        because=f"{found.runs} paired runs under {found.protocol}; 95 % interval over resampled "
        f"runs and origins {'leaves out' if above or below else 'contains'} zero; Wilcoxon over "
        f"runs {p_text(first.wilcoxon_p)} (so few runs reach {first.smallest_p:.4f} at best)",
    )


def ranking(data: str, contrasts: Mapping[tuple[str, str], Contrast]) -> list[Claim]:
    """The order of the losses on one data set."""
    language = LANGUAGES[data]
    purge, both = "cluster purge", ("macro_precision", "macro_recall")
    rows: tuple[tuple[str, tuple[str, str], Sequence[str]], ...] = (
        (f"{purge} beats cross-entropy alone", ("cpl", "base"), ("macro_f1",)),
        (f"{purge} is ahead of cross-entropy in precision and in recall", ("cpl", "base"), both),
        (f"{purge} beats contrastive loss", ("cpl", "contrastive"), ("macro_f1",)),
        ("contrastive loss beats cross-entropy alone", ("contrastive", "base"), ("macro_f1",)),
    )
    claims = []
    for statement, (first, second), metrics in rows:
        f1_values = BEST[data][first].f1, BEST[data][second].f1
        published = "F1 {:.2f} against {:.2f}, one run each".format(*f1_values)
        if metrics == both:
            published = "higher in both"
        found = contrasts.get((first, second))
        statement = f"{language}: {statement}"
        claims.append(ahead(statement, published, found, metrics))
    return claims


def grids(
    data: str, cpl: Matrix | None, contrastive: Matrix | None, test: Significance | None
) -> Claim:
    """That the median over cluster purge's grid is higher."""
    language = LANGUAGES[data]
    statement = f"{language}: over the whole grid, cluster purge has the higher median F1"
    published = "not published for C"
    if (data, "cpl") in MEDIANS:
        both = MEDIANS[data, "cpl"], MEDIANS[data, "contrastive"]
        published = f"medians {both[0]:.2f} and {both[1]:.2f}, p < 0.0001 (test not named)"
    if cpl is None or contrastive is None or test is None:
        return _open(statement, published, "the grids were not run")
    ours = f"medians {cpl.median_f1:.2f} and {contrastive.median_f1:.2f}"
    cells = f"{len(cpl.cells)} and {len(contrastive.cells)} cells"
    if min(len(cpl.cells), len(contrastive.cells)) < FEWEST_CELLS:
        return _open(statement, published, f"{cells}, at least {FEWEST_CELLS} each needed", ours)
    return _by_test(
        statement, published, ours, test, test.effect or 0.0,
        f"{cells}; cells share rows and seed, so the p-value is too small",
    )  # fmt: skip


def margins(cpl: Matrix | None) -> Claim:
    """That smaller, negative margins are better."""
    statement = "small, negative margins suit cluster purge best"
    published = "best cells at -0.05 (Java) and -0.01 (C); no test"
    if cpl is None or len(cpl.cells) < FEWEST_CELLS or cpl.margin_correlation is None:
        return _open(statement, published, "too few cells of the grid were run")
    ours = f"best cell at margin {cpl.best.margin:g}; correlation {cpl.margin_correlation:+.2f}"
    return Claim(
        statement=statement,
        published=published,
        ours=ours,
        verdict=_verdict(cpl.margin_p, -cpl.margin_correlation),
        because=f"Spearman's correlation of margin and F1 over {len(cpl.cells)} cells, "
        f"{p_text(cpl.margin_p)}",
    )


def triplets(triplet: Sequence[TrialResult], base: Sequence[TrialResult]) -> Claim:
    """That triplets are no match."""
    statement = "triplet loss falls far behind cross-entropy alone"
    published = f"F1 no higher than {TRIPLET_F1}"
    if min(len(triplet), len(base)) < FEWEST_RUNS:
        return _open(statement, published, f"fewer than {FEWEST_RUNS} runs of either")
    best, worst = max(map(f1, triplet)), min(map(f1, base))
    return Claim(
        statement=statement,
        published=published,
        ours=f"best of {len(triplet)} triplet runs {best:.2f}, worst of {len(base)} base "
        f"{worst:.2f}",
        verdict="supported" if best < worst - 5 else "not supported" if best >= worst else OPEN,
        because="by the ranges: far behind means the ranges are five points apart or more",
    )


def distances(table: DistanceTable | None) -> list[Claim]:
    """What happens to the distances, from the base model to cluster purge."""
    equivalent, other = DISTANCES["equivalent"], DISTANCES["non-equivalent"]
    away = "cluster purge moves non-equivalent mutants away from their origin"
    stay = "cluster purge leaves equivalent mutants where they are"
    more = "cluster purge moves non-equivalents further than equivalents"
    ratio = "after cluster purge, non-equivalents lie further out than equivalents"
    published = {
        away: f"mean {other.base[0]} to {other.cpl[0]}, {other.p_value}",
        stay: f"mean {equivalent.base[0]} to {equivalent.cpl[0]}, {equivalent.p_value}",
        more: "ratio of means grows because the non-equivalents move; no test",
        ratio: f"ratio of mean distances {RATIOS[0]} to {RATIOS[1]}",
    }
    if table is None or table.moved_more is None or not _enough(table):
        return [_open(name, theirs, "too few mutants") for name, theirs in published.items()]
    moved = _means(table.before.non_equivalent, table.after.non_equivalent)
    kept = _means(table.before.equivalent, table.after.equivalent)
    paired = f"{table.rows}, mutants paired with themselves"
    change, still = table.change["non-equivalent"][0], table.change["equivalent"][0]
    ratios = [table.before.ratio, table.after.ratio]
    shown = " to ".join("undefined" if each is None else f"{each:.2f}" for each in ratios)
    apart = table.after.between_labels[1]
    return [
        _by_test(away, published[away], _from_to(moved), change, moved[1] - moved[0], paired),
        # Any change is against it; a test that finds none does not show that there is none.
        _by_test(stay, published[stay], _from_to(kept), still, -1.0, paired),
        _by_test(
            more, published[more], f"{moved[1] - moved[0]:+.3f} and {kept[1] - kept[0]:+.3f}",
            table.moved_more, table.moved_more.effect or 0.0,
            "changes of the non-equivalents against those of the equivalents",
        ),
        _by_test(
            ratio, published[ratio], f"ratio {shown}", apart, apart.effect or 0.0,
            f"{table.rows}, after training",
        ),
    ]  # fmt: skip


def _means(before: Spread | None, after: Spread | None) -> tuple[float, float]:
    """The mean distances of a label, of which there are enough mutants."""
    assert before is not None
    assert after is not None
    return before.mean, after.mean


def _from_to(means: tuple[float, float]) -> str:
    return f"mean {means[0]:.3f} to {means[1]:.3f}"


def _enough(table: DistanceTable) -> bool:
    sides = (table.after.non_equivalent, table.after.equivalent)
    return all(side is not None and side.count >= FEWEST_MUTANTS for side in sides)


def _by_test(
    statement: str, published: str, ours: str, test: Significance, direction: float, remark: str
) -> Claim:
    effect = "" if test.effect is None else f", {test.effect_name} {test.effect:+.2f}"
    return Claim(
        statement=statement,
        published=published,
        ours=ours,
        verdict=_verdict(test.p_value, direction),
        because=f"{test.test}, {p_text(test.p_value)}{effect}; {remark}",
    )


def _verdict(p_value: float | None, direction: float) -> Verdict:
    if p_value is None or p_value >= LEVEL:
        return OPEN
    return "supported" if direction > 0 else "not supported"


def _open(statement: str, published: str, why: str, ours: str = UNKNOWN) -> Claim:
    return Claim(statement=statement, published=published, ours=ours, verdict=OPEN, because=why)


def _gain(name: str, gain: Gain) -> str:
    interval = "" if gain.low is None or gain.high is None else (
        f" [{100 * gain.low:+.2f}, {100 * gain.high:+.2f}]"
    )  # fmt: skip
    return f"{_SHORT.get(name, name)} {100 * gain.mean:+.2f} points{interval}"


def beyond(against_baseline: Contrast | None, unseen: Contrast | None) -> list[Claim]:
    """What the paper does not ask, and a user would."""
    return [
        ahead(
            "Java: cluster purge beats a logistic regression on the edit",
            "not compared",
            against_baseline,
        ),
        ahead(
            "Java: cluster purge beats cross-entropy alone on functions never seen",
            "not tried: training and test share their origins",
            unseen,
        ),
    ]
