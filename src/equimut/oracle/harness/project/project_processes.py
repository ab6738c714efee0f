"""The module under test as it is loaded, child processes, and the file of findings."""

import builtins
import importlib
import importlib.machinery
import importlib.util
import json
import os
import signal
import sys
import time
import types
from typing import Any

from project_calls import TimeUp  # type: ignore[import-not-found]  # its neighbour, found as a script
from python_steps import Endless, Meter, instrumented, meter_names  # type: ignore[import-not-found]

IMPORT_SECONDS = 30


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
