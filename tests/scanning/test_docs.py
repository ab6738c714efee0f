"""docs/scan.md tells the truth: its settings are settings, its YAML is YAML, its commands run."""

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT
from equimut.scanning.api import read_settings
from oracles.command import call_equimut
from oracles.scans.scan_project import java_report

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

yaml = pytest.importorskip("yaml")
PAGE = (ROOT / "docs" / "scan.md").read_text()
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.M | re.S)
BLOCKS = [(match[1], match[2]) for match in BLOCK.finditer(PAGE)]
REPORTS = {"target/pit-reports/mutations.xml", "mutation.json", "reports/mutation/mutation.json"}


def documents(kind: str) -> list[str]:
    return [text for name, text in BLOCKS if name == kind]


def commands() -> list[str]:
    """Every equimut command of the page: indented, in workflows, in hooks."""
    lines = [line.split("  #")[0].strip() for line in PAGE.splitlines()]
    found = [line for line in lines if line.startswith("equimut ")]
    found += [
        line.split(": ", 1)[1] for line in lines if re.match(r"(- )?(run|entry): equimut", line)
    ]
    return found


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EQUIMUT_CACHE", str(tmp_path / "cache"))
    java_report(tmp_path)
    # Fast; predictions and proofs are tested elsewhere.
    (tmp_path / "equimut.toml").write_text('use-model = false\nprove-budget = "none"\n')
    (tmp_path / "change.diff").write_text("--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-1\n+2\n")
    identity = ("-c", "user.name=n", "-c", "user.email=n@example.org")
    for words in ("init -q", "add equimut.toml", "commit -q -m one",
                  "update-ref refs/remotes/origin/main HEAD"):  # fmt: skip
        subprocess.run(["git", *identity, *words.split()], check=True)
    return tmp_path


def test_the_settings_of_the_page_are_settings() -> None:
    (text,) = documents("toml")
    settings = read_settings(Path("pyproject.toml"), tomllib.loads(text)["tool"]["equimut"])
    assert settings.fail_on == "new-survivors"


def test_the_workflow_and_the_hook_are_what_they_claim() -> None:
    workflow, hook = (yaml.safe_load(text) for text in documents("yaml"))
    steps: list[dict[str, Any]] = workflow["jobs"]["mutants"]["steps"]
    assert all(("uses" in step) != ("run" in step) for step in steps)
    assert workflow[True] == ["pull_request"]  # YAML reads `on` as a truth value
    (entry,) = hook["repos"][0]["hooks"]
    assert {"id", "name", "entry", "language"} <= set(entry)
    re.compile(entry["files"])


@pytest.mark.parametrize("command", commands())
def test_a_command_of_the_page_runs(command: str, project: Path) -> None:
    """With a report of ours in the place of the one it names."""
    words = shlex.split(command)[1:]
    if words[0] == "review" or words[1] == "update" or words[1:2] in (["."], ["session.sqlite"]):
        pytest.skip("needs a terminal, or another tool's files: tested elsewhere")
    given = [str(project / "mutation.json") if word in REPORTS else word for word in words]
    given = [str(project) if word == "src/main/java" else word for word in given]
    if "--fail-on" in given:
        call_equimut("scan", given[1], "--baseline", "survivors.json", "--update-baseline")
    if words[0] in ("accept", "reject"):
        scanned = call_equimut("scan", project / "mutation.json", "--json").stdout
        given[1] = str(re.search(r'"key": "(\w+)"', scanned)[1])  # type: ignore[index]
    result = call_equimut(*given)
    assert result.returncode == 0, result.stderr


def test_the_page_names_what_there_is() -> None:
    shown = call_equimut("scan", "--help").stdout
    for option in set(re.findall(r"--[a-z][a-z-]+", PAGE)) - {"--reason", "--report", "--again"}:
        assert option in shown, option
