"""The performance matrix of a grid: margin x weight, and how two of them compare."""

from collections.abc import Sequence

import numpy as np

from equimut.evaluation.significance import Significance, mann_whitney
from equimut.records import Record
from equimut.study.published import MEDIANS
from equimut.study.trials import evaluation_of
from equimut.sweep.results import TrialResult


class Cell(Record):
    """One cell, in per cent."""

    margin: float
    weight: float
    precision: float
    recall: float
    f1: float


class Matrix(Record):
    """All finished cells of one grid on one data set."""

    data: str
    loss: str
    cells: tuple[Cell, ...]
    missing: int
    """Cells of the grid without a result."""
    median_f1: float
    published_median: float | None
    margin_correlation: float | None
    """Spearman's correlation of margin and F1; None where it is not defined."""
    margin_p: float | None

    @property
    def margins(self) -> list[float]:
        """The columns."""
        return sorted({cell.margin for cell in self.cells})

    @property
    def weights(self) -> list[float]:
        """The rows."""
        return sorted({cell.weight for cell in self.cells})

    @property
    def best(self) -> Cell:
        """The cell with the highest F1; of several, the first."""
        return max(self.cells, key=lambda cell: cell.f1)

    def at(self, margin: float, weight: float) -> Cell | None:
        """The cell of these values, if it is finished."""
        for cell in self.cells:
            if (cell.margin, cell.weight) == (margin, weight):
                return cell
        return None


def matrix(data: str, loss: str, trials: Sequence[TrialResult], planned: int) -> Matrix | None:
    """The matrix of finished trials of one grid; None without any."""
    if not trials:
        return None
    cells = tuple(_cell(each) for each in trials)
    correlation, p_value = _margin_correlation(cells)
    return Matrix(
        data=data,
        loss=loss,
        cells=cells,
        missing=planned - len(cells),
        median_f1=float(np.median([cell.f1 for cell in cells])),
        published_median=MEDIANS.get((data, loss)),
        margin_correlation=correlation,
        margin_p=p_value,
    )


def between(first: Matrix | None, second: Matrix | None) -> Significance | None:
    """Mann-Whitney on the F1 of the cells of two grids.

    Cells of a grid share data and seed and differ in two numbers only: they are no independent
    repetitions, and the p-value is smaller than it should be. The published one is of this kind.
    """
    if first is None or second is None:
        return None
    return mann_whitney([cell.f1 for cell in first.cells], [cell.f1 for cell in second.cells])


def _cell(trial: TrialResult) -> Cell:
    scores = evaluation_of(trial).scores
    return Cell(
        margin=trial.config.loss.margin_or_default(),
        weight=trial.config.loss.weight,
        precision=100 * scores.macro_precision,
        recall=100 * scores.macro_recall,
        f1=100 * scores.macro_f1,
    )


def _margin_correlation(cells: Sequence[Cell]) -> tuple[float | None, float | None]:
    from scipy.stats import spearmanr

    margins, values = [cell.margin for cell in cells], [cell.f1 for cell in cells]
    if len(set(margins)) < 2 or len(set(values)) < 2 or len(cells) < 3:
        return None, None
    found = spearmanr(margins, values)
    return float(found.statistic), float(found.pvalue)
