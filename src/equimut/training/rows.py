"""Which rows a run learns from, which choose its epoch, and which measure it."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from equimut.config import DataConfig, RunConfig
from equimut.data.labelled import OWN
from equimut.data.pairs import data_fingerprint, load_pairs
from equimut.data.splitting.split import ALL, Split, split
from equimut.data.splitting.validation import unit_of, validation_split
from equimut.errors import DataError
from equimut.records import Pair
from equimut.training.run_files import DataFacts


@dataclass(frozen=True)
class Rows:
    """The rows of a run by what they are for."""

    parts: Split
    train: Sequence[Pair]
    dev: Sequence[Pair]
    facts: DataFacts


def choose_rows(
    config: RunConfig, pairs: Sequence[Pair] | None = None, test: Sequence[Pair] = ()
) -> Rows:
    """Training, validation and test rows under the configured protocol and selection.

    Args:
        config: Names the file, if no pairs are given.
        pairs: What is split.
        test: Test rows of one's own, where the protocol has none.
    """
    if pairs is None:
        if not config.data.pairs:
            raise DataError("the pairs of this run were never in a file: give them again")
        pairs = load_pairs(Path(config.data.pairs))
    parts = split(pairs, config.data.protocol, config.data.fold, config.data.split_seed)
    if test:
        parts = replace(parts, test=tuple(test))
    if config.selection.on == "test" and not parts.test:
        raise DataError(f"selection on test: the protocol {parts.protocol} has no test rows")
    train: Sequence[Pair] = parts.train
    dev: Sequence[Pair] = ()
    if config.selection.on == "dev":
        chosen = config.selection.units
        unit = unit_of(config.data.protocol) if chosen == "protocol" else chosen
        train, dev = validation_split(train, config.selection.share, config.seed, unit)
    elif config.selection.on == "test":
        dev = parts.test
    facts = DataFacts(
        name=Path(config.data.pairs).name or "pairs in memory",
        fingerprint=data_fingerprint([*pairs, *test]),
        protocol=config.data.protocol,
        fold=config.data.fold,
        split_seed=config.data.split_seed,
        train=len(train),
        dev=len(dev),
        test=len(parts.test),
        languages=tuple(sorted({pair.language for pair in train})),
    )
    return Rows(parts, train, dev, facts)


SMALL = 1_000
"""Rows of one's own under which halves of them, and a validation split of a half, are slivers."""


def for_own_rows(
    config: RunConfig, pairs: Sequence[Pair], message: Callable[[str], None] | None
) -> RunConfig:
    """The configuration for rows that nobody asked to split: a few of one's own are not halved."""
    own = all(pair.source == OWN and not pair.split for pair in pairs)
    asked = config.data.protocol != DataConfig().protocol or config.selection.on == "test"
    if asked or not own or not 0 < len(pairs) < SMALL:
        return config
    changes: dict[str, object] = {"data.protocol": ALL}
    words = f"{len(pairs)} rows of your own: all are for training, none tests it"
    if config.selection.on == "dev":
        try:
            selection = config.selection
            dev = validation_split(pairs, selection.share, config.seed, unit_of(ALL))[1]
            words += f"; {len(dev)} of them only choose the epoch and calibrate"
        except DataError:  # too few origins, or one label in too few of them
            changes["selection.on"] = "last"
            words += "; they are too few to choose an epoch by, so the last one is kept"
    if message is not None:
        message(f"{words} (--protocol by-origin tests on a fifth of the origins)")
    return config.changed(changes)


def with_random_classes(pairs: Sequence[Pair], seed: int) -> tuple[Pair, ...]:
    """The class ids dealt out anew, as many of each as before, whatever the origin: an ablation."""
    ids = [pair.class_id for pair in pairs]
    random.Random(seed).shuffle(ids)
    return tuple(
        pair.model_copy(update={"class_id": class_id})
        for pair, class_id in zip(pairs, ids, strict=True)
    )
