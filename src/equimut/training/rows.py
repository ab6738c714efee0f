"""Which rows a run learns from, which choose its epoch, and which measure it."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from equimut.config import RunConfig
from equimut.data.pairs import data_fingerprint, load_pairs
from equimut.data.splitting.split import Split, split
from equimut.data.splitting.validation import unit_of, validation_split
from equimut.records import Pair
from equimut.training.run_files import DataFacts


@dataclass(frozen=True)
class Rows:
    """The rows of a run by what they are for."""

    parts: Split
    train: Sequence[Pair]
    dev: Sequence[Pair]
    facts: DataFacts


def choose_rows(config: RunConfig) -> Rows:
    """Training, dev and test rows under the configured protocol and selection."""
    pairs = load_pairs(Path(config.data.pairs))
    parts = split(pairs, config.data.protocol, config.data.fold, config.data.split_seed)
    train: Sequence[Pair] = parts.train
    dev: Sequence[Pair] = ()
    if config.selection.on == "dev":
        chosen = config.selection.units
        unit = unit_of(config.data.protocol) if chosen == "protocol" else chosen
        train, dev = validation_split(train, config.selection.share, config.seed, unit)
    elif config.selection.on == "test":
        dev = parts.test
    facts = DataFacts(
        name=Path(config.data.pairs).name,
        fingerprint=data_fingerprint(pairs),
        protocol=config.data.protocol,
        fold=config.data.fold,
        split_seed=config.data.split_seed,
        train=len(train),
        dev=len(dev),
        test=len(parts.test),
        languages=tuple(sorted({pair.language for pair in train})),
    )
    return Rows(parts, train, dev, facts)


def with_random_classes(pairs: Sequence[Pair], seed: int) -> tuple[Pair, ...]:
    """The class ids dealt out anew, as many of each as before, whatever the origin: an ablation."""
    ids = [pair.class_id for pair in pairs]
    random.Random(seed).shuffle(ids)
    return tuple(
        pair.model_copy(update={"class_id": class_id})
        for pair, class_id in zip(pairs, ids, strict=True)
    )
