"""Runs Python functions: one child process for an origin and all its mutants."""

import json
from pathlib import Path
from typing import Any

from equimut.oracle.inputs.literals import to_json
from equimut.oracle.python.signature import interpreter
from equimut.oracle.sandbox.process import Finished, Limits, run_in_sandbox, work_directory
from equimut.oracle.sandbox.runs import Case, Findings, collect
from equimut.oracle.signature import ValueType

RUNNER = Path(__file__).parent.parent / "harness" / "python_runner.py"
# -E -s -S: nothing of the user's environment and no site-packages; not -I, which would also
# hide the runner's neighbour. -B: nothing is written next to it.
FLAGS = ("-E", "-s", "-S", "-B")
CALL_SECONDS = 3.0


def _kind(type_: ValueType) -> list[Any]:
    return [type_.kind, [_kind(item) for item in type_.items], type_.size == 0]


def run_python(case: Case) -> Findings:
    """Run a case; OracleError when the origin itself cannot be judged."""
    types = [parameter.type for parameter in case.signature.parameters]
    settings = case.settings
    with work_directory() as directory:
        job = {
            "units": {"0": case.origin, **{str(k): text for k, text in case.mutants.items()}},
            "function": case.signature.name,
            "keywords": [p.name for p in case.signature.parameters if p.keyword],
            "kinds": [_kind(type_) for type_ in types],
            "inputs": [
                [
                    to_json(t, value) if t.kind != "char" else value
                    for t, value in zip(types, row, strict=True)
                ]
                for row in case.inputs
            ],
            "wanted": case.wanted,
            "observe": case.observe,
            "prove": settings.prove,
            "origin_steps": settings.origin_steps,
            "least_steps": settings.least_steps,
            "step_factor": settings.step_factor,
            "wall_seconds": settings.wall_seconds,
            "call_seconds": min(CALL_SECONDS, settings.wall_seconds),
            "results": str(directory / "results.jsonl"),
            "progress": str(directory / "progress"),
        }
        limits = Limits(settings.wall_seconds * (len(case.mutants) + 2) + 60, settings.memory_mb)

        def launch(order: list[int], skip: list[int]) -> Finished:
            path = directory / "job.json"
            path.write_text(json.dumps({**job, "order": order, "skip": skip}), encoding="utf-8")
            return run_in_sandbox([interpreter(), *FLAGS, RUNNER, path], directory, limits)

        return collect(case, directory, launch)
