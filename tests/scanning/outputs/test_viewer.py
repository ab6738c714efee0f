"""The open viewer and the open metrics, which belong to the format, accept what is written.

EQUIMUT_TOOLS names a directory that has them: npm install --prefix DIR @stryker-mutator/core
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from equimut.scanning.outputs import write_output
from oracles.scans.browser import Watched, opened_browser
from oracles.scans.scan_results import RANGES, example_result

METRICS = """
import { readFileSync } from "fs";
const { calculateMutationTestMetrics } = await import(process.argv[2]);
const report = JSON.parse(readFileSync(process.argv[3]));
console.log(JSON.stringify(calculateMutationTestMetrics(report).systemUnderTestMetrics.metrics));
"""
PAGE = """<!doctype html><meta charset="utf-8"><script src="viewer.js"></script>
<mutation-test-report-app></mutation-test-report-app>
<script>document.querySelector("mutation-test-report-app").report = REPORT;</script>"""


def package(*parts: str) -> Path:
    path = Path(os.environ.get("EQUIMUT_TOOLS", "/nowhere")).joinpath("node_modules", *parts)
    if not path.exists():
        pytest.skip(f"{parts[0]} is not here; EQUIMUT_TOOLS names no directory that has it")
    return path.absolute()


@pytest.fixture(scope="module")
def viewer() -> Path:
    return package("mutation-testing-elements", "dist", "mutation-test-elements.js")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from opened_browser()


def test_the_open_metrics_give_the_score_without_equivalents(tmp_path: Path) -> None:
    library = package("mutation-testing-metrics", "dist", "src", "index.js")
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not here")
    result = example_result()
    write_output(result, "elements", tmp_path / "report.json")
    (tmp_path / "metrics.mjs").write_text(METRICS)
    command = [node, tmp_path / "metrics.mjs", library, tmp_path / "report.json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=240)
    metrics = json.loads(done.stdout)
    assert metrics["mutationScore"] == pytest.approx(100 * 30 / 41)
    assert (metrics["ignored"], metrics["totalMutants"]) == (3, 44)


def test_the_open_viewer_shows_the_report(viewer: Path, browser: Browser, tmp_path: Path) -> None:
    shutil.copy(viewer, tmp_path / "viewer.js")
    write_output(example_result(), "elements", tmp_path / "report.json")
    report = (tmp_path / "report.json").read_text().replace("<", "\\u003c")
    (tmp_path / "page.html").write_text(PAGE.replace("REPORT", report))
    watched = Watched(browser.new_page())
    page = watched.page
    page.goto((tmp_path / "page.html").as_uri())
    page.get_by_text("73.17").first.wait_for(timeout=60_000)
    page.goto((tmp_path / "page.html").as_uri() + f"#mutant/{RANGES.rpartition('/')[2]}")
    for words in ("Survived (4)", "NoCoverage (1)", "Ignored (2)"):
        page.get_by_text(words).first.wait_for(timeout=60_000)
    assert watched.problems == []
