"""Real mutation tools, if EQUIMUT_TOOLS names a directory that has them, and a project for them."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import ROOT

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


def write_shop(folder: Path, settings: str = "") -> Path:
    """A small Python project with tests; `settings` are added to its pyproject.toml."""
    (folder / "src/shop").mkdir(parents=True)
    (folder / "src/shop/__init__.py").touch()
    shutil.copy(ROOT / "tests/reports/samples/shop_till.txt", folder / "src/shop/till.py")
    (folder / "tests").mkdir()
    (folder / "tests/test_till.py").write_text(TESTS)
    (folder / "pyproject.toml").write_text(PYPROJECT + settings)
    return folder


def make_cosmic_ray_session(shop: Path) -> None:
    """A session that has not been run, on a part of the shop: cosmic-ray is slow."""
    source = shop / "src/shop/till.py"
    text = source.read_text(encoding="utf-8")
    source.write_text(text[: text.index("    @property")], encoding="utf-8")
    (shop / "tests/test_till.py").write_text(
        TESTS.replace("countdown", "tax", 1).split("    assert c")[0]
    )
    (shop / "cr.toml").write_text(SESSION.format(python=tool("python")))
    run(shop, tool("cosmic-ray"), "init", "cr.toml", "session.sqlite")


def run_stryker(folder: Path) -> None:
    """A JavaScript project, mutated by Stryker: the report is in reports/mutation."""
    (folder / "max.js").write_text(
        "function max(a, b) {\n  return a > b ? a : b; // ä 🧀\n}\nmodule.exports = { max };\n",
        encoding="utf-8",
    )
    (folder / "test.js").write_text(
        "const { max } = require('./max');\n"
        "if (max(1, 2) !== 2 || max(4, 3) !== 4) process.exit(1);\n"
    )
    (folder / "package.json").write_text('{"name": "toy", "version": "1.0.0"}')
    (folder / "stryker.conf.json").write_text(json.dumps(STRYKER))
    run(folder, tool("stryker"), "run", "stryker.conf.json")


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
