"""Verdicts on pairs as they come: probability, distance, and when the detector abstains."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import torch
from torch import Tensor

from equimut.errors import EquimutError, ParseError
from equimut.inputs.cache import EncodingCache
from equimut.inputs.encoded import EncodedPair
from equimut.inputs.pair_encoder import PairEncoder
from equimut.models.detector import Detector, without_graph
from equimut.models.familiarity import STRANGE, UNUSUAL, Familiarity
from equimut.models.scoring import PAIRS_PER_CHUNK, ViewStore, score
from equimut.models.settings import Calibration, PrecisionTarget
from equimut.parsing.tree import parse
from equimut.records import Judgement, PairLike


def judge(
    detector: Detector,
    pairs: Iterable[PairLike | Judgement],
    *,
    threshold: float | None = None,
    cache: EncodingCache | None = None,
    progress: Callable[[int], None] | None = None,
) -> Iterator[Judgement]:
    """Judge pairs in order, in memory that does not grow with their number.

    The detector abstains (`unknown`, with the reason) where a pair cannot be parsed, where it was
    trained on other languages, where names are in shreds to its tokenizer, and where the limits
    cut the edit off; a window on a longer function is said beside the verdict. A judgement among
    the pairs is passed on in its place.
    """
    threshold = detector.settings.threshold if threshold is None else threshold
    encoder = detector.pair_encoder(cache)
    familiarity = Familiarity.of(detector.tokenizer)
    store = ViewStore()
    waiting = iter(pairs)
    while chunk := list(islice(waiting, PAIRS_PER_CHUNK)):
        read = [_read(detector, encoder, familiarity, pair) for pair in chunk]
        scored = score(detector, [e.pair for e in read if isinstance(e, _Readable)], store=store)
        given = probabilities(detector, scored.logits).tolist()
        results = zip(given, scored.distance.tolist(), strict=True)
        for each in read:
            if isinstance(each, Judgement):
                yield each
                continue
            probability, distance = next(results)
            yield Judgement(
                verdict="equivalent" if probability >= threshold else "not-equivalent",
                probability=probability,
                distance=distance,
                remark=each.remark,
            )
        if progress is not None:
            progress(len(chunk))


def probabilities(detector: Detector, logits: Tensor) -> Tensor:
    """[N] P(equivalent) in float64, with the detector's calibration."""
    calibration = detector.settings.calibration or Calibration()
    margin = (logits[:, 1] - logits[:, 0]).double()
    return torch.sigmoid(margin / calibration.temperature + calibration.offset)


def trusted_threshold(detector: Detector, precision: float) -> PrecisionTarget:
    """The threshold for a target precision; an error says why there is none."""
    calibration = detector.settings.calibration
    if calibration is None:
        raise EquimutError(
            "the model is not calibrated, so no precision can be promised; train it with "
            "selection on validation rows, or drop --min-precision"
        )
    target = calibration.threshold_for(precision)
    if target is None:
        known = ", ".join(f"{each.precision:g}" for each in calibration.targets) or "none"
        raise EquimutError(
            f"the model cannot promise a precision of {precision:g}: on its {calibration.rows} "
            f"validation rows it reached these targets: {known}"
        )
    return target


@dataclass(frozen=True)
class _Readable:
    """A pair the detector can judge, and what has to be said beside the verdict."""

    pair: EncodedPair
    remark: str


def _read(
    detector: Detector, encoder: PairEncoder, familiarity: Familiarity, pair: PairLike | Judgement
) -> _Readable | Judgement:
    if isinstance(pair, Judgement):
        return pair
    trained = detector.settings.provenance.languages
    if trained and pair.language not in trained:
        return _unknown(f"the model was trained on {', '.join(trained)}, not on {pair.language}")
    try:
        encoded = encoder.encode_texts(pair.origin, pair.mutant, pair.language)
    except ParseError as error:
        return _unknown(f"not parsable: {error}")
    except EquimutError as error:  # a language there is no grammar for
        return _unknown(str(error))
    same_tokens = encoder.same_tokens(pair.origin, pair.mutant, pair.language)
    if encoded.looks_identical or same_tokens:
        return _same_to_the_model(detector, encoder, pair)
    shredded = familiarity.shredded(encoded.origin.ids)
    if shredded >= STRANGE:
        return _unknown("its names are unlike any the model was trained on")
    notes = [
        _window_note(encoder, pair, encoded),
        "its names are unusual to the model" if shredded >= UNUSUAL else "",
    ]
    shown = encoded if detector.settings.graph_attention else without_graph(encoded)
    return _Readable(shown, "; ".join(filter(None, notes)))


def _same_to_the_model(detector: Detector, encoder: PairEncoder, pair: PairLike) -> Judgement:
    if encoder.same_tokens(pair.origin, pair.mutant, pair.language):
        if _shape(pair.origin, pair.language) != _shape(pair.mutant, pair.language):
            return _unknown("only the layout changes, which the model does not see")
        return Judgement(
            verdict="equivalent", probability=1.0, distance=0.0, reason="the same tokens"
        )
    positions = detector.settings.limits.max_length
    return _unknown(f"too long: the edit lies beyond the {positions} positions the model sees")


def _shape(text: str, language: str) -> str:
    """The syntax of a text without its comments: in Python the layout makes the blocks."""
    return re.sub(r"\s*\(\w*comment\w*\)", "", str(parse(text, language).root))


def _window_note(encoder: PairEncoder, pair: PairLike, encoded: EncodedPair) -> str:
    """What to say where the model sees a part of the function only."""
    whole = encoder.length(pair.origin, pair.language)
    seen = encoded.origin.token_count - encoder.tokenizer.special.count
    return f"the model sees {seen} of {whole} sub-tokens" if seen < whole else ""


def _unknown(reason: str) -> Judgement:
    return Judgement(verdict="unknown", reason=reason)
