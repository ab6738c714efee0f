"""The configuration of a training run: validated, with presets, to and from TOML.

A key that does not exist is an error: a misspelt option must not train another model in silence.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import tomlkit
from pydantic import AliasChoices, ConfigDict, Field, model_validator

from equimut.errors import EquimutError
from equimut.records import NonEmpty, Record
from equimut.storage.files import read_toml
from equimut.storage.jsonl import validated

Positive = Annotated[float, Field(gt=0)]
NotNegative = Annotated[float, Field(ge=0)]
Share = Annotated[float, Field(ge=0, lt=1)]
Whole = Annotated[int, Field(ge=1)]

LossName = Literal[
    "base", "contrastive", "triplet", "cpl",
    "cpl-no-verges", "cpl-fixed-verges", "cpl-learned-verges",  # ablations
]  # fmt: skip
Pooling = Literal["cls", "edit"]
Compared = Literal["cls", "edit", "both"]
Protocol = Literal["published", "paper", "clean", "by-origin", "by-program", "all"]
Selection = Literal["dev", "test", "last"]
Precision = Literal["auto", "fp32", "bf16"]
SelectionMetric = Literal["macro_f1", "average_precision", "mcc"]


class Section(Record):
    """A part of the configuration; numbers are finite."""

    model_config = ConfigDict(allow_inf_nan=False)


class ModelConfig(Section):
    """The encoder, what it is shown, and what the head is given."""

    encoder: NonEmpty = "equimut"
    """The one that ships (`equimut`), a Hugging Face name, or a local directory."""
    start: Literal["encoder", "detector", "random"] = "encoder"
    """What is taken of it. encoder: its weights, with a fresh head. detector: the head too, where
    the name is a detector's. random: its architecture and tokenizer only."""
    input: Literal["paper", "edit"] = "edit"
    """The preset of input limits."""
    max_length: Whole | None = Field(
        default=None, validation_alias=AliasChoices("max_length", "places")
    )
    """Positions of a sequence, if not those of the preset; `places` in older files."""
    nodes: Annotated[int, Field(ge=0)] | None = None
    """Positions kept for graph nodes, if not those of the preset."""
    pooling: Pooling = "edit"
    normalize_embeddings: bool = False
    """Give the head the CLS embeddings at unit length."""
    graph_attention: bool = True
    """Graph nodes and graph-guided attention; without, plain tokens."""
    features: bool = False
    """Add named features of the edit to what the network says."""
    wide: Literal["learnt", "regressions"] = "learnt"
    """How the weights of the features are found. learnt: with the network. regressions: once the
    network is trained, by two regressions on the training pairs, each weighing as much as it."""
    mode: str = ""
    """A token of the encoder that stands before the code: UniXcoder's `<encoder-only>`."""
    dropout: Share | None = None
    """Of head and encoder, if not the encoder's own."""
    distance: Compared | None = None
    """Give the head the distance of these embeddings, and its place between the mean verges."""
    frozen: bool = False
    """Train the head only, on the embeddings of the encoder as it is."""

    @model_validator(mode="after")
    def _regressions_have_features(self) -> "ModelConfig":
        if self.wide == "regressions" and not self.features:
            raise ValueError("wide = regressions needs features = true")
        return self


class LossConfig(Section):
    """The metric loss by name, its weight relative to cross-entropy, and its numbers."""

    name: LossName = "cpl"
    weight: NotNegative = 1.15
    """The paper's lambda."""
    margin: float | None = None
    """The paper's zeta; by default -0.05 for cpl, 0.09 for contrastive, 0.1 for triplet."""
    margin_unit: Literal["distance", "gap"] = "distance"
    """Of cpl. gap: the margin is a share of the present gap between the mean verges."""
    shared: NotNegative = 0.0
    """Of cpl: how many samples the mean of all verges counts for in the verge of a class."""
    on: Compared = "cls"
    """Which embeddings the metric loss compares. cls: as published. edit: the means over the edited
    positions, which the head looks at too. both: the mean of the two distances."""
    balanced: bool = False
    """Both labels count the same in the cross-entropy, however many pairs have them."""
    gamma: Annotated[float, Field(ge=1)] = 12.0
    alpha: Positive = 2.0
    beta: Positive = 0.5
    unseen: Literal["zero", "skip"] = "zero"
    eps: NotNegative = 1e-4
    verge: Annotated[float, Field(ge=0, le=1)] = 0.1
    """Of the ablations: where a fixed verge stands and a learned one begins."""
    classes: Literal["own", "random"] = "own"
    """random: an ablation; the class ids of training are dealt out anew, whatever the origin."""
    triplets: Whole = 10_000
    """At most this many triplets, drawn class by class."""

    def margin_or_default(self) -> float:
        """The margin that will be used."""
        defaults = {"base": 0.0, "contrastive": 0.09, "triplet": 0.1}
        return defaults.get(self.name, -0.05) if self.margin is None else self.margin


class OptimConfig(Section):
    """How the weights move."""

    learning_rate: Positive = 3e-4
    encoder_rate: Positive | None = None
    """Learning rate of the encoder, if not the same."""
    adam_eps: Positive = 1e-8
    weight_decay: NotNegative = 0.01
    warmup: Share = 0.1
    """Share of all steps in which the rate rises; then it falls to zero in a straight line."""
    clip: Positive = 1.0
    """Largest norm of the gradient."""
    clip_terms: bool = False
    """Clip the gradients of the metric loss and of the cross-entropy each by itself, then add them:
    clipped together, the longer of the two takes from the other."""
    batch_size: Whole = 16
    """Pairs a step learns from, over all processes and accumulated parts."""
    accumulate: Whole = 1
    """Parts a batch is cut into, one after the other, to save memory."""
    epochs: Whole = 10
    precision: Precision = "auto"
    """bf16 where the device has it; fp32 on processors."""


class DataConfig(Record):
    """Which rows are trained on."""

    pairs: str = ""
    """The file, or bundled:LANGUAGE; empty for pairs in memory."""
    protocol: Protocol = "paper"
    fold: Annotated[int, Field(ge=0, le=4)] = 0
    split_seed: int = 42


class SelectionConfig(Section):
    """How the epoch to keep is chosen, and on which rows."""

    on: Selection = "dev"
    """dev: a validation split of training. test: the published way, on the test rows. last: no
    choice, the last epoch."""
    units: Literal["protocol", "pairs", "origins", "programs"] = "protocol"
    """Grouping of the validation split. protocol: as the protocol's test split is grouped, by pair,
    origin or program; `all` by origin."""
    share: Annotated[float, Field(gt=0, le=0.5)] = 0.15
    """About how much of training becomes the validation split."""
    metric: SelectionMetric = "macro_f1"
    patience: Whole | None = None
    """Stop after this many epochs without a better one."""
    refit: bool = False
    """After the choice, train again on all of training for as many epochs."""


class RunConfig(Section):
    """Everything a training run is determined by."""

    seed: int = 42
    threads: Whole | None = None
    """Processor threads; results are the same bit by bit only for the same number."""
    checkpoint_minutes: Positive = 5.0
    """A checkpoint at the end of each epoch, and after this long in between."""
    curve: tuple[Whole, ...] = ()
    """Epochs after which the test rows are scored as well, for a learning curve: no choice ever
    depends on it."""
    model: ModelConfig = ModelConfig()
    loss: LossConfig = LossConfig()
    optim: OptimConfig = OptimConfig()
    data: DataConfig = DataConfig()
    selection: SelectionConfig = SelectionConfig()

    @model_validator(mode="after")
    def _embeddings_are_there(self) -> "RunConfig":
        wanted = {"loss.on": self.loss.on, "model.distance": self.model.distance}
        for name, which in wanted.items():
            if which in ("edit", "both") and self.model.pooling != "edit":
                raise ValueError(f"{name} = {which} needs model.pooling = edit")
        if self.loss.name == "cpl" and self.model.distance not in (None, self.loss.on):
            raise ValueError("model.distance must be that of loss.on, whose verges it is told")
        return self

    def changed(self, changes: Mapping[str, object]) -> "RunConfig":
        """The same with other values by dotted name: `{"optim.epochs": 3}`."""
        return changed(self, changes)


DEFAULT = RunConfig()
"""Our own choice: a window around the edit, its positions pooled, selection on training data."""

PAPER = RunConfig(
    model=ModelConfig(encoder="microsoft/unixcoder-base", input="paper", pooling="cls"),
    optim=OptimConfig(
        learning_rate=2e-5, weight_decay=0.0, warmup=0.2, batch_size=4, epochs=30, clip=1.0
    ),
)
"""The published settings, but for the selection, which stays on training data unless asked for."""

CPU = RunConfig(
    model=ModelConfig(max_length=32, nodes=8),
    loss=LossConfig(balanced=True),
    optim=OptimConfig(learning_rate=6e-4, batch_size=32, epochs=5),
    selection=SelectionConfig(share=0.1),
)
"""For the encoder that ships, on a few cores. Window, rates and balance were chosen on validation
splits of EMD's Java training rows; the number of epochs is what two cores can pay."""

WIDE = CPU.model_copy(
    update={"model": ModelConfig(max_length=32, nodes=8, features=True, wide="regressions")}
)
"""The same, averaged with two regressions on the edit."""

PRESETS: Mapping[str, RunConfig] = {
    "default": DEFAULT,
    "paper": PAPER,
    "cpu": CPU,
    "wide": WIDE,
}


def preset(name: str) -> RunConfig:
    """The preset of this name."""
    if name not in PRESETS:
        raise EquimutError(f"no preset {name!r}: the presets are {', '.join(PRESETS)}")
    return PRESETS[name]


def changed(config: RunConfig, changes: Mapping[str, object], where: str = "options") -> RunConfig:
    """The configuration with values put in by dotted name; None means not given."""
    tree = config.model_dump()
    for name, value in current_names(changes).items():
        if value is None:
            continue
        *sections, leaf = name.split(".")
        section = tree
        for each in sections:
            if not isinstance(section.get(each), dict):
                section[each] = {}  # a wrong name, or a value in place of a table: refused below
            section = section[each]
        section[leaf] = value
    return validated(RunConfig, tree, where, field="option")


def current_names(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Values by dotted name, where older grids and configurations give other names."""
    renamed = {"model.places": "model.max_length"}
    return {renamed.get(name, name): value for name, value in changes.items()}


def read_config(path: Path, base: RunConfig = DEFAULT) -> RunConfig:
    """A TOML file laid over a preset: it needs to name only what differs."""
    return changed(base, flattened(read_toml(path)), str(path))


def flattened(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested tables as one, by dotted name."""
    flat: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, Mapping):
            flat |= flattened(value, f"{prefix}{name}.")
        else:
            flat[prefix + name] = value
    return flat


def to_toml(config: RunConfig) -> str:
    """The whole configuration; what is not set (None) is left out, as TOML has no such value."""
    return tomlkit.dumps(_without_none(config.model_dump()))


def _without_none(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: _without_none(value) if isinstance(value, Mapping) else value
        for key, value in values.items()
        if value is not None
    }
