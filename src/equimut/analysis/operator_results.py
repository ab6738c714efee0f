"""How well a judge does by mutation operator."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from equimut.evaluation.metrics import score
from equimut.evaluation.predictions import Predictions
from equimut.records import Pair, Record

UNNAMED = "(no operator named)"


class OperatorResult(Record):
    """The rows of one operator. A row with several operators counts for each of them."""

    operator: str
    count: int
    equivalent: int
    right: int
    equivalent_precision: float
    equivalent_recall: float
    average_precision: float | None
    distance_equivalent: float | None = None
    distance_other: float | None = None

    @property
    def accuracy(self) -> float:
        """Share of right answers."""
        return self.right / self.count


def by_operator(
    pairs: Sequence[Pair],
    said: Predictions,
    threshold: float = 0.5,
    distance: Mapping[str, float] | None = None,
) -> tuple[OperatorResult, ...]:
    """Results by operator, the most frequent first; `distance` is by the id of a pair."""
    probability = dict(zip(said.ids, said.probabilities, strict=True))
    lots: defaultdict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        if pair.id in probability:
            for operator in pair.operators or (UNNAMED,):
                lots[operator].append(pair)
    found = [_result(name, lot, probability, threshold, distance) for name, lot in lots.items()]
    return tuple(sorted(found, key=lambda result: (-result.count, result.operator)))


def _result(
    operator: str,
    lot: Sequence[Pair],
    probability: Mapping[str, float],
    threshold: float,
    distance: Mapping[str, float] | None,
) -> OperatorResult:
    scores = score([pair.label for pair in lot], [probability[pair.id] for pair in lot], threshold)
    far: dict[int, float | None] = {}
    for label in (0, 1):
        known = [distance[pair.id] for pair in lot if pair.label == label] if distance else []
        far[label] = sum(known) / len(known) if known else None
    return OperatorResult(
        operator=operator,
        count=scores.count,
        equivalent=scores.confusion.tp + scores.confusion.fn,
        right=scores.confusion.tp + scores.confusion.tn,
        equivalent_precision=scores.equivalent_precision,
        equivalent_recall=scores.equivalent_recall,
        average_precision=scores.average_precision,
        distance_equivalent=far[1],
        distance_other=far[0],
    )
