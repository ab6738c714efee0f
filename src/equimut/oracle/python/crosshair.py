"""CrossHair as a second source of inputs, where the project's interpreter has it."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from equimut.oracle.project import FileMutant
from equimut.oracle.sandbox.process import Limits, run_in_sandbox, work_directory
from equimut.oracle.sandbox.runs import read_lines

ASKER = Path(__file__).parent.parent / "harness" / "project" / "project_crosshair.py"
SECONDS = 5.0
"""Of search for one mutant."""


def telling_calls(
    python: Path,
    path: Path,
    source: str,
    module: str,
    paths: Sequence[str],
    mutants: Sequence[FileMutant],
    numbers: Sequence[int],
) -> dict[int, list[Any]]:
    """Mutant -> calls on which CrossHair says that it differs; empty where it is not installed."""
    if not numbers:
        return {}
    with work_directory() as directory:
        units = [
            [number, mutants[number].start, mutants[number].end, mutants[number].replacement]
            for number in numbers
        ]
        results = directory / "results.jsonl"
        job = {
            "path": str(path), "module": module, "paths": list(paths), "source": source,
            "units": units, "seconds": SECONDS, "results": str(results),
        }  # fmt: skip
        file = directory / "job.json"
        file.write_text(json.dumps(job), encoding="utf-8")
        limits = Limits(60 + 6 * SECONDS * len(units))
        run_in_sandbox([python, "-s", "-B", ASKER, file], directory, limits)
        return {line["unit"]: line["calls"] for line in read_lines(results)}
