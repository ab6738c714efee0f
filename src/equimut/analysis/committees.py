"""The networks of the seed study, alone and together with the regressions on their rows."""

from collections.abc import Sequence

from equimut.analysis.result_rows import COMMITTEE, LOSS_NAMES
from equimut.analysis.tried import Tried, lot
from equimut.evaluation.committee import together
from equimut.evaluation.predictions import Predictions
from equimut.evaluation.reports import Evaluation, Setting, evaluate_predictions

REGRESSIONS = ("edit-lr", "surroundings-lr")
"""What sits in a committee beside a network."""

Lots = dict[str, Sequence[Tried]]


def seed_runs(tried: Sequence[Tried], protocol: str) -> Lots:
    """The seed study under a protocol, by loss."""
    return {loss: lot(tried, "seed-study", loss, protocol) for loss in LOSS_NAMES}


def committees(seeds: Lots, baselines: Sequence[tuple[Evaluation, Predictions]]) -> Lots:
    """Every network of the seed study with the regressions on the same rows beside it."""
    beside: dict[int | None, list[Predictions]] = {}
    for evaluation, said in baselines:
        if evaluation.judge in REGRESSIONS:
            beside.setdefault(evaluation.fold, []).append(said)
    found: Lots = {}
    for loss, lots in seeds.items():
        members = [
            (each, together([each.predictions, *beside[each.config.data.fold]]))
            for each in lots
            if each.predictions is not None and each.config.data.fold in beside
        ]
        found[loss] = [
            each.model_copy(
                update={
                    "predictions": said,
                    "evaluation": evaluate_predictions(
                        COMMITTEE + loss, said, Setting(), resamples=0
                    ),
                }
            )
            for each, said in members
        ]
    return found
