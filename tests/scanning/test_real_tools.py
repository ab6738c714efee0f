"""Real tools, end to end: the tool runs, `scan` judges, somebody accepts, the tool takes it back.

EQUIMUT_TOOLS names a directory that has them; see tests/reports/test_reports_real_tools.py.
"""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from conftest import FULL, ROOT, shared_file
from equimut.reports.reading import read_report
from oracles.command import call_equimut, says_one_line
from oracles.reports.real_tools import PYPROJECT, SESSION, STRYKER, TESTS, run, tool
from oracles.scans.json_schema import faults

SAMPLES = ROOT / "tests" / "reports" / "samples"
pytestmark = pytest.mark.skipif(not FULL, reason="real tools run in `make test-full`")


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small project, and a cache of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EQUIMUT_CACHE", str(tmp_path / "cache"))
    (tmp_path / "src/shop").mkdir(parents=True)
    (tmp_path / "src/shop/__init__.py").touch()
    shutil.copy(SAMPLES / "shop_till.txt", tmp_path / "src/shop/till.py")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_till.py").write_text(TESTS)
    (tmp_path / "pyproject.toml").write_text(PYPROJECT + "[tool.equimut]\nuse-model = false\n")
    return tmp_path


def scan(report: object, *more: object, code: int = 0) -> dict[str, Any]:
    result = call_equimut("scan", report, "--json", *more)
    assert result.returncode == code, result.stderr
    return json.loads(result.stdout)  # type: ignore[no-any-return]


def accept_some(rows: list[dict[str, Any]], number: int) -> int:
    """Accept survivors by key; says how many mutants of the report that covers."""
    keys = list(dict.fromkeys(row["key"] for row in rows if row["tier"] == "unknown"))[:number]
    for key in keys:
        assert call_equimut("accept", key, "--reason", "a person looked").returncode == 0
    return sum(row["key"] in keys for row in rows)


def schema_faults(path: Path) -> list[str]:
    schema = json.loads(
        shared_file("samples", "elements", "mutation-testing-report-schema.json").read_text()
    )
    return list(faults(json.loads(path.read_text("utf-8")), schema, schema))


def test_mutmut(shop: Path) -> None:
    run(shop, tool("mutmut"), "run", "--max-children", "1")
    run(shop, tool("mutmut"), "export-cicd-stats")
    stated = json.loads((shop / "mutants/mutmut-cicd-stats.json").read_text())
    found = scan(".")
    assert found["report"]["total"] == stated["total"]
    assert found["report"]["statuses"]["survived"] == stated["survived"]
    covered = accept_some(found["mutants"], 2)
    assert scan(".")["scores"]["equivalent"] == found["scores"]["equivalent"] + covered
    assert call_equimut("registry", "check", ".").returncode == 0
    # mutmut has no place for such a mark; the open schema has.
    refused = call_equimut("scan", ".", "--write-back", "out")
    assert says_one_line(refused, "nothing can be written back into a mutmut report")
    assert call_equimut("scan", ".", "--format", "elements", "--out", "e.json").returncode == 0
    assert schema_faults(shop / "e.json") == []


def test_cosmic_ray(shop: Path) -> None:
    source = shop / "src/shop/till.py"
    text = source.read_text(encoding="utf-8")
    source.write_text(text[: text.index("    @property")], encoding="utf-8")
    (shop / "tests/test_till.py").write_text(
        TESTS.replace("countdown", "tax", 1).split("    assert c")[0]
    )
    (shop / "cr.toml").write_text(SESSION.format(python=tool("python")))
    run(shop, tool("cosmic-ray"), "init", "cr.toml", "session.sqlite")
    assert scan("session.sqlite", code=3)["report"]["statuses"] != {}  # nothing has been run
    run(shop, tool("cosmic-ray"), "exec", "cr.toml", "session.sqlite")
    found = scan("session.sqlite")
    survived = found["report"]["statuses"]["survived"]
    covered = accept_some(found["mutants"], 3)
    again = scan("session.sqlite", "--write-back", "marked.sqlite")
    marked = again["scores"]["equivalent"]
    assert marked == found["scores"]["equivalent"] + covered
    accepted = run(shop, tool("cr-report"), "marked.sqlite")
    stated = re.search(r"surviving mutants: (\d+)", accepted)
    assert stated is not None
    assert int(stated[1]) == survived - marked
    assert accepted.count("WorkerOutcome.SKIPPED") == marked >= 3
    run(shop, tool("cosmic-ray"), "exec", "cr.toml", "marked.sqlite")  # nothing is left to do
    assert read_report(shop / "marked.sqlite").counts["ignored"] == marked


def test_stryker(shop: Path) -> None:
    (shop / "max.js").write_text(
        "function max(a, b) {\n  return a > b ? a : b; // ä 🧀\n}\nmodule.exports = { max };\n",
        encoding="utf-8",
    )
    (shop / "test.js").write_text(
        "const { max } = require('./max');\n"
        "if (max(1, 2) !== 2 || max(4, 3) !== 4) process.exit(1);\n"
    )
    (shop / "package.json").write_text('{"name": "toy", "version": "1.0.0"}')
    (shop / "stryker.conf.json").write_text(json.dumps(STRYKER))
    run(shop, tool("stryker"), "run", "stryker.conf.json")
    report = "reports/mutation/mutation.json"
    found = scan(report, code=3)  # JavaScript: listed and counted, never predicted
    assert {row["verdict"] for row in found["mutants"]} == {"unknown"}
    covered = accept_some(found["mutants"], 1)
    again = scan(report, "--write-back", "marked.json")
    assert again["scores"]["equivalent"] == covered == 1
    assert read_report(shop / "marked.json").counts["ignored"] == 1
    assert schema_faults(shop / "marked.json") == []
    assert call_equimut("registry", "check", report).returncode == 0
