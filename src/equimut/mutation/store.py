"""Mutants as a directory with one source file each, and an index in JSON lines.

The directory is built next to its place and moved there when it is complete, so nobody ever sees
half of it.
"""

import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from equimut.errors import EquimutError
from equimut.records import Mutant
from equimut.storage.jsonl import to_line

INDEX = "mutants.jsonl"


def check_target(directory: Path, *, force: bool) -> None:
    """Refuse a place that holds something already, unless it may be replaced.

    Only what this command wrote may be replaced: a typing error must not cost a project.
    """
    if directory.exists() and not directory.is_dir():
        raise EquimutError(
            f"{directory} is a file; --out names a directory, or a file together with --jsonl"
        )
    if directory.is_dir() and any(directory.iterdir()):
        if not force:
            raise EquimutError(
                f"{directory} is not empty; name a new directory, or add --force to replace the "
                "mutants that are there"
            )
        if not (directory / INDEX).is_file():
            raise EquimutError(
                f"{directory} holds no {INDEX}, so it is not a directory of mutants and --force "
                "does not replace it; name a new directory"
            )


def write_directory(
    directory: Path, name: str, source: str, mutants: Iterable[Mutant], *, force: bool = False
) -> None:
    """One file per mutant, `<id>/<name>`, and an index; an older directory is replaced whole."""
    check_target(directory, force=force)
    directory.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=directory.parent, prefix=f".{directory.name}."))
    try:
        _fill(draft, name, source.encode(), mutants)
        draft.chmod(0o755)
        _move(draft, directory)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise


def _fill(draft: Path, name: str, source: bytes, mutants: Iterable[Mutant]) -> None:
    with (draft / INDEX).open("wb") as index:
        for mutant in mutants:
            # A directory per mutant: Java wants the file to keep its name.
            target = draft / mutant.id / name
            target.parent.mkdir()
            start, end = mutant.start_byte, mutant.end_byte
            target.write_bytes(source[:start] + mutant.replacement.encode() + source[end:])
            index.write(to_line(mutant.model_dump() | {"file": f"{mutant.id}/{name}"}))


def _move(draft: Path, directory: Path) -> None:
    if not directory.exists():
        os.replace(draft, directory)
        return
    # Two renames: between them the old mutants stand aside whole, and come back on failure.
    aside = Path(tempfile.mkdtemp(dir=directory.parent, prefix=f".{directory.name}."))
    os.replace(directory, aside)
    try:
        os.replace(draft, directory)
    except OSError:
        os.replace(aside, directory)
        raise
    shutil.rmtree(aside)
