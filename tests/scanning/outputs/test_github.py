"""Workflow commands and the summary of a job: nothing in a report can forge either."""

from pathlib import Path

import pytest

from equimut.scanning.outputs import OutputError
from equimut.scanning.outputs.github_format import MAX_ANNOTATIONS, pieces
from equimut.scanning.records import ScanResult
from equimut.storage.files import shown
from oracles.scans.scan_results import RANGES, example_result, reported, scan_result, verdict


@pytest.fixture(autouse=True)
def _outside_of_a_workflow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)


def commands(result: ScanResult) -> list[tuple[str, dict[str, str], str]]:
    """Read as the runner reads them: kind, properties, message."""
    found = []
    for line in "".join(pieces(result)).splitlines():
        assert line.startswith("::")
        kind, _, rest = line[2:].partition(" ")
        given, _, message = rest.partition("::")
        properties = dict(part.split("=", 1) for part in given.split(","))
        for sign, escaped in (
            (":", "%3A"),
            (",", "%2C"),
            ("\n", "%0A"),
            ("\r", "%0D"),
            ("%", "%25"),
        ):
            properties = {name: text.replace(escaped, sign) for name, text in properties.items()}
        for sign, escaped in (("\n", "%0A"), ("\r", "%0D"), ("%", "%25")):
            message = message.replace(escaped, sign)
        found.append((kind, properties, message))
    return found


def test_gaps_are_warnings_and_the_likeliest_come_first() -> None:
    found = commands(example_result())
    assert [kind for kind, _, _ in found] == ["warning"] * 7 + ["notice"] * 3
    lines = [properties["line"] for _, properties, _ in found]
    assert lines == ["10", "34", "23", "16", "9", "11", "23", "33", "15", "18"]
    _, properties, message = found[4]
    assert properties["file"] == RANGES
    assert properties["title"] == "Mutant: worth a test, 4 % chance of being equivalent"
    assert message.startswith("`while (low <= high) {` -> `while (low < high) {`\n")
    assert "equimut accept " in message


def test_text_of_a_report_cannot_forge_a_command() -> None:
    evil = "x,line=1::error::100%\r\n::error::owned"
    mutant = reported(0, RANGES, "low <= high", "low < high", description=evil, operator=evil)
    mutant = mutant.model_copy(update={"file": evil, "change": None})
    result = scan_result([verdict(mutant, "not-equivalent", "killed", reason=evil)])
    [(kind, properties, message)] = commands(result)
    assert (kind, properties["file"]) == ("warning", shown(evil))
    assert shown(evil) in message
    text = "".join(pieces(result))
    assert text.count("\n") == 1
    assert "\r" not in text


def test_many_are_cut_and_the_rest_is_counted() -> None:
    many = [
        verdict(reported(n, RANGES, "low <= high", "low < high"), "not-equivalent", probability=0.1)
        for n in range(MAX_ANNOTATIONS + 7)
    ]
    lines = "".join(pieces(scan_result(many))).splitlines()
    assert len(lines) == MAX_ANNOTATIONS + 1
    assert lines[-1].startswith("::notice title=equimut::7 more survivors")


def test_the_summary_is_added_to_the_file_that_github_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("# before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    list(pieces(example_result()))
    text = summary.read_text()
    assert text.startswith("# before\n## equimut scan")
    assert "| without equivalents | **73.2 %** |" in text
    assert "| Worth a test | 7 |" in text
    assert "| Proved equivalent | 1 |" in text
    rows = text[text.index("Most probably") :].splitlines()
    assert "Ranges.java:10" in rows[4].replace("\\", "")


def test_markup_in_code_stays_text_in_the_summary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    evil = "a | b <img src=x> `c` [d](http://e) @you\n| new | row |"
    mutant = reported(0, RANGES, "low <= high", "low < high", description=evil)
    mutant = mutant.model_copy(update={"change": None})
    list(pieces(scan_result([verdict(mutant, "not-equivalent", "killed")])))
    row = (tmp_path / "summary.md").read_text().splitlines()[-2]
    assert row.replace("\\|", "").count("|") == 5
    assert "<img" not in row
    assert "\\[d\\]\\(http" in row
    assert "\\@you" in row


def test_a_summary_that_cannot_be_written_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path))
    with pytest.raises(OutputError, match="GITHUB_STEP_SUMMARY"):
        list(pieces(example_result()))
