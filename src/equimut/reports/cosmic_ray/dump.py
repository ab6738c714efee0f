"""cosmic-ray: what `cosmic-ray dump` prints, a work item and its result on each line."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from equimut.reports.json_stream import as_integer, as_text
from equimut.reports.reported import ReportError

MAX_LINE = 16 * 1024 * 1024


class WorkRow(NamedTuple):
    """One mutant of a session and what became of it."""

    job_id: str
    file: str
    operator: str
    occurrence: int
    line: int | None
    end_line: int | None
    definition: str
    worker: str
    test: str
    output: str
    diff: str


def dump_rows(path: Path) -> Iterator[WorkRow]:
    """All mutants of a dump, line by line."""
    with path.open("rb") as file:
        for number, line in enumerate(iter(lambda: file.readline(MAX_LINE), b""), 1):
            if not line.strip():
                continue
            try:
                item, result = json.loads(line)
                yield _row(item, result or {})
            except (ValueError, TypeError, AttributeError, LookupError, RecursionError):
                raise ReportError(
                    f"{path}, line {number}: not a line of `cosmic-ray dump`"
                ) from None


def _row(item: dict[str, Any], result: dict[str, Any]) -> WorkRow:
    spec = item["mutations"][0]
    return WorkRow(
        job_id=as_text(item["job_id"]),
        file=as_text(spec["module_path"]),
        operator=as_text(spec.get("operator_name")),
        occurrence=as_integer(spec.get("occurrence")) or 0,
        line=_first(spec.get("start_pos")),
        end_line=_first(spec.get("end_pos")),
        definition=as_text(spec.get("definition_name")),
        worker=as_text(result.get("worker_outcome")),
        test=as_text(result.get("test_outcome")),
        output=as_text(result.get("output")),
        diff=as_text(result.get("diff")),
    )


def _first(position: object) -> int | None:
    number = as_integer(position[0]) if isinstance(position, list) and position else None
    return number if number is not None and number > 0 else None
