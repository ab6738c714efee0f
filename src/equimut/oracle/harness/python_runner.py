"""Runs an origin and its mutants on the same inputs, inside the sandbox. Started as a script.

Reads a job (JSON) and appends one JSON line per finding to a results file. The driver is
`equimut.oracle.python.runs`.
"""

import dis
import hashlib
import io
import json
import os
import re
import signal
import struct
import sys
import types
from typing import Any

from python_steps import (  # type: ignore[import-not-found]  # its neighbour, found as a script
    Endless,
    Meter,
    load,
)

RAISES = {dis.opmap[name] for name in ("RAISE_VARARGS", "RERAISE") if name in dis.opmap}
OUTPUT_LIMIT = 65_536
RECURSION_LIMIT = 5_000
HOPELESS = 200
"""Endless inputs after which an origin that hardly ever ends is given up."""
NON_FINITE = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}
ADDRESS = re.compile(r"0x[0-9a-f]+")


class Output(io.StringIO):
    """What one call writes; of what is over the limit, a digest is kept."""

    lost = 0

    def write(self, text: str) -> int:
        if not self.lost and self.tell() + len(text) <= OUTPUT_LIMIT:
            return super().write(text)
        if not self.lost:
            self.digest = hashlib.sha256()
        self.lost += len(text)
        self.digest.update(text.encode(errors="surrogatepass"))
        return len(text)

    def reset(self) -> "Output":
        """Empty, for the next call: code may hold on to the stream it once saw."""
        self.seek(0)
        self.truncate()
        self.lost = 0
        return self

    def text(self) -> str:
        """All of it, as far as it is kept."""
        more = f"... {self.lost} more, {self.digest.hexdigest()[:16]}" if self.lost else ""
        return self.getvalue() + more


def decode(kind: Any, value: Any) -> Any:
    """A fresh argument from its JSON form; `kind` is [name, item kinds, extra]."""
    name, items, as_tuple = kind
    if value is None:
        return None
    if name == "float":
        return NON_FINITE[value] if isinstance(value, str) else float(value)
    if name == "array":
        parts = [decode(items[0], item) for item in value]
        return tuple(parts) if as_tuple else parts
    if name == "tuple":
        return tuple(decode(item, part) for item, part in zip(items, value, strict=True))
    if name == "dict":
        return {key: decode(items[1], item) for key, item in value.items()}
    return value


class Opaque:
    """Whether a value was met whose text does not tell it from another one."""

    met = False


def render(value: Any, depth: int = 0) -> str:
    """Canonical text of any value: type-exact, NaN is NaN, sets in sorted order."""
    kind = type(value)
    if kind is int and value.bit_length() > 10_000:
        return hex(value)
    if value is None or kind in (int, float, bool, str, bytes, complex):
        return repr(value)
    if depth > 50:
        Opaque.met = True
        return "..."
    if kind is list:
        return "[" + ", ".join(render(item, depth + 1) for item in value) + "]"
    if kind is tuple:
        return "(" + ", ".join(render(item, depth + 1) for item in value) + ",)"
    if kind in (set, frozenset):
        return f"{kind.__name__}({sorted(render(item, depth + 1) for item in value)})"
    if kind is dict:
        pairs = [(render(k, depth + 1), render(v, depth + 1)) for k, v in value.items()]
        return "{" + ", ".join(f"{key}: {item}" for key, item in pairs) + "}"
    if isinstance(value, (types.GeneratorType, map, filter, zip, enumerate, reversed)):
        return f"{kind.__name__}({render(list(value), depth + 1)})"
    if kind.__module__ == "subject" and hasattr(value, "__dict__"):
        return f"{kind.__qualname__}({render(vars(value), depth + 1)})"
    text = repr(value)
    Opaque.met |= bool(ADDRESS.search(text))
    return ADDRESS.sub("0x", text)


def thrown(error: BaseException) -> str:
    """The exception's type; its message too, where the code under test wrote it itself."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    name = type(error).__name__
    if type(error).__module__ != "subject":  # a class of its own has no messages but its own
        if trace is None or trace.tb_frame.f_code.co_filename != "<subject>":
            return name
        code = trace.tb_frame.f_code.co_code
        if trace.tb_lasti < 0 or code[trace.tb_lasti] not in RAISES:
            return name
    return f"{name}: {ADDRESS.sub('0x', str(error))}"


def same_code(left: Any, right: Any) -> bool:
    """Equal code objects, line numbers aside; constants are compared with their types."""
    if type(left) is not type(right):
        return False
    if isinstance(left, types.CodeType):
        names = (
            "co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_flags",
            "co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_exceptiontable",
            "co_name",
        )  # fmt: skip
        same = all(getattr(left, name, None) == getattr(right, name, None) for name in names)
        return same and same_code(left.co_consts, right.co_consts)
    if isinstance(left, tuple):
        return len(left) == len(right) and all(map(same_code, left, right))
    return repr(left) == repr(right)


class Runner:
    """One origin, its mutants and their inputs."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.job = job
        self.inputs = job["inputs"]
        self.meter = Meter()
        self.output, self.errors = Output(), Output()
        self.results = os.open(job["results"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self.progress = os.open(job["progress"], os.O_RDWR | os.O_CREAT, 0o600)
        self.steps: dict[int, int] = {}
        self.expected: dict[int, Any] = {}
        changing = [kind[0] in ("array", "dict") for kind in job["kinds"]]
        self.changing = [place for place, changes in enumerate(changing) if changes]

    def report(self, **finding: Any) -> None:
        os.write(self.results, json.dumps(finding).encode() + b"\n")

    def enter(self, unit: int, place: int) -> None:
        """Leave a trace of what runs: all that is left when the alarm ends this process."""
        os.pwrite(self.progress, struct.pack("<qq", unit, place), 0)

    def load(self, unit: int) -> Any:
        self.meter.steps, self.meter.budget = 0, self.job["least_steps"]
        sys.stdout, sys.stderr = self.output.reset(), self.errors.reset()
        try:
            return load(self.job["units"][str(unit)], self.meter)[self.job["function"]]
        except (SyntaxError, ValueError) as error:
            reason = f"does not compile: {getattr(error, 'msg', error)}"
        except KeyError:
            reason = f"does not define {self.job['function']}"
        except Endless:
            reason = "is endless before its function is called"
        except BaseException as error:  # noqa: BLE001  # whatever it raises is the finding
            reason = f"raises {type(error).__name__} when it is loaded"
        self.report(unit=unit, result="stillborn", reason=reason)
        return None

    def observe(self, function: Any, place: int, budget: int) -> dict[str, Any]:
        """One call and everything a test could see of it."""
        pairs = zip(self.job["kinds"], self.inputs[place], strict=True)
        values = [decode(kind, value) for kind, value in pairs]
        split = len(values) - len(self.job["keywords"])
        by_name = dict(zip(self.job["keywords"], values[split:], strict=True))
        meter, output, errors = self.meter, self.output.reset(), self.errors.reset()
        meter.steps, meter.budget = 0, budget
        seen: dict[str, Any] = {}
        Opaque.met = False
        sys.stdout, sys.stderr = output, errors
        try:
            seen = {"outcome": "returns", "value": render(function(*values[:split], **by_name))}
        except RecursionError:
            seen = {"outcome": "stack overflow"}
        except Endless:
            seen = {"outcome": "endless"}
        except MemoryError:
            return {"outcome": "memory"}
        except SystemExit as error:
            seen = {"outcome": "exits", "detail": render(error.code)}
        except BaseException as error:  # noqa: BLE001  # whatever it raises is the behaviour
            seen = {"outcome": "throws", "detail": thrown(error)}
        if meter.steps > budget:
            return {"outcome": "endless"}
        meter.budget = sys.maxsize
        if seen["outcome"] == "stack overflow":
            return seen
        seen["arguments"] = [render(values[place]) for place in self.changing]
        seen["output"], seen["errors"] = output.text(), errors.text()
        return seen

    def run_origin(self, function: Any) -> bool:
        """Keep what the origin does on every input of its domain; False if it does not repeat."""
        dropped = {"endless": 0, "memory": 0, "stack overflow": 0, "opaque": 0, "ended": 0}
        for place in range(len(self.inputs)):
            hopeless = 50 * len(self.expected) < dropped["endless"]
            if len(self.expected) == self.job["wanted"]:
                break
            if hopeless and dropped["endless"] >= HOPELESS:
                break
            if place in self.job["skip"]:
                dropped["ended"] += 1
                continue
            self.enter(0, place)
            signal.setitimer(signal.ITIMER_REAL, self.job["call_seconds"])
            seen = self.observe(function, place, self.job["origin_steps"])
            if seen["outcome"] in dropped:
                dropped[seen["outcome"]] += 1
            elif Opaque.met:
                dropped["opaque"] += 1
            else:
                self.expected[place] = seen
                self.steps[place] = self.meter.steps
        signal.setitimer(signal.ITIMER_REAL, self.job["wall_seconds"])
        again = (
            self.observe(function, place, self.budget(place)) == self.expected[place]
            for place in reversed(self.expected)
        )
        stable = all(again)
        self.report(unit=0, result="origin", valid=list(self.expected), stable=stable, **{
            key.replace(" ", "_"): number for key, number in dropped.items()})  # fmt: skip
        return stable

    def budget(self, place: int) -> int:
        scaled: int = self.job["step_factor"] * self.steps[place]
        return max(int(self.job["least_steps"]), scaled)

    def run_mutant(self, unit: int, function: Any, origin: Any, *, fresh: bool) -> bool:
        """Stop at the first difference; whether the origin still does what it did.

        Where it does not, this mutant or one before it has changed what they share (a variable of
        the environment, say). The difference is then this one's only if it was the first to run.
        """
        signal.setitimer(signal.ITIMER_REAL, self.job["wall_seconds"])
        short = tried = 0
        for place, expected in self.expected.items():
            self.enter(unit, place)
            seen = self.observe(function, place, self.budget(place))
            tried += 1
            if seen == expected and not self.job["observe"]:
                continue
            if seen["outcome"] == "memory":
                short += 1
                continue
            clean = self.same_again(origin, place)
            if clean or fresh:
                self.report(unit=unit, result="killed", input=place, tried=tried, origin=expected,
                            mutant=seen)  # fmt: skip
            return clean
        same = self.job["prove"] and self.same_code(unit)
        self.report(unit=unit, result="survived", tried=tried, short=short, identical=same)
        return self.same_again(origin, next(iter(self.expected)))

    def same_again(self, origin: Any, place: int) -> bool:
        """Whether the origin still does on an input what it did at first."""
        return bool(self.observe(origin, place, self.budget(place)) == self.expected[place])

    def same_code(self, unit: int) -> bool:
        """Whether CPython compiles both to the same instructions and constants."""
        origin, mutant = (
            compile(self.job["units"][str(which)], "<subject>", "exec", dont_inherit=True)
            for which in (0, unit)
        )
        return same_code(origin, mutant)

    def run(self) -> None:
        origin = self.load(0)
        if origin is None or not self.run_origin(origin) or not self.expected:
            return
        fresh = True
        for unit in self.job["order"]:
            self.enter(unit, -1)
            function = self.load(unit)
            if function is not None:
                if not self.run_mutant(unit, function, origin, fresh=fresh):
                    self.report(result="again")
                    os._exit(0)
                fresh = False


def main() -> None:
    """Run the job named on the command line."""
    with open(sys.argv[1], encoding="utf-8") as file:
        job = json.load(file)
    sys.setrecursionlimit(RECURSION_LIMIT)
    sys.stderr = io.StringIO()
    runner = Runner(job)
    runner.run()
    signal.setitimer(signal.ITIMER_REAL, 0)
    runner.report(result="done")
    os._exit(0)  # no exit handlers of the code under test


if __name__ == "__main__":
    main()
