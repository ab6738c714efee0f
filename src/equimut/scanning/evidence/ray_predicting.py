"""The predictions of a scan shared between processes or machines through Ray."""

from collections.abc import Iterable, Iterator
from functools import cache, partial
from itertools import chain
from pathlib import Path

from equimut.models.bulk.ray_judging import Cluster, in_order
from equimut.models.runtime import load_model
from equimut.models.scoring import PairModel
from equimut.records import Query
from equimut.scanning.evidence.model import PAIRS_AT_ONCE, Examples, predict_pairs
from equimut.scanning.records import Predict, Prediction


def ray_predict(directory: Path, cluster: Cluster, shard: int = PAIRS_AT_ONCE) -> Predict:
    """Predict with several workers, each with the model; Ray starts at the first question.

    On a cluster the model must have the same path on every machine.
    """

    def predict(questions: Iterable[Query]) -> Iterator[Prediction]:
        waiting = iter(questions)
        first = next(waiting, None)
        if first is None:
            return
        texts = (pair.model_dump_json() for pair in chain([first], waiting))
        for text in in_order(partial(_predicted, str(directory)), texts, cluster, shard):
            yield Prediction.model_validate_json(text)

    return predict


def _predicted(directory: str, questions: list[str]) -> list[str]:
    """In the worker: one shard."""
    detector, examples = _model(directory)
    queries = [Query.model_validate_json(text) for text in questions]
    return [each.model_dump_json() for each in predict_pairs(detector, queries, examples)]


@cache
def _model(directory: str) -> tuple[PairModel, Examples | None]:
    return load_model(directory), Examples.load(Path(directory))
