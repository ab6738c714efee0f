"""A model by its files: what it promises and what it is, without loading it.

A scan that finds every answer in its cache never imports torch.
"""

from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from equimut.errors import DataError
from equimut.models.settings import DetectorSettings
from equimut.models.shipped import SETTINGS, SHIPPED, model_directory, read_settings

_RUN_MODEL = "model"
"""Where a run of `equimut train` keeps its detector."""


@dataclass(frozen=True)
class ModelFiles:
    """A detector on disk."""

    name: str
    directory: Path
    settings: DetectorSettings
    digest: str
    """Of all files: another model, or other examples beside it, give other answers."""

    @property
    def languages(self) -> tuple[str, ...]:
        """Languages it was trained on; empty where it does not say."""
        return self.settings.provenance.languages


def find_model(name_or_path: str | Path) -> ModelFiles:
    """The detector of that name: the shipped one, a saved one, or that of a run."""
    directory = model_directory(name_or_path)
    if (directory / _RUN_MODEL / SETTINGS).is_file():
        directory = directory / _RUN_MODEL
    if str(name_or_path) == SHIPPED and not (directory / SETTINGS).is_file():
        raise DataError(
            "this build of equimut ships no detector; name one with --model DIR, "
            "or scan for evidence only with --no-model"
        )
    settings = read_settings(directory)
    return ModelFiles(str(name_or_path), directory, settings, _digest(directory))


def _digest(directory: Path) -> str:
    digest = blake2b(digest_size=16)
    for path in sorted(directory.rglob("*")):
        if path.is_file():
            digest.update(f"{path.relative_to(directory).as_posix()}\0".encode())
            with path.open("rb") as file:
                while block := file.read(1 << 20):
                    digest.update(block)
    return digest.hexdigest()
