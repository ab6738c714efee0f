"""Calls that the examples in docstrings make."""

import contextlib
import doctest
import io
import json
import sys
from pathlib import Path

from project_recording import (  # type: ignore[import-not-found]  # its neighbour, found as a script
    Recorder,
)

MOST_EXAMPLES = 300


def record_doctests(module: str, root: str, path: str, out: str) -> None:
    """Run the examples of a module and leave the calls of its functions in a file."""
    recorder = Recorder(Path(root.rstrip("/")))
    tests = doctest.DocTestFinder(exclude_empty=True).find(sys.modules[module])
    left = MOST_EXAMPLES
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        for test in tests:
            names = dict(test.globs)
            for example in test.examples[:left]:
                recorder.start()
                try:
                    exec(compile(example.source, "<doctest>", "single"), names)
                except (Exception, SystemExit):  # noqa: BLE001  # some show an error
                    pass
                finally:
                    recorder.stop()
            left -= len(test.examples)
            if left <= 0:
                break
    own = path[len(root) :]
    rows = [row for row in recorder.rows() if row["file"] == own]
    Path(out).write_text(json.dumps(rows), encoding="utf-8")
