"""A development part of training rows, and a name for a row by its content."""

from collections.abc import Sequence
from hashlib import blake2b

from equimut.data.groups import joined, origin_keys, stratified_folds
from equimut.errors import DataError
from equimut.records import Pair

Parts = tuple[tuple[Pair, ...], tuple[Pair, ...]]


def hold_out(pairs: Sequence[Pair], share: float, seed: int) -> Parts:
    """About `share` of the pairs as a second part; no origin is in both.

    Labels are spread as evenly as whole origins allow.
    """
    groups = joined([origin_keys(pair) for pair in pairs])
    folds = max(2, round(1 / share))
    if len(set(groups)) < folds:
        raise DataError(
            f"{len(set(groups))} origins are too few to hold out a share of {share:g}; "
            "select on `last`, or hold out more"
        )
    fold_of = stratified_folds(groups, [pair.label for pair in pairs], folds, seed)
    kept = tuple(pair for pair, fold in zip(pairs, fold_of, strict=True) if fold)
    held = tuple(pair for pair, fold in zip(pairs, fold_of, strict=True) if not fold)
    for name, part in (("training", kept), ("development", held)):
        if len({pair.label for pair in part}) < 2:
            raise DataError(
                f"the {name} part would hold one label only; select on `last`, or hold out more"
            )
    return kept, held


def content_digest(origin: str, mutant: str, language: str) -> str:
    """Names a pair by its texts, whatever its id."""
    digest = blake2b(digest_size=8)
    for text in (language, origin, mutant):
        data = text.encode()
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()
