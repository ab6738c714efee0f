"""An evaluation: which predictor, on what, chosen how, with which metrics and intervals."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic import AliasChoices, Field

from equimut.evaluation.intervals import Interval, bootstrap
from equimut.evaluation.metrics import Scores, score
from equimut.evaluation.predictions import Predictions
from equimut.records import Record
from equimut.storage.files import write_bytes

Selection = Literal["none", "dev", "test"]
"""What the best state was chosen on: nothing, a part of training, or the test set itself (as
published; such scores flatter)."""


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
    """The metrics of one predictor in one setting."""

    predictor: str = Field(validation_alias=AliasChoices("predictor", "judge"))
    """Its name; files written before call it `judge`."""
    scores: Scores
    intervals: Mapping[str, Interval]
    """By metric; empty where all pairs have one origin."""

    @property
    def count(self) -> int:
        """Pairs that were predicted."""
        return self.scores.count


def evaluate_predictions(
    predictor: str,
    predictions: Predictions,
    setting: Setting | None = None,
    threshold: float = 0.5,
    resamples: int = 1000,
) -> Evaluation:
    """Measure predictions; 0 resamples give no intervals."""
    labels, probabilities = predictions.labels, predictions.probabilities
    intervals: Mapping[str, Interval] = {}
    if resamples and len(set(predictions.groups)) > 1:
        intervals = bootstrap(
            labels, probabilities, predictions.groups, threshold=threshold, resamples=resamples
        )
    return Evaluation(
        **(setting or Setting()).model_dump(),
        predictor=predictor,
        scores=score(labels, probabilities, threshold),
        intervals=intervals,
    )


def write_evaluations(
    path: Path, evaluations: Sequence[Evaluation], about: Mapping[str, str] | None = None
) -> None:
    """One JSON document: what it is about, then the evaluations."""
    content = {**(about or {}), "evaluations": [one.model_dump(mode="json") for one in evaluations]}
    write_bytes(path, (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode())
