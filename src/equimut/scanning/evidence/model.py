"""Opinions: what the detector says of the pairs that evidence has left over.

`Predict` is all that a scan knows of it, so that the work may as well be done elsewhere.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path

from equimut.records import Query
from equimut.scanning.candidates import Prediction
from equimut.storage.code_version import GRAMMARS, code_version

Predict = Callable[[Iterable[Query]], Iterator[Prediction]]
"""Queries as they come -> one prediction each, in the same order."""

PAIRS_AT_ONCE = 512
"""Few enough that a progress bar moves, many enough that like lengths meet."""
_ROOMS = ("languages", "parsing", "inputs", "models")
_LIBRARIES = ("tokenizers", "torch", "transformers", *GRAMMARS)


def predicting_version() -> str:
    """Changes when the same model could say something else of the same pair."""
    return code_version(_ROOMS, _LIBRARIES)


def local_predict(directory: Path) -> Predict:
    """Predict in this process; the model is loaded at the first question."""

    def predict(questions: Iterable[Query]) -> Iterator[Prediction]:
        waiting = iter(questions)
        first = next(waiting, None)
        if first is None:
            return
        from equimut.models.storage import load_detector
        from equimut.scanning.evidence.nearest import Examples, predict_pairs

        detector, examples = load_detector(directory), Examples.load(directory)
        yield from predict_pairs(detector, chain([first], waiting), examples)

    return predict
