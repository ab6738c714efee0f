"""What a detector is besides its weights: settings, calibration, and where it comes from."""

from typing import Annotated, Literal

from pydantic import Field

from equimut.config import Pooling
from equimut.inputs.limits import EDIT, Limits
from equimut.records import NonEmpty, Record

Probability = Annotated[float, Field(ge=0, le=1)]


class WishedPrecision(Record):
    """From which probability on the verdict `equivalent` was right this often, on dev rows."""

    precision: Probability
    """What was wished for."""
    threshold: Probability
    achieved: Probability
    lower_bound: Probability
    """One-sided 95 % bound of the precision: small samples promise little."""
    recall: Probability
    support: Annotated[int, Field(ge=0)]
    """Dev rows at or above the threshold."""


class Calibration(Record):
    """How logits become probabilities, and which of them are trusted."""

    temperature: Annotated[float, Field(gt=0)] = 1.0
    offset: float = 0.0
    """Added to the logit of "equivalent" after the temperature: for a model that was trained on
    more equivalents, or fewer, than there are in the world."""
    rows: Annotated[int, Field(ge=0)] = 0
    """Dev rows it was fitted on."""
    source: str = ""
    """Which rows these were."""
    wished: tuple[WishedPrecision, ...] = ()

    def threshold_for(self, precision: float) -> WishedPrecision | None:
        """The threshold kept for this precision, or for the next higher one that is kept."""
        enough = [wish for wish in self.wished if wish.precision >= precision - 1e-9]
        return min(enough, key=lambda wish: wish.precision) if enough else None


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
    beside: str = ""
    """The average precision of a simple judge on the same rows, in words."""


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
    """Whether named features of the edit have a say beside the network."""
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.1
    """Of the head."""
    threshold: Probability = 0.5
    """From this probability on the verdict is `equivalent`."""
    calibration: Calibration | None = None
    provenance: Provenance = Provenance()
    measured: tuple[Measured, ...] = ()
