"""A case to run and what comes back: shared by the languages, with the restart after a crash."""

import json
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from equimut.errors import OracleError
from equimut.oracle.inputs.sampling import Arguments
from equimut.oracle.sandbox.process import Finished
from equimut.oracle.signature import Signature
from equimut.oracle.verdicts import OracleSettings

MOST_ORIGIN_RESTARTS = 10
"""Inputs on which the origin may pass the time limit before we give up on it."""


class MissingTool(OracleError):
    """A compiler or runtime that is not installed."""


@dataclass(frozen=True)
class Case:
    """One origin, its mutants (by number, from 1) and the inputs to try."""

    signature: Signature
    origin: str
    mutants: Mapping[int, str]
    inputs: Sequence[Arguments]
    wanted: int
    """Stop adding inputs when the origin behaves on this many."""
    settings: OracleSettings
    observe: bool = False
    """Report both behaviours on the first input, whether they differ or not."""


@dataclass(frozen=True)
class Finding:
    """What happened to one mutant."""

    result: Literal["killed", "survived", "stillborn", "stopped"]
    tried: int = 0
    input: int = -1
    origin: Mapping[str, Any] = field(default_factory=dict)
    mutant: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    short: int = 0
    """Inputs on which the mutant ran out of memory: not evidence of anything."""
    identical: bool = False
    """The compiled code is the same."""


@dataclass
class Findings:
    """What happened to all of them."""

    valid: list[int] = field(default_factory=list)
    endless: int = 0
    memory: int = 0
    crashed: int = 0
    """Inputs on which the origin's behaviour is undefined (C) or overflows the stack."""
    opaque: int = 0
    """Inputs for which it returns what has no text to compare: a function, a bare object."""
    ended: int = 0
    """Inputs on which it ends the process, closes its channels, or passes the time limit."""
    stable: bool = True
    units: dict[int, Finding] = field(default_factory=dict)

    @property
    def dropped(self) -> int:
        """Inputs outside the domain of the origin."""
        return self.endless + self.memory + self.crashed + self.opaque + self.ended

    def take(self, line: Mapping[str, Any]) -> None:
        """Read one line of a harness's report."""
        if line["result"] == "origin":
            self.valid, self.stable = list(line["valid"]), line["stable"]
            self.endless, self.memory = line["endless"], line["memory"]
            self.crashed = line["stack_overflow"] + line.get("crashed", 0)
            self.opaque, self.ended = line.get("opaque", 0), line.get("ended", 0)
            return
        if line["unit"] == 0:
            raise OracleError(f"the origin {line['reason']}")
        values = {key: value for key, value in line.items() if key != "unit"}
        self.units[line["unit"]] = Finding(**values)


Launch = Callable[[list[int], list[int]], Finished]
"""Starts the harness on some mutants (by number), leaving out some inputs (by place)."""


def collect(case: Case, directory: Path, launch: Launch) -> Findings:
    """Run the harness until every mutant has a finding, also when one takes the harness down."""
    results, progress = directory / "results.jsonl", directory / "progress"
    findings = Findings()
    order, skip = sorted(case.mutants), list[int]()
    while True:
        results.unlink(missing_ok=True)
        progress.write_bytes(struct.pack("<qq", 0, -1))
        ended = launch(order, skip)
        lines = read_lines(results)
        for line in lines:
            if line["result"] not in ("done", "again"):
                findings.take(line)
        last = lines[-1]["result"] if lines else ""
        if last == "done" or not findings.stable:
            return findings
        if last == "again":  # what mutants share is spoiled: the rest run in a new process
            order = [number for number in order if number not in findings.units]
            if not order:
                return findings
            continue
        unit, place = struct.unpack("<qq", progress.read_bytes()[:16])
        if unit == 0:
            if place < 0 or place in skip or len(skip) >= MOST_ORIGIN_RESTARTS:
                raise OracleError(_origin_trouble(ended, place))
            skip.append(place)
            continue
        if unit not in findings.units:
            why = "passed the time limit" if _by_alarm(ended) else "ended the process"
            findings.units[unit] = Finding("stopped", reason=f"the mutant {why}")
        order = [number for number in order if number not in findings.units]
        if not order:
            return findings


def read_lines(results: Path) -> list[dict[str, Any]]:
    """The complete lines of a report; the last one may be cut off by a crash."""
    if not results.exists():
        return []
    text = results.read_bytes().decode(errors="replace")
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]


def _by_alarm(ended: Finished) -> bool:
    return ended.timed_out or ended.code in (-14, 3)


def _origin_trouble(ended: Finished, place: int) -> str:
    if place >= 0:
        what = "passes the time limit" if _by_alarm(ended) else "ends the process"
        return f"the origin {what} on one input after another: it cannot be judged by running it"
    last = (ended.errors.strip().splitlines() or [f"exit code {ended.code}"])[-1]
    return f"the harness could not start: {last[:200]}"
