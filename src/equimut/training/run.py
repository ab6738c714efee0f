"""One run from beginning to end: rows, detector, training, calibration, evaluation.

Started again with the same configuration it goes on where it was stopped; finished, it says what
it found.
"""

import shutil
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

import torch
from accelerate import PartialState

from equimut.config import DEFAULT, Protocol, RunConfig, changed
from equimut.data.labelled import PairRow, complete_pairs
from equimut.data.pairs import load_pairs
from equimut.data.splitting.cleaning import shared, without
from equimut.data.splitting.split import ALL
from equimut.data.splitting.triplets import triplets
from equimut.evaluation.calibration import calibrate
from equimut.evaluation.evaluation import Evaluation, evaluate_predictions
from equimut.evaluation.predictions import predict, write_predictions
from equimut.evaluation.predictors import DetectorPredictor
from equimut.inputs.cache import EncodingCache
from equimut.models.detector import Detector
from equimut.models.edit_regression import add_edit_regressions, freeze_edit_features
from equimut.models.scoring import score
from equimut.models.settings import Calibration, Provenance
from equimut.records import Pair
from equimut.storage.locks import alone_in
from equimut.training.fit import Progress, fit, measure_epoch
from equimut.training.measure import baselines_on_same_rows
from equimut.training.objective import Objective
from equimut.training.rows import Rows, choose_rows, for_own_rows, with_random_classes
from equimut.training.run_directory import begin_run, go_on, record_there
from equimut.training.run_files import (
    MODEL,
    PREDICTIONS,
    EpochScores,
    RunRecord,
    read_record,
    run_setting,
    write_record,
    write_verges,
)
from equimut.training.state import Fitted


@dataclass(frozen=True)
class Run:
    """A finished training: its directory, its record, its detector."""

    directory: Path
    record: RunRecord

    @cached_property
    def detector(self) -> Detector:
        """The trained detector, loaded when first asked for."""
        return Detector.from_pretrained(self.directory / MODEL)


@dataclass(frozen=True)
class Watch:
    """Who hears of a training while it goes on, and where it looks for encoded pairs."""

    tensorboard: bool
    cache: EncodingCache | None
    progress: Callable[[Progress], None] | None
    message: Callable[[str], None] | None


def train(
    pairs: Iterable[PairRow] | str | Path,
    *,
    out: str | Path,
    test: Iterable[PairRow] | None = None,
    config: RunConfig = DEFAULT,
    protocol: Protocol | None = None,
    restart: bool = False,
    tensorboard: bool = False,
    baselines: bool = True,
    cache: EncodingCache | None = None,
    progress: Callable[[Progress], None] | None = None,
    message: Callable[[str], None] | None = None,
) -> Run:
    """Train, calibrate and evaluate as configured, or go on with it, or return what is there.

    Args:
        pairs: Rows with origin, mutant, language and label (dicts, `LabelledPair` or `Pair`), or
            a file of such rows, or `bundled:LANGUAGE`.
        out: The directory of the run.
        test: Rows that measure the run; then it is trained on all of `pairs`.
        config: A preset, perhaps changed.
        protocol: How `pairs` are split, if not as configured; `all` trains on every row, and
            nothing is left to measure the run on but the validation split. Fewer than 1,000 rows
            of one's own are trained on like that unless a protocol is named here.
        restart: Throw away the run in `out` and begin again.
        tensorboard: Also write TensorBoard's files.
        baselines: Also fit the baselines on the same rows, for the record.
        cache: Pairs are encoded once for all runs that share it.
        progress: Called after every step.
        message: Called with what a person should know, in a sentence.
    """
    if isinstance(pairs, (str, Path)):
        file, known = str(pairs), load_pairs(pairs)
    else:
        file, known = "", complete_pairs(pairs)
    chosen = protocol if test is None else ALL
    config = changed(config, {"data.pairs": file, "data.protocol": chosen})
    if chosen is None:
        config = for_own_rows(config, known, message if is_first_process() else None)
    rows = choose_rows(config, known, complete_pairs(test or (), "test"))
    if test is not None and message is not None:
        seen = shared(rows.parts.train, rows.parts.test)
        leaked = len(rows.parts.test) - len(without(rows.parts.test, seen))
        if leaked:
            message(f"{leaked} of {len(rows.parts.test)} test rows are also trained on")
    directory = Path(out)
    record = record_there(config, directory, rows, restart)
    if record is not None and record.status == "finished":
        return Run(directory, record)
    torch.manual_seed(config.seed)  # the head's first weights
    detector = Detector.from_encoder(config.model.encoder, config.model)
    watch = Watch(tensorboard, cache, progress, message)
    busy = f"{directory}: another training is at work there; name another --out"
    # Only now: nothing is left behind by a wrong name. The processes of one training count as one.
    with alone_in(directory, busy) if is_first_process() else nullcontext():
        if is_first_process():  # what was there before may be another process's work by now
            record = record_there(config, directory, rows, restart)
        if record is None or record.status != "finished":
            _complete(detector, rows, config, directory, record, watch, baselines)
    return Run(directory, read_record(directory))


def _complete(
    detector: Detector,
    rows: Rows,
    config: RunConfig,
    directory: Path,
    record: RunRecord | None,
    watch: Watch,
    baselines: bool,
) -> None:
    """Begin or go on with a run, to its end."""
    if record is None and is_first_process():
        begin_run(config, directory, rows)
    elif record is not None and is_first_process():
        go_on(directory, record, watch.message)
    _processes().wait_for_everyone()
    fitted = _train(detector, rows.train, rows, config, directory, watch)
    calibration = _calibrated(fitted, rows, config)
    scale = calibration.temperature if calibration else 1.0
    regressions = config.model.wide == "regressions"
    if regressions:
        add_edit_regressions(detector, rows.train, scale)
        if calibration is not None:
            averaged = score(detector, detector.encode(rows.dev, watch.cache))
            calibration = _calibrated(replace(fitted, dev=averaged), rows, config)
    if config.selection.refit and config.selection.on != "last":
        detector, fitted = _again_on_all(rows, config, directory, fitted, watch)
        if regressions:
            add_edit_regressions(detector, rows.parts.train, scale)
    detector.settings = detector.settings.model_copy(
        update={"calibration": calibration, "provenance": _provenance(config, rows, fitted)}
    )
    if is_first_process():
        _finish(detector, fitted, config, rows, directory, baselines, watch.cache)
    _processes().wait_for_everyone()


def train_run(
    config: RunConfig,
    directory: Path,
    *,
    protocol: Protocol | None = None,
    restart: bool = False,
    tensorboard: bool = False,
    baselines: bool = True,
    cache: EncodingCache | None = None,
    progress: Callable[[Progress], None] | None = None,
    message: Callable[[str], None] | None = None,
) -> RunRecord:
    """`train` on the pairs that the configuration names."""
    return train(
        config.data.pairs,
        out=directory,
        config=config,
        protocol=protocol,
        restart=restart,
        tensorboard=tensorboard,
        baselines=baselines,
        cache=cache,
        progress=progress,
        message=message,
    ).record


def _finish(
    detector: Detector,
    fitted: Fitted,
    config: RunConfig,
    rows: Rows,
    directory: Path,
    baselines: bool,
    cache: EncodingCache | None,
) -> None:
    """Measure, save the model, then the record; what only an unfinished run needs goes last."""
    measured = bool(rows.parts.test)
    evaluation = _evaluated(detector, config, rows, directory, cache) if measured else None
    detector.save_pretrained(directory / MODEL)
    record = read_record(directory).model_copy(
        update={
            "status": "finished",
            "parameters": sum(parameter.numel() for parameter in detector.parameters()),
            "best_epoch": fitted.best_epoch,
            "best_value": fitted.best_value,
            "steps": fitted.steps,
            "seconds": fitted.seconds,
            "history": tuple(map(EpochScores.model_validate, fitted.history)),
            "evaluation": evaluation,
            "baselines": (
                baselines_on_same_rows(rows.parts, rows.facts) if baselines and measured else ()
            ),
        }
    )
    write_record(directory, record)
    shutil.rmtree(directory / "checkpoints", ignore_errors=True)
    shutil.rmtree(directory / "refit", ignore_errors=True)
    (directory / "best.safetensors").unlink(missing_ok=True)


def _train(
    detector: Detector,
    train: Sequence[Pair],
    rows: Rows,
    config: RunConfig,
    directory: Path,
    watch: Watch,
    epochs: int | None = None,
) -> Fitted:
    if config.loss.classes == "random":
        train = with_random_classes(train, config.seed)
    objective = Objective(
        config.loss, [pair.class_id for pair in train], [pair.label for pair in train]
    )
    samples = None
    if config.loss.name == "triplet":
        samples = triplets(train, config.loss.triplets, config.seed)
    if config.model.wide == "regressions":
        freeze_edit_features(detector)
    on_curve = None
    if config.curve and rows.parts.test and epochs is None:
        test = detector.encode(rows.parts.test, watch.cache)
        on_curve = partial(measure_epoch, detector, test)
    fitted = fit(
        detector,
        objective,
        detector.encode(train, watch.cache),
        detector.encode(rows.dev, watch.cache) if rows.dev and epochs is None else None,
        config,
        directory,
        samples=samples,
        epochs=epochs,
        on_curve=on_curve,
        fingerprint=rows.facts.fingerprint,
        tensorboard=watch.tensorboard and epochs is None,
        progress=watch.progress,
        message=watch.message,
    )
    if objective.purge is not None and is_first_process():
        # Those of a refit replace those of the training that chose its epoch.
        place = directory if epochs is None else directory.parent
        write_verges(place, objective.purge, epochs or config.optim.epochs)
    return fitted


def _again_on_all(
    rows: Rows,
    config: RunConfig,
    directory: Path,
    chosen: Fitted,
    watch: Watch,
) -> tuple[Detector, Fitted]:
    """Train anew on all of training for as many epochs as were chosen."""
    if watch.message is not None:
        watch.message(
            f"training again on all {len(rows.parts.train)} rows for {chosen.best_epoch} epochs"
        )
    torch.manual_seed(config.seed)
    detector = Detector.from_encoder(config.model.encoder, config.model)
    again = _train(
        detector,
        rows.parts.train,
        rows,
        config,
        directory / "refit",
        watch,
        chosen.best_epoch,
    )
    fitted = Fitted(
        best_epoch=chosen.best_epoch,
        best_value=chosen.best_value,
        history=chosen.history,
        steps=chosen.steps + again.steps,
        seconds=chosen.seconds + again.seconds,
        dev=chosen.dev,
    )
    return detector, fitted


def _calibrated(fitted: Fitted, rows: Rows, config: RunConfig) -> Calibration | None:
    """Temperature and thresholds from the validation rows; from test rows there is none."""
    if config.selection.on != "dev" or fitted.dev is None:
        return None
    labels = [pair.label for pair in rows.dev]
    origins = [(pair.language, pair.origin) for pair in rows.dev]
    source = "validation rows of its training"
    return calibrate(fitted.dev.margin, labels, source, groups=origins)


def _provenance(config: RunConfig, rows: Rows, fitted: Fitted) -> Provenance:
    """What a model remembers of its training."""
    return Provenance(
        loss=config.loss.name,
        data=rows.facts.name,
        protocol=f"{rows.facts.protocol}, fold {rows.facts.fold}",
        selection=config.selection.on,
        seed=config.seed,
        epochs=fitted.best_epoch,
        languages=rows.facts.languages,
    )


def _evaluated(
    detector: Detector,
    config: RunConfig,
    rows: Rows,
    directory: Path,
    cache: EncodingCache | None,
) -> Evaluation:
    found = predict(DetectorPredictor(detector, config.loss.name, cache=cache), rows.parts.test)
    write_predictions(directory / PREDICTIONS, found)
    setting = run_setting(config, rows.facts)
    return evaluate_predictions(config.loss.name, found, setting, detector.settings.threshold)


def is_first_process() -> bool:
    """Whether this process writes and speaks for all."""
    return bool(_processes().is_main_process)


def _processes() -> PartialState:
    return PartialState(cpu=not torch.cuda.is_available())
