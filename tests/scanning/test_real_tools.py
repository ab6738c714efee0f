"""Real tools, end to end: the tool runs, `scan` judges, somebody accepts, the tool takes it back.

EQUIMUT_TOOLS names a directory that has them; see tests/reports/test_real_tools.py.
"""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from conftest import FULL
from equimut.reports.reported import read_report
from oracles.command import call_equimut, says_one_line
from oracles.reports.elements_samples import schema_faults
from oracles.reports.real_tools import (
    make_cosmic_ray_session,
    run,
    run_stryker,
    tool,
    write_shop,
)

pytestmark = pytest.mark.skipif(not FULL, reason="real tools run in `make test-full`")


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small project, and a cache of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EQUIMUT_CACHE", str(tmp_path / "cache"))
    return write_shop(tmp_path, "[tool.equimut]\nuse-model = false\n")


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


def test_mutmut_kills_what_got_a_test(shop: Path) -> None:
    """The walk of docs/tests.md with the tool itself, before and after."""

    def mutmut() -> dict[str, int]:
        run(shop, tool("mutmut"), "run", "--max-children", "1")
        run(shop, tool("mutmut"), "export-cicd-stats")
        return json.loads((shop / "mutants/mutmut-cicd-stats.json").read_text())  # type: ignore[no-any-return]

    before = mutmut()
    python = tool("python")
    assert call_equimut("record", "--", python, "-m", "pytest", "-q", "tests").returncode == 0
    found = scan(".", "--oracle", "--python", python, "--tests", "tests")
    tested = found["oracle"]["tested"]
    assert tested > 5
    shutil.rmtree(shop / "mutants")
    after = mutmut()
    assert after["total"] == before["total"]
    assert after["killed"] >= before["killed"] + tested


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
    assert schema_faults(json.loads((shop / "e.json").read_text("utf-8"))) == []


def test_cosmic_ray(shop: Path) -> None:
    make_cosmic_ray_session(shop)
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
    run_stryker(shop)
    report = "reports/mutation/mutation.json"
    found = scan(report)  # JavaScript: listed and counted, never predicted
    assert {row["verdict"] for row in found["mutants"]} == {"unknown"}
    covered = accept_some(found["mutants"], 1)
    again = scan(report, "--write-back", "marked.json")
    assert again["scores"]["equivalent"] == covered == 1
    assert read_report(shop / "marked.json").counts["ignored"] == 1
    assert schema_faults(json.loads((shop / "marked.json").read_text("utf-8"))) == []
    assert call_equimut("registry", "check", report).returncode == 0
