"""What there is of the study at the paper's length, and what is not run yet."""

from collections.abc import Mapping, Sequence
from typing import Any

from equimut.evaluation.predictions import Predictions
from equimut.evaluation.significance import Significance
from equimut.records import Record
from equimut.study.claims import Claim
from equimut.study.full_length.tables import LengthTable, corrected, length_table
from equimut.study.full_length.verdicts import verdicts
from equimut.study.matrix import Matrix, between, matrix
from equimut.study.trials import (
    BENCHMARK,
    FULL_LENGTH,
    MARGINS,
    SHORT_MARGINS,
    VARIANTS,
    Material,
    evaluation_of,
    select,
    variant_of,
)
from equimut.sweep.choosing import Choice, choices, validation_score
from equimut.sweep.grid import read_grid, trials
from equimut.sweep.results import TrialResult

LOSSES = ("base", "contrastive", "cpl")
POOLINGS = {"cls": "the two CLS embeddings, as published", "edit": "the edited positions as well"}
COMPARED = (("cpl", "base"), ("cpl", "contrastive"), ("contrastive", "base"))
BEST_VARIANT = "cpl, best variant"


class GridProgress(Record):
    """How much of a grid is there."""

    grid: str
    done: int
    planned: int


class MarginRow(Record):
    """One margin after a short and after a whole training, one seed; None: not run yet."""

    variant: str
    validation: tuple[float | None, float | None]
    """Average precision on validation rows, mean over the last epochs: short, whole."""
    average_precision: tuple[float | None, float | None]
    f1: tuple[float | None, float | None]
    """On test rows, of the epoch that is best on validation rows."""


class VariantRow(Record):
    """A variant of cluster purge on validation rows of origins never seen."""

    name: str
    validation: float | None


class FullLength(Record):
    """The study of one data set at the paper's length."""

    progress: tuple[GridProgress, ...]
    choices: tuple[Choice, ...]
    tables: tuple[LengthTable, ...]
    matrices: tuple[Matrix, ...]
    between_grids: Significance | None
    margins: tuple[MarginRow, ...]
    margin_order: float | None
    """Spearman's correlation of average precision after short and whole trainings."""
    variants: tuple[VariantRow, ...]
    claims: tuple[Claim, ...]


def full_length(material: Material) -> FullLength | None:
    """The section of one data set; None where its budget has no trials of this length."""
    wanted = [grid for grid in (*FULL_LENGTH, VARIANTS) if grid in material.planned]
    if not wanted:
        return None
    found = material.trials
    tables = corrected([
        _loss_table(material, grid, pooling)
        for grid in ("full-length", "full-length-by-origin")
        if grid in material.planned
        for pooling in POOLINGS
    ])  # fmt: skip
    grids = {
        loss: matrix(
            material.language, loss, select(found, f"full-length-{loss}"),
            material.planned.get(f"full-length-{loss}", 0),
        )
        for loss in ("cpl", "contrastive")
    }  # fmt: skip
    apart = between(grids["cpl"], grids["contrastive"])
    margins = _margins(found) if SHORT_MARGINS in wanted else ()
    return FullLength(
        progress=tuple(
            GridProgress(grid=grid, done=len(select(found, grid)), planned=material.planned[grid])
            for grid in wanted
        ),
        choices=tuple(
            each for grid in (MARGINS, VARIANTS) if grid in wanted for each in choices(found, grid)
        ),
        tables=tables,
        matrices=tuple(each for each in grids.values() if each is not None),
        between_grids=apart,
        margins=margins,
        margin_order=_order(margins),
        variants=_variants(found) if VARIANTS in wanted else (),
        claims=verdicts(material.language, tables, grids, apart),
    )


def benchmark_table(
    results: Sequence[TrialResult], predictions: Mapping[str, Predictions]
) -> LengthTable | None:
    """The losses on the verified benchmark, by origin; None where nothing of it is run."""
    runs: dict[str, list[TrialResult]] = {name: [] for name in (*LOSSES, BEST_VARIANT)}
    for each in results:
        if each.grid == BENCHMARK and each.evaluation is not None:
            runs.setdefault(variant_of(each), []).append(each)
    if not any(runs.values()):
        return None
    seeds = len(read_grid(BENCHMARK).together)
    compared = (*COMPARED, (BEST_VARIANT, "base"), (BEST_VARIANT, "cpl"))
    title = "verified benchmark, origins never seen"
    table = length_table(title, ("published", "edit"), runs, seeds, predictions, compared)
    return corrected([table])[0]


def _loss_table(material: Material, grid: str, pooling: str) -> LengthTable:
    found = [e for e in select(material.trials, grid) if e.config.model.pooling == pooling]
    runs = {loss: [e for e in found if e.config.loss.name == loss] for loss in LOSSES}
    protocol = "by-origin" if grid.endswith("by-origin") else "paper"
    title = f"{protocol}: the head is given {POOLINGS[pooling]}"
    planned = material.planned[grid] // (len(LOSSES) * len(POOLINGS))
    setting = protocol, pooling
    return length_table(title, setting, runs, planned, material.predictions, COMPARED)


def _margins(found: Sequence[TrialResult]) -> tuple[MarginRow, ...]:
    def by_variant(grid: str) -> dict[str, TrialResult]:
        its = [each for each in select(found, grid) if each.config.model.pooling == "cls"]
        return {str(each.varied["variant"]): each for each in its}

    lengths = [by_variant(grid) for grid in (SHORT_MARGINS, MARGINS)]

    def both(name: str, read: Any) -> tuple[float | None, float | None]:
        short, whole = (read(its[name]) if name in its else None for its in lengths)
        return short, whole

    return tuple(
        MarginRow(
            variant=name,
            validation=both(name, validation_score),
            average_precision=both(name, lambda e: evaluation_of(e).scores.average_precision),
            f1=both(name, lambda e: 100 * evaluation_of(e).scores.macro_f1),
        )
        for name in _planned_variants(SHORT_MARGINS)
    )


def _order(rows: Sequence[MarginRow]) -> float | None:
    from scipy.stats import spearmanr

    known = [each.average_precision for each in rows if None not in each.average_precision]
    if len(known) < 5:
        return None
    return float(spearmanr(*zip(*known, strict=True)).statistic)


def _variants(found: Sequence[TrialResult]) -> tuple[VariantRow, ...]:
    scores = {variant_of(each): validation_score(each) for each in select(found, VARIANTS)}
    return tuple(
        VariantRow(name=name, validation=scores.get(name)) for name in _planned_variants(VARIANTS)
    )


def _planned_variants(grid: str) -> list[str]:
    return [str(trial.varied["variant"]) for trial in trials(read_grid(grid), "any")]
