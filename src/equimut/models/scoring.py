"""Logits and distances of many pairs: every distinct sequence is encoded once.

Training must see a pair whole, since it needs its gradient. Evaluation need not: a *view* is a
sequence with the edited positions the head wants to know about, and its features do not depend on
what it is paired with. So all views of a chunk are sorted by length, encoded in batches of like
length, and the pairs are put together from their features. An origin whose encoded text is the
same for all its mutants passes the encoder once.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields

import torch
from torch import Tensor

from equimut.inputs.batch import flat_features
from equimut.inputs.encode import EncodedPair, EncodedSnippet
from equimut.losses.functional import half_cosine_distance
from equimut.models.detector import Detector
from equimut.models.head import Features, pool

View = tuple[EncodedSnippet, tuple[int, int]]

POSITIONS_PER_BATCH = 4096
"""Positions (sequences x length) the encoder reads at a time: large enough to keep it busy."""
PAIRS_PER_CHUNK = 2048
_VIEWS_KEPT = 20_000


@dataclass(frozen=True)
class Scored:
    """What the detector says of N pairs."""

    logits: Tensor
    """[N, 2] float32."""
    distance: Tensor
    """[N] half cosine distance of the CLS embeddings."""
    origin: Tensor | None = None
    """[N, hidden], if asked for."""
    mutant: Tensor | None = None
    state: Tensor | None = None
    """[N, hidden] the hidden layer of the head, if asked for."""

    @property
    def margin(self) -> Tensor:
        """[N] float64 log-odds of being equivalent, before calibration."""
        return (self.logits[:, 1] - self.logits[:, 0]).double()


@dataclass
class ViewStore:
    """Features of the views seen lately, so that an origin is not encoded again chunk by chunk."""

    kept: int = _VIEWS_KEPT
    encoded_sequences: int = 0
    """Sequences that went through the encoder."""
    _features: OrderedDict[View, Tensor] = field(default_factory=OrderedDict, repr=False)

    def missing(self, views: Sequence[View]) -> list[View]:
        """The distinct views that are not known yet, in order."""
        return [view for view in dict.fromkeys(views) if view not in self._features]

    def put(self, view: View, features: Tensor) -> None:
        """Remember the features of a view."""
        self._features[view] = features

    def get(self, views: Sequence[View]) -> Tensor:
        """[N, features] of these views."""
        return torch.stack([self._features[view] for view in views])

    def forget_old(self) -> None:
        """Keep the latest views only."""
        while len(self._features) > self.kept:
            self._features.popitem(last=False)


@torch.inference_mode()
def score(
    detector: Detector,
    pairs: Sequence[EncodedPair],
    *,
    store: ViewStore | None = None,
    keep_embeddings: bool = False,
    keep_states: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Scored:
    """Score encoded pairs in evaluation mode; `progress` gets how many more are done."""
    was_training = detector.training
    detector.eval()
    store = store or ViewStore()
    parts = []
    try:
        for start in range(0, len(pairs), PAIRS_PER_CHUNK):
            chunk = pairs[start : start + PAIRS_PER_CHUNK]
            parts.append(_score_chunk(detector, chunk, store, keep_embeddings, keep_states))
            store.forget_old()
            if progress is not None:
                progress(len(chunk))
    finally:
        detector.train(was_training)
    if not parts:
        return Scored(torch.zeros(0, 2), torch.zeros(0))
    kept = {field.name for field in fields(Scored) if getattr(parts[0], field.name) is not None}
    return Scored(**{name: torch.cat([getattr(part, name) for part in parts]) for name in kept})


@torch.no_grad()
def view_features(detector: Detector, pairs: Sequence[EncodedPair]) -> tuple[Features, Features]:
    """The features of both sides of all pairs, with the encoder in evaluation mode."""
    was_training = detector.training
    detector.eval()
    try:
        return _both_sides(detector, pairs, ViewStore(kept=2 * len(pairs)))
    finally:
        detector.train(was_training)


def _score_chunk(
    detector: Detector,
    pairs: Sequence[EncodedPair],
    store: ViewStore,
    keep_embeddings: bool,
    keep_states: bool,
) -> Scored:
    sides = _both_sides(detector, pairs, store)
    device = detector.device
    origin, mutant = (side.map(lambda part: part.to(device)) for side in sides)
    features, offsets = flat_features(pairs)
    state = detector.head.state(origin, mutant)
    logits = detector.head.logits(state, origin, mutant, (features.to(device), offsets.to(device)))
    first, second = sides[0].cls, sides[1].cls
    return Scored(
        logits=logits.float().cpu(),
        distance=half_cosine_distance(first, second),
        origin=first if keep_embeddings else None,
        mutant=second if keep_embeddings else None,
        state=state.float().cpu() if keep_states else None,
    )


def _both_sides(
    detector: Detector, pairs: Sequence[EncodedPair], store: ViewStore
) -> tuple[Features, Features]:
    edits = detector.settings.pooling == "edit"
    origins: list[View] = [(p.origin, p.origin_edit if edits else (0, 1)) for p in pairs]
    mutants: list[View] = [(p.mutant, p.mutant_edit if edits else (0, 1)) for p in pairs]
    for batch in _batches(store.missing([*origins, *mutants])):
        store.encoded_sequences += len({snippet for snippet, _ in batch})
        for view, features in zip(batch, _features(detector, batch), strict=True):
            store.put(view, features)
    hidden = detector.encoder.hidden_size
    return (
        _as_features(store.get(origins), hidden, edits),
        _as_features(store.get(mutants), hidden, edits),
    )


def _features(detector: Detector, views: Sequence[View]) -> Tensor:
    """[V, hidden or 2 x hidden]: CLS of each view, and the mean over its edited positions."""
    # A pair of a view with itself: the collator then makes one row per distinct sequence.
    batch = detector.collator(
        [EncodedPair(snippet, snippet, edit, edit) for snippet, edit in views]
    ).to(detector.device)
    edited = batch.origin_edit if detector.settings.pooling == "edit" else None
    features = pool(detector.encoder(batch), batch.origin, edited)
    parts = [features.cls] if features.edit is None else [features.cls, features.edit]
    return torch.cat(parts, dim=1).float().cpu()


def _as_features(rows: Tensor, hidden: int, edits: bool) -> Features:
    return Features(rows[:, :hidden], rows[:, hidden:] if edits else None)


def _batches(views: Sequence[View]) -> Iterator[list[View]]:
    """Views of like length, the longest first; views of one sequence stay together."""
    ordered = sorted(views, key=lambda view: (-view[0].length, view[0].digest))
    batch: list[View] = []
    sequences: set[EncodedSnippet] = set()
    longest = 0
    for view in ordered:
        longest = longest or view[0].length
        full = (len(sequences) + 1) * longest > POSITIONS_PER_BATCH
        if batch and full and view[0] not in sequences:
            yield batch
            batch, sequences, longest = [], set(), view[0].length
        batch.append(view)
        sequences.add(view[0])
    if batch:
        yield batch
