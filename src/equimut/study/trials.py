"""The trials of the study: those that are there are used, the others are run."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from equimut.data.pairs import load_pairs
from equimut.errors import DataError
from equimut.evaluation.baselines import BASELINES
from equimut.evaluation.evaluation import Evaluation
from equimut.evaluation.predictions import Predictions
from equimut.evaluation.predictors import DetectorPredictor, TrainablePredictor, ZeroShot
from equimut.evaluation.protocols import Outcome, evaluate_protocol
from equimut.inputs.cache import EncodingCache
from equimut.models.detector import Detector
from equimut.models.settings import SHIPPED
from equimut.study.budget import Budget
from equimut.sweep.choosing import Chooser
from equimut.sweep.grid import Choose, Trial, read_grid, trials
from equimut.sweep.results import ResultsDirectory, TrialResult
from equimut.sweep.session import Engine, open_trials, read_sessions, run_session

SEED_STUDY = "seed-study"
MARGINS, SHORT_MARGINS, VARIANTS = "full-length-margins", "short-margins", "purge-variants"
FULL_LENGTH = (
    MARGINS, "full-length", "full-length-by-origin", "full-length-cpl", "full-length-contrastive",
    SHORT_MARGINS,
)  # fmt: skip
"""The grids of the study at the paper's length."""
BENCHMARK = "benchmark-by-origin"
PREDICTIONS_USED = (SEED_STUDY, "full-length", "full-length-by-origin")
"""The grids whose runs are compared row by row."""
RUN_OPTIONS = ("seed", "data.fold", "data.protocol", "selection.refit")
"""What differs between the runs of one variant, and goes with a protocol."""
SHIPPED_NAME = "shipped detector, zero-shot"
"""The name of the detector that ships among the baselines."""

Predictors = Mapping[str, Callable[[], TrainablePredictor]]
Baselines = Mapping[str, Sequence[Outcome]]


@dataclass(frozen=True)
class Experiments:
    """What is run, where, and how."""

    budget: Budget
    encoder: str
    results: Path
    """New results go here."""
    also: Sequence[Path] = ()
    """Results that may be used as well."""
    engine: Engine = field(default_factory=Engine)
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Changed by the user, by grid or for `*`."""
    train: bool = True
    """Without, only what is there already is used."""
    message: Callable[[str], None] = lambda text: None
    progress: Callable[[TrialResult], None] = lambda result: None

    def trials(self, grid: str, pairs: Path, choose: Choose | None = None) -> list[Trial]:
        """The trials of a grid under this budget; those that wait for a choice are left out."""
        options = {"model.encoder": self.encoder, **self.budget.options_for(grid, self.options)}
        choose = choose or self.chooser(pairs)
        everything = trials(read_grid(grid), str(pairs), options, self.budget.preset, choose)
        return self.budget.chosen(grid, everything)

    def chooser(self, pairs: Path) -> "_StudyChooser":
        """Chooses margins and variants by what there is of the study on these pairs."""
        return _StudyChooser(self, pairs)


@dataclass
class _StudyChooser:
    """Reads the results of a grid when they are first asked for."""

    setup: Experiments
    pairs: Path
    waiting: int = 0
    _known: dict[str, Chooser] = field(default_factory=dict)

    def __call__(self, grid: str, same: Mapping[str, Any]) -> Mapping[str, Any] | None:
        if grid not in self._known:
            found = finished(self.setup, {grid: self.setup.trials(grid, self.pairs)})
            self._known[grid] = Chooser(found, str(self.pairs))
        chosen = self._known[grid](grid, same)
        self.waiting += chosen is None
        return chosen


@dataclass(frozen=True)
class Material:
    """What one data set's part of the study is made from."""

    language: str
    data: str
    trials: Sequence[TrialResult]
    """Finished ones; a trial that belongs to several grids is there once for each."""
    planned: Mapping[str, int]
    """Trials by grid."""
    baselines: Baselines = field(default_factory=dict)
    """By protocol, in the order of the folds."""
    predictions: Mapping[str, Predictions] = field(default_factory=dict)
    """Of the trials that are compared row by row, by their id."""


def run_missing(setup: Experiments, files: Mapping[str, Path]) -> None:
    """Run every trial of the study that has no result, then those that waited for a choice."""
    while _run_open(setup, files):
        pass


def _run_open(setup: Experiments, files: Mapping[str, Path]) -> int:
    """Run what can be run now, in one session: processes start once."""
    wanted = [
        trial
        for language, pairs in files.items()
        for choose in [setup.chooser(pairs)]
        for grid in setup.budget.grids[language]
        for trial in setup.trials(grid, pairs, choose)
    ]
    elsewhere: set[str] = set()
    for place in setup.also:
        known = ResultsDirectory(place).by_trial()
        elsewhere |= {each for each, result in known.items() if result.status == "done"}
    results = ResultsDirectory(setup.results)
    with results.alone():
        distinct = {trial.id: trial for trial in wanted if trial.id not in elsewhere}
        missing = open_trials(results, list(distinct.values()))
        setup.message(f"{len(missing)} of {len(wanted)} trials to run")
        run_session(missing, "study", setup.results, setup.engine, setup.progress)
    return len(missing)


def material(setup: Experiments, language: str, pairs: Path) -> Material:
    """What there is of one data set: trials by grid, and the baselines on the same rows."""
    wanted: dict[str, list[Trial]] = {}
    planned: dict[str, int] = {}
    choose = setup.chooser(pairs)
    for grid in setup.budget.grids[language]:
        before = choose.waiting
        wanted[grid] = setup.trials(grid, pairs, choose)
        planned[grid] = len(wanted[grid]) + choose.waiting - before
    found = finished(setup, wanted)
    used = [each.id for grid in PREDICTIONS_USED for each in select(found, grid)]
    predictions = predictions_of(used, (setup.results, *setup.also))
    return Material(
        language=language,
        data=pairs.stem,
        trials=found,
        planned=planned,
        baselines=_baselines(pairs, found, _predictors(setup)),
        predictions=predictions,
    )


def finished(setup: Experiments, wanted: Mapping[str, Sequence[Trial]]) -> list[TrialResult]:
    """The finished ones of these trials, each as a trial of its grid."""
    known: dict[str, TrialResult] = {}
    for place in (*setup.also, setup.results):
        known |= ResultsDirectory(place).by_trial()
    return [
        known[trial.id].model_copy(update={"grid": grid, "varied": trial.varied})
        for grid, its in wanted.items()
        for trial in its
        if trial.id in known and known[trial.id].evaluation is not None
    ]


def select(
    found: Iterable[TrialResult], grid: str, loss: str | None = None, protocol: str | None = None
) -> list[TrialResult]:
    """The trials of a grid, of one loss and one protocol if named."""
    return [
        each
        for each in found
        if each.grid == grid
        and loss in (None, each.config.loss.name)
        and protocol in (None, each.config.data.protocol)
    ]


def variant_of(trial: TrialResult) -> str:
    """The name of the variant, or what sets it apart besides what goes with a protocol."""
    if "variant" in trial.varied:
        return str(trial.varied["variant"])
    apart = {name: value for name, value in trial.varied.items() if name not in RUN_OPTIONS}
    return ", ".join(f"{name.split('.')[-1]} {value}" for name, value in apart.items())


def evaluation_of(trial: TrialResult) -> Evaluation:
    """The evaluation of a finished trial."""
    assert trial.evaluation is not None
    return trial.evaluation


def f1(trial: TrialResult) -> float:
    """Macro-F1 in per cent."""
    return 100 * evaluation_of(trial).scores.macro_f1


def efficiency(places: Sequence[Path]) -> float | None:
    """Trial time over wall time x jobs, over all sessions."""
    sessions = [session for place in places for session in read_sessions(place)]
    available = sum(session.wall_seconds * session.jobs for session in sessions)
    return sum(each.trial_seconds for each in sessions) / available if available else None


def predictions_of(ids: Sequence[str], places: Iterable[Path]) -> dict[str, Predictions]:
    """What trials predicted for their test rows, as far as it is kept."""
    found: dict[str, Predictions] = {}
    for place in map(ResultsDirectory, places):
        for each in ids:
            its = None if each in found else place.predictions_of(each)
            if its is not None:
                found[each] = its
    return found


def _predictors(setup: Experiments) -> Predictors:
    """The baselines, and the detector that ships where the budget shows it."""
    if not setup.budget.zero_shot:
        return BASELINES
    detector = Detector.from_pretrained(SHIPPED)
    cache = EncodingCache(setup.results / "encodings")
    shipped = ZeroShot(DetectorPredictor(detector, SHIPPED_NAME, cache=cache))
    return {**BASELINES, shipped.name: lambda: shipped}


def _baselines(pairs: Path, found: Sequence[TrialResult], predictors: Predictors) -> Baselines:
    """The baselines on the same rows, under every protocol and fold that was used."""
    folds: dict[str, set[int]] = {"paper": {0}}
    for each in select(found, SEED_STUDY):
        folds.setdefault(each.config.data.protocol, set()).add(each.config.data.fold)
    rows = load_pairs(pairs)
    baselines = {}
    for protocol, used in folds.items():
        try:
            outcomes = list(
                evaluate_protocol(
                    predictors, rows, protocol, pairs.stem, folds=sorted(used), resamples=200
                )
            )
        except DataError:  # rows without programs have no split by program
            continue
        baselines[protocol] = [one for one in outcomes if one.evaluation.fold is not None]
    return baselines
