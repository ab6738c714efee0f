"""Runs suggested tests with pytest, on the origin and on mutants. Started as a script.

Each run has a process of its own, in which the one module is loaded from the text of the mutant;
nothing else of the project is touched.
"""

import importlib.machinery
import importlib.util
import json
import os
import signal
import sys
import time
import types
from typing import Any


class Loader(importlib.machinery.SourceFileLoader):
    """Loads the module from a text instead of from its file."""

    text = ""

    def get_code(self, fullname: str) -> types.CodeType:
        return compile(self.text, self.path, "exec", dont_inherit=True)


class Finder:
    """Finds the one module first."""

    def __init__(self, name: str, path: str, text: str) -> None:
        self.name, self.path = name, path
        self.loader = Loader(name, path)
        self.loader.text = text

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != self.name:
            return None
        package = os.path.basename(self.path) == "__init__.py"
        places = [os.path.dirname(self.path)] if package else None
        return importlib.util.spec_from_file_location(
            name, self.path, loader=self.loader, submodule_search_locations=places
        )


class Outcomes:
    """A plug-in that keeps what became of each test."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: Any) -> None:
        name = report.nodeid.rpartition("::")[2]
        if report.when == "call" or report.failed:
            self.known[name] = (
                "failed" if report.failed or self.known.get(name) == "failed" else report.outcome
            )


def run(job: dict[str, Any], row: dict[str, Any], out: int) -> None:
    """One run of some tests, in this process."""
    import pytest

    sys.meta_path.insert(0, Finder(job["module"], job["path"], row["source"]))
    sys.path[:0] = job["paths"]
    outcomes = Outcomes()
    options = [
        "-q",
        "-p",
        "no:cacheprovider",
        "-c",
        os.devnull,
        "--rootdir",
        os.path.dirname(job["test"]),
    ]
    code = pytest.main(
        [*options, *(f"{job['test']}::{name}" for name in row["names"])], plugins=[outcomes]
    )
    line = {
        "run": row["run"],
        "outcomes": outcomes.known,
        "broken": int(code) not in (0, 1),
        "ended": "",
    }
    os.write(out, json.dumps(line).encode() + b"\n")


def main() -> None:
    """Run the job named on the command line."""
    with open(sys.argv[1], encoding="utf-8") as file:
        job = json.load(file)
    out = os.open(job["results"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if entry != here]
    try:
        import pytest  # noqa: F401  # once for all runs
    except ImportError:
        os.write(
            out, json.dumps({"run": -1, "trouble": "pytest is not installed"}).encode() + b"\n"
        )
        os._exit(0)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for row in job["runs"]:
        child = os.fork()
        if not child:
            signal.setitimer(signal.ITIMER_PROF, job["seconds"])
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
            try:
                run(job, row, out)
            except BaseException:  # noqa: BLE001  # pytest itself was broken by a test
                line = {"run": row["run"], "outcomes": {}, "broken": True, "ended": ""}
                os.write(out, json.dumps(line).encode() + b"\n")
            finally:
                os._exit(0)
        wait(child, row, job["wall"], out)
    os._exit(0)


def wait(child: int, row: dict[str, Any], seconds: float, out: int) -> None:
    """Wait for a run; one that takes too long has failed."""
    end = time.monotonic() + seconds
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done and not os.WIFSIGNALED(status):
            return
        if done or time.monotonic() > end:
            if not done:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
            line = {
                "run": row["run"],
                "outcomes": {},
                "broken": False,
                "ended": "passed the time limit",
            }
            os.write(out, json.dumps(line).encode() + b"\n")
            return
        time.sleep(0.01)


if __name__ == "__main__":
    main()
