"""Keeps the arguments that functions of a project are called with, while something runs them."""

import ast
import atexit
import json
import os
import sys
import threading
import weakref
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType, FunctionType, MethodType
from typing import Any

from project_values import (  # type: ignore[import-not-found]  # its neighbour, found as a script
    STOCK,
    Encoder,
    Unfit,
    importable,
)

MOST_CALLS = 40
"""Different calls kept of one function."""
MOST_LOOKS, MOST_LOOKS_AT_A_SITE = 2_000, 400
"""Calls of one function that are looked at, and of those the calls from one line."""
MOST_FRAMES = 30
MOST_STEPS = 6
"""Methods called on an object that are kept with it."""
MOST_OBJECTS = 20_000
SKIPPED = {
    "site-packages",
    "dist-packages",
    ".venv",
    "venv",
    ".tox",
    ".nox",
    "mutants",
    "node_modules",
}
VARARGS, VARKEYWORDS = 0x04, 0x08
Call = dict[str, Any]
Site = tuple[str, int]
"""A line of what uses the project: mostly of a test."""


def is_test_file(path: Path) -> bool:
    """Whether a file holds tests, by the usual names."""
    name = path.name
    by_name = name.startswith("test_") or name.endswith("_test.py") or name == "conftest.py"
    return by_name or bool({"tests", "test"} & set(path.parts[-3:-1]))


def functions_of(source: str) -> dict[tuple[int, str], tuple[str, str]]:
    """First line and name of every function -> its qualified name and kind."""
    found: dict[tuple[int, str], tuple[str, str]] = {}

    def visit(node: ast.AST, path: str, in_class: bool) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                first = min([child.lineno, *(each.lineno for each in child.decorator_list)])
                kind = kind_of(child) if in_class else "function"
                found[first, child.name] = f"{path}{child.name}", kind
                visit(child, f"{path}{child.name}.<locals>.", False)
            elif isinstance(child, ast.ClassDef):
                visit(child, f"{path}{child.name}.", True)
            else:
                visit(child, path, in_class)

    visit(ast.parse(source), "", False)
    return found


def kind_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """What a function in a class is: method, classmethod, staticmethod, property or setter."""
    names = [
        ast.unparse(each.func if isinstance(each, ast.Call) else each)
        for each in node.decorator_list
    ]
    if node.name in ("__new__", "__init_subclass__", "__class_getitem__"):
        return "classmethod"
    for name in names:
        last = name.rsplit(".", 1)[-1]
        if last in ("classmethod", "staticmethod"):
            return last
        if "property" in last:
            return "property"
        if last in ("setter", "deleter"):
            return last
    return "method"


class Recorder:
    """Watches the calls of one process."""

    def __init__(self, root: Path) -> None:
        self.root = f"{root}{os.sep}"
        self.calls: dict[tuple[str, str], dict[str, Call]] = {}
        self.looks: dict[tuple[str, str], int] = {}
        self._looks_at: Counter[tuple[str, str, Site]] = Counter()
        self._sites: dict[tuple[str, str], dict[str, Site]] = {}
        self.unfit: dict[tuple[str, str], str] = {}
        self._codes: dict[CodeType, tuple[str, str, str] | None] = {}
        self._files: dict[str, dict[tuple[int, str], tuple[str, str]]] = {}
        self._made: dict[int, tuple[Any, Call]] = {}
        self._busy = False

    def start(self) -> None:
        """From here on."""
        threading.setprofile(self._hook)
        sys.setprofile(self._hook)

    def stop(self) -> None:
        """No more."""
        sys.setprofile(None)
        threading.setprofile(None)

    def rows(self) -> list[Call]:
        """What was kept, one row for each call."""
        return [
            {"file": file, "function": function, **call}
            for (file, function), calls in sorted(self.calls.items())
            for call in calls.values()
        ]

    def _hook(self, frame: FrameType, event: str, argument: Any) -> None:
        if event != "call" or self._busy:
            return
        known = self._known(frame.f_code)
        if known is None:
            return
        self._busy = True
        try:
            self._take(frame, *known)
        except Exception:  # noqa: BLE001  # properties of strangers may raise anything
            pass
        finally:
            self._busy = False

    def _known(self, code: CodeType) -> tuple[str, str, str] | None:
        try:
            return self._codes[code]
        except KeyError:
            known = self._codes[code] = self._look_up(code)
            return known

    def _look_up(self, code: CodeType) -> tuple[str, str, str] | None:
        file = code.co_filename
        if not file.startswith(self.root) or code.co_name.startswith("<"):
            return None
        path = Path(file)
        if SKIPPED & set(path.parts) or is_test_file(path):
            return None
        if file not in self._files:
            try:
                self._files[file] = functions_of(path.read_text(encoding="utf-8"))
            except (OSError, ValueError, SyntaxError, RecursionError):
                self._files[file] = {}
        named = self._files[file].get((code.co_firstlineno, code.co_name))
        return None if named is None else (file[len(self.root) :], *named)

    def _take(self, frame: FrameType, file: str, function: str, kind: str) -> None:
        key = file, function
        looks = self.looks[key] = self.looks.get(key, 0) + 1
        first = function.endswith("__init__") and kind == "method"
        site = self._site(frame) if looks <= MOST_LOOKS else ("", 0)
        self._looks_at[file, function, site] += 1
        full = looks > MOST_LOOKS or self._looks_at[file, function, site] > MOST_LOOKS_AT_A_SITE
        if full and not first and not self._made:
            return
        code, values = frame.f_code, frame.f_locals
        count = code.co_argcount
        names = code.co_varnames
        places = [values[name] for name in names[:count]]
        receiver = places.pop(0) if kind not in ("function", "staticmethod") and places else None
        if full and not first and id(receiver) not in self._made:
            return
        try:
            call = self._arguments(code, values, places)
            if not full:
                self._keep(key, site, self._with_receiver(call, kind, receiver, first))
        except Unfit as error:
            self.unfit[key] = str(error)
            return
        if first:
            self._remember(receiver, call)
        elif kind == "method" and id(receiver) in self._made:
            self._went_on(receiver, code.co_name, call, frame.f_back)

    def _site(self, frame: FrameType) -> Site:
        """Where somebody outside the project called what led to this call."""
        caller = frame.f_back
        for _ in range(MOST_FRAMES):
            if caller is None or self._known(caller.f_code) is None:
                break
            caller = caller.f_back
        return ("", 0) if caller is None else (caller.f_code.co_filename, caller.f_lineno)

    def _keep(self, key: tuple[str, str], site: Site, call: Call) -> None:
        """Keep a call; when there are enough, in place of one from the line that gave the most.

        A table of names that one test goes through must not crowd out what other tests try.
        """
        seen, sites = self.calls.setdefault(key, {}), self._sites.setdefault(key, {})
        text = json.dumps(call, sort_keys=True)
        if text in seen:
            return
        if len(seen) >= MOST_CALLS:
            crowd = Counter(sites.values())
            fullest, most = crowd.most_common(1)[0]
            if most <= crowd[site] + 1:
                return
            given_up = next(each for each in reversed(sites) if sites[each] == fullest)
            del seen[given_up], sites[given_up]
        seen[text], sites[text] = call, site

    def _arguments(self, code: CodeType, values: dict[str, Any], places: list[Any]) -> Call:
        encoder = Encoder(self.recipe)
        count, only = code.co_argcount, code.co_kwonlyargcount
        names = code.co_varnames
        more = count + only
        if code.co_flags & VARARGS:
            places = [*places, *values[names[more]]]
            more += 1
        named = {name: values[name] for name in names[count : count + only]}
        if code.co_flags & VARKEYWORDS:
            named.update(values[names[more]])
        return {
            "args": [_argument(encoder, value) for value in places],
            "named": {name: _argument(encoder, value) for name, value in named.items()},
        }

    def _with_receiver(self, call: Call, kind: str, receiver: Any, first: bool) -> Call:
        if first:
            return {**call, "kind": kind, "self": {"name": importable(type(receiver))}}
        if kind == "classmethod":
            return {**call, "kind": kind, "self": {"name": importable(receiver)}}
        if kind in ("function", "staticmethod"):
            return {**call, "kind": kind}
        return {**call, "kind": kind, "self": Encoder(self.recipe).encode(receiver)}

    def recipe(self, value: Any) -> Any:
        """How an object of the project was made, if that was seen."""
        kept = self._made.get(id(value))
        if kept is None or kept[0]() is not value:
            return None
        call = kept[1]
        return {"new": importable(type(value)), **call, "then": list(call["then"])}

    def _remember(self, made: Any, call: Call) -> None:
        """Of two constructors of one object, that of the subclass comes first and counts."""
        kept = self._made.get(id(made))
        if (kept is None or kept[0]() is not made) and len(self._made) < MOST_OBJECTS:
            self._made[id(made)] = _reference(made), {**call, "then": []}

    def _went_on(self, receiver: Any, method: str, call: Call, caller: FrameType | None) -> None:
        """A method that somebody outside the project calls belongs to the object's story."""
        if method.startswith("_") or caller is None or self._known(caller.f_code) is not None:
            return
        steps = self._made[id(receiver)][1]["then"]
        if len(steps) < MOST_STEPS:
            steps.append([method, call["args"], call["named"]])


def _reference(made: Any) -> Callable[[], Any]:
    """A way back to an object, by which another one at the same address is told apart."""
    try:
        return weakref.ref(made)
    except TypeError:  # of a class with slots, mostly: kept alive instead
        return lambda: made


def _argument(encoder: Encoder, value: Any) -> Any:
    """The recipe of an argument; a function that cannot be found again becomes another one."""
    try:
        return encoder.encode(value)
    except Unfit:
        if isinstance(value, (FunctionType, MethodType)):
            return {"stock": next(iter(STOCK))}
        raise


def record_this_process(root: str, folder: str) -> None:
    """Record until this process ends, then leave the calls in a file of their own."""
    recorder = Recorder(Path(root).resolve())
    parent = os.getpid()

    def leave() -> None:
        recorder.stop()
        if recorder.calls or recorder.unfit:
            name = (
                Path(folder) / f"{os.getpid()}-{'main' if os.getpid() == parent else 'fork'}.json"
            )
            unfit = [[*key, why] for key, why in sorted(recorder.unfit.items())]
            text = json.dumps({"calls": recorder.rows(), "unfit": unfit})
            name.write_text(text, encoding="utf-8")

    atexit.register(leave)
    recorder.start()
