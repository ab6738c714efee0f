"""What a judge said of each pair, kept apart from the figures so that judges can be compared."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field

from equimut.data.splitting.groups import joined, origin_keys
from equimut.errors import DataError
from equimut.evaluation.arrays import checked
from equimut.evaluation.predictors import Speaker
from equimut.records import Label, NonEmpty, Pair, Record
from equimut.storage.jsonl import read_records, to_line, write_lines


class Prediction(Record):
    """One pair as a judge saw it: a line of the file."""

    id: NonEmpty
    label: Label
    group: Annotated[int, Field(ge=0)]
    """The origin, numbered within the file."""
    probability: Annotated[float, Field(ge=0, le=1)]
    """Of being equivalent."""


class Predictions(Record):
    """What a judge said, column by column; place i of every column speaks of the same pair."""

    ids: tuple[str, ...]
    labels: tuple[Label, ...]
    groups: tuple[int, ...]
    probabilities: tuple[float, ...]

    def __len__(self) -> int:
        return len(self.ids)


def predict(judge: Speaker, pairs: Sequence[Pair]) -> Predictions:
    """Ask a fitted judge about labelled pairs."""
    return predictions_of(pairs, judge.probabilities(pairs).tolist())


def predictions_of(pairs: Sequence[Pair], probabilities: Sequence[float]) -> Predictions:
    """Pairs with the probabilities that were found for them."""
    checked([pair.label for pair in pairs], probabilities)
    return Predictions(
        ids=tuple(pair.id for pair in pairs),
        labels=tuple(pair.label for pair in pairs),
        groups=tuple(joined([origin_keys(pair) for pair in pairs])),
        probabilities=tuple(float(probability) for probability in probabilities),
    )


def pooled(parts: Sequence[Predictions]) -> Predictions:
    """The predictions of several folds as one set: every pair is judged by the fold that tests it.

    Folds hold whole origins, so groups of different parts are different origins.
    """
    groups: list[int] = []
    for part in parts:
        first = max(groups, default=-1) + 1
        groups += [first + group for group in part.groups]
    ids = tuple(one for part in parts for one in part.ids)
    if len(set(ids)) < len(ids):
        raise DataError("folds that test the same pair twice cannot be pooled")
    return Predictions(
        ids=ids,
        labels=tuple(one for part in parts for one in part.labels),
        groups=tuple(groups),
        probabilities=tuple(one for part in parts for one in part.probabilities),
    )


def write_predictions(path: Path, predictions: Predictions) -> None:
    """Write JSON lines, all or none. Probabilities come back exactly as they were."""
    columns = predictions.ids, predictions.labels, predictions.groups, predictions.probabilities
    rows = (
        dict(zip(Prediction.model_fields, row, strict=True)) for row in zip(*columns, strict=True)
    )
    write_lines(path, (to_line(row, spaced=True) for row in rows))


def read_predictions(path: Path) -> Predictions:
    """Read what `write_predictions` wrote; an error names the file and the line."""
    rows = tuple(read_records(path, Prediction, unique_ids=True))
    if not rows:
        raise DataError(f"{path} holds no predictions; evaluate the run again")
    return Predictions(
        ids=tuple(row.id for row in rows),
        labels=tuple(row.label for row in rows),
        groups=tuple(row.group for row in rows),
        probabilities=tuple(row.probability for row in rows),
    )
