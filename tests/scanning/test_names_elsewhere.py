"""A rule's proof in a scan holds in the file that the mutant is in, whatever the cache knows."""

from pathlib import Path

import pytest

from equimut.reports.reported import read_report
from equimut.scanning.evidence.texts import EvidenceFinder
from equimut.scanning.registry.registry import Registry
from equimut.scanning.verdict_cache import VerdictCache

FUNCTION = "def f(n):\n    for i in range(n):\n        g({})\n"
FILES = {
    "plain": ("import numpy\n\n\n", True),
    "star": ("from numpy import *\n\n\n", False),
    "own": ("def abs(x):\n    return 7\n\n\n", False),
    "plain again": ("import os\n\n\n", True),
}


def proved(folder: Path, before: str, cache: VerdictCache) -> bool:
    """Whether the texts alone settle a mutant that is read from a report."""
    (folder / "a.py").write_text(before + FUNCTION.format("i"), encoding="utf-8")
    line = before.count("\n") + 3
    hunk = f"--- a/a.py\n+++ b/a.py\n@@ -{line} +{line} @@\n-        g(i)\n+        g(abs(i))\n"
    (folder / "m.diff").write_text(hunk, encoding="utf-8")
    (mutant,) = read_report(folder / "m.diff", folder).mutants()
    settled = EvidenceFinder(Registry(folder / "none.toml"), cache).examine(mutant).settled
    return settled is not None and settled.tier == "proved"


@pytest.mark.parametrize("kept", [False, True])
def test_what_the_file_binds_decides(tmp_path: Path, kept: bool) -> None:
    with VerdictCache(tmp_path / "cache" if kept else None) as cache:
        for _ in range(2):  # the second time from the cache
            for name, (before, expected) in FILES.items():
                assert proved(tmp_path, before, cache) is expected, name
        assert bool(cache.hits) is kept
