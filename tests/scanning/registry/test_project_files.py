"""Settings and registry belong to the project that is scanned, wherever the command is run."""

import json
import os
import shutil
from pathlib import Path

import pytest

from conftest import ROOT
from equimut.scanning.registry.registry import Registry
from oracles.command import RULES_ONLY, Result, call_equimut, says_one_line
from oracles.scans.scan_project import java_report


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a report below it; the working directory is elsewhere."""
    monkeypatch.setenv("EQUIMUT_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "project" / "target" / "reports"
    folder.mkdir(parents=True)
    java_report(folder)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    return tmp_path / "project"


def scan(report: Path, *more: object) -> Result:
    return call_equimut("scan", report, *RULES_ONLY, *more)


def rows(result: Result) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(result.stdout)["mutants"]
    return found


def test_a_scan_from_elsewhere_uses_the_registry_of_the_report(project: Path) -> None:
    report = project / "target" / "reports" / "mutation.json"
    key = str(rows(scan(report, "--json"))[0]["key"])
    (project / ".git").mkdir()
    registry = project / "equivalents.toml"
    given = ("--reason", "seen", "--report", report, "--registry", registry)
    assert call_equimut("accept", key, *given).returncode == 0
    result = scan(report, "--json")
    assert rows(result)[0]["tier"] == "accepted"
    assert f"decisions from {registry}: 1 accepted, 0 rejected" in result.stderr
    # What is decided next goes there too, since that is where the scan looked.
    other = rows(result)[2]["key"]
    result = call_equimut("reject", other, "--reason", "no")
    assert result.returncode == 0, result.stderr
    assert str(registry) in result.stderr
    assert len(Registry(registry).decisions) == 2
    assert not Path("equivalents.toml").exists()
    assert call_equimut("registry", "check", report).returncode == 0


def test_nothing_is_taken_from_above_without_a_repository(project: Path) -> None:
    (project / "equivalents.toml").write_text("[[equivalent]\n")  # reading it would fail
    assert scan(project / "target" / "reports" / "mutation.json").returncode == 0


def test_the_working_directory_comes_first(project: Path) -> None:
    (project / ".git").mkdir()
    (project / "equivalents.toml").write_text("[[equivalent]\n")
    Path("equivalents.toml").write_text("# ours\n")
    assert scan(project / "target" / "reports" / "mutation.json").returncode == 0


def test_settings_of_the_report_count_where_there_are_none_here(project: Path) -> None:
    (project / ".git").mkdir()
    (project / "equimut.toml").write_text('format = "json"\nregistry = "qa.toml"\n')
    report = project / "target" / "reports" / "mutation.json"
    result = scan(report)
    assert f"settings from {project / 'equimut.toml'}" in result.stderr
    key = rows(result)[0]["key"]
    assert call_equimut("accept", key, "--reason", "seen").returncode == 0
    assert len(Registry(project / "qa.toml").entries) == 1
    Path("equimut.toml").write_text('format = "text"\n')
    assert "equimut scan:" in scan(report).stdout


def test_the_project_of_the_sources_counts_too(project: Path, tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "equivalents.toml").write_text("[[equivalent]\n")
    report = project / "target" / "reports" / "mutation.json"
    assert says_one_line(scan(report, "--source", tmp_path / "code"), "equivalents.toml")


def test_a_report_older_than_the_source_is_told_from_a_mutant_that_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EQUIMUT_CACHE", str(tmp_path / "cache"))
    samples = ROOT / "tests" / "reports" / "samples"
    copy, source = tmp_path / "mutants/src/shop/till.py", tmp_path / "src/shop/till.py"
    for place, name in (
        (copy, "mutmut_till.txt"),
        (copy.with_name("till.py.meta"), "mutmut_till.meta.json"),
        (source, "shop_till.txt"),
    ):
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(samples / name, place)
    row = next(row for row in rows(scan(tmp_path, "--json")) if row["key"])
    assert call_equimut("accept", row["key"], "--reason", "seen").returncode == 0
    assert call_equimut("registry", "check", tmp_path).returncode == 0
    function = str(row["change"]["function"])  # type: ignore[index]
    text = source.read_text()
    changed = text.replace(f"def {function}(", f"def {function}(self_, ")
    assert changed != text
    source.write_text(changed)
    result = call_equimut("registry", "check", tmp_path)
    assert (result.returncode, "1 outdated" in result.stderr) == (1, True), result.stderr
    assert f"outdated  {row['key']}  " in result.stdout
    assert "run the mutation tool again" in result.stdout
    # The tool has run since, and does not make the mutant any more.
    meta = copy.with_name("till.py.meta")
    left = json.loads(meta.read_text())
    left["exit_code_by_key"] = {
        name: code for name, code in left["exit_code_by_key"].items() if function not in name
    }
    meta.write_text(json.dumps(left))
    os.utime(source, (0, 0))
    assert "1 gone" in call_equimut("registry", "check", tmp_path).stderr
