"""The predictions for each pair, kept apart from the metrics so that predictors can be compared."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import Field

from equimut.data.splitting.groups import joined, origin_keys
from equimut.errors import DataError
from equimut.evaluation.arrays import Floats, checked
from equimut.evaluation.predictors import Predictor
from equimut.records import Label, NonEmpty, Pair, Record
from equimut.storage.jsonl import read_records, to_line, write_lines

SUREST = 1e-6
"""No predictor counts as surer than this: one that predicts 0 or 1 would outvote all others."""


class Prediction(Record):
    """The prediction for one pair: a line of the file."""

    id: NonEmpty
    label: Label
    group: Annotated[int, Field(ge=0)]
    """The origin, numbered within the file."""
    probability: Annotated[float, Field(ge=0, le=1)]
    """Of being equivalent."""


class Predictions(Record):
    """Predictions column by column; position i of every column belongs to the same pair."""

    ids: tuple[str, ...]
    labels: tuple[Label, ...]
    groups: tuple[int, ...]
    probabilities: tuple[float, ...]

    def __len__(self) -> int:
        return len(self.ids)


def predict(predictor: Predictor, pairs: Sequence[Pair]) -> Predictions:
    """The predictions of a fitted predictor for labelled pairs."""
    return predictions_of(pairs, predictor.probabilities(pairs).tolist())


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
    """The predictions of several folds as one set: each pair by the fold that tests it.

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


def aligned(first: Predictions, second: Predictions) -> Predictions:
    """The second's rows in the order of the first; an error if they are not the same pairs."""
    if second.ids == first.ids and second.labels == first.labels:
        return second
    positions = {one: position for position, one in enumerate(second.ids)}
    missing = [one for one in first.ids if one not in positions]
    if missing or len(first) != len(second):
        others = sorted(set(second.ids) - set(first.ids))
        example = (missing or others or ["a repeated id"])[0]
        raise DataError(
            f"the two predicted different pairs: {len(missing)} only on the first side, "
            f"{len(others)} only on the second (such as {example}); "
            "evaluate both under the same protocol, fold and seed"
        )
    order = [positions[one] for one in first.ids]
    moved = Predictions(
        ids=first.ids,
        labels=tuple(second.labels[position] for position in order),
        groups=tuple(second.groups[position] for position in order),
        probabilities=tuple(second.probabilities[position] for position in order),
    )
    for one, mine, other in zip(first.ids, first.labels, moved.labels, strict=True):
        if mine != other:
            raise DataError(
                f"{one} is labelled {mine} on the first side and {other} on the second; "
                "the two have different versions of the data"
            )
    return moved


def average_log_odds(members: Sequence[Predictions]) -> Predictions:
    """An ensemble's predictions: the mean of its members' log-odds, each with the same weight.

    Pairs may come in another order; the first member's order is kept.
    """
    odds = [_log_odds(aligned(members[0], each)) for each in members]
    return _with_log_odds(members[0], np.mean(odds, axis=0))


def to_balanced_prior(predictions: Predictions, rate: float) -> Predictions:
    """Shift predictions calibrated at base rate `rate` to a balanced prior (50 % equivalent).

    Regressions that weigh both labels the same predict for that prior; so must a predictor that
    joins them in an ensemble.
    """
    return _with_log_odds(predictions, _log_odds(predictions) - np.log(rate / (1 - rate)))


def _with_log_odds(predictions: Predictions, odds: Floats) -> Predictions:
    probabilities = tuple((1 / (1 + np.exp(-odds))).tolist())
    return predictions.model_copy(update={"probabilities": probabilities})


def _log_odds(predictions: Predictions) -> Floats:
    bounded = np.clip(np.array(predictions.probabilities), SUREST, 1 - SUREST)
    return np.asarray(np.log(bounded / (1 - bounded)))


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
