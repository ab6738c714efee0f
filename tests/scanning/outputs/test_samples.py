"""Real reports of real tools: every format can be written, and says the same counts."""

import json
from pathlib import Path

import jsonschema
import pytest
from defusedxml import ElementTree

from conftest import shared_file
from equimut.reports.reported import read_report
from equimut.scanning.outputs import FORMATS, write_output
from equimut.scanning.outputs.json_format import SCHEMA
from equimut.scanning.records import ScanResult, ScanVerdict
from equimut.scanning.registry.registry import key_of
from oracles.reports.elements_samples import schema_faults
from oracles.scans.scan_results import scan_result

SAMPLES = [
    ("elements/strykerjs_toy_mutation.json", None),
    ("elements/scala-example_mutation-report.json", None),
    ("elements/pitest-example_report.js", None),
    ("pit/mutations_full-data.xml", "pit"),
    ("major/mutants_triangle.log", "major"),
    ("cosmic-ray/session.sqlite", "cosmic-ray"),
    ("cargo-mutants/outcomes.json", "cargo-mutants"),
]


def judged(name: str, source: str | None) -> ScanResult:
    """All mutants of a report with no verdict, every fifth one accepted."""
    root = None if source is None else shared_file("samples", source)
    report = read_report(shared_file("samples", *name.split("/")), root)
    verdicts = [
        ScanVerdict(mutant=mutant, key=key_of(mutant), word="equivalent", tier="accepted",
                    reason="a test", counts=mutant.status in ("survived", "no_coverage"))
        if mutant.index % 5 == 0
        else ScanVerdict(mutant=mutant, key=key_of(mutant), word="unknown", tier="unknown")
        for mutant in report.mutants()
    ]  # fmt: skip
    result = scan_result(verdicts)
    return ScanResult(**{**vars(result), "report": report, "source": root})


@pytest.mark.parametrize(("name", "source"), SAMPLES, ids=[name for name, _ in SAMPLES])
def test_every_format_can_be_written(
    name: str, source: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    result = judged(name, source)
    for format in FORMATS:
        write_output(result, format, tmp_path / format)
    total = result.report.total
    found = json.loads((tmp_path / "json").read_text())
    jsonschema.validate(found, json.loads(SCHEMA.read_text()))
    assert len(found["mutants"]) == total
    cases = ElementTree.parse(tmp_path / "junit").getroot().iter("testcase")
    assert len(list(cases)) == total
    elements = json.loads((tmp_path / "elements").read_text())
    mutants = [each for file in elements["files"].values() for each in file["mutants"]]
    assert len(mutants) == total
    assert sum("a test" in each.get("statusReason", "") for each in mutants) == sum(
        each.counts for each in result.verdicts()
    )
    if result.report.format != "elements":  # else it is a copy of what the tool wrote
        assert schema_faults(elements) == []
