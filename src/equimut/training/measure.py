"""A finished run measured on rows it has not seen."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from equimut.data.pairs import data_fingerprint
from equimut.data.splitting.split import Split, split
from equimut.errors import DataError, NothingToAnalyse
from equimut.evaluation.baselines import BASELINES
from equimut.evaluation.evaluation import (
    Evaluation,
    Setting,
    evaluate_predictions,
)
from equimut.evaluation.predictions import Predictions, predict
from equimut.evaluation.predictors import DetectorPredictor
from equimut.evaluation.protocols import evaluate_split
from equimut.models.detector import Detector
from equimut.models.judging import trusted_threshold
from equimut.records import Pair
from equimut.training.run_files import (
    MODEL,
    DataFacts,
    KnownRows,
    RunRecord,
    read_record,
    run_setting,
)


@dataclass(frozen=True)
class Measured:
    """An evaluation of a run, with what it must be read with."""

    evaluation: Evaluation
    predictions: Predictions
    baselines: Sequence[Evaluation]
    refused: int
    """Rows that the run has seen."""
    notes: Sequence[str]


def measure_run(
    directory: Path,
    pairs: Sequence[Pair],
    name: str,
    min_precision: float | None = None,
    progress: Callable[[int], None] | None = None,
) -> Measured:
    """Measure a run on the test rows of its own data set, or on the unseen rows of another.

    On its own data the protocol says what is tested, duplicates and leaked pairs included if it
    keeps them; a note tells how many of those the run has seen under another id. Of other data, a
    row is refused also if only its texts are those of a training row.
    """
    record = read_record(directory)
    if record.status != "finished":
        raise DataError(f"{directory} is not finished: go on with its training first")
    detector = Detector.from_pretrained(directory / MODEL)
    known = KnownRows(directory)
    own = data_fingerprint(pairs) == record.data.fingerprint
    notes = []
    if own:
        parts = split(pairs, record.data.protocol, record.data.fold, record.data.split_seed)
        asked: Sequence[Pair] = parts.test
        if not asked:
            raise NothingToAnalyse(
                f"{directory} was trained on all of these rows; measure it on others"
            )
        # Selection on test has seen these rows; the result's `selection` says so.
        seen = [] if record.config.selection.on == "test" else [p for p in asked if known.by_id(p)]
        leaked = sum(known.by_content(pair) for pair in asked)
        if leaked:
            notes.append(
                f"{leaked} of {len(asked)} test rows have the texts of a training row: the "
                f"protocol {record.data.protocol} keeps them"
            )
    else:
        asked = pairs
        seen = [pair for pair in asked if known.by_id(pair) or known.by_content(pair)]
    refused = {pair.id for pair in seen}
    fresh = [pair for pair in asked if pair.id not in refused]
    if refused:
        notes.append(f"{len(refused)} rows refused: the run was trained on them or chosen by them")
    if not fresh:
        raise NothingToAnalyse(
            f"all {len(asked)} rows are known to {directory}: none can be scored"
        )
    notes += _untrained_languages(fresh, record)
    threshold = detector.settings.threshold
    if min_precision is not None:
        threshold = trusted_threshold(detector, min_precision)
    found = predict(DetectorPredictor(detector, record.config.loss.name, progress), fresh)
    setting = run_setting(record.config, record.data)
    if not own:
        setting = Setting(
            **setting.model_dump()
            | {"data": name, "fingerprint": data_fingerprint(pairs), "protocol": "all unseen rows"}
        )
    evaluation = evaluate_predictions(record.config.loss.name, found, setting, threshold)
    return Measured(
        evaluation=evaluation,
        predictions=found,
        baselines=baselines_on_same_rows(parts, record.data) if own and not refused else (),
        refused=len(refused),
        notes=notes,
    )


def baselines_on_same_rows(parts: Split, facts: DataFacts) -> tuple[Evaluation, ...]:
    """What the baselines reach with the same training and test rows."""
    setting = Setting(data=facts.name, fingerprint=facts.fingerprint)
    return tuple(
        evaluate_split(make(), parts, setting, resamples=200).evaluation
        for make in BASELINES.values()
    )


def _untrained_languages(pairs: Sequence[Pair], record: RunRecord) -> list[str]:
    counts = Counter(pair.language for pair in pairs)
    strange = [name for name in sorted(counts) if name not in record.data.languages]
    return [
        f"{counts[name]} rows are {name}, which the run was not trained on: zero-shot"
        for name in strange
    ]
