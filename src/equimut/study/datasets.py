"""The data sets of the study, written where the trials read them."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from equimut.analysis.embeddings import classes_with_both
from equimut.data.benchmark.reader import load_pairs
from equimut.data.published.fetch import cache_directory
from equimut.data.published.prepare import prepare
from equimut.data.store import write_pairs
from equimut.errors import EquimutError
from equimut.records import Pair
from equimut.study.budget import Budget
from equimut.study.published import DATASETS


def study_data(source: str | None, budget: Budget, place: Path) -> dict[str, Path]:
    """A file of pairs per language: the published data, or the bundled benchmark.

    The name of a file is part of a trial's id, so it says what the rows are: a sweep elsewhere on a
    file of the same name gives trials that count here.
    """
    source = source or budget.data
    files = {}
    for language in budget.grids:
        if source == "bundled":
            name, pairs = f"bundled-{language}", load_pairs(f"bundled:{language}")
            if budget.rows_per_lot is None:
                files[language] = Path(f"bundled:{language}")
                continue
        else:
            directory = cache_directory() if source is None else Path(source)
            name = DATASETS[language]
            pairs = prepare(name, directory).pairs
        if budget.rows_per_lot is not None:
            name, pairs = f"{name}-{budget.name}", part_of(pairs, budget)
        files[language] = place / f"{name}.jsonl"
        write_pairs(files[language], pairs)
    return files


def part_of(pairs: Sequence[Pair], budget: Budget) -> tuple[Pair, ...]:
    """A few mutants of each label of the origins that have most of both."""
    chosen = set(classes_with_both(pairs)[: budget.origins])
    if len(chosen) < 5:
        raise EquimutError(f"{len(chosen)} origins have mutants of both labels; 5 are needed")
    taken: Counter[tuple[int, int, str]] = Counter()
    part = []
    for pair in pairs:
        lot = (pair.class_id, pair.label, pair.split)
        if pair.class_id in chosen and taken[lot] < (budget.rows_per_lot or 0):
            taken[lot] += 1
            part.append(pair)
    return tuple(part)
