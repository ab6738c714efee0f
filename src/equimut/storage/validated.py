"""Records from JSON or plain values; what is wrong with them is one line."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from equimut.errors import DataError
from equimut.storage.files import read_text

Kind = TypeVar("Kind", bound=BaseModel)


def first_fault(error: ValidationError) -> tuple[str, str]:
    """Where the first fault is (`loss.margin`; empty for the whole) and what it is."""
    first = error.errors(include_url=False)[0]
    return ".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, ")


def explained(error: ValidationError) -> str:
    """The first fault with its place, and how many more there are."""
    place, fault = first_fault(error)
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    return (f"`{place}`: " if place else "") + fault + more


def validated(
    kind: type[Kind],
    content: str | bytes | Mapping[str, Any],
    where: str,
    advice: str = "",
    *,
    field: str = "field",
    strict: bool | None = None,
) -> Kind:
    """A record from JSON text or from a mapping, or one line that begins with `where`.

    A name that the record does not have is answered with those it has, called as `field` has it.
    """
    try:
        if isinstance(content, str | bytes):
            return kind.model_validate_json(content, strict=strict)
        return kind.model_validate(content, strict=strict)
    except ValidationError as error:
        fault = explained(error)
        first = error.errors(include_url=False)[0]
        if first["type"] == "extra_forbidden" and (known := _fields(kind, first["loc"][:-1])):
            fault = f"no {field} `{first_fault(error)[0]}`; there are {', '.join(known)}"
        raise DataError(f"{where}: {fault}{advice and f'; {advice}'}") from error


def read_document(path: Path, kind: type[Kind], advice: str = "") -> Kind:
    """The record in a JSON file; an error names the file."""
    return validated(kind, read_text(path), str(path), advice)


def _fields(kind: Any, place: Sequence[int | str]) -> list[str]:
    """The fields of a record within a record; none where there is no plain record."""
    for part in place:
        fields = getattr(kind, "model_fields", {})
        kind = fields[part].annotation if part in fields else None
    return [info.alias or name for name, info in getattr(kind, "model_fields", {}).items()]
