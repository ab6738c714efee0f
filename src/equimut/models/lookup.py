"""A model by name or path: the one that ships, a saved detector, the detector of a run.

Nothing here loads weights: a scan that finds every answer in its cache never imports torch.
"""

from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from equimut.errors import DataError
from equimut.models.settings import DetectorSettings
from equimut.storage.validated import read_document

SHIPPED = "equimut"
"""The name of the detector in the package, and of the encoder in it."""

_PLACE = Path(__file__).parent / "shipped"
SETTINGS, ENCODER = "detector.json", "encoder"
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


def find_model(name_or_path: str | Path) -> ModelFiles:
    """What a detector promises and what it is, by its files."""
    directory = model_directory(name_or_path)
    if str(name_or_path) == SHIPPED and not (directory / SETTINGS).is_file():
        raise DataError(
            "this build of equimut ships no detector; name one with --model DIR, "
            "or scan for evidence only with --no-model"
        )
    settings = read_settings(directory)
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
    return read_document(path, DetectorSettings)


def _digest(directory: Path) -> str:
    digest = blake2b(digest_size=16)
    for path in sorted(directory.rglob("*")):
        if path.is_file():
            digest.update(f"{path.relative_to(directory).as_posix()}\0".encode())
            with path.open("rb") as file:
                while block := file.read(1 << 20):
                    digest.update(block)
    return digest.hexdigest()
