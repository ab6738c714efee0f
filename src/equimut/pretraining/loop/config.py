"""What a pretraining is asked for, what it reads, and how it tells where it stands."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import AliasChoices, Field

from equimut.errors import EquimutError
from equimut.inputs.window import Limits
from equimut.pretraining.corpus.store import Corpus
from equimut.pretraining.loop.model import Losses
from equimut.pretraining.loop.pairs import Weighed
from equimut.records import Pair, Record
from equimut.storage.files import write_bytes

Whole = Annotated[int, Field(ge=1)]
NotNegative = Annotated[float, Field(ge=0)]
CONFIG, LOG = "pretrain.json", "log.jsonl"


class PretrainConfig(Record):
    """Everything an encoder is determined by, besides corpus and labels.

    The defaults are those of the encoder that ships.
    """

    layers: Whole = 4
    hidden: Whole = 192
    intermediate: Whole = 768
    heads: Whole = 3
    max_length: Whole = Field(default=64, validation_alias=AliasChoices("max_length", "places"))
    nodes: Annotated[int, Field(ge=0)] = 16
    steps: Whole = 3500
    functions: Annotated[int, Field(ge=0)] = 16
    """Functions of the corpus in a step."""
    pairs: Annotated[int, Field(ge=0)] = 32
    """Mutants in a step."""
    rate: Annotated[float, Field(gt=0)] = 1e-3
    warmup: Annotated[float, Field(ge=0, lt=1)] = 0.05
    weight_decay: NotNegative = 0.01
    masked_weight: NotNegative = 1.0
    equivalent_weight: NotNegative = 1.0
    edited_weight: NotNegative = 0.3
    distance_weight: NotNegative = 2.0
    edge_weight: NotNegative = 0.0
    """With 0, no edges are hidden."""
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.0
    seed: int = 0
    threads: Whole | None = None

    @property
    def limits(self) -> Limits:
        """The window of pretraining: around the edit of a pair."""
        return Limits(name="edit", max_length=self.max_length, nodes=self.nodes, window="edit")


@dataclass(frozen=True)
class PretrainData:
    """What is learnt from, and what only measures."""

    corpus: Corpus
    tokenizer: Path
    pairs: Sequence[Weighed]
    held_out: Sequence[Pair]


@dataclass(frozen=True)
class PretrainProgress:
    """Where pretraining stands."""

    step: int
    steps: int
    tokens_per_second: float
    losses: Losses


def check_same(config: PretrainConfig, directory: Path) -> None:
    """A directory holds one pretraining; other options need another directory.

    The number of steps may change on the way, and the threads, and what each question weighs: the
    learning rate then falls towards the new end from the next step on. Whether edges are asked for
    may not: that question has weights of its own, which a checkpoint without it lacks.
    """
    path = directory / CONFIG
    if path.is_file():
        before = PretrainConfig.model_validate_json(path.read_text())
        changeable = {"steps", "threads"} | {
            name for name in PretrainConfig.model_fields if name.endswith("_weight")
        }
        free = {name: getattr(config, name) for name in changeable}
        same_questions = (before.edge_weight > 0) == (config.edge_weight > 0)
        if not same_questions or before.model_copy(update=free) != config:
            raise EquimutError(
                f"{directory} holds a pretraining with other options; use another --out"
            )
    write_bytes(path, (config.model_dump_json(indent=1) + "\n").encode())


def read_pretraining(directory: Path) -> tuple[PretrainConfig, int]:
    """The options of a pretraining and how many steps it has done; an error if it has none."""
    path, log = directory / CONFIG, directory / LOG
    if not path.is_file() or not log.is_file():
        raise EquimutError(
            f"{directory} holds no pretraining; make one with `equimut dev pretrain`"
        )
    lines = log.read_text().splitlines()
    config = PretrainConfig.model_validate_json(path.read_text())
    return config, int(json.loads(lines[-1])["step"])
