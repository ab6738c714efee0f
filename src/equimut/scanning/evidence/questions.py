"""What a model is asked about candidates, what it is known to say, and why it is not asked."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from equimut.models.settings import ONLY_LAYOUT, ModelFiles, untrained
from equimut.records import Query
from equimut.scanning.records import Candidate, Predict, Prediction
from equimut.scanning.verdict_cache import VerdictCache, answer_key
from equimut.storage.files import GRAMMARS, code_version

_PREDICTING = ("languages", "parsing", "inputs", "models", "scanning/evidence")
_LIBRARIES = ("tokenizers", "numpy", *GRAMMARS)
_NO_MODEL = "no evidence, and no model was asked"


@dataclass(frozen=True)
class ModelQuestions:
    """The questions to one model; None: nobody is asked."""

    model: ModelFiles | None
    cache: VerdictCache

    @property
    def sees_views(self) -> bool:
        """Whether the model's answer depends on what the prover saw."""
        return self.model is not None and self.model.settings.stack is not None

    def known(self, candidate: Candidate) -> Candidate:
        """With what the model is known to say of it, or why it will not be asked."""
        if candidate.settled is not None or candidate.prediction is not None:
            return candidate
        if candidate.waits_for_prover and self.sees_views:
            return candidate  # what it says may depend on what the prover will see
        if self.model is None:
            return candidate.model_copy(update={"prediction": Prediction(reason=_NO_MODEL)})
        reason = untrained(self.model.settings, candidate.mutant.language)
        if not reason and candidate.key is not None and candidate.key.moves_lines_only:
            reason = ONLY_LAYOUT
        known = Prediction(reason=reason) if reason else None
        if known is None and self.cache.is_kept:
            known = self.cache.get(self._key(candidate), Prediction)
        return candidate if known is None else candidate.model_copy(update={"prediction": known})

    def query(self, candidate: Candidate) -> Query:
        """What the model is asked."""
        change = candidate.mutant.change
        assert change is not None  # without one it is settled as unknown
        return Query(
            origin=change.origin_function,
            mutant=change.mutant_function,
            language=candidate.mutant.language,
            view=candidate.view if self.sees_views else None,
        )

    def answered(self, candidate: Candidate, prediction: Prediction) -> Candidate:
        """With what the model has said, which is kept."""
        if self.cache.is_kept:
            self.cache.put(self._key(candidate), prediction)
        return candidate.model_copy(update={"prediction": prediction})

    def _key(self, candidate: Candidate) -> bytes:
        assert self.model is not None
        query = self.query(candidate)
        seen = () if query.view is None else (query.view.model_dump_json(),)
        texts = query.origin, query.mutant, query.language, *seen
        return answer_key("prediction", f"{self.model.digest} {predicting_version()}", texts)


def predicting_version() -> str:
    """Changes when the same model could say something else of the same pair."""
    return code_version(_PREDICTING, _LIBRARIES)


def local_predict(directory: Path, jobs: int = 1) -> Predict:
    """Predict on this machine, in so many processes; the model is loaded at the first question."""

    def predict(questions: Iterable[Query]) -> Iterator[Prediction]:
        waiting = iter(questions)
        first = next(waiting, None)
        if first is None:
            return
        from equimut.models.runtime import load_model
        from equimut.scanning.evidence.model import Examples, predict_in_workers, predict_pairs

        if jobs > 1:
            with closing(predict_in_workers(directory, chain([first], waiting), jobs)) as found:
                yield from found
            return
        detector, examples = load_model(directory), Examples.load(directory)
        yield from predict_pairs(detector, chain([first], waiting), examples)

    return predict
