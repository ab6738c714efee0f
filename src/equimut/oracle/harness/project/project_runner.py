"""Runs functions of a module where they stand, as they are and changed. Started as a script.

Reads a job (JSON) and appends one JSON line per finding to a results file. The driver is
`equimut.oracle.python.project`. One process imports the module; one child of it looks for inputs
for one function; one child of that runs one mutant, so that nothing a mutant does is left behind.
"""

import ast
import json
import os
import signal
import sys
import time
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from project_calls import Seen  # type: ignore[import-not-found]  # its neighbours, found as a script
from project_changes import smaller  # type: ignore[import-not-found]
from project_doctests import record_doctests  # type: ignore[import-not-found]
from project_finding import (  # type: ignore[import-not-found]
    ORIGIN_SECONDS,
    ORIGIN_STEPS,
    Call,
    Function,
)
from project_processes import (  # type: ignore[import-not-found]
    Report,
    in_child,
    load_module,
    time_is_up,
)
from project_seeing import stated  # type: ignore[import-not-found]
from project_target import Body, reach  # type: ignore[import-not-found]
from project_values import Unfit  # type: ignore[import-not-found]
from python_steps import Meter, instrumented  # type: ignore[import-not-found]

DOCTEST_SECONDS = 20.0
MUTANT_SECONDS = 10.0
MUTANT_WALL = 120.0
"""The others are seconds of the processor; these are of the clock."""
SHRINK_SECONDS = 4.0
MOST_SHRINKS = 400
LEAST_STEPS, STEP_FACTOR = 20_000, 50
MOST_UNWRITTEN = 30
"""Differences that no test can state which are passed over for one that a test can."""
MOST_SHARED = 40


def writable(origin: Seen, mutant: Seen) -> bool:
    """Whether a test can state the difference."""
    if origin.outcome != mutant.outcome:
        return True
    return bool(stated(origin.facets, mutant.facets))


class Group(Function):  # type: ignore[misc]  # found as a script
    """One function of the module and its mutants."""

    def run(self) -> None:
        """All mutants of the function, then which of the inputs found kill which of them."""
        group = self.row["group"]
        self.find_inputs()
        self.report.write(
            group=group,
            result="origin",
            function=self.target.qualname,
            kind=self.target.kind,
            inputs=len(self.kept),
            dropped=self.dropped,
            unstable=self.unstable,
            first=self.target.node.lineno,
        )
        if not self.kept:
            return
        order = {"returns": 0, "throws": 1}
        self.kept.sort(key=lambda pair: order[pair[1].outcome])
        for number, *change in self.row["mutants"]:
            trouble = in_child(
                lambda n=number, c=change: self.run_mutant(n, *c), MUTANT_SECONDS + 30
            )
            if trouble:
                self.report.write(unit=number, result="stopped", reason=f"the mutant {trouble}")
        self.share()

    def body(self, start: int, end: int, replacement: str) -> Body:
        changed = (self.source[:start] + replacement.encode() + self.source[end:]).decode()
        tree = ast.parse(changed)
        code = compile(instrumented(changed), self.job["path"], "exec", dont_inherit=True)
        return self.exchange.body(tree, code, self.target, self.names)

    def run_mutant(self, number: int, start: int, end: int, replacement: str) -> None:
        try:
            body = self.body(start, end, replacement)
        except Unfit as error:
            self.report.write(unit=number, result="stillborn", reason=str(error))
            return
        except Exception as error:  # noqa: BLE001  # a default may raise anything
            reason = f"does not load: {type(error).__name__}"
            self.report.write(unit=number, result="stillborn", reason=reason)
            return
        span = reach(self.target.node, self.line(start), self.line(end))
        anywhere = span.start <= self.target.node.lineno
        reaching = [pair for pair in self.kept if anywhere or pair[1].lines & set(span)]
        if not reaching:
            self.report.write(unit=number, result="unreached")
            return
        found: tuple[Call, Seen, Seen] | None = None
        tried = late = unwritten = 0
        limit = time.process_time() + MUTANT_SECONDS
        for call, expected in reaching:
            if time.process_time() > limit or late > 2:
                break
            seen = self.see_mutant(body, call, expected)
            tried += 1
            late += seen.outcome == "time"
            if seen.outcome in ("time", "memory") or seen.same(expected):
                continue
            if not self.see_origin(call).same(expected):
                continue
            if found is None or writable(expected, seen):
                found = call, expected, seen
            unwritten += 1
            if writable(expected, seen) or unwritten > MOST_UNWRITTEN:
                break
        if found is None:
            result = "stopped" if late > 2 else "survived"
            self.report.write(
                unit=number, result=result, tried=tried, reason="the mutant passed the time limit"
            )
            return
        if writable(found[1], found[2]):
            found = self.shrink(body, *found)
        self.report.write(
            unit=number,
            result="killed",
            tried=tried,
            call=found[0],
            origin=found[1].as_json(),
            mutant=found[2].as_json(),
            test=writable(found[1], found[2]),
        )

    def see_mutant(self, body: Body, call: Call, expected: Seen) -> Seen:
        self.exchange.put(body)
        return self.caller.see(call, max(LEAST_STEPS, STEP_FACTOR * expected.steps))

    def see_origin(self, call: Call) -> Seen:
        self.exchange.put(self.exchange.origin)
        return self.caller.see(call, ORIGIN_STEPS)

    def shrink(self, body: Body, call: Call, origin: Seen, mutant: Seen) -> tuple[Call, Seen, Seen]:
        """The smallest call on which they still differ in a way that a test can state."""
        end = time.process_time() + SHRINK_SECONDS
        tries = 0
        known: set[str] = set()
        smaller_one = True
        while smaller_one:
            smaller_one = False
            for candidate in smaller(call):
                text = json.dumps(candidate)
                if text in known:
                    continue
                known.add(text)
                tries += 1
                if tries > MOST_SHRINKS or time.process_time() > end:
                    return call, origin, mutant
                expected = self.see_origin(candidate)
                if expected.outcome != origin.outcome or expected.accident:
                    continue
                if origin.outcome == "throws" and expected.facets[0] != origin.facets[0]:
                    continue
                seen = self.see_mutant(body, candidate, expected)
                if seen.outcome in ("time", "memory") or seen.same(expected):
                    continue
                if writable(expected, seen) and self.see_origin(candidate).same(expected):
                    call, origin, mutant, smaller_one = candidate, expected, seen, True
                    break
        return call, origin, mutant

    def share(self) -> None:
        """Which mutants die on which of the calls that were found."""
        own = {number: change for number, *change in self.row["mutants"]}
        calls: dict[str, Call] = {}
        for line in self.report.lines():
            if line.get("unit") in own and line["result"] == "killed" and line["test"]:
                calls.setdefault(json.dumps(line["call"]), line["call"])
        shared = list(calls.values())[:MOST_SHARED]
        if not shared:
            return
        origins = [self.see_origin(call) for call in shared]
        rows = [
            {"call": call, "origin": seen.as_json()}
            for call, seen in zip(shared, origins, strict=True)
        ]
        self.report.write(group=self.row["group"], result="calls", calls=rows)
        for number, change in own.items():
            in_child(
                lambda n=number, c=change: self.kills(n, c, shared, origins), MUTANT_SECONDS + 30
            )

    def kills(self, number: int, change: list[Any], calls: list[Call], origins: list[Seen]) -> None:
        """Report on which calls one mutant dies, and what a test can state there."""
        try:
            body = self.body(*change)
        except Exception:  # noqa: BLE001  # it has been reported before
            return
        found = []
        for place, (call, expected) in enumerate(zip(calls, origins, strict=True)):
            seen = self.see_mutant(body, call, expected)
            if seen.outcome in ("time", "memory") or seen.same(expected):
                continue
            if writable(expected, seen):
                facets = [facet[:2] for facet in stated(expected.facets, seen.facets)]
                found.append([place, seen.outcome, facets])
        self.report.write(unit=number, result="kills", on=found)


def add_doctests(job: dict[str, Any]) -> None:
    """Calls that docstrings show are as good as recorded ones."""
    out = f"{job['results']}.doctests"
    in_child(lambda: record_doctests(job["module"], job["root"], job["path"], out), DOCTEST_SECONDS)
    if os.path.exists(out):
        with open(out, encoding="utf-8") as file:
            for row in json.load(file):
                call = {key: row[key] for key in ("self", "args", "named") if key in row}
                job["calls"].setdefault(row["function"], []).append(call)


def main() -> None:
    """Run the job named on the command line."""
    with open(sys.argv[1], encoding="utf-8") as file:
        job = json.load(file)
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if entry not in (here, os.path.dirname(here))]
    for number in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(number, time_is_up)
    meter = Meter()
    meter.budget = sys.maxsize
    report = Report(job["results"])
    trouble = load_module(job, meter)
    if trouble:
        report.write(result="module", reason=trouble)
        os._exit(0)
    add_doctests(job)
    for row in job["groups"]:

        def work(row: dict[str, Any] = row) -> None:
            try:
                group = Group(job, row, meter, report)
                group.run()
            except Unfit as error:
                report.write(group=row["group"], result="cannot", reason=str(error))
            except Exception as error:  # noqa: BLE001  # whatever its objects do when they are looked at
                reason = f"looking at it fails: {type(error).__name__}: {error}"
                report.write(group=row["group"], result="cannot", reason=reason[:200])

        limit = 20 * ORIGIN_SECONDS + 2 * MUTANT_WALL * len(row["mutants"])
        trouble = in_child(work, limit)
        if trouble:
            report.write(group=row["group"], result="cannot", reason=f"running it {trouble}")
    report.write(result="done")
    os._exit(0)  # no exit handlers of the code under test


if __name__ == "__main__":
    main()
