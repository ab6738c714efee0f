"""Asks CrossHair for arguments on which a function and its mutant differ. Started as a script.

Reads a job (JSON) and appends one JSON line per answer to a results file. The driver is
`equimut.oracle.python.crosshair`. What it finds is an input like any other: it is run and looked at
by `project_runner` before anybody believes it.
"""

import ast
import importlib
import importlib.util
import inspect
import json
import os
import sys
import types
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from project_processes import Report, in_child  # type: ignore[import-not-found]  # its neighbours
from project_target import find_target  # type: ignore[import-not-found]
from project_values import Encoder, Unfit  # type: ignore[import-not-found]

WALL_FACTOR = 4
MOST_CALLS = 3


def changed_module(job: dict[str, Any], source: str) -> types.ModuleType:
    """The module with a change, beside the one that is imported."""
    module = types.ModuleType(job["module"])
    known = sys.modules[job["module"]]
    for name in ("__file__", "__package__", "__path__", "__spec__"):
        if hasattr(known, name):
            setattr(module, name, getattr(known, name))
    exec(compile(source, job["path"], "exec", dont_inherit=True), module.__dict__)
    return module


def is_annotated(function: Any) -> bool:
    """Whether every parameter says what it takes: of others CrossHair knows nothing."""
    kinds = inspect.signature(function).parameters.values()
    return bool(kinds) and all(each.annotation is not each.empty for each in kinds)


def differences(origin: Any, mutant: Any, seconds: float) -> list[dict[str, str]]:
    """Arguments by name, as Python text, on which CrossHair sees the two differ."""
    from crosshair.core_and_libs import standalone_statespace  # noqa: F401  # it registers types
    from crosshair.diff_behavior import diff_behavior
    from crosshair.fnutil import FunctionInfo
    from crosshair.options import DEFAULT_OPTIONS, AnalysisOptionSet

    options = DEFAULT_OPTIONS.overlay(
        AnalysisOptionSet(per_condition_timeout=seconds, per_path_timeout=seconds / 4)
    )
    sides = (FunctionInfo.from_fn(origin), FunctionInfo.from_fn(mutant))
    found = diff_behavior(*sides, options)
    return [] if isinstance(found, str) else [each.args for each in found]


def as_call(function: Any, texts: dict[str, str], names: dict[str, Any]) -> dict[str, Any]:
    """A recipe of the call; Unfit where an argument cannot be written down."""
    bound = inspect.signature(function).bind_partial()
    try:
        values = {name: eval(text, dict(names)) for name, text in texts.items()}
    except Exception as error:  # a text need not be Python
        raise Unfit("what is no expression") from error
    bound.arguments.update(values)
    encoder = Encoder()
    return {
        "args": [encoder.encode(part) for part in bound.args],
        "named": {name: encoder.encode(part) for name, part in bound.kwargs.items()},
    }


def ask(job: dict[str, Any], report: Any, number: int, start: int, end: int, new: str) -> None:
    """Report the calls that may kill one mutant."""
    data = job["source"].encode()
    changed = (data[:start] + new.encode() + data[end:]).decode()
    target = find_target(ast.parse(job["source"]), data[:start].count(b"\n") + 1)
    if target.kind != "function":
        return
    names = sys.modules[job["module"]].__dict__
    origin = names.get(target.name)
    if not isinstance(origin, types.FunctionType) or not is_annotated(origin):
        return
    mutant = changed_module(job, changed).__dict__[target.name]
    calls = []
    for texts in differences(origin, mutant, job["seconds"])[:MOST_CALLS]:
        try:
            calls.append(as_call(origin, texts, names))
        except Unfit:
            continue
    if calls:
        report.write(unit=number, calls=calls)


def main() -> None:
    """Answer the job named on the command line."""
    with open(sys.argv[1], encoding="utf-8") as file:
        job = json.load(file)
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if entry not in (here, os.path.dirname(here))]
    report = Report(job["results"])
    if importlib.util.find_spec("crosshair") is None:
        os._exit(0)
    sys.path[:0] = job["paths"]
    importlib.import_module(job["module"])
    for unit in job["units"]:
        in_child(lambda unit=unit: ask(job, report, *unit), WALL_FACTOR * job["seconds"] + 10)
    os._exit(0)


if __name__ == "__main__":
    main()
