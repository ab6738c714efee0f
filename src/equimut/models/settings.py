"""What a detector is besides its weights: settings, calibration, and where it comes from."""

from typing import Annotated, Literal

from pydantic import AliasChoices, Field

from equimut.config import Pooling
from equimut.inputs.limits import EDIT, Limits
from equimut.records import NonEmpty, Record

Probability = Annotated[float, Field(ge=0, le=1)]


CONFIDENCE = 0.95
"""Of the lower bound of a threshold's precision."""


class PrecisionTarget(Record):
    """A threshold chosen for its precision, and how much the choice rests on."""

    precision: Probability
    """The target."""
    threshold: Probability
    """Pairs with at least this probability are called equivalent."""
    achieved: Probability
    """The precision reached on the validation rows."""
    lower_bound: Probability
    """Clopper-Pearson, one-sided, 95 %: small samples promise little."""
    recall: Probability
    support: Annotated[int, Field(ge=0)]
    """Validation rows at or above the threshold."""

    @property
    def note(self) -> str:
        """One sentence on how far to trust the precision."""
        reached = (
            f"precision {self.achieved:.3f} on {self.support} pairs at or above the threshold; "
            f"with {CONFIDENCE:.0%} confidence it is at least {self.lower_bound:.3f}"
        )
        return reached if self.lower_bound >= self.precision else f"{reached}, below the target"


class Calibration(Record):
    """How logits become probabilities, and which of them are trusted."""

    temperature: Annotated[float, Field(gt=0)] = 1.0
    offset: float = 0.0
    """Added to the logit of "equivalent" after the temperature: for a model that was trained on
    more equivalents, or fewer, than there are in the world."""
    rows: Annotated[int, Field(ge=0)] = 0
    """Validation rows it was fitted on."""
    source: str = ""
    """Which rows these were."""
    targets: tuple[PrecisionTarget, ...] = Field(
        default=(), validation_alias=AliasChoices("targets", "wished")
    )
    """Thresholds for the target precisions that were reached; `wished` in older files."""

    def threshold_for(self, precision: float) -> PrecisionTarget | None:
        """The threshold kept for this precision, or for the next higher one that is kept."""
        enough = [target for target in self.targets if target.precision >= precision - 1e-9]
        return min(enough, key=lambda target: target.precision) if enough else None


class Provenance(Record):
    """How the weights came to be, for the model card and for refusing rows that were trained on."""

    loss: str = ""
    data: str = ""
    protocol: str = ""
    selection: str = ""
    seed: int = 0
    epochs: float = 0
    languages: tuple[str, ...] = ()
    """Languages of the rows it was trained on; others are not judged."""


class Measured(Record):
    """The quality of a detector on rows it never saw, for its card."""

    rows: NonEmpty
    """Which rows, in words."""
    pairs: Annotated[int, Field(ge=0)]
    base_rate: Probability
    """Share of equivalents: what an average precision has to be compared with."""
    average_precision: Probability
    low: Probability
    high: Probability
    """95 % interval of the average precision, over origins."""
    macro_f1: Probability
    baseline: str = Field(default="", validation_alias=AliasChoices("baseline", "beside"))
    """The average precision of a simple predictor on the same rows, in words."""


class DetectorSettings(Record):
    """Everything but the weights. Saved as `detector.json`."""

    format: Literal[1] = 1
    encoder: NonEmpty
    """The name the encoder was loaded by."""
    limits: Limits = EDIT
    pooling: Pooling = "edit"
    normalize_embeddings: bool = False
    graph_attention: bool = True
    mode: str = ""
    """A token that stands before the code, such as UniXcoder's `<encoder-only>`."""
    features: bool = False
    """Whether named features of the edit are added to what the network says."""
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.1
    """Of the head."""
    threshold: Probability = 0.5
    """From this probability on the verdict is `equivalent`."""
    calibration: Calibration | None = None
    provenance: Provenance = Provenance()
    measured: tuple[Measured, ...] = ()
