"""Verdicts on pairs as they come: probability, distance, and when the detector abstains."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from equimut.errors import EquimutError, ParseError
from equimut.inputs.encode import EncodedPair, PairEncoder
from equimut.models.scoring import (
    PAIRS_PER_CHUNK,
    Floats,
    PairModel,
    Scored,
    ViewStore,
    score,
    sigmoid,
    without_graph,
)
from equimut.models.settings import ONLY_LAYOUT, ROUNDING, Calibration, untrained
from equimut.models.stacking import stacked
from equimut.parsing.functions import syntax_problem
from equimut.parsing.text_diff import same_code, same_words
from equimut.records import Judgement, PairLike

if TYPE_CHECKING:
    from tokenizers import Tokenizer

ABSTAIN_SHARE = 0.7
"""Out-of-vocabulary share from which on the model abstains: beyond it lie one in a thousand
windows of the functions that were held out of pretraining."""
REMARK_SHARE = 0.5
"""Out-of-vocabulary share that a remark reports: one window in a hundred."""
MIN_PIECES = 8
"""Pieces with letters that a window must have for a share."""
_FRAGMENT = 2
"""Letters of a fragment: a piece of a word that is neither its start nor longer than this."""


@dataclass(frozen=True)
class Vocabulary:
    """A tokenizer's pieces by id: which have letters, which are fragments of unknown words.

    A byte-level tokenizer can write anything, letter by letter if it must, so nothing is ever
    unreadable; but names in fragments mean nothing to an encoder that never saw them.
    """

    lettered: npt.NDArray[np.bool_]
    fragments: npt.NDArray[np.bool_]

    @classmethod
    @lru_cache(maxsize=4)
    def of(cls, tokenizer: "Tokenizer") -> "Vocabulary":
        """Read the pieces of a tokenizer; the sign for a space marks the start of a word."""
        size = tokenizer.get_vocab_size(with_added_tokens=True)
        pieces = [tokenizer.id_to_token(at) or "" for at in range(size)]
        mark = tokenizer.encode(" a", add_special_tokens=False).tokens[0][0]
        lettered = [any(map(str.isalpha, piece.lstrip(mark))) for piece in pieces]
        fragments = [
            has_letters and not piece.startswith(mark) and len(piece) <= _FRAGMENT
            for piece, has_letters in zip(pieces, lettered, strict=True)
        ]
        return cls(np.array(lettered), np.array(fragments))

    def unknown_share(self, ids: npt.NDArray[np.int32]) -> float:
        """The out-of-vocabulary share: fragments among the pieces with letters; 0 for a few."""
        known = ids[ids < len(self.lettered)]
        lettered = int(self.lettered[known].sum())
        return float(self.fragments[known].sum()) / lettered if lettered >= MIN_PIECES else 0.0


def judge(
    detector: PairModel, pairs: Iterable[PairLike | Judgement], *, threshold: float | None = None
) -> Iterator[Judgement]:
    """Judge pairs in order, in memory that does not grow with their number.

    The detector abstains (`unknown`, with the reason) where a side does not parse, where it was
    trained on other languages, where names are out of its vocabulary, and where the limits cut the
    edit off; a remark says where it sees a window of a longer function. A judgement among the
    pairs is passed on in its place.
    """
    found = judge_with_states(detector, pairs, threshold=threshold)
    return (judgement for judgement, _ in found)


def judge_with_states(
    detector: PairModel,
    pairs: Iterable[PairLike | Judgement],
    *,
    threshold: float | None = None,
    chunk_size: int | None = None,
    store: ViewStore | None = None,
) -> Iterator[tuple[Judgement, Floats | None]]:
    """Judgements with the hidden layer of the head; None where the network was not asked."""
    threshold = detector.settings.threshold if threshold is None else threshold
    encoder, vocabulary = detector.pair_encoder(), Vocabulary.of(detector.sub_tokenizer.backend)
    store = store or ViewStore()
    waiting = iter(pairs)
    while chunk := list(islice(waiting, chunk_size or PAIRS_PER_CHUNK)):
        read = [_read(detector, encoder, vocabulary, pair) for pair in chunk]
        readable = [each for each in read if isinstance(each, _Readable)]
        encoded = [each.pair for each in readable]
        scored = score(detector, encoded, store=store, keep_states=True)
        given = probabilities(detector, scored, [each.asked for each in readable]).tolist()
        states = () if scored.state is None else scored.state
        results = zip(given, scored.distance.tolist(), states, strict=True)
        for each in read:
            if isinstance(each, Judgement):
                yield each, None
                continue
            probability, distance, state = next(results)
            judgement = Judgement(
                verdict="equivalent" if probability >= threshold else "not-equivalent",
                probability=probability,
                distance=distance,
                remark=each.remark,
            )
            yield judgement, state


def probabilities(
    detector: PairModel, scored: Scored, pairs: Sequence[PairLike]
) -> npt.NDArray[np.float64]:
    """[N] P(equivalent), with the detector's stack, if it has one, and calibration."""
    calibration = detector.settings.calibration or Calibration()
    margin = scored.margin
    if (stack := detector.settings.stack) is not None:
        margin = stacked(stack, pairs, margin)
    return sigmoid(margin / calibration.temperature + calibration.offset)


def trusted_threshold(detector: PairModel, precision: float) -> float:
    """The probability from which on a target precision is promised; an error if there is none."""
    found = detector.settings.thresholds(precision)
    if found.equivalent_from is None:
        raise EquimutError(
            f"no precision of {precision:g} can be promised: {found.basis}; "
            "calibrate on more rows, or drop --min-precision"
        )
    return found.equivalent_from - ROUNDING


@dataclass(frozen=True)
class _Readable:
    """A pair the detector can judge, and a remark for the reader of the verdict."""

    asked: PairLike
    pair: EncodedPair
    remark: str


def _read(
    detector: PairModel, encoder: PairEncoder, vocabulary: Vocabulary, pair: PairLike | Judgement
) -> _Readable | Judgement:
    if isinstance(pair, Judgement):
        return pair
    if reason := untrained(detector.settings, pair.language):
        return _unknown(reason)
    try:
        if problem := syntax_problem(pair.origin, pair.mutant, pair.language):
            return _unknown(f"not parsable: {problem}")
        encoded = encoder.encode_texts(pair.origin, pair.mutant, pair.language)
    except ParseError as error:
        return _unknown(f"not parsable: {error}")
    except EquimutError as error:  # a language there is no grammar for
        return _unknown(str(error))
    same_tokens = same_words(pair.origin, pair.mutant, pair.language)
    if encoded.looks_identical or same_tokens:
        return _same_to_the_model(detector, pair, same_tokens=same_tokens)
    unknown = vocabulary.unknown_share(encoded.origin.ids)
    if unknown >= ABSTAIN_SHARE:
        return _unknown("its names are unlike any the model was trained on")
    notes = [
        _window_note(encoder, pair, encoded),
        "its names are unusual to the model" if unknown >= REMARK_SHARE else "",
    ]
    shown = encoded if detector.settings.graph_attention else without_graph(encoded)
    return _Readable(pair, shown, "; ".join(filter(None, notes)))


def _same_to_the_model(detector: PairModel, pair: PairLike, *, same_tokens: bool) -> Judgement:
    if same_code(pair.origin, pair.mutant, pair.language):
        return Judgement(
            verdict="equivalent",
            tier="proved",
            probability=1.0,
            distance=0.0,
            reason="the same tokens",
        )
    if same_tokens:
        return _unknown(ONLY_LAYOUT)
    positions = detector.settings.limits.max_length
    return _unknown(f"too long: the edit lies beyond the {positions} positions the model sees")


def _window_note(encoder: PairEncoder, pair: PairLike, encoded: EncodedPair) -> str:
    """A remark where the model sees a part of the function only."""
    whole = encoder.length(pair.origin, pair.language)
    seen = encoded.origin.token_count - encoder.tokenizer.special.count
    return f"the model sees {seen} of {whole} sub-tokens" if seen < whole else ""


def _unknown(reason: str) -> Judgement:
    return Judgement(verdict="unknown", tier="unknown", reason=reason)
