"""A development part of training rows, and a name for a row by its content."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from hashlib import blake2b
from typing import Literal

from equimut.data.splitting.groups import joined, origin_keys, program_keys, stratified_folds
from equimut.errors import DataError
from equimut.records import Pair

Parts = tuple[tuple[Pair, ...], tuple[Pair, ...]]


Unit = Literal["pairs", "origins", "programs"]
"""What stays whole when a part is held out."""


def hold_out(pairs: Sequence[Pair], share: float, seed: int, unit: Unit = "origins") -> Parts:
    """About `share` of the pairs as a second part; no unit is in both.

    Labels are spread as evenly as whole units allow; both parts have both.
    """
    groups = joined([_KEYS[unit](pair) for pair in pairs])
    folds = max(2, round(1 / share))
    if len(set(groups)) < folds:
        raise DataError(
            f"{len(set(groups))} {unit} are too few to hold out a share of {share:g}; "
            "select on `last`, or hold out more"
        )
    fold_of = stratified_folds(groups, [pair.label for pair in pairs], folds, seed)
    for fold in range(folds):
        kept = tuple(pair for pair, its in zip(pairs, fold_of, strict=True) if its != fold)
        held = tuple(pair for pair, its in zip(pairs, fold_of, strict=True) if its == fold)
        if all(len({pair.label for pair in part}) == 2 for part in (kept, held)):
            return kept, held
    raise DataError(
        f"no share of {share:g} of the {unit} has both labels and leaves both to training; "
        "select on `last`, or hold out more"
    )


def unit_of(protocol: str) -> Unit:
    """What a protocol keeps out of training whole: a part held out the same way asks the same."""
    return _UNITS.get(protocol, "pairs")


def content_digest(origin: str, mutant: str, language: str) -> str:
    """Names a pair by its texts, whatever its id."""
    digest = blake2b(digest_size=8)
    for text in (language, origin, mutant):
        data = text.encode()
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()


def _pair_keys(pair: Pair) -> tuple[Hashable, ...]:
    return ((pair.language, pair.origin, pair.mutant),)


_KEYS: Mapping[Unit, Callable[[Pair], tuple[Hashable, ...]]] = {
    "pairs": _pair_keys,
    "origins": origin_keys,
    "programs": program_keys,
}
_UNITS: Mapping[str, Unit] = {
    "by-origin": "origins",
    "by-program": "programs",
    "all": "origins",  # what is trained on everything is for code it has not seen
}
