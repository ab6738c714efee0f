"""Figures of a judge the slow, obvious way: one row after the other, no library."""

from collections.abc import Sequence
from itertools import product
from math import comb, exp, log, sqrt

Rows = Sequence[tuple[int, float]]
"""(label, probability) of each pair."""


def cells(rows: Rows, threshold: float) -> dict[str, int]:
    found = {"tn": 0, "fp": 0, "fn": 0, "tp": 0}
    for label, probability in rows:
        guess = probability >= threshold
        found[("t" if guess == bool(label) else "f") + ("p" if guess else "n")] += 1
    return found


def ratio(above: float, below: float) -> float:
    return above / below if below else 0.0


def precision_recall_f1(hits: int, false_alarms: int, missed: int) -> tuple[float, float, float]:
    precision, recall = ratio(hits, hits + false_alarms), ratio(hits, hits + missed)
    return precision, recall, ratio(2 * precision * recall, precision + recall)


def average_precision(rows: Rows) -> float | None:
    """Walk down the distinct probabilities; each adds its recall at the precision reached there."""
    positives = sum(label for label, _ in rows)
    if not positives:
        return None
    total = before = 0.0
    for threshold in sorted({probability for _, probability in rows}, reverse=True):
        called = [label for label, probability in rows if probability >= threshold]
        recall = sum(called) / positives
        total += (recall - before) * sum(called) / len(called)
        before = recall
    return total


def recall_at_precision(rows: Rows, wished: float) -> float | None:
    positives = sum(label for label, _ in rows)
    if not positives:
        return None
    best = 0.0
    for threshold in {probability for _, probability in rows}:
        called = [label for label, probability in rows if probability >= threshold]
        if sum(called) / len(called) >= wished:
            best = max(best, sum(called) / positives)
    return best


def calibration_error(rows: Rows, bins: int) -> float:
    total = 0.0
    for number in range(bins):
        last = number == bins - 1
        inside = [
            (label, probability)
            for label, probability in rows
            if int(probability * bins) == number or (last and probability == 1)
        ]
        if inside:
            said = sum(probability for _, probability in inside) / len(inside)
            seen = sum(label for label, _ in inside) / len(inside)
            total += len(inside) / len(rows) * abs(said - seen)
    return total


def all_metrics(rows: Rows, threshold: float) -> dict[str, float | None]:
    """Every metric of `Scores`."""
    found = cells(rows, threshold)
    tn, fp, fn, tp = (found[name] for name in ("tn", "fp", "fn", "tp"))
    equivalent, other = precision_recall_f1(tp, fp, fn), precision_recall_f1(tn, fn, fp)
    macro = [(one + two) / 2 for one, two in zip(equivalent, other, strict=True)]
    scale = sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    return {
        "macro_precision": macro[0],
        "macro_recall": macro[1],
        "macro_f1": macro[2],
        "equivalent_precision": equivalent[0],
        "equivalent_recall": equivalent[1],
        "equivalent_f1": equivalent[2],
        "accuracy": (tn + tp) / len(rows),
        "mcc": ratio(tp * tn - fp * fn, scale),
        "average_precision": average_precision(rows),
        "recall_at_precision_90": recall_at_precision(rows, 0.90),
        "recall_at_precision_95": recall_at_precision(rows, 0.95),
        "recall_at_precision_99": recall_at_precision(rows, 0.99),
        "brier": sum((probability - label) ** 2 for label, probability in rows) / len(rows),
        "calibration_error": calibration_error(rows, 10),
    }


def mcnemar_exact(only_first: int, only_second: int) -> float:
    """The exact p-value, from coin flips written out."""
    flips = only_first + only_second
    fewer = min(only_first, only_second)
    tail = sum(comb(flips, heads) for heads in range(fewer + 1)) / 2**flips
    return min(1.0, 2 * tail)


def signed_rank_p(differences: Sequence[float]) -> float:
    """Wilcoxon by trying every choice of signs; average ranks for ties, zeros dropped."""
    moved = [value for value in differences if value]
    sizes = [abs(value) for value in moved]
    ranks = [sum(other < size for other in sizes) + (sizes.count(size) + 1) / 2 for size in sizes]
    above = sum(rank for rank, value in zip(ranks, moved, strict=True) if value > 0)
    seen = min(above, sum(ranks) - above)
    every = [
        sum(rank for rank, sign in zip(ranks, signs, strict=True) if sign)
        for signs in product((0, 1), repeat=len(ranks))
    ]
    return min(1.0, 2 * sum(value <= seen for value in every) / len(every))


def holm_loop(p_values: Sequence[float]) -> list[float]:
    """Smallest first: times the number of those left, and never below the one before."""
    result = [0.0] * len(p_values)
    highest = 0.0
    for step, place in enumerate(sorted(range(len(p_values)), key=lambda at: p_values[at])):
        highest = max(highest, min(1.0, p_values[place] * (len(p_values) - step)))
        result[place] = highest
    return result


def cliffs_delta_loop(first: Sequence[float], second: Sequence[float]) -> float:
    wins = sum((one > other) - (one < other) for one in first for other in second)
    return wins / (len(first) * len(second))


def likelihood_loss(margins: Sequence[float], labels: Sequence[int], temperature: float) -> float:
    """Mean negative log-likelihood at a temperature."""
    total = 0.0
    for margin, label in zip(margins, labels, strict=True):
        against = -(margin if label else -margin) / temperature
        total += against + log(1 + exp(-against)) if against > 0 else log(1 + exp(against))
    return total / len(labels)
