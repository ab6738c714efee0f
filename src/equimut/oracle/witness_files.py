"""Witnesses on disk: written whole or not at all, read with one clear line for a broken one."""

from pathlib import Path

from pydantic import ValidationError

from equimut.errors import OracleError
from equimut.oracle.verdicts import WitnessFile
from equimut.storage.files import write_bytes
from equimut.storage.jsonl import explained

LARGEST = 16 << 20


def save_witness(file: WitnessFile, path: Path) -> None:
    """Write a witness that `equimut oracle --replay` can read."""
    write_bytes(path, file.model_dump_json(indent=2).encode() + b"\n")


def load_witness(path: Path) -> WitnessFile:
    """Read a witness that `save_witness` wrote."""
    if path.is_file() and path.stat().st_size > LARGEST:
        raise OracleError(f"{path}: over {LARGEST:,} bytes; this is no witness file")
    try:
        return WitnessFile.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise OracleError(
            f"{path} is no witness file: {explained(error)}; "
            "make one with `equimut oracle ORIGIN MUTANT --save FILE`"
        ) from error
