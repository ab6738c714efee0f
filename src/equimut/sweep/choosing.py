"""What a grid takes over from an earlier one: the options of its best trial on validation rows."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from equimut.errors import EquimutError
from equimut.records import Record
from equimut.sweep.grid import VARIANT, matches, read_grid, shipped_grids, trials
from equimut.sweep.results import TrialResult

LAST_EPOCHS = 5
"""A trial is chosen by the mean over so many epochs at its end: one epoch's score is noisy, and
the best of thirty flatters those whose scores jump."""


class Choice(Record):
    """The best of the trials of a grid that share some options."""

    grid: str
    shared: Mapping[str, Any]
    """What they have in common, such as loss and pooling."""
    done: int
    among: int
    """As many trials are compared; until all of them are done, nothing is chosen."""
    options: Mapping[str, Any] | None = None
    """What the best of them sets besides."""
    score: float | None = None
    """Its mean validation score over the last epochs."""


def validation_score(result: TrialResult) -> float | None:
    """The mean of the metric that chooses, on validation rows, over the last epochs."""
    metric = result.config.selection.metric
    scores = [each.dev for each in result.history if each.dev is not None][-LAST_EPOCHS:]
    found = [value for each in scores if (value := getattr(each, metric)) is not None]
    return sum(found) / len(found) if found else None


def choice(results: Iterable[TrialResult], grid: str, same: Mapping[str, Any]) -> Choice:
    """The best trial of a shipped grid among those with the same options, where both name them.

    Of equals the first in the order of the grid. Test rows play no part.
    """
    known = {_key(each.varied): validation_score(each) for each in results if each.grid == grid}
    compared = [
        options
        for trial in trials(read_grid(grid), "any")
        for options in [{k: v for k, v in trial.varied.items() if k != VARIANT}]
        if matches(options, same)
    ]
    if not compared:
        raise EquimutError(f"grid {grid} has no trial with {dict(same)}")
    scores = [known.get(_key(options)) for options in compared]
    done = [score for score in scores if score is not None]
    names = {name for options in compared for name in options}
    found = Choice(
        grid=grid,
        shared={name: value for name, value in same.items() if name in names},
        done=len(done),
        among=len(compared),
    )
    if len(done) < len(compared):
        return found
    best = compared[done.index(max(done))]
    options = {name: value for name, value in best.items() if name not in same}
    return found.model_copy(update={"options": options, "score": max(done)})


@dataclass
class Chooser:
    """Chooses among results on the same pairs, or, where there are none, on the only other ones."""

    results: Sequence[TrialResult]
    pairs: str
    waiting: Counter[str] = field(default_factory=Counter)
    """By grid: trials that wait for its choice."""

    def __call__(self, grid: str, same: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """The options chosen, or None."""
        its = [each for each in self.results if each.grid == grid and each.status == "done"]
        here = [each for each in its if _stem(each) == _stem(self.pairs)]
        if not here and len({_stem(each) for each in its}) > 1:
            raise EquimutError(f"trials of {grid} on several data sets: choose from one of them")
        found = choice(here or its, grid, same).options
        if found is None:
            self.waiting[grid] += 1
        return found


def choices(results: Sequence[TrialResult], grid: str) -> list[Choice]:
    """Whatever the shipped grids take from a grid, decided or open."""
    asked: dict[frozenset[tuple[str, str]], Choice] = {}

    def note(source: str, same: Mapping[str, Any]) -> None:
        if source == grid:
            found = choice(results, grid, same)
            asked.setdefault(_key(found.shared), found)

    for name in shipped_grids():
        trials(read_grid(name), "any", choose=note)
    return list(asked.values())


def _stem(of: TrialResult | str) -> str:
    name = of if isinstance(of, str) else of.config.data.pairs
    return Path(name).name.removesuffix(".gz").removesuffix(".jsonl")


def _key(varied: Mapping[str, Any]) -> frozenset[tuple[str, str]]:
    return frozenset((name, repr(value)) for name, value in varied.items() if name != VARIANT)
