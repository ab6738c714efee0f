"""Starts recording in every Python process of a command that `equimut record` runs."""

import os
import sys
from pathlib import Path

_HERE = Path(__file__).resolve().parent


def _go_on() -> None:
    """Import the `sitecustomize` that this one stands before, if there is one."""
    sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != _HERE]
    own = sys.modules.pop("sitecustomize", None)
    try:
        __import__("sitecustomize")
    except ImportError:
        if own is not None:
            sys.modules["sitecustomize"] = own


_go_on()
if "EQUIMUT_RECORD_FOLDER" in os.environ:
    sys.path.insert(0, str(_HERE.parent / "project"))
    from project_recording import (  # type: ignore[import-not-found]  # on the path since now
        record_this_process,
    )

    sys.path.pop(0)
    record_this_process(os.environ["EQUIMUT_RECORD_ROOT"], os.environ["EQUIMUT_RECORD_FOLDER"])
