"""An evaluation: which judge, on what, chosen how, with which figures and intervals."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from equimut.errors import DataError
from equimut.evaluation.intervals import Interval, bootstrap
from equimut.evaluation.metrics import Scores, score
from equimut.evaluation.predictions import Predictions, predict
from equimut.evaluation.predictors import Speaker
from equimut.records import Pair, Record
from equimut.storage.files import read_text, write_bytes

Selection = Literal["none", "dev", "test"]
"""What the best state was chosen on: nothing, a part of training, or the test set itself (as
published; such figures flatter)."""


class Setting(Record):
    """What an evaluation was made of. A table names all of it that differs between its rows."""

    data: str = ""
    """The name of the dataset, never a path."""
    fingerprint: str = ""
    """Of all pairs of the dataset, see `data.pairs.data_fingerprint`."""
    protocol: str = ""
    fold: int | None = 0
    """None: the predictions of all folds together."""
    selection: Selection = "none"
    seed: int = 42
    encoder: str = ""
    """The encoder of a model; empty for a baseline."""
    trained_on: int = 0
    """Training pairs."""


class Evaluation(Setting):
    """The figures of one judge in one setting."""

    judge: str
    scores: Scores
    intervals: Mapping[str, Interval]
    """By metric; empty where all pairs have one origin."""

    @property
    def count(self) -> int:
        """Pairs that were judged."""
        return self.scores.count


def evaluate(
    judge: Speaker,
    pairs: Sequence[Pair],
    setting: Setting | None = None,
    threshold: float = 0.5,
    resamples: int = 1000,
) -> Evaluation:
    """Judge pairs and measure the outcome. `predict` and `evaluate_predictions` in one."""
    return evaluate_predictions(judge.name, predict(judge, pairs), setting, threshold, resamples)


def evaluate_predictions(
    judge: str,
    predictions: Predictions,
    setting: Setting | None = None,
    threshold: float = 0.5,
    resamples: int = 1000,
) -> Evaluation:
    """Measure what a judge has said; 0 resamples give no intervals."""
    labels, probabilities = predictions.labels, predictions.probabilities
    intervals: Mapping[str, Interval] = {}
    if resamples and len(set(predictions.groups)) > 1:
        intervals = bootstrap(
            labels, probabilities, predictions.groups, threshold=threshold, resamples=resamples
        )
    return Evaluation(
        **(setting or Setting()).model_dump(),
        judge=judge,
        scores=score(labels, probabilities, threshold),
        intervals=intervals,
    )


def write_evaluations(
    path: Path, evaluations: Sequence[Evaluation], about: Mapping[str, str] | None = None
) -> None:
    """One JSON document: what is to be said about it, then the evaluations."""
    content = {**(about or {}), "evaluations": [one.model_dump(mode="json") for one in evaluations]}
    write_bytes(path, (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode())


def read_evaluations(path: Path) -> tuple[Evaluation, ...]:
    """The evaluations of such a document."""
    try:
        content = json.loads(read_text(path))
        return tuple(Evaluation.model_validate(one) for one in content["evaluations"])
    except (ValidationError, ValueError, KeyError, TypeError) as error:
        first = str(error).split("\n")[0]
        raise DataError(
            f"{path} does not hold evaluations ({first}); make it with `equimut baselines --out`"
        ) from error
