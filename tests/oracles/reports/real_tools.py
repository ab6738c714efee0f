"""Real mutation tools, if EQUIMUT_TOOLS names a directory that has them, and a project for them."""

import os
import subprocess
from pathlib import Path

import pytest

TESTS = """\
from shop.till import Till, countdown, tax


def test_till():
    assert tax(200) == 38
    assert Till().add(5, 2).total == 10
    assert countdown(2) == 2
"""
PYPROJECT = """\
[project]
name = "shop"
version = "0"
[tool.mutmut]
source_paths = ["src/"]
[tool.pytest.ini_options]
pythonpath = ["src"]
"""
SESSION = """\
[cosmic-ray]
module-path = "src/shop"
timeout = 20.0
excluded-modules = []
test-command = "{python} -m pytest -x -q tests"
[cosmic-ray.distributor]
name = "local"
"""
STRYKER = {
    "testRunner": "command",
    "commandRunner": {"command": "node test.js"},
    "reporters": ["json"],
    "mutate": ["max.js"],
    "concurrency": 1,
    "coverageAnalysis": "off",
    "allowEmpty": True,
}


def tool(name: str) -> Path:
    root = os.environ.get("EQUIMUT_TOOLS")
    found = [Path(root or "/nowhere") / folder / name for folder in ("bin", "node_modules/.bin")]
    for path in found:
        if path.exists():
            return path.absolute()
    pytest.skip(f"{name} is not here; EQUIMUT_TOOLS names no directory that has it")


def run(folder: Path, *command: object) -> str:
    environment = {**os.environ, "PYTHONPATH": "src"}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout
