"""Runs functions of a Java project where they stand, and writes the tests that kill mutants."""

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from equimut.oracle.choosing import Killed
from equimut.oracle.inputs.drawing import Drawer
from equimut.oracle.inputs.values import small_values
from equimut.oracle.inputs.vocabulary import vocabulary_of
from equimut.oracle.java.launching import JavaRun, launch, properties_text
from equimut.oracle.java.signature import SCALARS, TYPES, erased_parameters
from equimut.oracle.java.source_text import Names, Script, call_text
from equimut.oracle.java.suggesting import write_tests
from equimut.oracle.java.writing import EQUALS
from equimut.oracle.project import (
    ENDED,
    FileAnswer,
    FileMutant,
    ProjectSettings,
    cannot,
    unit_verdict,
)
from equimut.oracle.sandbox.process import work_directory
from equimut.oracle.sandbox.runs import read_lines
from equimut.oracle.sandbox.ticking import JAVA, Probed, add_probes, add_ticks
from equimut.oracle.verdicts import Behaviour, OracleSettings, OracleVerdict, Witness
from equimut.parsing.tree import SyntaxTree, parse, walk

if TYPE_CHECKING:
    from tree_sitter import Node

MOST_INPUTS = 1_000
POOL, FROM_FILE = 40, 40
SECONDS_PER_GROUP, SECONDS_PER_MUTANT = 60, 60
MOST_STARTS = 6
FUNCTIONS = ("method_declaration", "constructor_declaration", "compact_constructor_declaration")
PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.M)


@dataclass
class Function:
    """One function of the file, its mutants, and where its places are."""

    owner: str
    name: str
    types: list[str]
    parameters: list[str]
    probes: list[int]
    text: str
    mutants: list[int] = field(default_factory=list)


@dataclass
class Found:
    """What the harness reports about one file."""

    file: str = ""
    """Why the file cannot be run."""
    groups: dict[int, dict[str, Any]] = field(default_factory=dict)
    units: dict[int, dict[str, Any]] = field(default_factory=dict)
    calls: list[dict[str, Any]] = field(default_factory=list)
    kills: dict[int, dict[int, tuple[str, Any]]] = field(default_factory=dict)
    started: list[int] = field(default_factory=list)
    """Mutants that were begun, the last one at the end."""
    done: bool = False

    def take(self, line: dict[str, Any]) -> None:
        """Read one line of the report."""
        match line["result"]:
            case "file":
                self.file = f"its file cannot be compiled: {line['reason'][:200]}"
            case "origin":
                self.groups[line["group"]] = line
            case "start":
                self.started.append(line["unit"])
            case "calls":
                self._first = len(self.calls)
                self.calls += line["calls"]
            case "kills":
                on = {self._first + place: (out, facets) for place, out, facets in line["on"]}
                self.kills[line["unit"]] = on
            case "done":
                self.done = True
            case _:
                self.units[line["unit"]] = line

    def add_own_calls(self) -> None:
        """Where the process ended before calls were shared, a mutant dies on its own call."""
        for number, unit in self.units.items():
            if unit["result"] != "killed" or not unit["test"] or number in self.kills:
                continue
            origin, mutant = unit["origin"], unit["mutant"]
            other = {(row[0], row[1]): row[2] for row in mutant["facets"]}
            stated = [
                row[:2]
                for row in origin["facets"]
                if row[3] is not None and other.get((row[0], row[1])) != row[2]
            ]
            self.kills[number] = {len(self.calls): (mutant["outcome"], stated)}
            self.calls.append({"call": unit["call"], "origin": origin})


def judge_file(
    project: ProjectSettings,
    path: Path,
    source: str,
    mutants: Sequence[FileMutant],
    settings: OracleSettings,
) -> FileAnswer:
    """Run all mutants of one file; those that an input kills get a test that was seen to work."""
    package = PACKAGE.search(source)
    run = JavaRun(path, package[1] if package else "", project)
    probed = add_probes(source, "java", JAVA)
    if not probed.places:
        return FileAnswer(verdicts=tuple(cannot("its file does not parse") for _ in mutants))
    functions = _functions(source, probed, mutants)
    numbers = {number: at for at, each in enumerate(functions) for number in each.mutants}
    found = _run(run, source, probed, functions, mutants, settings)
    verdicts = [_verdict(found, numbers[number], number) for number in range(len(mutants))]
    data = source.encode()
    killed = [
        Killed(
            number=number,
            group=0,  # a call may kill mutants of several functions
            line=data[: mutants[number].start].count(b"\n") + 1,
            before=data[mutants[number].start : mutants[number].end].decode(),
            after=mutants[number].replacement,
            on=found.kills[number],
        )
        for number, verdict in enumerate(verdicts)
        if verdict.tier == "killed" and found.kills.get(number)
    ]
    if not killed:
        return FileAnswer(verdicts=tuple(verdicts))
    written = write_tests(run, source, mutants, killed, found.calls)
    return FileAnswer(verdicts=tuple(verdicts), **written)


def _functions(source: str, probed: Probed, mutants: Sequence[FileMutant]) -> list[Function]:
    tree = parse(source, "java")
    nodes = [node for node in walk(tree.root) if node.type in FUNCTIONS]
    found: dict[int, Function] = {}
    for number, mutant in enumerate(mutants):
        around = [n for n in nodes if n.start_byte <= mutant.start and mutant.end <= n.end_byte]
        node = min(around, key=lambda n: n.end_byte - n.start_byte, default=None)
        key = -1 if node is None else node.start_byte
        if key not in found:
            found[key] = _function(tree, node, probed)
        found[key].mutants.append(number)
    return list(found.values())


def _function(tree: SyntaxTree, node: "Node | None", probed: Probed) -> Function:
    if node is None:  # a field or a static block: every call may show it
        text = tree.source.decode()
        return Function("", "", [], [], list(range(len(probed.places))), text)
    name = node.child_by_field_name("name")
    title = tree.text(name) if name is not None and node.type == FUNCTIONS[0] else "<init>"
    parameters = erased_parameters(tree, node)
    probes = probed.inside(node.start_byte, node.end_byte)
    types = [type_ for _, type_ in parameters]
    names = [each for each, _ in parameters]
    return Function(_owner(tree, node), title, types, names, probes, tree.text(node))


def _owner(tree: SyntaxTree, node: "Node") -> str:
    """The classes around a function; empty where one of them has no name."""
    names: list[str] = []
    above = node.parent
    while above is not None:
        if above.type == "object_creation_expression":
            return ""
        name = above.child_by_field_name("name") if above.type in TYPES else None
        if name is not None:
            names.insert(0, tree.text(name))
        above = above.parent
    return ".".join(names)


def _run(
    run: JavaRun,
    source: str,
    probed: Probed,
    functions: Sequence[Function],
    mutants: Sequence[FileMutant],
    settings: OracleSettings,
) -> Found:
    found = Found()
    with work_directory() as directory:
        (directory / "origin.java").write_text(probed.text, encoding="utf-8")
        job: dict[str, object] = {
            **run.properties,
            "inputs": min(settings.inputs, MOST_INPUTS),
            "seed": settings.seed,
            "groups": len(functions),
            "places": _places(source, probed, functions, mutants),
        }
        for at, function in enumerate(functions):
            job |= _group(at, function, mutants)
            lines = pool_lines(function.text, source, settings.seed)
            (directory / f"pool{at}.txt").write_text("".join(f"{line}\n" for line in lines))
        for number, mutant in enumerate(mutants):
            text = add_ticks(mutant.applied_to(source), "java", JAVA)
            (directory / f"mutant{number}.java").write_text(text, encoding="utf-8")
        seconds = 120 + SECONDS_PER_GROUP * len(functions) + SECONDS_PER_MUTANT * len(mutants)
        for _ in range(MOST_STARTS):
            done = " ".join(map(str, found.units))
            (directory / "job.properties").write_text(properties_text({**job, "done": done}))
            results = directory / "results.jsonl"
            results.unlink(missing_ok=True)
            found.started.clear()
            ended = launch("Project", directory, seconds, settings.memory_mb)
            for line in read_lines(results):
                found.take(line)
            if found.done or not found.started:
                break
            why = {"result": "stopped", "reason": "running the mutant ended the process"}
            found.units.setdefault(found.started[-1], why)
        found.add_own_calls()
        if not found.groups and not found.file:
            last = (ended.errors.strip().splitlines() or [f"exit code {ended.code}"])[0]
            found.file = f"its file cannot be run: {last[:200]}"
    return found


def _group(at: int, function: Function, mutants: Sequence[FileMutant]) -> dict[str, object]:
    states = (_state(function, mutants[number].state) for number in function.mutants)
    return {
        f"group.{at}.class": function.owner,
        f"group.{at}.method": function.name,
        f"group.{at}.types": " ".join(function.types),
        f"group.{at}.first": min(function.probes, default=0),
        f"group.{at}.last": max(function.probes, default=-1),
        f"group.{at}.units": " ".join(map(str, function.mutants)),
        f"group.{at}.states": " ".join(dict.fromkeys(state for state in states if state)),
    }


def _state(function: Function, state: Mapping[str, str]) -> str:
    """Whole numbers of the prover's, in the order of the parameters."""
    values = [state.get(name, "") for name in function.parameters]
    kept = [
        value if value.removeprefix("-").isdecimal() and -(2**63) <= int(value) < 2**63 else ""
        for value in values
    ]
    return "/".join(kept) if any(kept) else ""


def _places(
    source: str, probed: Probed, functions: Sequence[Function], mutants: Sequence[FileMutant]
) -> str:
    """Which place each mutant changes; those outside of functions are left out."""
    found = []
    for function in functions:
        for number in function.mutants if function.name else ():
            place = probed.around(mutants[number].start, mutants[number].end)
            if place is not None and place in function.probes:
                found.append(f"{number}:{place}")
    return " ".join(found)


def pool_lines(function: str, source: str, seed: int) -> list[str]:
    """Plain values to make arguments from: literals of the function and the file among them."""
    words, around = vocabulary_of(function), vocabulary_of(source)
    digest = sha256(f"{seed}\0{function}".encode()).digest()
    chance = random.Random(int.from_bytes(digest[:8], "big"))
    drawer = Drawer(chance, words)

    def drawn(type_: str) -> list[Any]:
        values = small_values(SCALARS[type_], words, POOL)
        for _ in range(POOL):
            drawer.turn()
            values.append(drawer.value(SCALARS[type_]))
        return values

    def some(values: Sequence[Any]) -> list[Any]:
        return chance.sample(list(values), min(len(values), FROM_FILE))

    integers = [*drawn("int"), *drawn("long")[:POOL], *some(around.integers)]
    texts = [*drawn("String"), *words.strings, *words.strings, *some(around.strings)]
    letters = [*(ord(each) for each in words.characters), *drawn("char")[:POOL]]
    lines = [f"i {value}" for value in integers if -(2**63) <= value < 2**63]
    lines += [f"d {value!r}" for value in drawn("double") if value - value == 0]
    lines += [f"s {text.encode('utf-16-be').hex()}" for text in texts if text is not None]
    return [*lines, *(f"c {code}" for code in letters if code is not None and code < 2**16)]


def _verdict(found: Found, group: int, number: int) -> OracleVerdict:
    if found.file:
        return cannot(found.file)
    about = found.groups.get(group)
    if about is None:
        return cannot(ENDED)
    if not about["inputs"]:
        return cannot(_why_none(about))
    unit = found.units.get(number, {})
    stillborn = f"the mutant does not compile: {unit.get('reason', '')[:200]}"
    return unit_verdict(unit, about["dropped"], lambda: _witness(unit), stillborn)


def _why_none(about: Mapping[str, Any]) -> str:
    if about["unstable"]:
        return "no input that the function does the same twice"
    if about["trouble"]:
        return f"cannot be called: no way to make a {about['trouble']}"
    if about["dropped"]:
        return "no input that the function is fine with"
    return "no call comes to it"


def _witness(unit: Mapping[str, Any]) -> Witness:
    sides = (_behaviour(unit["origin"], unit["mutant"]), _behaviour(unit["mutant"], unit["origin"]))
    text = call_text(unit["call"])
    return Witness(parameters=(), arguments=(), call=text, origin=sides[0], mutant=sides[1])


def _behaviour(seen: Mapping[str, Any], other: Mapping[str, Any]) -> Behaviour:
    """What one side does, as far as the other does not."""
    facets = seen["facets"]
    if seen["outcome"] == "throws":
        name = facets[0][2].rpartition(".")[2]
        message = next((facet[2] for facet in facets if facet[0] == "message"), "")
        return Behaviour(outcome="throws", detail=f"{name}: {message}" if message else name)
    if seen["outcome"] == "returns":
        known = {(subject, template): text for subject, template, text, *_ in other["facets"]}
        telling = [facet for facet in facets if known.get((facet[0], facet[1])) != facet[2]]
        shown = (telling or facets)[:1]
        return Behaviour(outcome="returns", value="".join(map(_facet_text, shown)))
    if seen["outcome"] == "unbuilt":
        return Behaviour(outcome="throws", detail="while its arguments are made")
    return Behaviour(outcome="endless")


def _facet_text(facet: Iterable[Any]) -> str:
    subject, template, text, recipe, _ = facet
    if subject == "same":
        return "the object itself"
    value = text if recipe is None else Script(Names("")).value(recipe)
    if subject == "result" and template == "{}":
        return value
    about = subject.removeprefix(EQUALS)
    name = {"result": "it", "receiver": "the object", "output": "printed"}.get(about, about)
    return f"{template.replace('{}', name)} = {value}"
