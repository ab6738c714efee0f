"""A finished trial as the analysis sees it: whoever ran it, in whatever directory."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from equimut.config import RunConfig
from equimut.evaluation.evaluation import Evaluation
from equimut.evaluation.predictions import Predictions
from equimut.records import Record


class Tried(Record):
    """What was varied, what came out, what it cost."""

    grid: str
    varied: Mapping[str, Any]
    config: RunConfig
    evaluation: Evaluation
    seconds: float
    predictions: Predictions | None = None

    @property
    def f1(self) -> float:
        """Macro-F1 in per cent."""
        return 100 * self.evaluation.scores.macro_f1


def lot(
    tried: Iterable[Tried], grid: str, loss: str | None = None, protocol: str | None = None
) -> list[Tried]:
    """The trials of a grid, of one loss and one protocol if named."""
    return [
        each
        for each in tried
        if each.grid == grid
        and loss in (None, each.config.loss.name)
        and protocol in (None, each.config.data.protocol)
    ]


def by_run(tried: Sequence[Tried]) -> dict[tuple[int, int], Tried]:
    """Trials by seed and fold."""
    return {(each.config.seed, each.config.data.fold): each for each in tried}
