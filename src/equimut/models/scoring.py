"""Logits and distances of many pairs: every distinct sequence is encoded once.

Training must see a pair whole, since it needs its gradient. Evaluation need not: a *view* is a
sequence with the edited positions the head wants to know about, and its features do not depend on
what it is paired with. So all views of a chunk are sorted by length, encoded in batches of like
length, and the pairs are put together from their features. An origin whose encoded text is the
same for all its mutants passes the encoder once.

Arrays go in and out: whichever library runs the network, torch or numpy, is the model's own.
"""

from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from equimut.inputs.encode import EncodedPair, EncodedSnippet, PairEncoder
from equimut.inputs.sequences import LongArray, flat_features
from equimut.inputs.subtokens import SubTokenizer
from equimut.models.settings import DetectorSettings
from equimut.records import Judgement, Pair, PairLike, Query

if TYPE_CHECKING:
    from equimut.inputs.cache import EncodingCache

Floats = npt.NDArray[np.float32]
View = tuple[EncodedSnippet, tuple[int, int]]

PAIRS_PER_CHUNK = 2048
_VIEWS_KEPT = 20_000
_SMALLEST_LENGTH = 1e-8
"""Of an embedding, where it divides."""


class HeadOutput(NamedTuple):
    """What a head says of N pairs."""

    logits: Floats
    """[N, 2]; the second is the equivalents'."""
    state: Floats
    """[N, hidden] its hidden layer."""


class PairModel(ABC):
    """What judges pairs, whichever library runs it."""

    settings: DetectorSettings
    sub_tokenizer: SubTokenizer
    positions_per_batch = 4096
    """Positions (sequences x length) the encoder reads at a time: large enough to keep it busy."""

    @property
    @abstractmethod
    def hidden_size(self) -> int:
        """Width of an embedding."""

    @abstractmethod
    def view_rows(self, views: Sequence[View]) -> Floats:
        """[V, hidden or 2 x hidden]: CLS of each view; with edit pooling also its edit's mean."""

    @abstractmethod
    def head_output(
        self, origin: Floats, mutant: Floats, features: tuple[LongArray, LongArray]
    ) -> HeadOutput:
        """Logits from the rows of both sides, buckets in a row, and where each pair's start."""

    @abstractmethod
    def feature_weights(self) -> Floats | None:
        """[buckets] The weight of each feature; None for a head without features."""

    def pair_encoder(self, cache: "EncodingCache | None" = None) -> PairEncoder:
        """What turns texts into what this detector reads, but for graphs it does not want."""
        settings = self.settings
        return PairEncoder(self.sub_tokenizer, settings.limits, cache, settings.features)

    def encode(
        self, pairs: Iterable[Pair], cache: "EncodingCache | None" = None
    ) -> list[EncodedPair]:
        """Pairs as this detector reads them."""
        encoded = self.pair_encoder(cache).encode_all(pairs)
        return encoded if self.settings.graph_attention else list(map(without_graph, encoded))

    def judge(self, origin: str, mutant: str, language: str) -> Judgement:
        """Whether a mutant behaves as its origin, or why that cannot be said."""
        return next(self.judge_all([Query(origin=origin, mutant=mutant, language=language)]))

    def judge_all(self, pairs: Iterable[PairLike]) -> Iterator[Judgement]:
        """Judgements of pairs (`Pair`, `Query`, ...) in order, as they come: for many of them."""
        from equimut.models.judging import judge

        return judge(self, pairs)


def without_graph(pair: EncodedPair) -> EncodedPair:
    """The pair as plain tokens, for encoders without graph-guided attention."""
    return replace(pair, origin=pair.origin.without_graph(), mutant=pair.mutant.without_graph())


@dataclass(frozen=True)
class Scored:
    """What the detector says of N pairs."""

    logits: Floats
    """[N, 2]."""
    distance: Floats
    """[N] half cosine distance of the CLS embeddings."""
    origin: Floats | None = None
    """[N, hidden], if asked for."""
    mutant: Floats | None = None
    state: Floats | None = None
    """[N, hidden] the hidden layer of the head, if asked for."""

    @property
    def margin(self) -> npt.NDArray[np.float64]:
        """[N] log-odds of being equivalent, before calibration."""
        return (self.logits[:, 1] - self.logits[:, 0]).astype(np.float64)

    @property
    def probability(self) -> npt.NDArray[np.float64]:
        """[N] P(equivalent), before calibration."""
        return sigmoid(self.margin)


@dataclass
class ViewStore:
    """Features of the views seen lately, so that an origin is not encoded again chunk by chunk."""

    kept: int = _VIEWS_KEPT
    encoded_sequences: int = 0
    """Sequences that went through the encoder."""
    _rows: OrderedDict[View, Floats] = field(default_factory=OrderedDict, repr=False)

    def missing(self, views: Sequence[View]) -> list[View]:
        """The distinct views that are not known yet, in order."""
        return [view for view in dict.fromkeys(views) if view not in self._rows]

    def put(self, view: View, row: Floats) -> None:
        """Remember the features of a view."""
        self._rows[view] = row

    def get(self, views: Sequence[View]) -> Floats:
        """[N, features] of these views."""
        return np.stack([self._rows[view] for view in views])

    def forget_old(self) -> None:
        """Keep the latest views only."""
        while len(self._rows) > self.kept:
            self._rows.popitem(last=False)


def score(
    model: PairModel,
    pairs: Sequence[EncodedPair],
    *,
    store: ViewStore | None = None,
    keep_embeddings: bool = False,
    keep_states: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Scored:
    """Score encoded pairs in evaluation mode; `progress` gets how many more are done."""
    store = store or ViewStore()
    parts = []
    for start in range(0, len(pairs), PAIRS_PER_CHUNK):
        chunk = pairs[start : start + PAIRS_PER_CHUNK]
        parts.append(_score_chunk(model, chunk, store, keep_embeddings, keep_states))
        store.forget_old()
        if progress is not None:
            progress(len(chunk))
    if not parts:
        return Scored(np.zeros((0, 2), np.float32), np.zeros(0, np.float32))
    kept = {field.name for field in fields(Scored) if getattr(parts[0], field.name) is not None}
    return Scored(
        **{name: np.concatenate([getattr(part, name) for part in parts]) for name in kept}
    )


def sigmoid(margin: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Log-odds as probabilities."""
    found: npt.NDArray[np.float64] = np.exp(-np.logaddexp(0, -margin))
    return found


def half_cosine_distances(origin: Floats, mutant: Floats) -> Floats:
    """[N] `(1 - cos) / 2` of two batches of embeddings, as the losses define it."""
    lengths = np.linalg.norm(origin, axis=1) * np.linalg.norm(mutant, axis=1)
    cosine = np.einsum("ne,ne->n", origin, mutant) / np.maximum(lengths, _SMALLEST_LENGTH)
    # Rounding can push the cosine of equal vectors just past 1.
    found: Floats = np.clip((1 - cosine) / 2, 0, 1).astype(np.float32)
    return found


def _score_chunk(
    model: PairModel,
    pairs: Sequence[EncodedPair],
    store: ViewStore,
    keep_embeddings: bool,
    keep_states: bool,
) -> Scored:
    origin, mutant = side_rows(model, pairs, store)
    output = model.head_output(origin, mutant, flat_features(pairs))
    first, second = (side[:, : model.hidden_size] for side in (origin, mutant))
    return Scored(
        logits=output.logits,
        distance=half_cosine_distances(first, second),
        origin=first if keep_embeddings else None,
        mutant=second if keep_embeddings else None,
        state=output.state if keep_states else None,
    )


def side_rows(
    model: PairModel, pairs: Sequence[EncodedPair], store: ViewStore
) -> tuple[Floats, Floats]:
    """The rows of both sides of all pairs; what the store does not know passes the encoder."""
    edits = model.settings.pooling == "edit"
    origins: list[View] = [(p.origin, p.origin_edit if edits else (0, 1)) for p in pairs]
    mutants: list[View] = [(p.mutant, p.mutant_edit if edits else (0, 1)) for p in pairs]
    views = [view for pair in zip(origins, mutants, strict=True) for view in pair]
    for batch in _batches(store.missing(views), model.positions_per_batch):
        store.encoded_sequences += len({snippet for snippet, _ in batch})
        for view, row in zip(batch, model.view_rows(batch), strict=True):
            store.put(view, row)
    return store.get(origins), store.get(mutants)


def _batches(views: Sequence[View], most: int) -> Iterator[list[View]]:
    """Views of like length, the longest first; views of one sequence stay together.

    Sequences of one length keep their order: neighbours have much in common.
    """
    rank: dict[EncodedSnippet, int] = {}
    for snippet, _ in views:
        rank.setdefault(snippet, len(rank))
    ordered = sorted(views, key=lambda view: (-view[0].length, rank[view[0]]))
    batch: list[View] = []
    sequences: set[EncodedSnippet] = set()
    longest = 0
    for view in ordered:
        longest = longest or view[0].length
        full = (len(sequences) + 1) * longest > most
        if batch and full and view[0] not in sequences:
            yield batch
            batch, sequences, longest = [], set(), view[0].length
        batch.append(view)
        sequences.add(view[0])
    if batch:
        yield batch
