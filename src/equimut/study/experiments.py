"""The trials of the study: those that are there are used, the others are run."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from equimut.data.benchmark.reader import load_pairs
from equimut.errors import DataError
from equimut.evaluation.baselines import BASELINES
from equimut.evaluation.detector_predictor import DetectorJudge, ZeroShot
from equimut.evaluation.evaluation import Evaluation
from equimut.evaluation.predictions import Predictions, read_predictions
from equimut.evaluation.predictors import Judge
from equimut.evaluation.protocols import judge_protocol
from equimut.inputs.cache import EncodingCache
from equimut.models.detector import Detector
from equimut.models.lookup import SHIPPED
from equimut.study.budget import Budget
from equimut.study.ensembles import SHIPPED_JUDGE
from equimut.study.study import Material
from equimut.study.tried import Tried
from equimut.sweep.grid import Trial, read_grid, trials
from equimut.sweep.results import ResultsDirectory, TrialResult
from equimut.sweep.session import Engine, open_trials, read_sittings, run_sitting

Say = Callable[[str], None]
Baselines = dict[str, Sequence[tuple[Evaluation, Predictions]]]
Judges = Mapping[str, Callable[[], Judge]]


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
    message: Say = lambda text: None
    progress: Callable[[TrialResult], None] = lambda result: None

    def trials(self, grid: str, pairs: Path) -> list[Trial]:
        """The trials of a grid under this budget."""
        options = {"model.encoder": self.encoder, **self.budget.options_for(grid, self.options)}
        everything = trials(read_grid(grid), str(pairs), options, self.budget.preset)
        return self.budget.chosen(grid, everything)


def run_missing(setup: Experiments, files: Mapping[str, Path]) -> None:
    """Run every trial of the study that has no result, in one sitting: processes start once."""
    wanted = [
        trial
        for language, pairs in files.items()
        for grid in setup.budget.grids[language]
        for trial in setup.trials(grid, pairs)
    ]
    elsewhere: set[str] = set()
    for place in setup.also:
        known = ResultsDirectory(place).by_trial()
        elsewhere |= {each for each, result in known.items() if result.status == "done"}
    results = ResultsDirectory(setup.results)
    with results.alone():
        results.tidy()
        distinct = {trial.id: trial for trial in wanted if trial.id not in elsewhere}
        missing = open_trials(results, list(distinct.values()))
        setup.message(f"{len(missing)} of {len(wanted)} trials to run")
        run_sitting(missing, "study", setup.results, setup.engine, setup.progress)


def material(setup: Experiments, language: str, pairs: Path) -> Material:
    """What there is of one data set: trials by grid, and the baselines on the same rows."""
    tried: list[Tried] = []
    planned = {}
    for grid in setup.budget.grids[language]:
        wanted = setup.trials(grid, pairs)
        planned[grid] = len(wanted)
        tried += gathered(setup, grid, wanted)
    return Material(
        language=language,
        data=pairs.stem,
        tried=tried,
        planned=planned,
        baselines=_baselines(pairs, tried, _judges(setup)),
    )


def gathered(setup: Experiments, grid: str, wanted: Sequence[Trial]) -> list[Tried]:
    """The finished ones of these trials, with their predictions where they are kept."""
    known: dict[str, tuple[TrialResult, ResultsDirectory]] = {}
    for place in (*setup.also, setup.results):
        directory = ResultsDirectory(place)
        known |= {each: (result, directory) for each, result in directory.by_trial().items()}
    found = []
    for trial in wanted:
        if trial.id not in known:
            continue
        result, directory = known[trial.id]
        if result.evaluation is None:
            continue
        said = directory.predictions / f"{result.id}.jsonl"
        found.append(
            Tried(
                grid=grid,
                varied=trial.varied,
                config=result.config,
                evaluation=result.evaluation,
                seconds=result.cost.seconds if result.cost else 0.0,
                predictions=read_predictions(said) if said.is_file() else None,
            )
        )
    return found


def efficiency(places: Sequence[Path]) -> float | None:
    """Trial time over wall time x jobs, over all sittings."""
    sittings = [sitting for place in places for sitting in read_sittings(place)]
    available = sum(sitting.wall_seconds * sitting.jobs for sitting in sittings)
    return sum(each.trial_seconds for each in sittings) / available if available else None


def _judges(setup: Experiments) -> Judges:
    """The baselines, and the detector that ships where the budget shows it."""
    if not setup.budget.zero_shot:
        return BASELINES
    detector = Detector.from_pretrained(SHIPPED)
    cache = EncodingCache(setup.results / "encodings")
    shipped = ZeroShot(DetectorJudge(detector, SHIPPED_JUDGE, cache=cache))
    return {**BASELINES, shipped.name: lambda: shipped}


def _baselines(pairs: Path, tried: Sequence[Tried], judges: Judges) -> Baselines:
    """The baselines on the same rows, under every protocol and fold that was used."""
    folds: dict[str, set[int]] = {"paper": {0}}
    for each in tried:
        if each.grid == "seed-study":
            folds.setdefault(each.config.data.protocol, set()).add(each.config.data.fold)
    rows = load_pairs(pairs)
    found: Baselines = {}
    for protocol, used in folds.items():
        try:
            judged = list(
                judge_protocol(
                    judges, rows, protocol, pairs.stem, folds=sorted(used), resamples=200
                )
            )
        except DataError:  # rows without programs have no split by program
            continue
        found[protocol] = [(e, said) for e, said in judged if e.fold is not None]
    return found
