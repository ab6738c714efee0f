"""One call of the function under test and everything a test could see of it."""

import asyncio
import dis
import importlib
import inspect
import json
import signal
import sys
import warnings
from dataclasses import dataclass
from types import FrameType, TracebackType
from typing import Any

from project_seeing import (  # type: ignore[import-not-found]  # its neighbour, found as a script
    ADDRESS,
    facets_of,
)
from project_state import ModuleState  # type: ignore[import-not-found]
from project_target import Target  # type: ignore[import-not-found]
from project_values import Unfit, build, importable, resolve  # type: ignore[import-not-found]
from python_runner import Output  # type: ignore[import-not-found]
from python_steps import Endless, Meter  # type: ignore[import-not-found]

RAISES = {dis.opmap[name] for name in ("RAISE_VARARGS", "RERAISE") if name in dis.opmap}
CALL_SECONDS, CALL_WALL = 2.0, 10.0
"""Of the processor and of the clock."""
BY_ACCIDENT = (TypeError, AttributeError, NameError, NotImplementedError, ImportError)
"""What code raises on arguments that it was not made for."""
Call = dict[str, Any]


class TimeUp(BaseException):
    """A call takes too long by the clock."""


class Seen:
    """What one call does."""

    def __init__(self, outcome: str) -> None:
        self.outcome = outcome
        self.facets: list[list[Any]] = []
        self.accident = False
        self.before: dict[str, Any] = {}
        """What variables of the module were that it changes."""
        self.lines: set[int] = set()
        self.steps = 0

    def same(self, other: "Seen") -> bool:
        """Whether a test could not tell them apart."""
        return self.outcome == other.outcome and self.key() == other.key()

    def key(self) -> str:
        """All that is seen, as one text."""
        return json.dumps([facet[:3] for facet in self.facets])

    def as_json(self) -> dict[str, Any]:
        return {"outcome": self.outcome, "facets": self.facets, "before": self.before}


@dataclass(frozen=True)
class Entry:
    """A function that is called: the one under test, or one that comes to it."""

    module: str
    function: str
    kind: str

    @property
    def owner(self) -> str:
        """The classes around it."""
        return self.function.rpartition(".")[0]

    @property
    def makes(self) -> bool:
        """Whether calling it is making an object."""
        return self.kind == "method" and self.function.endswith("__init__")

    @property
    def attribute(self) -> str:
        """Its name as an attribute: a private one of a class has another name outside."""
        owner, _, name = self.function.rpartition(".")
        hidden = owner and name.startswith("__") and not name.endswith("__")
        return f"_{owner.rpartition('.')[2].lstrip('_')}{name}" if hidden else name


class Caller:
    """Calls the function as a test would."""

    def __init__(self, target: Target, module: str, filename: str, root: str, meter: Meter) -> None:
        self.target = target
        self.module = module
        self.filename = filename
        self.root = root
        self.meter = meter
        self.output, self.errors = Output(), Output()
        self.own = Entry(module, target.qualname, target.kind)
        self.state = ModuleState(sys.modules[module].__dict__)

    def entry(self, call: Call) -> Entry:
        """What a call calls."""
        return Entry(*call["entry"]) if "entry" in call else self.own

    def function(self, row: list[str]) -> tuple[Any, bool]:
        """The function behind an entry, and whether its first argument stands before the dot."""
        entry = Entry(*row)
        try:
            if entry.makes:
                return resolve(f"{entry.module}:{entry.owner}"), False
            found = resolve(f"{entry.module}:{entry.function}")
        except Exception:  # noqa: BLE001  # a module that is not there any more
            return None, False
        return found, entry.kind == "method"

    def holder(self, entry: Entry, call: Call) -> Any:
        """What the function is an attribute of: an object, a class or the module."""
        if "self" in call:
            return build(call["self"])
        if entry.owner:
            return resolve(f"{entry.module}:{entry.owner}")
        return importlib.import_module(entry.module)

    def invoke(self, entry: Entry, holder: Any, args: list[Any], named: dict[str, Any]) -> Any:
        if entry.makes:
            return holder(*args, **named)
        if entry.kind == "property":
            return getattr(holder, entry.attribute)
        if entry.kind == "setter":
            return setattr(holder, entry.attribute, *args)
        result = getattr(holder, entry.attribute)(*args, **named)
        return asyncio.run(result) if inspect.iscoroutine(result) else result

    def see(self, call: Call, budget: int, trace: bool = False) -> Seen:
        """Build the arguments, call, look at the result and at what became of the arguments."""
        meter = self.meter
        meter.steps, meter.budget = 0, budget
        if self.output.closed or self.errors.closed:  # a program may end like that
            self.output, self.errors = Output(), Output()
        output, errors = self.output.reset(), self.errors.reset()
        sys.stdout, sys.stderr = output, errors
        lines: set[int] = set()
        built: list[Any] = []
        signal.setitimer(signal.ITIMER_PROF, CALL_SECONDS)
        signal.setitimer(signal.ITIMER_REAL, CALL_WALL)
        try:
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                seen = self._run(call, built, lines if trace else None)
        except Endless:
            seen = Seen("endless")
        except TimeUp:
            seen = Seen("time")
        except (MemoryError, RecursionError):
            seen = Seen("memory")
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)
            sys.settrace(None)
        seen.lines, seen.steps = lines, meter.steps
        meter.budget = sys.maxsize
        if seen.outcome in ("returns", "throws"):
            self._add_effects(seen, built, warned)
        seen.facets += self.state.take_back()
        seen.before = self.state.before
        return seen

    def _run(self, call: Call, built: list[Any], lines: set[int] | None) -> Seen:
        entry = self.entry(call)
        try:
            holder = self.holder(entry, call)
            args = [build(part) for part in call["args"]]
            named = {name: build(part) for name, part in call["named"].items()}
        except Exception:  # noqa: BLE001  # a value that cannot be made is no input
            return Seen("unbuilt")
        if entry.kind in ("method", "setter") and "self" in call and not entry.makes:
            built.append(["receiver", holder])
        built += [[f"argument {place}", value] for place, value in enumerate(args)]
        built += [[f"argument {name}", value] for name, value in named.items()]
        try:
            if lines is not None:
                sys.settrace(self._tracer(lines))
            result = self.invoke(entry, holder, args, named)
            if inspect.isgenerator(result):
                result = _listed(result)
        except (Endless, TimeUp, MemoryError, RecursionError):
            raise
        except BaseException as error:  # noqa: BLE001  # whatever it raises is the behaviour
            sys.settrace(None)
            return self._thrown(error)
        sys.settrace(None)
        seen = Seen("returns")
        seen.facets = facets_of("result", result)
        return seen

    def _tracer(self, lines: set[int]) -> Any:
        node = self.target.node
        first, last, filename = node.lineno, node.end_lineno or node.lineno, self.filename

        def inside(frame: FrameType, event: str, argument: Any) -> Any:
            lines.add(frame.f_lineno)
            return inside

        def entering(frame: FrameType, event: str, argument: Any) -> Any:
            code = frame.f_code
            if code.co_filename == filename and first <= code.co_firstlineno <= last:
                return inside
            if code.co_filename == filename and code.co_name == self.target.name:
                return inside  # a decorated function starts above its `def`
            return None

        return entering

    def _thrown(self, error: BaseException) -> Seen:
        seen = Seen("throws")
        kind = type(error)
        name = f"{kind.__module__}:{kind.__qualname__}"
        try:
            recipe = {"name": importable(kind)}
        except Unfit:
            recipe = None
        seen.facets.append(["raised", "{}", json.dumps(name), recipe])
        if isinstance(error, SystemExit) and isinstance(error.code, (int, str, type(None))):
            seen.facets += facets_of("exit", error.code)
            return seen
        own = self._raised_here(error.__traceback__)
        text = str(error)
        if own and not ADDRESS.search(text):
            seen.facets.append(["message", "{}", json.dumps(text), text])
        seen.accident = isinstance(error, BY_ACCIDENT) and not own
        return seen

    def _raised_here(self, trace: TracebackType | None) -> bool:
        """Whether a `raise` of the project made the message, not Python."""
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        if trace is None or not trace.tb_frame.f_code.co_filename.startswith(self.root):
            return False
        code = trace.tb_frame.f_code.co_code
        return trace.tb_lasti >= 0 and code[trace.tb_lasti] in RAISES

    def _add_effects(self, seen: Seen, built: list[Any], warned: Any) -> None:
        if seen.outcome == "returns":
            for subject, value in built:
                if value is None or isinstance(
                    value, (str, int, float, bytes, tuple, frozenset, type)
                ):
                    continue
                if callable(value) and not hasattr(value, "__dict__"):
                    continue
                seen.facets += facets_of(subject, value)
        if warned:
            rows = [[each.category.__name__, ADDRESS.sub("", str(each.message))] for each in warned]
            recipe = {"list": [{"tuple": row} for row in rows]}
            seen.facets.append(["warnings", "{}", json.dumps(rows), recipe])
        for subject, stream in (("output", self.output), ("errors", self.errors)):
            if not stream.closed and (text := stream.text()):
                seen.facets.append(
                    [subject, "{}", json.dumps(text), text if len(text) < 2_000 else None]
                )


def _listed(generator: Any) -> Any:
    """The items as an iterator again: facets show it as a list."""
    items = []
    for number, item in enumerate(generator):
        if number >= 1_000:
            break
        items.append(item)
    return map(_same, items)


def _same(item: Any) -> Any:
    return item
