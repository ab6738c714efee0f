"""Several judges as one: the mean of their log-odds."""

from collections.abc import Sequence

import numpy as np

from equimut.errors import DataError
from equimut.evaluation.arrays import Floats
from equimut.evaluation.predictions import Predictions

SUREST = 1e-6
"""No judge is taken to be surer than this: one that says 0 or 1 would outvote all others."""


def together(said: Sequence[Predictions]) -> Predictions:
    """What judges say together of the same pairs, each with the same weight.

    Pairs may come in another order; the first judge's order is kept.
    """
    first = said[0]
    odds = []
    for each in said:
        place_of = {name: place for place, name in enumerate(each.ids)}
        if set(place_of) != set(first.ids) or len(each) != len(first):
            raise DataError("judges that spoke of other pairs cannot speak together")
        places = [place_of[name] for name in first.ids]
        if tuple(each.labels[place] for place in places) != first.labels:
            raise DataError("the same pairs carry other labels: these are not the same data")
        odds.append(_log_odds(np.array(each.probabilities)[places]))
    return _saying(first, np.mean(odds, axis=0))


def at_even_odds(said: Predictions, rate: float) -> Predictions:
    """What a judge calibrated where equivalents have this rate says where they are every second.

    Regressions that count both labels the same speak like this; so must a judge that joins them.
    """
    return _saying(said, _log_odds(np.array(said.probabilities)) - np.log(rate / (1 - rate)))


def _saying(said: Predictions, odds: Floats) -> Predictions:
    return said.model_copy(update={"probabilities": tuple((1 / (1 + np.exp(-odds))).tolist())})


def _log_odds(probabilities: Floats) -> Floats:
    bounded = np.clip(probabilities, SUREST, 1 - SUREST)
    return np.asarray(np.log(bounded / (1 - bounded)))
