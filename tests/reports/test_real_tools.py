"""Real tools, driven from start to end on a small project: run, read, write back, accepted.

The tools are no dependencies of ours. EQUIMUT_TOOLS names a directory that has them, made by:

    python -m venv DIR && DIR/bin/pip install mutmut cosmic-ray universalmutator "pytest<9"
    npm install --prefix DIR @stryker-mutator/core
"""

import json
import re
import shutil
from pathlib import Path

import pytest

from conftest import FULL
from equimut.reports.reported import read_report
from equimut.reports.write_back import write_back
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
def shop(tmp_path: Path) -> Path:
    return write_shop(tmp_path)


def test_mutmut(shop: Path) -> None:
    mutmut = tool("mutmut")
    run(shop, mutmut, "run", "--max-children", "1")
    run(shop, mutmut, "export-cicd-stats")
    stated = json.loads((shop / "mutants/mutmut-cicd-stats.json").read_text())
    report = read_report(shop)
    assert report.format == "mutmut"
    assert report.total == stated.pop("total") > 30
    words = {word.replace(" ", "_"): number for word, number in report.tool_counts.items()}
    assert words == {word: number for word, number in stated.items() if number}
    assert all(mutant.analysable for mutant in report.mutants())


def test_cosmic_ray(shop: Path) -> None:
    cosmic_ray = tool("cosmic-ray")
    make_cosmic_ray_session(shop)
    pending = read_report(shop / "session.sqlite")
    assert list(pending.counts) == ["pending"]
    run(shop, cosmic_ray, "exec", "cr.toml", "session.sqlite")
    report = read_report(shop / "session.sqlite")
    found = list(report.mutants())
    survivors = [mutant.index for mutant in found if mutant.status == "survived"]
    stated = re.search(r"surviving mutants: (\d+)", run(shop, tool("cr-report"), "session.sqlite"))
    assert stated is not None
    assert int(stated[1]) == len(survivors) > 3
    assert all(mutant.change for mutant in found)
    write_back(report, dict.fromkeys(survivors[:3], "equivalent"), shop / "marked.sqlite")
    accepted = run(shop, tool("cr-report"), "marked.sqlite")
    assert f"surviving mutants: {len(survivors) - 3} " in accepted
    assert accepted.count("WorkerOutcome.SKIPPED") == 3
    run(shop, cosmic_ray, "exec", "cr.toml", "marked.sqlite")  # nothing is left to do
    assert read_report(shop / "marked.sqlite").counts["ignored"] == 3


def test_universalmutator(shop: Path) -> None:
    mutate = tool("mutate")
    (shop / "um").mkdir()
    shutil.copy(shop / "src/shop/till.py", shop / "till.py")
    run(shop, mutate, "till.py", "--mutantDir", "um", "--noCheck")
    files = sorted((shop / "um").glob("till.mutant.*.py"))
    (shop / "um/notkilled.txt").write_text("".join(f"{file.name}\n" for file in files[:5]))
    report = read_report(shop / "um", shop / "till.py")
    assert report.counts == {"survived": 5, "pending": len(files) - 5}
    found = list(report.mutants())
    assert len(found) > 50
    assert all(mutant.change or mutant.problem for mutant in found)
    assert sum(mutant.analysable for mutant in found) > len(found) / 2


def test_stryker(tmp_path: Path) -> None:
    run_stryker(tmp_path)
    report = read_report(tmp_path / "reports/mutation")
    assert report.tool == "StrykerJS"
    found = list(report.mutants())
    assert {mutant.problem for mutant in found} == {"language not supported: javascript"}
    assert all(mutant.change for mutant in found)
    survivors = {each.index: "equivalent, a === b" for each in found if each.status == "survived"}
    assert survivors
    write_back(report, survivors, tmp_path / "marked.json")
    again = read_report(tmp_path / "marked.json")
    assert again.counts["ignored"] == len(survivors)
    written = json.loads((tmp_path / "marked.json").read_text(encoding="utf-8"))
    assert schema_faults(written) == []
