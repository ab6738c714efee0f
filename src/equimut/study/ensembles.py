"""The networks of the seed study, alone and in ensembles with other predictors of their rows."""

from collections.abc import Sequence

from equimut.evaluation.evaluation import Setting, evaluate_predictions
from equimut.evaluation.predictions import Predictions, average_log_odds, to_balanced_prior
from equimut.evaluation.protocols import Outcome
from equimut.study.differences import ENSEMBLES
from equimut.study.result_rows import LOSS_NAMES
from equimut.study.trials import SEED_STUDY, SHIPPED_NAME, Material, evaluation_of, select

SHIPPED_RATE = 0.14
"""The share of equivalents among the rows the shipped detector was calibrated on."""
MEMBERS = {
    ENSEMBLES + "of ": ("edit-lr", "surroundings-lr"),
    ENSEMBLES + "with the shipped detector of ": ("edit-lr", "surroundings-lr", SHIPPED_NAME),
}
"""What joins a network, by what stands before the name of its loss."""

RunsByLoss = dict[str, list[Outcome]]


def seed_runs(material: Material, protocol: str) -> RunsByLoss:
    """The runs of the seed study under a protocol whose predictions are kept, by loss."""
    return {
        loss: [
            Outcome(evaluation_of(each), material.predictions[each.id])
            for each in select(material.trials, SEED_STUDY, loss, protocol)
            if each.id in material.predictions
        ]
        for loss in LOSS_NAMES
    }


def ensembles(seeds: RunsByLoss, baselines: Sequence[Outcome]) -> dict[str, RunsByLoss]:
    """Every network of the seed study in an ensemble on the same rows, by kind and loss.

    A kind that lacks the predictions of a member is left out.
    """
    by_fold: dict[int | None, dict[str, Predictions]] = {}
    for evaluation, its in baselines:
        shipped = evaluation.predictor == SHIPPED_NAME
        balanced = to_balanced_prior(its, SHIPPED_RATE) if shipped else its
        by_fold.setdefault(evaluation.fold, {})[evaluation.predictor] = balanced
    found: dict[str, RunsByLoss] = {}
    for kind, names in MEMBERS.items():
        members = {
            fold: [known[name] for name in names]
            for fold, known in by_fold.items()
            if all(name in known for name in names)
        }
        if members:
            found[kind] = {
                loss: [
                    _ensemble(kind + loss, network, members[network.evaluation.fold])
                    for network in networks
                    if network.evaluation.fold in members
                ]
                for loss, networks in seeds.items()
            }
    return found


def _ensemble(name: str, network: Outcome, members: Sequence[Predictions]) -> Outcome:
    predictions = average_log_odds([network.predictions, *members])
    run = Setting(seed=network.evaluation.seed, fold=network.evaluation.fold)
    return Outcome(evaluate_predictions(name, predictions, run, resamples=0), predictions)
