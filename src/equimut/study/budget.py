"""How much of the study is run: the paper's own budget, ours, or just enough to see it work."""

from collections.abc import Mapping, Sequence
from typing import Any

from equimut.errors import EquimutError
from equimut.models.settings import SHIPPED, model_directory
from equimut.records import Record
from equimut.sweep.grid import Trial

EVERYTHING = "*"
GRIDS = ("paper-cpl", "paper-contrastive", "paper-base", "seed-study")
FULL_LENGTH = (
    "full-length-margins", "full-length", "full-length-by-origin", "full-length-cpl",
    "full-length-contrastive", "short-margins", "purge-variants",
)  # fmt: skip
"""Those at the paper's length, and what they are compared with."""
MORE = ("triplet", "ablations", "input-pooling", "random-vs-pretrained")


NOT_ON_C = ("full-length-by-origin", "short-margins", "purge-variants")


class Budget(Record):
    """What is trained, and how long."""

    name: str
    encoder: str
    data: str | None
    """The data if none is named; None: the published files in the user's cache."""
    preset: str | None = None
    grids: Mapping[str, tuple[str, ...]]
    """By language."""
    options: Mapping[str, Mapping[str, Any]] = {}
    """By grid, or for `*` all of them."""
    corners: bool = False
    """Only the corners of the grids, the first seeds and the paper's protocol."""
    rows_per_group: int | None = None
    """At most so many mutants per origin, label and part; None: all."""
    origins: int | None = None
    zero_shot: bool = False
    """Whether the detector that ships is shown among the baselines, as it is."""
    remark: str = ""

    def options_for(self, grid: str, more: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
        """The options of a grid: those for all, those for it, then what the user sets."""
        found: dict[str, Any] = {}
        for source in (self.options, more):
            found |= {**source.get(EVERYTHING, {}), **source.get(grid, {})}
        return found

    def chosen(self, grid: str, trials: Sequence[Trial]) -> list[Trial]:
        """The trials of a grid that this budget pays for."""
        if not self.corners:
            return list(trials)
        if grid in ("paper-cpl", "paper-contrastive"):
            margins = {trial.config.loss.margin_or_default() for trial in trials}
            weights = {trial.config.loss.weight for trial in trials}
            return [
                trial
                for trial in trials
                if trial.config.loss.margin_or_default() in (min(margins), max(margins))
                and trial.config.loss.weight in (min(weights), max(weights))
            ]
        first = trials[0].config.seed
        seeds = (first,) if grid == "paper-base" else (first, first + 1)
        return [
            trial
            for trial in trials
            if trial.config.data.protocol == "paper" and trial.config.seed in seeds
        ]


BUDGETS: Mapping[str, Budget] = {
    "smoke": Budget(
        name="smoke",
        encoder=SHIPPED,
        data="bundled",
        grids={"java": GRIDS, "c": GRIDS[:3]},
        options={EVERYTHING: {"optim.epochs": 1, "selection.on": "last"}},
        corners=True,
        rows_per_group=3,
        origins=10,
        remark="A smoke run: a handful of rows, one epoch, the corners of the grids. It shows that "
        "everything works, and says nothing about the losses.",
    ),
    "cpu": Budget(
        name="cpu",
        encoder=SHIPPED,
        data=None,
        grids={
            "java": GRIDS + MORE + FULL_LENGTH,
            "c": GRIDS + tuple(g for g in FULL_LENGTH if g not in NOT_ON_C),
        },
        zero_shot=True,
    ),
    "full": Budget(
        name="full",
        encoder="microsoft/unixcoder-base",
        data=None,
        preset="paper",
        grids={"java": GRIDS + MORE, "c": GRIDS},
        options={
            EVERYTHING: {"optim.epochs": 30},
            # The published way, for the published numbers.
            **{grid: {"selection.on": "test"} for grid in GRIDS[:3]},
        },
    ),
}


def budget_named(name: str) -> Budget:
    """The budget of this name."""
    if name not in BUDGETS:
        raise EquimutError(f"no budget {name!r}: the budgets are {', '.join(BUDGETS)}")
    return BUDGETS[name]


def encoder_for(budget: Budget, named: str | None) -> str:
    """The encoder to use; an error where none is named and none is shipped."""
    if named is not None:
        return named
    if budget.encoder == SHIPPED and not model_directory(SHIPPED).is_dir():
        raise EquimutError(
            f"budget {budget.name} uses the encoder of this package, and it holds none; "
            "name one with --encoder"
        )
    return budget.encoder
