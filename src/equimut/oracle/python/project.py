"""Runs functions of a Python project where they stand, and writes the tests that kill mutants."""

import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from equimut.oracle.choosing import Killed
from equimut.oracle.inputs.drawing import Drawer
from equimut.oracle.inputs.values import small_values
from equimut.oracle.inputs.vocabulary import vocabulary_of
from equimut.oracle.project import (
    ENDED,
    FileAnswer,
    FileMutant,
    ProjectSettings,
    cannot,
    unit_verdict,
)
from equimut.oracle.python.crosshair import telling_calls
from equimut.oracle.python.recorded import read_calls
from equimut.oracle.python.signature import NAMES
from equimut.oracle.python.source_text import call_text, value_text
from equimut.oracle.python.suggesting import write_tests
from equimut.oracle.sandbox.process import Limits, run_in_sandbox, work_directory
from equimut.oracle.sandbox.runs import read_lines
from equimut.oracle.verdicts import Behaviour, OracleSettings, OracleVerdict, Witness

RUNNER = Path(__file__).parent.parent / "harness" / "project" / "project_runner.py"
MOST_INPUTS = 2_000
POOL = 150
MOST_ENTRIES = 150
ENVIRONMENTS = (".venv", "venv", "env")
SECONDS_PER_MUTANT = 80


@dataclass
class Found:
    """What the harness reports about one file."""

    module: str = ""
    """Why the module cannot be imported."""
    groups: dict[int, dict[str, Any]] = field(default_factory=dict)
    calls: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    units: dict[int, dict[str, Any]] = field(default_factory=dict)
    kills: dict[int, list[Any]] = field(default_factory=dict)

    def take(self, line: dict[str, Any]) -> None:
        """Read one line of the report."""
        match line["result"]:
            case "module":
                self.module = line["reason"]
            case "origin" | "cannot":
                self.groups[line["group"]] = line
            case "calls":
                self.calls[line["group"]] = line["calls"]
            case "kills":
                self.kills[line["unit"]] = line["on"]
            case "done":
                pass
            case _:
                self.units[line["unit"]] = line

    def has_killed(self, number: int) -> bool:
        """Whether an input kills a mutant."""
        return self.units.get(number, {}).get("result") == "killed"

    def take_over(self, other: "Found", number: int, group: int) -> None:
        """What another run found of one mutant, the only one of its group."""
        self.units[number] = other.units[number]
        self.groups[group] = other.groups[group]
        if number in other.kills:
            self.kills[number], self.calls[group] = other.kills[number], other.calls[group]


def interpreter_of(settings: ProjectSettings) -> Path:
    """The Python that runs the project."""
    if settings.python is not None:
        return settings.python
    found = (settings.root / name / "bin" / "python" for name in ENVIRONMENTS)
    return next((path for path in found if path.exists()), Path(sys.executable))


def module_of(path: Path) -> tuple[str, Path]:
    """The dotted name of a module and the directory that it is imported from."""
    parts = [] if path.stem == "__init__" else [path.stem]
    folder = path.parent
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts), folder


def judge_file(
    project: ProjectSettings,
    path: Path,
    source: str,
    mutants: Sequence[FileMutant],
    settings: OracleSettings,
) -> FileAnswer:
    """Run all mutants of one file; those that an input kills get a test that was seen to work."""
    module, folder = module_of(path)
    groups: dict[str, list[int]] = defaultdict(list)
    for number, mutant in enumerate(mutants):
        groups[mutant.function].append(number)
    numbers = {number: at for at, each in enumerate(groups.values()) for number in each}
    python = interpreter_of(project)
    if not all(part.isidentifier() for part in module.split(".")):
        reason = f"{path.name} is not the name of a module"
        return FileAnswer(verdicts=tuple(cannot(reason) for _ in mutants))
    found = _run(project, path, source, mutants, list(groups.items()), settings)
    _ask_crosshair(found, project, path, source, mutants, numbers, settings)
    verdicts = [_verdict(found, numbers[number], number, module) for number in range(len(mutants))]
    killed = [
        Killed(
            number=number,
            group=numbers[number],
            line=source.encode()[: mutants[number].start].count(b"\n") + 1,
            before=source.encode()[mutants[number].start : mutants[number].end].decode(),
            after=mutants[number].replacement,
            on={place: (outcome, facets) for place, outcome, facets in found.kills[number]},
        )
        for number, verdict in enumerate(verdicts)
        if verdict.tier == "killed" and found.kills.get(number)
    ]
    if not killed:
        return FileAnswer(verdicts=tuple(verdicts))
    written = write_tests(python, path, source, module, folder, mutants, killed, found)
    return FileAnswer(verdicts=tuple(verdicts), **written)


def _ask_crosshair(
    found: Found,
    project: ProjectSettings,
    path: Path,
    source: str,
    mutants: Sequence[FileMutant],
    numbers: dict[int, int],
    settings: OracleSettings,
) -> None:
    """Run what no input has killed on what CrossHair proposes; kills are added to what is found."""
    alive = [] if found.module else [n for n in numbers if not found.has_killed(n)]
    module, folder = module_of(path)
    paths = [str(folder), str(project.root)]
    calls = telling_calls(
        interpreter_of(project), path, source, module, paths, mutants, sorted(alive)
    )
    if not calls:
        return
    first = max(numbers.values()) + 1
    groups = [(mutants[number].function, [number]) for number in calls]
    told = [calls[number] for number in calls]
    again = _run(project, path, source, mutants, groups, settings, told, first)
    for place, number in enumerate(calls):
        if again.has_killed(number):
            found.take_over(again, number, first + place)
            numbers[number] = first + place


def _run(
    project: ProjectSettings,
    path: Path,
    source: str,
    mutants: Sequence[FileMutant],
    groups: list[tuple[str, list[int]]],
    settings: OracleSettings,
    told: Sequence[Sequence[Any]] = (),
    first: int = 0,
) -> Found:
    """Run groups of mutants, numbered from `first`; `told` are calls to try first, by group."""
    module, folder = module_of(path)
    calls = _calls(project)
    with work_directory() as directory:
        job = {
            "path": str(path),
            "module": module,
            "paths": list(dict.fromkeys([str(folder), str(project.root)])),
            "root": f"{project.root}/",
            "source": source,
            "inputs": min(settings.inputs, MOST_INPUTS),
            "seed": settings.seed,
            "calls": calls.get(path, {}),
            "entries": _entries(calls, path),
            "results": str(directory / "results.jsonl"),
            "groups": [
                {
                    "group": first + at,
                    "calls": told[at] if told else [],
                    "mutants": [
                        [n, mutants[n].start, mutants[n].end, mutants[n].replacement]
                        for n in numbers
                    ],
                    "pools": pools_of(function, settings.seed),
                    "states": [mutants[n].state for n in numbers if mutants[n].state],
                }
                for at, (function, numbers) in enumerate(groups)
            ],
        }
        file = directory / "job.json"
        file.write_text(json.dumps(job), encoding="utf-8")
        limits = Limits(120 + SECONDS_PER_MUTANT * len(mutants), 4 * settings.memory_mb)
        command = [interpreter_of(project), "-s", "-B", RUNNER, file]
        ended = run_in_sandbox(command, directory, limits)
        lines = read_lines(directory / "results.jsonl")
        found = Found()
        for line in lines:
            found.take(line)
        if not lines:
            last = (ended.errors.strip().splitlines() or [f"exit code {ended.code}"])[-1]
            found.module = f"its module cannot be run: {last[:200]}"
        return found


def _calls(project: ProjectSettings) -> dict[Path, dict[str, list[Any]]]:
    """The recorded calls of the functions of each file."""
    if project.calls is None or not project.calls.is_file():
        return {}
    known = read_calls(project.calls)
    roots = (project.calls.parent, project.root)
    found = {}
    for name, functions in known.items():
        places = [root / name for root in roots if (root / name).is_file()]
        if places:
            found[places[0].resolve()] = functions
    return found


def _entries(calls: dict[Path, dict[str, list[Any]]], path: Path) -> list[dict[str, Any]]:
    """Functions that may come to one that is hard to call: those of the same file first."""
    rows = []
    for file in sorted(calls, key=lambda file: (file != path, file)):
        for function, kept in sorted(calls[file].items(), key=lambda item: _is_private(item[0])):
            if "<locals>" not in function and kept and "kind" in kept[0]:
                rows.append({
                    "module": module_of(file)[0], "function": function, "kind": kept[0]["kind"],
                    "calls": kept,
                })  # fmt: skip
    return rows[:MOST_ENTRIES]


def _is_private(function: str) -> bool:
    return any(part.startswith("_") for part in function.split("."))


def pools_of(function: str, seed: int) -> dict[str, list[Any]]:
    """Plain values to make arguments from, the literals of the function among them."""
    words = vocabulary_of(function)
    digest = sha256(f"{seed}\0{function}".encode()).digest()
    drawer = Drawer(random.Random(int.from_bytes(digest[:8], "big")), words)
    pools: dict[str, list[Any]] = {"bool": [False, True]}
    for name in ("int", "float", "str"):
        type_ = NAMES[name]
        values = small_values(type_, words, POOL // 3)
        for _ in range(POOL):
            drawer.turn()
            values.append(drawer.value(type_))
        pools[name] = [value for value in values if _finite(value)]
    pools["literal"] = [*words.integers, *words.floats, *words.strings]
    return pools


def _finite(value: Any) -> bool:
    return not isinstance(value, float) or value - value == 0


def _verdict(found: Found, group: int, number: int, module: str) -> OracleVerdict:
    if found.module:
        return cannot(found.module)
    about = found.groups.get(group)
    if about is None:
        return cannot(ENDED)
    if about["result"] == "cannot":
        return cannot(f"cannot be called: {about['reason']}")
    if not about["inputs"]:
        why = "does the same twice" if about["unstable"] else "is fine with"
        return cannot(f"no input that the function {why}")
    unit = found.units.get(number, {})
    stillborn = f"cannot be called: {unit.get('reason', '')}"
    return unit_verdict(unit, about["dropped"], lambda: _witness(about, unit, module), stillborn)


def _witness(about: dict[str, Any], unit: dict[str, Any], module: str) -> Witness:
    call = unit["call"]
    where, function, kind = call.get("entry", (module, about["function"], about["kind"]))
    text = call_text(where, function, kind, call)
    sides = (_behaviour(unit["origin"], unit["mutant"]), _behaviour(unit["mutant"], unit["origin"]))
    return Witness(parameters=(), arguments=(), call=text, origin=sides[0], mutant=sides[1])


def _behaviour(seen: dict[str, Any], other: dict[str, Any]) -> Behaviour:
    """What one side does, as far as the other does not."""
    known = {(subject, template): text for subject, template, text, _ in other["facets"]}
    facets = seen["facets"]
    telling = [facet for facet in facets if known.get((facet[0], facet[1])) != facet[2]]
    shown = (telling or facets)[:1]
    if seen["outcome"] == "throws":
        name = facets[0][2].strip('"').rpartition(":")[2]
        message = next((facet[3] for facet in facets if facet[0] == "message"), "")
        return Behaviour(outcome="throws", detail=f"{name}: {message}" if message else name)
    if seen["outcome"] == "returns":
        return Behaviour(outcome="returns", value="".join(_facet_text(facet) for facet in shown))
    if seen["outcome"] == "unbuilt":
        return Behaviour(outcome="throws", detail="while its arguments are made")
    return Behaviour(outcome="endless")


def _facet_text(facet: Iterable[Any]) -> str:
    subject, template, text, recipe = facet
    value = value_text(recipe) if recipe is not None else text
    if subject == "result" and template == "{}":
        return value
    name = {"result": "it", "output": "printed", "errors": "on standard error"}.get(
        subject, subject
    )
    return f"{template.replace('{}', name)} = {value}"
