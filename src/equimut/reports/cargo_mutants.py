"""cargo-mutants: `mutants.out` with `outcomes.json` and `mutants.json`, or one of the two files.

Rust has no grammar here: its mutants are listed, counted and shown, never predicted.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import compress
from pathlib import Path
from typing import Any

from equimut.reports.elements.location import elements_location
from equimut.reports.json_stream import (
    Events,
    JsonFault,
    as_text,
    elements,
    json_events,
    members,
    reading_json,
    skip,
    value_of,
)
from equimut.reports.locating import Located, Row, RowsPart, at_most, numbered
from equimut.reports.reported import Report, ReportedMutant, ReportError, Status
from equimut.reports.sources import SourceTree, language_name

_STATUS: dict[str, Status] = {
    "caughtmutant": "killed",
    "missedmutant": "survived",
    "timeout": "timeout",
    "unviable": "compile_error",
    "failure": "runtime_error",
}
_FOLDER = "mutants.out"

_Entry = tuple[dict[str, Any], str]
"""A mutant's fields and the tool's word for its outcome; empty if it has none."""


def read_cargo_mutants(path: Path, source: Path | None) -> Report:
    """Read the results; `source` is the crate or workspace, else what is around `mutants.out`."""
    outcomes, listed = _files(path)
    folder = (outcomes or listed or path).parent
    around = folder.parent if folder.name.startswith(_FOLDER) else None
    root = source or around
    tree = SourceTree(root) if root is not None else None
    statuses = ((_status(word), word) for _, word in _entries(outcomes, listed))
    return Report.counted(
        "cargo-mutants",
        path,
        statuses,
        lambda most: _parts(outcomes, listed, tree, most),
        version=_version(outcomes),
        root=root,
    )


def _files(path: Path) -> tuple[Path | None, Path | None]:
    """(outcomes, list of mutants): of the directory given, or the one file given."""
    if path.is_dir():
        folder = path / _FOLDER if (path / _FOLDER).is_dir() else path
        names = folder / "outcomes.json", folder / "mutants.json"
        found = [file if file.is_file() else None for file in names]
        if not any(found):
            raise ReportError(f"{path}: no outcomes.json and no mutants.json in it")
        return found[0], found[1]
    listed = path.parent / "mutants.json"
    if path.name == "mutants.json":
        return None, path
    return path, listed if listed.is_file() else None


def _entries(outcomes: Path | None, listed: Path | None) -> Iterator[_Entry]:
    """Mutants with an outcome, then those that a stopped run has not come to."""
    done: set[str] = set()
    if outcomes is not None:
        with reading_json(outcomes), outcomes.open("rb") as stream:
            for fields, word in _outcomes(json_events(stream)):
                done.add(as_text(fields.get("name")))
                yield fields, word
    if listed is not None:
        with reading_json(listed), listed.open("rb") as stream:
            events = json_events(stream)
            if next(events)[0] != "start_array":
                raise JsonFault("not a list of mutants by cargo-mutants")
            for first in elements(events):
                fields = value_of(first, events)
                if isinstance(fields, dict) and as_text(fields.get("name")) not in done:
                    yield fields, ""


def _outcomes(events: Events) -> Iterator[_Entry]:
    if next(events)[0] != "start_map":
        raise JsonFault("no outcomes of cargo-mutants: the JSON is not an object")
    for key, first in members(events):
        if key != "outcomes" or first[0] != "start_array":
            skip(first, events)
            continue
        for start in elements(events):
            if start[0] != "start_map":
                skip(start, events)
                continue
            found = {
                name: value_of(value, events)
                if name in ("scenario", "summary")
                else skip(value, events)
                for name, value in members(events)
            }
            scenario = found.get("scenario")
            if isinstance(scenario, dict) and isinstance(scenario.get("Mutant"), dict):
                yield scenario["Mutant"], as_text(found.get("summary"))
    for _ in events:
        pass


def _version(outcomes: Path | None) -> str:
    if outcomes is None:
        return ""
    with reading_json(outcomes), outcomes.open("rb") as stream:
        events = json_events(stream)
        next(events)
        for key, first in members(events):
            if key == "cargo_mutants_version":
                return as_text(value_of(first, events))
            skip(first, events)
    return ""


def _status(word: str) -> Status:
    return _STATUS.get(word.lower(), "unknown") if word else "pending"


def _parts(
    outcomes: Path | None, listed: Path | None, tree: SourceTree | None, most: int
) -> Iterator[RowsPart[_Entry]]:
    found = numbered(_entries(outcomes, listed), lambda entry: as_text(entry[0].get("name")))
    for rows in at_most(found, most):
        statuses = tuple(_status(row.entry[1]) for row in rows)
        yield RowsPart(rows, statuses, partial(_mutants, tree))


def _mutants(
    tree: SourceTree | None, rows: Sequence[Row[_Entry]], wanted: Sequence[bool]
) -> Iterator[ReportedMutant]:
    for row in compress(rows, wanted):
        fields, word = row.entry
        file = as_text(fields.get("file"))
        location = elements_location(fields.get("span"))
        try:
            if tree is None:
                raise ReportError("not locatable: give --source, the root of the crate")
            found = tree.find(file)
            located = location.locate(fields.get("replacement"), lambda found=found: found)  # type: ignore[misc]
        except ReportError as error:
            located = Located(None, str(error))
        yield ReportedMutant(
            index=row.index,
            id=row.id,
            tool="cargo-mutants",
            file=file,
            language=language_name(file),
            status=_status(word),
            tool_status=word,
            operator=as_text(fields.get("genre")),
            line=location.line,
            end_line=location.end_line,
            description=as_text(fields.get("name")),
            change=located.change,
            problem=located.problem,
        )
