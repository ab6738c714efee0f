"""The networks of the seed study, alone and together with other judges of their rows."""

from collections.abc import Sequence

from equimut.evaluation.ensemble import at_even_odds, together
from equimut.evaluation.evaluation import Evaluation, Setting, evaluate_predictions
from equimut.evaluation.predictions import Predictions
from equimut.study.result_rows import COMMITTEE, LARGER_COMMITTEE, LOSS_NAMES
from equimut.study.tried import Tried, lot

SHIPPED_JUDGE = "shipped detector, zero-shot"
"""The name of the detector that ships among the baselines."""
SHIPPED_RATE = 0.14
"""The share of equivalents among the rows the shipped detector was calibrated on."""
MEMBERS = {
    COMMITTEE: ("edit-lr", "surroundings-lr"),
    LARGER_COMMITTEE: ("edit-lr", "surroundings-lr", SHIPPED_JUDGE),
}
"""Who sits beside a network."""

Lots = dict[str, Sequence[Tried]]


def seed_runs(tried: Sequence[Tried], protocol: str) -> Lots:
    """The seed study under a protocol, by loss."""
    return {loss: lot(tried, "seed-study", loss, protocol) for loss in LOSS_NAMES}


def committees(seeds: Lots, baselines: Sequence[tuple[Evaluation, Predictions]]) -> dict[str, Lots]:
    """Every network of the seed study with others on the same rows beside it, by kind and loss.

    A kind one of whose members did not speak is left out.
    """
    by_fold: dict[int | None, dict[str, Predictions]] = {}
    for evaluation, said in baselines:
        fair = at_even_odds(said, SHIPPED_RATE) if evaluation.judge == SHIPPED_JUDGE else said
        by_fold.setdefault(evaluation.fold, {})[evaluation.judge] = fair
    found: dict[str, Lots] = {}
    for before, members in MEMBERS.items():
        beside = {
            fold: [said[member] for member in members]
            for fold, said in by_fold.items()
            if all(member in said for member in members)
        }
        if beside:
            found[before] = {
                loss: [
                    _committee(before + loss, each, each.predictions, beside[each.config.data.fold])
                    for each in lots
                    if each.predictions is not None and each.config.data.fold in beside
                ]
                for loss, lots in seeds.items()
            }
    return found


def _committee(name: str, network: Tried, its: Predictions, beside: Sequence[Predictions]) -> Tried:
    said = together([its, *beside])
    evaluation = evaluate_predictions(name, said, Setting(), resamples=0)
    return network.model_copy(update={"predictions": said, "evaluation": evaluation})
