"""How a project wants to be scanned: `[tool.equimut]` of pyproject.toml, or `equimut.toml`.

Whether code is run (`--oracle`) is not among it: a repository somebody else wrote must not decide
that.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, ValidationError

from equimut.config import read_toml
from equimut.errors import EquimutError
from equimut.models.settings import SHIPPED
from equimut.records import Record, Tier
from equimut.scanning.registry.registry import NAME as REGISTRY
from equimut.storage.jsonl import first_fault, validated

FILE, SHARED_FILE = "equimut.toml", "pyproject.toml"
PATHS = ("source", "registry", "baseline")
WriteBackTier = Literal["accepted", "proved", "unrefuted", "predicted"]
FailOn = Literal["survivors", "new-survivors"]


class ScanSettings(Record):
    """Everything a project may settle once for all."""

    model_config = ConfigDict(
        alias_generator=lambda name: name.replace("_", "-"), populate_by_name=False
    )

    source: Path | None = None
    """The root of the sources."""
    input_format: str = "auto"
    model: str = SHIPPED
    """A directory with a detector; the shipped one when not given."""
    use_model: bool = True
    min_precision: Annotated[float, Field(gt=0, le=1)] = 0.95
    check_killed: Annotated[int, Field(ge=0)] = 500
    registry: Path = Path(REGISTRY)
    baseline: Path | None = None
    fail_on: FailOn | None = None
    write_back_tiers: tuple[WriteBackTier, ...] = ("accepted", "proved", "predicted")
    format: str = "text"


def find_settings(start: Path) -> tuple[ScanSettings, Path | None]:
    """The settings for a directory, and the file they are from.

    Looked for in the directory and those above it, as far as the repository goes.
    """
    for directory in (start, *start.parents):
        for path in (directory / FILE, directory / SHARED_FILE):
            if path.is_file() and (table := _table(path)) is not None:
                return read_settings(path, table), path
        if (directory / ".git").exists():
            break
    return ScanSettings(), None


def read_settings(path: Path, table: Any) -> ScanSettings:
    """Validate a table of settings; paths are relative to the file."""
    if not isinstance(table, dict):
        raise EquimutError(f"{path}: `tool.equimut` must be a table: [tool.equimut]")
    settings = validated(ScanSettings, table, str(path), field="setting")
    found = {name: getattr(settings, name) for name in PATHS}
    absolute = {name: path.parent / value for name, value in found.items() if value is not None}
    if settings.model != SHIPPED and (path.parent / settings.model).exists():
        absolute["model"] = str(path.parent / settings.model)
    return settings.model_copy(update=absolute)


def override(settings: ScanSettings, given: Mapping[str, Any]) -> ScanSettings:
    """The settings with values from the command line put in; None means not given."""
    values = {name: value for name, value in given.items() if value is not None}
    if isinstance(tiers := values.get("write_back_tiers"), str):
        values["write_back_tiers"] = parse_tiers(tiers)
    merged = {**settings.model_dump(), **values}
    try:
        return ScanSettings.model_validate(
            {name.replace("_", "-"): value for name, value in merged.items()}
        )
    except ValidationError as error:
        option, fault = first_fault(error)
        raise EquimutError(f"--{option}: {fault}") from error


def parse_tiers(text: str) -> tuple[WriteBackTier, ...]:
    """Tiers from a comma-separated list."""
    known: tuple[Tier, ...] = ("accepted", "proved", "unrefuted", "predicted")
    names: Iterable[str] = [part.strip() for part in text.split(",") if part.strip()]
    chosen = tuple(tier for tier in known if tier in names)
    if wrong := [name for name in names if name not in known]:
        raise EquimutError(f"no tier {wrong[0]!r} to write back; there are {', '.join(known)}")
    if not chosen:
        raise EquimutError(f"name at least one tier to write back: {', '.join(known)}")
    return chosen  # type: ignore[return-value]


def _table(path: Path) -> Any:
    content = read_toml(path)
    if path.name == FILE:
        return content
    tool = content.get("tool")
    return tool.get("equimut") if isinstance(tool, dict) else None
