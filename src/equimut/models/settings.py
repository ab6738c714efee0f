"""What a detector is besides its weights, and where it lies: by name or path, nothing loaded."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AliasChoices, Field

from equimut.config import Compared, Pooling
from equimut.errors import DataError, EquimutError
from equimut.inputs.window import EDIT, Limits
from equimut.models.directory_check import check_directory
from equimut.models.stacking import Stack
from equimut.records import NonEmpty, Record, VerdictWord
from equimut.semantics.names import outside_names
from equimut.storage.jsonl import read_document

Probability = Annotated[float, Field(ge=0, le=1)]


CONFIDENCE = 0.95
"""Of the lower bound of a threshold's precision."""
MIN_PRECISION = 0.9
"""Precision that a scan wants promised of "equivalent" unless told otherwise."""
REJECTION_PRECISION = 0.95
"""Precision of "not equivalent", at least: six in seven mutants are not, so less says little."""


class PrecisionTarget(Record):
    """A threshold chosen for its precision, and how much the choice rests on."""

    precision: Probability
    """The target."""
    threshold: Probability
    """Pairs with at least this probability are called equivalent."""
    achieved: Probability
    """The precision reached on the validation rows."""
    lower_bound: Probability
    """One-sided, 95 %: small samples promise little, and many mutants of few origins not more."""
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


ROUNDING = 1e-6
"""A threshold is the probability of a row that calibrated it, which another library or processor
computes a little differently: so near to it, a pair is on the side of that row."""


@dataclass(frozen=True)
class Thresholds:
    """What a detector may say at a target precision: equivalent, not equivalent, or neither."""

    equivalent_from: float | None
    """From this probability on a pair is called equivalent; None: no pair is."""
    not_equivalent_to: float | None
    """Up to this probability it is called not equivalent; None: no pair is."""
    basis: str
    """What the promise rests on, or why there is none: a sentence without a full stop."""

    def verdict(self, probability: float) -> VerdictWord:
        """The verdict on a probability; `unknown` between the two thresholds."""
        if self.equivalent_from is not None and probability >= self.equivalent_from - ROUNDING:
            return "equivalent"
        if self.not_equivalent_to is not None and probability <= self.not_equivalent_to + ROUNDING:
            return "not-equivalent"
        return "unknown"


def unpromised(origin: str, mutant: str, language: str) -> str:
    """Why no precision is promised of "equivalent" for a change; empty where one is.

    Thresholds rest on functions that stand on their own: of the rows that calibrate the shipped
    detector, none changes an expression with a field, a global or a function of the project in it.
    """
    names = outside_names(origin, mutant, language)
    if not names:
        return ""
    shown = " and ".join(f"`{name}`" for name in names[:2])
    verb = "is" if len(names) == 1 else "are"
    return f"{shown} {verb} from outside of the function, where no precision is promised"


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
    """Thresholds for the target precisions that were reached; `wished` in older files, whose
    thresholds reached the target itself but not always with its lower bound."""
    rejections: tuple[PrecisionTarget, ...] = ()
    """The same for "not equivalent", by the probability of that."""

    def threshold_for(self, precision: float) -> PrecisionTarget | None:
        """The lowest threshold whose precision is this at least, with 95 % confidence."""
        return _promised(self.targets, precision)

    def thresholds(self, precision: float) -> Thresholds:
        """Both thresholds for a target precision, and which rows they rest on."""
        found = self.threshold_for(precision)
        rejected = _promised(self.rejections, max(precision, REJECTION_PRECISION))
        rows = f"{self.rows:,} {self.source or 'validation rows'}"
        if found is None:
            best = max((target.lower_bound for target in self.targets), default=0.0)
            at_most = f" (at most {int(best * 100) / 100:g})" if best >= 0.5 else ""
            basis = (
                f"on {rows}: not enough to promise a precision of {precision:g}{at_most}, "
                "predictions only rank"
            )
        else:
            basis = (
                f"a precision of at least {int(found.lower_bound * 100) / 100:g}, with "
                f"{CONFIDENCE:.0%} confidence, on {rows}"
            )
        return Thresholds(
            equivalent_from=None if found is None else found.threshold,
            not_equivalent_to=None if rejected is None else 1 - rejected.threshold,
            basis=basis,
        )


def _promised(targets: Sequence[PrecisionTarget], precision: float) -> PrecisionTarget | None:
    enough = [target for target in targets if target.lower_bound >= precision - 1e-9]
    return min(enough, key=lambda target: target.threshold) if enough else None


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
    distance: Compared | None = None
    """Embeddings whose distance the head is given."""
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.1
    """Of the head."""
    threshold: Probability = 0.5
    """From this probability on the verdict is `equivalent`."""
    calibration: Calibration | None = None
    provenance: Provenance = Provenance()
    measured: tuple[Measured, ...] = ()
    stack: Stack | None = Field(default=None, exclude=True)
    """A small model behind the network and its features, in a file of its own: its calibration is
    that of the whole."""

    def fitting(self, positions: int) -> "DetectorSettings":
        """The same for an encoder with so many positions: a small one has fewer."""
        special = 4 if self.mode else 2  # `<s>`, `</s>`, and a mode with its own `</s>`
        if self.limits.code + special <= positions:
            return self
        limits = self.limits.model_copy(update={"code": positions - special})
        return self.model_copy(update={"limits": limits})

    def thresholds(self, precision: float) -> Thresholds:
        """Where the verdicts of a target precision begin and end, and what promises them."""
        if self.calibration is None:
            return Thresholds(None, None, "the model is not calibrated: predictions only rank")
        return self.calibration.thresholds(precision)


SHIPPED = "equimut"
"""The name of the detector in the package, and of the encoder in it."""

_PLACE = Path(__file__).parent / "shipped"
SETTINGS, STACK, ENCODER, HEAD = "detector.json", "stack.json", "encoder", "head.safetensors"
RUN_RECORD, RUN_MODEL = "run.json", "model"
"""In the directory of a run of `equimut train`: its record and its detector."""
ONLY_LAYOUT = "only the layout changes, which the model does not see"
"""Why a model abstains from a pair with the same tokens that is not the same code."""


@dataclass(frozen=True)
class ModelFiles:
    """A detector on disk."""

    name: str
    directory: Path
    settings: DetectorSettings
    digest: str
    """Of all files: another model, or other examples beside it, give other answers."""


def untrained(settings: DetectorSettings, language: str) -> str:
    """Why a model abstains from a language; empty for one that it was trained on."""
    trained = settings.provenance.languages
    if not trained or language in trained:
        return ""
    return f"the model was trained on {', '.join(trained)}, not on {language}"


def model_directory(name_or_path: str | Path) -> Path:
    """The directory a name stands for: the shipped one, a run's detector, or the path itself."""
    if str(name_or_path) == SHIPPED:
        return _PLACE
    directory = Path(name_or_path)
    if (directory / RUN_MODEL / SETTINGS).is_file():
        return directory / RUN_MODEL
    if (directory / RUN_RECORD).is_file():
        raise DataError(f"{directory}: the run is not finished, so it has no model yet")
    return directory


def existing_directory(name_or_path: str | Path) -> Path:
    """The directory of a name, fetched from the hub where it is none here."""
    directory = model_directory(name_or_path)
    return directory if directory.is_dir() else _from_hub(str(name_or_path))


def find_model(name_or_path: str | Path) -> ModelFiles:
    """What a detector promises and what it is, by its files."""
    directory = model_directory(name_or_path)
    if str(name_or_path) == SHIPPED and not (directory / SETTINGS).is_file():
        raise DataError(
            "this build of equimut ships no detector; name one with --model DIR, "
            "or scan for evidence only with --no-model"
        )
    settings = read_settings(directory)
    check_directory(directory)
    return ModelFiles(str(name_or_path), directory, settings, _digest(directory))


def encoder_directory(name_or_path: str | Path) -> str:
    """Where the encoder of a name is: in a detector's directory it lies one step deeper."""
    directory = model_directory(name_or_path)
    if (directory / SETTINGS).is_file():
        return str(directory / ENCODER)
    return str(directory) if directory is _PLACE else str(name_or_path)


def read_settings(directory: Path) -> DetectorSettings:
    """What a detector is besides its weights; an error says what is wrong with which file."""
    path = directory / SETTINGS
    if not path.is_file():
        raise DataError(
            f"{directory} holds no detector: {SETTINGS} is missing; "
            "name a directory that `equimut train` or save_pretrained wrote"
        )
    settings = read_document(path, DetectorSettings)
    if not (directory / STACK).is_file():
        return settings
    return settings.model_copy(update={"stack": read_document(directory / STACK, Stack)})


def _from_hub(name: str) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(name))
    except (HFValidationError, HfHubHTTPError, LocalEntryNotFoundError, OSError) as error:
        raise EquimutError(
            f"no model {name!r}: it is no directory here and could not be fetched; "
            "name a directory that `equimut train` or save_pretrained wrote"
        ) from error


def _digest(directory: Path) -> str:
    digest = blake2b(digest_size=16)
    for path in sorted(directory.rglob("*")):
        if path.is_file():
            digest.update(f"{path.relative_to(directory).as_posix()}\0".encode())
            with path.open("rb") as file:
                while block := file.read(1 << 20):
                    digest.update(block)
    return digest.hexdigest()
