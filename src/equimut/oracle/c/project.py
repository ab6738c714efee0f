"""Runs functions of a C project where they stand, and writes the tests that kill mutants."""

import random
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from equimut.errors import OracleError
from equimut.oracle.c.building import Workshop
from equimut.oracle.c.debug_info import CFunction
from equimut.oracle.c.glue import Recipe, trouble_with
from equimut.oracle.c.making import Maker
from equimut.oracle.c.seeing import (
    HARD,
    UNSTATED,
    Key,
    Sight,
    behaviour,
    differing,
    steady_keys,
)
from equimut.oracle.c.shrinking import size_of_row, smaller_rows
from equimut.oracle.c.source_text import call_text
from equimut.oracle.c.suggesting import Chosen, finished, write_tests
from equimut.oracle.c.versions import AGAIN, ORIGIN, Row, Versions
from equimut.oracle.choosing import Killed, choose
from equimut.oracle.inputs.vocabulary import vocabulary_of
from equimut.oracle.project import (
    FileAnswer,
    FileMutant,
    ProjectSettings,
    SuggestedTest,
    cannot,
    unit_verdict,
)
from equimut.oracle.sandbox.process import work_directory
from equimut.oracle.sandbox.runs import MissingTool
from equimut.oracle.verdicts import OracleSettings, OracleVerdict, Witness

MOST_INPUTS = 1_000
ROUNDS = 4
MOST_CALLERS = 3
MOST_KILLS = 80
"""Calls that are kept for one mutant."""
SHRINKING_ROUNDS, CANDIDATES = 16, 80
RESULT = ("result", "{}")
TURNS = 3
"""Tests are written, where those of the turn before did not hold."""
NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass
class Call:
    """An input: which function, with what, and what the origin was seen to do."""

    function: int
    row: Sequence[Recipe]
    sight: Sight
    keys: list[Key] = field(default_factory=list)


@dataclass
class Group:
    """One function, its mutants, and the calls that come to it."""

    function: CFunction | None
    mutants: list[int] = field(default_factory=list)
    text: str = ""
    calls: list[Call] = field(default_factory=list)
    dropped: int = 0
    unstable: int = 0
    trouble: str = ""


def judge_file(
    project: ProjectSettings,
    path: Path,
    source: str,
    mutants: Sequence[FileMutant],
    settings: OracleSettings,
) -> FileAnswer:
    """Run all mutants of one file; those that an input kills get a test that was seen to work."""
    with work_directory() as directory:
        shop = Workshop(project, path, directory)
        try:
            run = FileRun(shop, source, mutants, settings)
        except MissingTool:
            raise
        except OracleError as error:
            reason = f"its file cannot be compiled: {error}"
            return FileAnswer(verdicts=tuple(cannot(reason) for _ in mutants))
        return run.answer()


def _stated(sight: Sight, keys: Sequence[Key]) -> list[Key]:
    return [key for key in keys if sight.facets[key][0] != UNSTATED]


class FileRun:
    """The versions of one file, run on the same calls."""

    def __init__(
        self,
        shop: Workshop,
        source: str,
        mutants: Sequence[FileMutant],
        settings: OracleSettings,
    ) -> None:
        self._versions = Versions(shop, source, settings)
        self._source, self._mutants, self._settings = source, mutants, settings
        self._file, self._glue = self._versions.file, self._versions.glue
        self._units: dict[int, dict[str, Any]] = {}
        self._kills: dict[int, dict[tuple[int, int], tuple[str, list[Key]]]] = {}

    # -- the answer --

    def answer(self) -> FileAnswer:
        """Run everything."""
        groups = self._groups()
        for group in groups:
            self._find_calls(group)
        for at, group in enumerate(groups):
            for number in group.mutants if group.calls else ():
                self._run_mutant(at, group, number)
        killed = [self._killed(number, kills) for number, kills in self._kills.items() if kills]
        written = self._written(groups, killed)
        verdicts = {
            number: self._verdict(group, number) for group in groups for number in group.mutants
        }
        ordered = tuple(verdicts[number] for number in range(len(self._mutants)))
        return FileAnswer(verdicts=ordered, **written)

    def _written(self, groups: Sequence[Group], killed: Sequence[Killed]) -> dict[str, Any]:
        """Tests for killed mutants; where one does not hold, other calls get their turn."""
        tests: list[SuggestedTest] = []
        dropped = 0
        for _ in range(TURNS):
            chosen = choose([each for each in killed if each.on])
            calls = [
                self._shrunk(groups[at].calls[place], place, dying)
                for (at, place), dying in sorted(chosen.items())
            ]
            kept, lost = write_tests(
                self._versions.shop, self._glue, self._source, self._mutants, calls
            )
            tests += kept
            dropped += lost
            done = {number for test in tests for number in test.kills}
            killed = [
                replace(each, on={at: on for at, on in each.on.items()
                                  if (each.group, at) not in chosen})
                for each in killed if each.number not in done
            ]  # fmt: skip
            if not lost or not killed:
                break
        return {"tests": finished(tests), "dropped": dropped}

    def _groups(self) -> list[Group]:
        groups: dict[str, Group] = {}
        data = self._source.encode()
        for number, mutant in enumerate(self._mutants):
            line = data[: mutant.start].count(b"\n") + 1
            function = self._file.function_at(line)
            name = function.name if function else ""
            group = groups.setdefault(name, Group(function, text=mutant.function))
            group.mutants.append(number)
        return list(groups.values())

    def _killed(
        self, number: int, kills: Mapping[tuple[int, int], tuple[str, list[Key]]]
    ) -> Killed:
        data, mutant = self._source.encode(), self._mutants[number]
        return Killed(
            number=number,
            group=next(iter(kills))[0],
            line=data[: mutant.start].count(b"\n") + 1,
            before=data[mutant.start : mutant.end].decode(),
            after=mutant.replacement,
            on={place: on for (_, place), on in kills.items()},
        )

    # -- calls of the origin --

    def _find_calls(self, group: Group) -> None:
        if group.function is None:
            group.trouble = "no function is around the change"
            return
        entries = self._entries(group.function)
        if not entries:
            group.trouble = trouble_with(group.function)
            return
        wanted = min(self._settings.inputs, MOST_INPUTS)
        digest = sha256(f"{self._settings.seed}\0{group.function.name}\0{group.text}".encode())
        chance = random.Random(int.from_bytes(digest.digest()[:8], "big"))
        words, around = vocabulary_of(group.text), vocabulary_of(self._source)
        maker = Maker(self._glue, chance, words, around)
        first = self._first_rows(group, entries[0], maker)
        known: set[int] = set()
        telling: list[Call] = []
        found: list[Call] = []
        for _ in range(ROUNDS):
            share = wanted // ROUNDS
            rows = first[:share]
            while len(rows) < share:
                place = chance.choice(entries)
                function = self._glue.functions[place]
                old = [call for call in telling if call.function == place]
                if old and chance.random() < 0.75:
                    rows.append((place, maker.varied(function, chance.choice(old).row)))
                else:
                    rows.append((place, maker.row(function.parameters)))
            calls = self._run_origin(group, rows)
            constants = [value for call in calls for value in call.sight.constants]
            maker.learn(constants)
            entry = self._glue.functions[entries[0]]
            first = [(entries[0], row) for row in maker.near(entry, 3 * constants)]
            for call in calls:
                if set(call.sight.new) - known:
                    known |= set(call.sight.new)
                    telling.append(call)
                found.append(call)
        found.sort(key=lambda call: (call.function != entries[0], size_of_row(call.row)))
        self._keep_steady(group, found)

    def _first_rows(self, group: Group, entry: int, maker: Maker) -> list[Row]:
        function = self._glue.functions[entry]
        rows: list[Row] = []
        for number in group.mutants:
            state = self._mutants[number].state
            if not state:
                continue
            row = maker.row(function.parameters)
            for place, (name, type_) in enumerate(function.parameters):
                text = state.get(name, "")
                if type_.kind == "int" and text.removeprefix("-").isdecimal():
                    row[place] = int(text)
            rows.append((entry, row))
        rows += [(entry, row) for row in maker.first(function)]
        return rows[: MOST_INPUTS // ROUNDS]

    def _entries(self, function: CFunction) -> list[int]:
        """The function itself, as far as it can be called, and those that come to it."""
        numbers = self._glue.numbers
        found = [function.name]
        texts = self._function_texts()
        for name in found:
            callers = [each for each, names in texts.items() if name in names and each not in found]
            callers.sort(key=lambda each: (self._is_static(each), each))
            found += callers[: MOST_CALLERS + 1 - len(found)]
        return [numbers[name] for name in found if name in numbers]

    def _is_static(self, name: str) -> bool:
        return any(each.static for each in self._file.functions if each.name == name)

    def _function_texts(self) -> dict[str, set[str]]:
        """The names that each function of the file mentions, itself left out."""
        lines = self._source.splitlines()
        starts = [each.line - 1 for each in self._file.functions]
        ends = [*starts[1:], len(lines)]
        parts = zip(self._file.functions, starts, ends, strict=True)
        return {
            each.name: set(NAME.findall("\n".join(lines[start:end]))) - {each.name}
            for each, start, end in parts
        }

    def _run_origin(self, group: Group, rows: Sequence[Row]) -> list[Call]:
        seen, stopped, _ = self._versions.run(ORIGIN, rows, None)
        calls = [Call(*rows[number], sight) for number, sight in sorted(seen.items()) if sight.fine]
        group.dropped += len(seen) - len(calls) + len(stopped)
        return calls

    def _keep_steady(self, group: Group, found: Sequence[Call]) -> None:
        """Keep calls that do the same once more, in another order and with other fresh memory."""
        rows = [(call.function, call.row) for call in found]
        again, _, _ = self._versions.run(AGAIN, rows, None, backwards=True)
        for number, call in enumerate(found):
            other = again.get(number)
            keys = steady_keys(call.sight, other) if other is not None else None
            by_chance = RESULT in call.sight.facets and RESULT not in (keys or ())
            if keys is None or by_chance:
                group.unstable += 1
                continue
            call.keys = keys
            group.calls.append(call)

    # -- mutants --

    def _run_mutant(self, at: int, group: Group, number: int) -> None:
        mutant = self._mutants[number]
        place = self._versions.probed.around(mutant.start, mutant.end)
        reaching = [
            call
            for call in group.calls
            if place is None or place in call.sight.places
        ]  # fmt: skip
        if not reaching:
            self._units[number] = {"result": "unreached"}
            return
        version = f"mutant{number}"
        try:
            self._versions.build_changed(mutant.applied_to(self._source), version)
        except OracleError as error:
            self._units[number] = {"result": "stillborn", "reason": str(error)}
            return
        rows = [(call.function, call.row) for call in group.calls]
        reached = {id(call) for call in reaching}
        expected = [call.sight if id(call) in reached else None for call in group.calls]
        seen, stopped, same = self._versions.run(version, rows, expected)
        tried = len(seen) + same
        unit: dict[str, Any] = {"result": "survived", "tried": tried, "placed": place is not None}
        kills: dict[tuple[int, int], tuple[str, list[Key]]] = {}
        for where, sight in sorted(seen.items()):
            call = group.calls[where]
            keys = differing(call.sight, call.keys, sight)
            if keys is None:
                continue
            if unit["result"] != "killed":
                unit |= {"result": "killed", "call": call, "seen": sight, "keys": keys}
            stated = _stated(call.sight, keys)
            if self._can_be_stated(call.sight, sight, stated) and len(kills) < MOST_KILLS:
                kills[at, where] = (sight.outcome, stated)
        if unit["result"] == "survived" and stopped and not same:
            unit = {"result": "stopped", "reason": f"the mutant {next(iter(stopped.values()))}"}
        self._units[number] = unit
        returning = {place: on for place, on in kills.items() if on[0] == "returns"}
        self._kills[number] = returning or kills

    def _can_be_stated(self, origin: Sight, mutant: Sight, stated: Sequence[Key]) -> bool:
        if origin.outcome != "returns":
            return False
        if mutant.outcome == "crashes":
            return mutant.detail in HARD
        return mutant.outcome != "returns" or bool(stated)

    # -- smaller calls --

    def _shrunk(self, call: Call, place: int, dying: Sequence[Killed]) -> Chosen:
        """The call made simpler, as long as all of these die of it in the same way."""
        outcomes = {each.number: each.on[place][0] for each in dying}
        ways = {each.number: each.on[place] for each in dying}
        for _ in range(SHRINKING_ROUNDS):
            named = self._glue.functions[call.function].parameters
            smaller = islice(smaller_rows(self._glue, named, call.row), CANDIDATES)
            rows = [(call.function, row) for row in smaller]
            better = self._simplest(rows, outcomes) if rows else None
            if better is None:
                break
            call, seen = better
            for number, (sight, keys) in seen.items():
                self._units[number] |= {"call": call, "seen": sight, "keys": keys}
                ways[number] = (sight.outcome, _stated(call.sight, keys))
        kept = [replace(each, on={place: ways[each.number]}) for each in dying]
        return Chosen(call.function, call.row, call.sight, call.keys, place, kept)

    def _simplest(
        self, rows: Sequence[Row], outcomes: Mapping[int, str]
    ) -> tuple[Call, dict[int, tuple[Sight, list[Key]]]] | None:
        """The smallest row on which all mutants still die, and what they do there."""
        seen, _, _ = self._versions.run(ORIGIN, rows, None)
        again, _, _ = self._versions.run(AGAIN, rows, None, backwards=True)
        calls: dict[int, Call] = {}
        for number, sight in seen.items():
            other = again.get(number)
            keys = steady_keys(sight, other) if other is not None else None
            if keys and sight.outcome == "returns":
                calls[number] = Call(*rows[number], sight, keys)
        ways: dict[int, dict[int, tuple[Sight, list[Key]]]] = defaultdict(dict)
        for mutant, outcome in outcomes.items():
            expected = [calls[n].sight if n in calls else None for n in range(len(rows))]
            found, _, _ = self._versions.run(f"mutant{mutant}", rows, expected)
            for number, call in list(calls.items()):
                other = found.get(number)
                keys = differing(call.sight, call.keys, other) if other is not None else None
                if (
                    other is None
                    or keys is None
                    or other.outcome != outcome
                    or not self._can_be_stated(call.sight, other, _stated(call.sight, keys))
                ):
                    del calls[number]
                else:
                    ways[number][mutant] = (other, keys)
        best = min(calls, key=lambda number: size_of_row(calls[number].row), default=-1)
        return (calls[best], ways[best]) if calls else None

    # -- verdicts --

    def _verdict(self, group: Group, number: int) -> OracleVerdict:
        if group.trouble:
            return cannot(f"cannot be called: {group.trouble}")
        if not group.calls:
            why = "does the same twice" if group.unstable else "is fine with"
            return cannot(f"no input that the function {why}")
        unit = self._units[number]
        if unit["result"] == "survived" and not unit["placed"]:
            return cannot("no difference, and no telling which inputs reach the change")
        stillborn = f"the mutant does not compile: {unit.get('reason', '')}"
        return unit_verdict(unit, group.dropped, lambda: self._witness(unit), stillborn)

    def _witness(self, unit: Mapping[str, Any]) -> Witness:
        call, seen, keys = unit["call"], unit["seen"], unit["keys"]
        function = self._glue.functions[call.function]
        return Witness(
            parameters=(),
            arguments=(),
            call=call_text(self._glue, function, call.row),
            origin=behaviour(call.sight, keys),
            mutant=behaviour(seen, keys),
        )
