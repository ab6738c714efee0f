"""Runs functions of a module where they stand, as they are and changed. Started as a script.

Reads a job (JSON) and appends one JSON line per finding to a results file. The driver is
`equimut.oracle.python.project`. One process imports the module; one child of it looks for inputs
for one function; one child of that runs one mutant, so that nothing a mutant does is left behind.
"""

import ast
import builtins
import importlib
import importlib.machinery
import importlib.util
import json
import os
import random
import signal
import sys
import time
import types
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from project_calls import (  # type: ignore[import-not-found]  # its neighbours, found as a script
    Caller,
    Seen,
    TimeUp,
)
from project_changes import smaller, vary  # type: ignore[import-not-found]
from project_doctests import record_doctests  # type: ignore[import-not-found]
from project_inputs import Inputs, without_defaults  # type: ignore[import-not-found]
from project_seeing import stated  # type: ignore[import-not-found]
from project_target import Body, Exchange, Target, code_of, find_target, reach  # type: ignore[import-not-found]
from project_values import Unfit  # type: ignore[import-not-found]
from python_steps import Endless, Meter, instrumented, meter_names  # type: ignore[import-not-found]

IMPORT_SECONDS = 30
DOCTEST_SECONDS = 20.0
ORIGIN_SECONDS = 15.0
MUTANT_SECONDS = 10.0
MUTANT_WALL = 120.0
"""The others are seconds of the processor; these are of the clock."""
SHRINK_SECONDS = 4.0
MOST_SHRINKS = 400
LEAST_STEPS, STEP_FACTOR, ORIGIN_STEPS = 20_000, 50, 200_000
MOST_UNWRITTEN = 30
"""Differences that no test can state which are passed over for one that a test can."""
MOST_SHARED = 40
PROBES, MOST_ENTRIES = 3, 200
"""Calls tried to see whether another function comes here, and calls taken from others."""
Call = dict[str, Any]


class Loader(importlib.machinery.SourceFileLoader):
    """Loads the one module with its steps counted."""

    def __init__(self, name: str, path: str, source: str, meter: Meter) -> None:
        super().__init__(name, path)
        self.source, self.meter = source, meter

    def get_code(self, fullname: str) -> types.CodeType:
        return compile(instrumented(self.source), self.path, "exec", dont_inherit=True)


class Finder:
    """Finds the one module first."""

    def __init__(self, loader: Loader) -> None:
        self.loader = loader

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != self.loader.name:
            return None
        place = self.loader.path
        package = [os.path.dirname(place)] if os.path.basename(place) == "__init__.py" else None
        return importlib.util.spec_from_file_location(
            name, place, loader=self.loader, submodule_search_locations=package
        )


class Report:
    """The results file; several processes write to it, whole lines at a time."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def write(self, **finding: Any) -> None:
        os.write(self.file, json.dumps(finding).encode() + b"\n")

    def lines(self) -> list[dict[str, Any]]:
        """What has been written so far."""
        with open(self.path, encoding="utf-8") as file:
            return [json.loads(line) for line in file]


def in_child(work: Any, seconds: float) -> str:
    """Do something in a child process; empty if it went well, else what became of it."""
    child = os.fork()
    if not child:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    end = time.monotonic() + seconds
    pause = 0.0005
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return "" if status == 0 else "ended the process"
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return "passed the time limit"
        time.sleep(pause)
        pause = min(pause * 2, 0.05)


def writable(origin: Seen, mutant: Seen) -> bool:
    """Whether a test can state the difference."""
    if origin.outcome != mutant.outcome:
        return True
    return bool(stated(origin.facets, mutant.facets))


class Group:
    """One function of the module and its mutants."""

    def __init__(
        self, job: dict[str, Any], row: dict[str, Any], meter: Meter, report: Report
    ) -> None:
        self.job, self.row, self.report = job, row, report
        self.source: bytes = job["source"].encode()
        first = row["mutants"][0]
        tree = ast.parse(job["source"])
        self.target: Target = find_target(tree, self.line(first[1]))
        if isinstance(self.target.node, ast.AsyncFunctionDef) and _yields(self.target.node):
            raise Unfit("an asynchronous generator")
        if self.target.kind == "deleter" or self.target.name in ("__del__", "__init_subclass__"):
            raise Unfit("a method that Python itself calls")
        self.names = sys.modules[job["module"]].__dict__
        code = compile(instrumented(job["source"]), job["path"], "exec", dont_inherit=True)
        self.exchange = Exchange(job["path"], code_of(code, self.target))
        self.caller = Caller(self.target, job["module"], job["path"], job["root"], meter)
        digest = f"{job['seed']} {self.target.qualname} {job['module']}"
        self.rng = random.Random(digest)
        self.kept: list[tuple[Call, Seen]] = []
        self.recorded: set[str] = set()
        self.dropped = 0
        self.trouble = ""

    def line(self, byte: int) -> int:
        """The line (1-based) of a byte of the source."""
        return self.source[:byte].count(b"\n") + 1

    # inputs

    def find_inputs(self) -> None:
        """Calls that the origin answers the same way twice."""
        calls = self.job["calls"]
        bound = self.target.kind not in ("function", "staticmethod")
        function = self.exchange.functions[0]
        own = [
            without_defaults(function, call, bound) for call in calls.get(self.target.qualname, ())
        ]
        self.recorded = {json.dumps(call) for call in own}
        receivers = [call["self"] for each in calls.values() for call in each if "self" in call]
        inputs = Inputs(self.row["pools"], self.rng, receivers)
        draw = self._drawer(inputs)
        pool = [part for call in own for part in (*call["args"], *call["named"].values())][:60]
        pool += self.row["pools"]["literal"]
        end = time.process_time() + ORIGIN_SECONDS
        seen_texts: set[str] = set()
        lines: set[int] = set()
        seeds: list[Call] = []
        entries = self._entries(own)
        self.recorded |= {json.dumps(call) for call in entries}
        public = not any(part.startswith("_") for part in self.target.qualname.split("."))
        waiting = [*self._from_states(draw), *(own + entries if public else entries + own)]
        attempts = 0
        while attempts < 3 * self.job["inputs"] and len(self.kept) < self.job["inputs"]:
            attempts += 1
            if time.process_time() > end:
                break
            drawn = False
            if waiting:
                call = waiting.pop(0)
            elif seeds and (draw is None or self.rng.random() < 0.65):
                call = vary(self.rng.choice(seeds), self.rng, pool)
            elif draw is not None:
                call, drawn = draw(), True
            else:
                break
            text = json.dumps(call)
            if text in seen_texts:
                continue
            seen_texts.add(text)
            seen = self.caller.see(call, ORIGIN_STEPS, trace=True)
            self.exchange.forget()
            fine = seen.outcome in ("returns", "throws")
            fine = fine and (not seen.accident or text in self.recorded)
            if drawn:
                inputs.learn(fine)
            if not fine:
                self.dropped += 1
                continue
            self.kept.append((call, seen))
            if text in self.recorded or seen.lines - lines:
                lines |= seen.lines
                seeds.append(call)
        self._keep_stable()
        if not self.kept and not attempts:
            raise Unfit(self.trouble)

    def _entries(self, own: list[Call]) -> list[Call]:
        """Recorded calls of other functions that come to this one."""
        found: list[Call] = []
        node = self.target.node
        inside = set(range(node.lineno + 1, (node.end_lineno or node.lineno) + 1))
        for row in self.job["entries"]:
            entry = [row["module"], row["function"], row["kind"]]
            if entry[:2] == [self.job["module"], self.target.qualname]:
                continue
            function, bound = self.caller.function(entry)
            calls = [
                {**without_defaults(function, call, bound), "entry": entry} for call in row["calls"]
            ]
            if any(
                self.caller.see(call, ORIGIN_STEPS, trace=True).lines & inside
                for call in calls[:PROBES]
            ):
                found += calls
            if len(found) > MOST_ENTRIES:
                break
        self.exchange.forget()
        return found

    def _drawer(self, inputs: Inputs) -> Any:
        """Makes calls from types; None where that is not possible."""
        target = self.target
        try:
            if target.kind == "function":
                shape = inputs.shape(self._attribute(self.names, target.name))
                return shape.draw
            owner = self.names
            kind: Any = None
            for name in target.classes:
                kind = owner[name] if kind is None else getattr(kind, name)
            if target.name == "__init__":
                shape = inputs.shape(kind)
                me = {"name": f"{kind.__module__}:{kind.__qualname__}"}
                return lambda: {**shape.draw(), "self": me}
            if target.kind in ("staticmethod", "classmethod"):
                return inputs.shape(getattr(kind, self.caller.own.attribute)).draw
            receiver = inputs.of_type(kind)
            if target.kind == "property":
                return lambda: {"args": [], "named": {}, "self": receiver()}
            function = self.exchange.functions[0]
            shape = inputs.shape(function, owner=receiver)
            return lambda: {**shape.draw(), "self": receiver()}
        except (Unfit, KeyError, AttributeError) as error:
            self.trouble = str(error) or "what cannot be made"
            return None

    def _from_states(self, draw: Any) -> list[Call]:
        """Calls with the whole numbers that the prover thinks telling."""
        found = []
        names = [each.arg for each in self.target.node.args.args]
        names = names[1:] if self.target.kind not in ("function", "staticmethod") else names
        for state in self.row["states"] if draw is not None else ():
            known = {
                n: int(v)
                for n, v in state.items()
                if v.removeprefix("-").isdecimal() and len(v) < 20
            }
            for _ in range(8 if known else 0):
                call = draw()
                args = [
                    known.get(name, part) for name, part in zip(names, call["args"], strict=False)
                ]
                rest = {name: known[name] for name in names[len(args) :] if name in known}
                found.append({**call, "args": args, "named": {**call["named"], **rest}})
        return found

    def _attribute(self, names: dict[str, Any], name: str) -> Any:
        if name not in names:
            raise Unfit("a function that its module does not keep")
        return names[name]

    def _keep_stable(self) -> None:
        """Whatever changes from one call to the next is no yardstick."""
        end = time.process_time() + ORIGIN_SECONDS
        stable: list[tuple[Call, Seen]] = []
        for call, seen in reversed(self.kept):
            if time.process_time() > end:
                break
            if self.caller.see(call, ORIGIN_STEPS).same(seen):
                stable.append((call, seen))
            self.exchange.forget()
        self.unstable = len(self.kept) - len(stable)
        self.kept = stable[::-1]

    # mutants

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


def _yields(node: ast.AST) -> bool:
    return any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in ast.walk(node))


def time_is_up(number: int, frame: Any) -> None:
    raise TimeUp


def load_module(job: dict[str, Any], meter: Meter) -> str:
    """Import the module; why that is not possible, or nothing."""
    for name, value in meter_names(meter).items():
        setattr(builtins, name, value)
    sys.meta_path.insert(0, Finder(Loader(job["module"], job["path"], job["source"], meter)))
    sys.path[:0] = job["paths"]
    signal.alarm(IMPORT_SECONDS)
    try:
        importlib.import_module(job["module"])
        return ""
    except TimeUp:
        return "its module takes too long to be imported"
    except (SystemExit, Exception, Endless) as error:  # noqa: BLE001
        return f"its module cannot be imported: {type(error).__name__}: {error}"[:300]
    finally:
        signal.alarm(0)


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
