"""Comparisons in words: what differs, by how much, and whether the data settle it."""

from equimut.evaluation.comparison import Comparison, Difference, RunsComparison
from equimut.evaluation.metrics import Scores


def read_comparison(found: Comparison, first: str, second: str) -> tuple[str, ...]:
    """One line per figure and one for McNemar, for two judges on the same pairs."""
    lines = [
        f"{_title(name)}: {_difference(difference, first, second)}"
        for name, difference in found.differences.items()
    ]
    counts = found.mcnemar
    lines.append(
        f"McNemar on {found.count:,} pairs: only {first} is right on {counts.only_first:,}, "
        f"only {second} on {counts.only_second:,}; p = {_p(counts.p_value)} (exact), "
        f"odds ratio {counts.odds_ratio:.2f}"
    )
    return tuple(lines)


def read_runs(found: RunsComparison, first: str, second: str) -> tuple[str, ...]:
    """One line per metric over all runs, and one for the runs' own McNemar tests."""
    lines = []
    for name, test in found.over_runs.items():
        differences = [run.differences[name].value for run in found.runs]
        known = [value for value in differences if value is not None]
        better = sum(value > 0 for value in known)
        corrected = found.over_runs_corrected[name]
        lines.append(
            f"{_title(name)}: {first} is better in {better} of {len(known)} runs, mean difference "
            f"{sum(known) / len(known):+.4f}; {test.test} p = {_p(test.p_value)}, corrected "
            f"{_p(corrected)} (so few runs can show {_p(test.smallest_p)} at best); "
            f"{test.effect_name} {test.effect:+.2f}"
        )
    settled = sum(p_value < 0.05 for p_value in found.mcnemar_corrected)
    lines.append(
        f"McNemar, corrected for {len(found.runs)} runs: p < 0.05 between {first} and {second} "
        f"in {settled} of them"
    )
    return tuple(lines)


def _difference(found: Difference, first: str, second: str) -> str:
    if found.value is None:
        return "undefined on these pairs"
    said = f"{first} {found.first:.4f}, {second} {found.second:.4f}, difference {found.value:+.4f}"
    if found.interval is None:
        return f"{said}; no interval, since all pairs have one origin or none was asked for"
    low, high = found.interval.low, found.interval.high
    verdict = "not settled by these pairs"
    if low > 0 or high < 0:
        verdict = f"{first if low > 0 else second} is better"
    return f"{said}, {found.interval.level:.0%} interval {low:+.4f} to {high:+.4f}: {verdict}"


def _title(name: str) -> str:
    macro = "macro-" if name.startswith("macro_") else ""
    return f"{macro}{Scores.model_fields[name].title}"


def _p(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.4f}" if value >= 0.0001 else "< 0.0001"
