"""The detector that ships with equimut, and how models are found by name."""

from pathlib import Path

from pydantic import ValidationError

from equimut.errors import DataError
from equimut.files import read_text
from equimut.models.settings import DetectorSettings

SHIPPED = "equimut"
"""The name of the detector in the package, and of the encoder in it."""

_PLACE = Path(__file__).parent / "detector"
SETTINGS, ENCODER = "detector.json", "encoder"


def model_directory(name_or_path: str | Path) -> Path:
    """The directory a model's name stands for: the shipped one, or the path itself."""
    return _PLACE if str(name_or_path) == SHIPPED else Path(name_or_path)


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
    try:
        return DetectorSettings.model_validate_json(read_text(path))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise DataError(f"{path}: `{where}`: {first['msg']}") from error
