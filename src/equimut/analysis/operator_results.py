"""How well a predictor does by mutation operator."""

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
    equivalent_precision: float | None
    """None where nothing was predicted equivalent."""
    equivalent_recall: float | None
    """None where nothing is equivalent."""
    average_precision: float | None
    distance_equivalent: float | None = None
    distance_other: float | None = None

    @property
    def accuracy(self) -> float:
        """Share of right predictions."""
        return self.right / self.count


def by_operator(
    pairs: Sequence[Pair], predictions: Predictions, distance: Mapping[str, float] | None = None
) -> tuple[OperatorResult, ...]:
    """Results by operator, the most frequent first; `distance` is by the id of a pair."""
    probability = dict(zip(predictions.ids, predictions.probabilities, strict=True))
    groups: defaultdict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        if pair.id in probability:
            for operator in pair.operators or (UNNAMED,):
                groups[operator].append(pair)
    found = [_result(name, group, probability, distance) for name, group in groups.items()]
    return tuple(sorted(found, key=lambda result: (-result.count, result.operator)))


def _result(
    operator: str,
    group: Sequence[Pair],
    probability: Mapping[str, float],
    distance: Mapping[str, float] | None,
) -> OperatorResult:
    scores = score([pair.label for pair in group], [probability[pair.id] for pair in group])
    counts = scores.confusion
    far: dict[int, float | None] = {}
    for label in (0, 1):
        known = [distance[pair.id] for pair in group if pair.label == label] if distance else []
        far[label] = sum(known) / len(known) if known else None
    return OperatorResult(
        operator=operator,
        count=scores.count,
        equivalent=counts.tp + counts.fn,
        right=counts.tp + counts.tn,
        equivalent_precision=scores.equivalent_precision if counts.tp + counts.fp else None,
        equivalent_recall=scores.equivalent_recall if counts.tp + counts.fn else None,
        average_precision=scores.average_precision,
        distance_equivalent=far[1],
        distance_other=far[0],
    )
