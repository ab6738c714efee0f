"""Whole mutant files and their origins: pairs, universalmutator's directories, and our own."""

import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import compress
from pathlib import Path

from equimut.reports.locating import Located, Row, RowsPart, at_most, locate_text
from equimut.reports.reported import Report, ReportedMutant, ReportError, Status, reading
from equimut.reports.sources import SourceFile, SourceTree, language_name
from equimut.storage.files import read_text

MUTANT_NAME = re.compile(r"^(?P<stem>.+)\.mutant\.(?P<number>\d+)(?P<suffix>\.[^.]+)$")
"""universalmutator names its files so: `search.mutant.3.py` is a mutant of `search.py`."""

OWN_LIST = "mutants.jsonl"
"""What `equimut mutate --out DIR` writes beside the mutants."""

_LISTS: dict[str, tuple[Status, str]] = {
    "killed.txt": ("killed", "killed"),
    "notkilled.txt": ("survived", "not killed"),
    "not-killed.txt": ("survived", "not killed"),
    "timeout.txt": ("timeout", "timeout"),
}


@dataclass(frozen=True)
class _MutantFile:
    """A file with a whole mutant, and the name of the file it was made from."""

    name: str
    origin: str
    status: Status
    word: str
    operator: str = ""


def read_pairs(path: Path, source: Path | None) -> Report:
    """Read a mutant file (`source`: its origin) or a directory of them (`source`: a like one)."""
    if source is None:
        raise ReportError(f"{path}: a mutant file needs its origin; give it with --source")
    if path.is_dir() != source.is_dir() and path.is_dir():
        raise ReportError(f"{source} is a file, {path} a directory; give two of a kind")
    if path.is_file():
        origin = source if source.is_file() else source / path.name
        mutants = [_MutantFile(path.name, origin.name, "unknown", "")]
        return _report("pair", path, path.parent, origin.parent, mutants)
    names = sorted(file.relative_to(path).as_posix() for file in _regular_files(path))
    mutants = [
        _MutantFile(name, name, "unknown", "") for name in names if (source / name).is_file()
    ]
    if not mutants:
        raise ReportError(f"no file of {path} stands under the same name in {source}")
    return _report("pair", path, path, source, mutants)


def read_universalmutator(path: Path, source: Path | None) -> Report:
    """Read a directory of mutants; what was killed stands in `killed.txt` and `notkilled.txt`."""
    folder = path if path.is_dir() else path.parent
    known = _listed(folder)
    mutants = []
    for file in sorted(_regular_files(folder), key=_mutant_order):
        name = file.relative_to(folder).as_posix()
        if match := MUTANT_NAME.match(file.name):
            origin = match["stem"] + match["suffix"]
            mutants.append(_MutantFile(name, origin, *known.get(file.name, ("pending", ""))))
    if not mutants:
        raise ReportError(f"{folder}: no file named like 'search.mutant.3.py' in it")
    root = source.parent if source is not None and source.is_file() else source or folder
    return _report("universalmutator", path, folder, root, mutants)


def read_mutated(path: Path, source: Path | None) -> Report:
    """Read what `equimut mutate --out` wrote; the origin stands beside the directory, or below
    `source`."""
    folder = path if path.is_dir() else path.parent
    mutants = list(_own_mutants(folder / OWN_LIST))
    if not mutants:
        raise ReportError(f"{folder / OWN_LIST}: no mutant in it")
    root = source.parent if source is not None and source.is_file() else source or folder.parent
    return _report("equimut", path, folder, root, mutants)


def _own_mutants(file: Path) -> Iterator[_MutantFile]:
    with reading(file):
        text = read_text(file)
    for number, line in enumerate(text.splitlines(), 1):
        try:
            row = json.loads(line)
            name, operator = str(row["file"]), str(row["operator"])
        except (ValueError, KeyError, TypeError):
            raise ReportError(f"{file}, line {number}: no mutant of `equimut mutate`") from None
        yield _MutantFile(name, name.rsplit("/", 1)[-1], "unknown", "", operator)


def _report(tool: str, path: Path, folder: Path, root: Path, files: list[_MutantFile]) -> Report:
    statuses, origins = ((file.status, file.word) for file in files), SourceTree(root)

    def parts(most: int) -> Iterator[RowsPart[_MutantFile]]:
        locate = partial(_mutants, tool, SourceTree(folder), origins)
        every = (Row(index, file.name, file) for index, file in enumerate(files))
        for rows in at_most(every, most):
            yield RowsPart(rows, tuple(row.entry.status for row in rows), locate)

    return Report.counted(tool, path, statuses, parts, root=root)


def _mutants(
    tool: str,
    folder: SourceTree,
    origins: SourceTree,
    rows: Sequence[Row[_MutantFile]],
    wanted: Sequence[bool],
) -> Iterator[ReportedMutant]:
    for row in compress(rows, wanted):
        mutant = row.entry
        origin: SourceFile | None = None
        try:
            origin = origins.find(mutant.origin)
            located = locate_text(origin, folder.find(mutant.name).text)
        except ReportError as error:
            located = Located(None, str(error))
        change = located.change
        line = origin.line(change.start_byte) if origin and change else None
        yield ReportedMutant(
            index=row.index,
            id=row.id,
            tool=tool,
            file=mutant.origin,
            language=language_name(mutant.origin),
            status=mutant.status,
            tool_status=mutant.word,
            operator=mutant.operator,
            line=line,
            end_line=origin.line(change.end_byte) if origin and change else None,
            change=change,
            problem=located.problem,
        )


def _listed(folder: Path) -> dict[str, tuple[Status, str]]:
    """Statuses by file name: the lists may name mutants with any path before them."""
    known: dict[str, tuple[Status, str]] = {}
    for name, status in _LISTS.items():
        file = folder / name
        if file.is_file() and not file.is_symlink():
            lines = (line.strip().replace("\\", "/") for line in read_text(file).split("\n"))
            known.update({line.rsplit("/", 1)[-1]: status for line in lines if line})
    return known


def _mutant_order(file: Path) -> tuple[str, int]:
    match = MUTANT_NAME.match(file.name)
    return (match["stem"], int(match["number"])) if match else (file.name, 0)


def _regular_files(folder: Path) -> Iterator[Path]:
    for where, folders, names in os.walk(folder):
        folders.sort()
        for name in names:
            file = Path(where) / name
            if file.is_file() and not file.is_symlink():
                yield file
