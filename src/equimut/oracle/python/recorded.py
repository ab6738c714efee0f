"""Calls recorded while a project's own tests ran: the command, and the file they are in."""

import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from equimut.errors import OracleError
from equimut.storage.files import read_text, write_bytes

FORMAT = "equimut-calls-1"
HARNESS = Path(__file__).parent.parent / "harness"
MOST_BYTES = 64 << 20
Call = dict[str, Any]


@dataclass(frozen=True)
class Recording:
    """What running a command left."""

    code: int
    """The exit code of the command."""
    functions: int
    calls: int
    unfit: int
    """Functions of which no call could be kept."""


def record(command: Sequence[str], root: Path, out: Path) -> Recording:
    """Run a command as the user would, and keep the arguments that functions are called with."""
    with TemporaryDirectory(prefix="equimut-record-") as folder:
        before = os.environ.get("PYTHONPATH")
        path = os.pathsep.join([str(HARNESS / "record"), *([before] if before else [])])
        variables = {
            "PYTHONPATH": path,
            "EQUIMUT_RECORD_ROOT": str(root.resolve()),
            "EQUIMUT_RECORD_FOLDER": folder,
        }
        try:
            done = subprocess.run(list(command), env={**os.environ, **variables}, check=False)
        except OSError as error:
            raise OracleError(f"cannot run {command[0]}: {error.strerror}") from error
        parts = [json.loads(read_text(part)) for part in sorted(Path(folder).glob("*.json"))]
    calls: dict[tuple[str, str], dict[str, Call]] = {}
    unfit: set[tuple[str, str]] = set()
    for part in parts:
        for row in part["calls"]:
            key = row.pop("file"), row.pop("function")
            calls.setdefault(key, {}).setdefault(json.dumps(row, sort_keys=True), row)
        unfit |= {(file, function) for file, function, _ in part["unfit"]}
    files: dict[str, dict[str, list[Call]]] = {}
    for (file, function), kept in sorted(calls.items()):
        files.setdefault(file, {})[function] = list(kept.values())
    text = json.dumps({"format": FORMAT, "files": files}, ensure_ascii=False)
    write_bytes(out, text.encode())
    number = sum(map(len, calls.values()))
    return Recording(done.returncode, len(calls), number, len(unfit - set(calls)))


def read_calls(path: Path) -> dict[str, dict[str, list[Call]]]:
    """File -> function -> calls; nothing in it is run here."""
    if path.stat().st_size > MOST_BYTES:
        raise OracleError(f"{path}: over the limit of {MOST_BYTES:,} bytes")
    try:
        content = json.loads(read_text(path))
        if content["format"] != FORMAT:
            raise ValueError(f"format {content['format']!r}")
        files: dict[str, dict[str, list[Call]]] = content["files"]
        for functions in files.values():
            for calls in functions.values():
                for call in calls:
                    _check(call)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise OracleError(f"{path}: not a file of recorded calls: {error}") from error
    return files


def _check(call: Call) -> None:
    if not (isinstance(call["args"], list) and isinstance(call["named"], dict)):
        raise ValueError("a call without arguments")
