"""A validation split: a part of the training rows, made of whole units."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Literal

from equimut.data.splitting.groups import joined, origin_keys, program_keys, stratified_folds
from equimut.data.splitting.split import Parts
from equimut.errors import DataError
from equimut.records import Pair

Unit = Literal["pairs", "origins", "programs"]
"""What is never divided between training and validation rows."""


def validation_split(
    pairs: Sequence[Pair], share: float, seed: int, unit: Unit = "origins"
) -> Parts:
    """Training pairs, and about `share` of all pairs as validation pairs; no unit is in both.

    Labels are spread as evenly as whole units allow; both parts have both.
    """
    groups = joined([_KEYS[unit](pair) for pair in pairs])
    folds = max(2, round(1 / share))
    if len(set(groups)) < folds:
        raise DataError(
            f"{len(set(groups))} {unit} are too few for a validation split of {share:g}; "
            "select on `last`, or take a larger share"
        )
    fold_of = stratified_folds(groups, [pair.label for pair in pairs], folds, seed)
    for fold in range(folds):
        train = tuple(pair for pair, its in zip(pairs, fold_of, strict=True) if its != fold)
        validation = tuple(pair for pair, its in zip(pairs, fold_of, strict=True) if its == fold)
        if all(len({pair.label for pair in part}) == 2 for part in (train, validation)):
            return train, validation
    raise DataError(
        f"no validation split of {share:g} of the {unit} has both labels and leaves both to "
        "training; select on `last`, or take a larger share"
    )


def unit_of(protocol: str) -> Unit:
    """What a protocol never divides: a validation split like that asks the same question."""
    return _UNITS.get(protocol, "pairs")


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
