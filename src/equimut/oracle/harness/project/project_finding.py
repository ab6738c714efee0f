"""One function of the module under test, and the calls of it that do the same twice."""

import ast
import json
import random
import sys
import time
from typing import Any

from project_calls import Caller, Seen  # type: ignore[import-not-found]  # its neighbours
from project_changes import vary  # type: ignore[import-not-found]
from project_hypothesis import drawn_values  # type: ignore[import-not-found]
from project_inputs import Inputs, without_defaults  # type: ignore[import-not-found]
from project_processes import Report  # type: ignore[import-not-found]
from project_target import Exchange, Target, code_of, find_target  # type: ignore[import-not-found]
from project_values import Unfit  # type: ignore[import-not-found]
from python_steps import Meter, instrumented  # type: ignore[import-not-found]

ORIGIN_SECONDS = 15.0
"""Of the processor."""
ORIGIN_STEPS = 200_000
PROBES, MOST_ENTRIES = 3, 200
"""Calls tried to see whether another function comes here, and calls taken from others."""
Call = dict[str, Any]


class Function:
    """One function of the module as it is."""

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
        inputs = Inputs(self.row["pools"], self.rng, receivers, self._drawn)
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
        told = [*self.row["calls"], *self._from_states(draw)]
        waiting = [*told, *(own + entries if public else entries + own)]
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

    def _drawn(self, hints: dict[str, Any]) -> dict[str, list[Any]]:
        """What Hypothesis draws for parameters of these types."""
        found: dict[str, list[Any]] = drawn_values(self.job, self.target.qualname, hints)
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
            receiver = inputs.receiver(kind)
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


def _yields(node: ast.AST) -> bool:
    return any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in ast.walk(node))
