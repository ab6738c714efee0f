"""Where things are kept between runs: in the user's cache, one folder per kind of thing."""

import os
from pathlib import Path


def cache_directory(part: str) -> Path:
    """The folder of one kind of thing: below EQUIMUT_CACHE, XDG_CACHE_HOME or ~/.cache.

    A relative XDG_CACHE_HOME is ignored, as its specification demands.
    """
    if own := os.environ.get("EQUIMUT_CACHE"):
        base = Path(own).absolute()
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not base.is_absolute():
        base = Path.home() / ".cache"
    return base / "equimut" / part
