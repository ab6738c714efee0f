"""SARIF 2.1.0: the rules of the standard that matter here, places, fingerprints, suppressions."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest

from equimut.scanning.outputs.sarif_format import pieces
from equimut.scanning.records import ScanResult
from oracles.scans.scan_results import (
    RANGES,
    SOURCES,
    example_result,
    example_verdicts,
    reported,
    scan_result,
    verdict,
)

TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
POSITION = {"type": "integer", "minimum": 1}
RULES_OF_SARIF = {
    "type": "object",
    "required": ["version", "runs"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"type": "string"},
        "version": {"const": "2.1.0"},
        "runs": {"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/run"}},
    },
    "definitions": {
        "run": {
            "type": "object",
            "required": ["tool"],
            "additionalProperties": False,
            "properties": {
                "tool": {"type": "object", "required": ["driver"]},
                "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                "originalUriBaseIds": {"type": "object"},
                "properties": {"type": "object"},
                "results": {"type": "array", "items": {"$ref": "#/definitions/result"}},
            },
        },
        "result": {
            "type": "object",
            "required": ["message"],
            "additionalProperties": False,
            "properties": {
                "ruleId": {"type": "string"},
                "ruleIndex": {"type": "integer", "minimum": -1},
                "level": LEVEL,
                "message": TEXT,
                "locations": {"type": "array", "items": {"$ref": "#/definitions/location"}},
                "rank": {"type": "number", "minimum": -1, "maximum": 100},
                "fingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
                "partialFingerprints": {"additionalProperties": {"type": "string"}},
                "suppressions": {
                    "type": "array",
                    "items": {
                        "required": ["kind"],
                        "properties": {
                            "kind": {"enum": ["inSource", "external"]},
                            "status": {"enum": ["accepted", "underReview", "rejected"]},
                            "justification": {"type": "string"},
                        },
                        "additionalProperties": False,
                    },
                },
                "properties": {"type": "object"},
            },
        },
        "location": {
            "additionalProperties": False,
            "properties": {
                "physicalLocation": {
                    "required": ["artifactLocation"],
                    "additionalProperties": False,
                    "properties": {
                        "artifactLocation": {
                            "required": ["uri"],
                            "properties": {"uri": {"type": "string", "pattern": r"^[!-~]+$"}},
                        },
                        "region": {
                            "required": ["startLine"],
                            "additionalProperties": False,
                            "properties": {
                                "startLine": POSITION,
                                "endLine": POSITION,
                                "startColumn": POSITION,
                                "endColumn": POSITION,
                            },
                        },
                    },
                },
                "logicalLocations": {"type": "array"},
            },
        },
    },
}


def run_of(result: ScanResult) -> dict[str, Any]:
    document = json.loads("".join(pieces(result)))
    jsonschema.validate(document, RULES_OF_SARIF)
    run: dict[str, Any] = document["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    for found in run["results"]:
        assert rules[found["ruleIndex"]]["id"] == found["ruleId"]
        assert rules[found["ruleIndex"]]["defaultConfiguration"]["level"] == found["level"]
    return run


def test_every_survivor_is_a_result_under_its_rule() -> None:
    results = run_of(example_result())["results"]
    rules = [found["ruleId"] for found in results]
    gap, unknown = "survivor-worth-a-test", "survivor-without-verdict"
    proved, predicted = "proved-equivalent", "predicted-equivalent"
    undecided = "survivor-undecided"
    assert rules == [
        gap, gap, gap, proved, predicted, undecided, gap, "accepted-equivalent",
        "unrefuted-mutant", gap, unknown, gap, gap, unknown,
    ]  # fmt: skip
    assert {found["level"] for found in results if found["ruleId"] == gap} == {"warning"}
    assert {found["level"] for found in results if found["ruleId"] != gap} == {"note"}


def test_rules_help_as_githubs_rules_want() -> None:
    """GH2012: each rule has a help text."""
    driver = run_of(example_result())["tool"]["driver"]
    for rule in driver["rules"]:
        assert len(rule["help"]["text"]) > 40
        assert rule["help"]["markdown"].startswith("**")
        assert rule["help"]["text"][0].isupper()


def test_the_fingerprint_is_the_key() -> None:
    for found, each in zip(run_of(example_result())["results"], example_verdicts(), strict=True):
        if each.key is None:
            assert "fingerprints" not in found
        else:
            assert found["fingerprints"] == {"equimutKey/v2": each.key.full}


def test_what_somebody_accepted_is_suppressed() -> None:
    results = run_of(example_result())["results"]
    suppressed = [found for found in results if "suppressions" in found]
    assert [found["ruleId"] for found in suppressed] == ["accepted-equivalent"]
    assert suppressed[0]["suppressions"][0]["justification"].startswith("i only ever grows by one")


def place(found: dict[str, Any]) -> dict[str, Any]:
    location: dict[str, Any] = found["locations"][0]["physicalLocation"]
    return location


def test_regions_hold_the_changed_text() -> None:
    results = run_of(example_result())["results"]
    for found, each in zip(results, example_verdicts(), strict=True):
        change, where = each.mutant.change, place(found)
        assert where["artifactLocation"] == {"uri": each.mutant.file, "uriBaseId": "SRCROOT"}
        if change is None:
            assert where["region"] == {"startLine": each.mutant.line, "endLine": each.mutant.line}
            continue
        region, lines = where["region"], SOURCES[each.mutant.file].split("\n")
        if region["startLine"] == region["endLine"]:
            line = lines[region["startLine"] - 1]
            assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == change.original


def test_the_first_line_of_a_function_has_no_columns_unless_the_file_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "class A {\n    static int f(int a) { return a < 3 ? 1 : 0; }\n}\n"
    mutant = reported(0, "A.java", "a < 3", "a <= 3", text=code)
    found = verdict(mutant, "not-equivalent", probability=0.1)
    assert place(run_of(scan_result([found]))["results"][0])["region"] == {
        "startLine": 2,
        "endLine": 2,
    }
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "A.java").write_text(code)
    monkeypatch.chdir(tmp_path)
    where = place(run_of(scan_result([found], source=tmp_path / "src"))["results"][0])
    assert where["artifactLocation"]["uri"] == "src/A.java"  # as seen from the working directory
    column = code.split("\n")[1].index("a < 3") + 1
    assert where["region"] == {
        "startLine": 2, "endLine": 2, "startColumn": column, "endColumn": column + 5,
    }  # fmt: skip
    (tmp_path / "src" / "A.java").write_text("// new\n" + code)  # no longer what was scanned
    where = place(run_of(scan_result([found], source=tmp_path / "src"))["results"][0])
    assert where["region"] == {"startLine": 2, "endLine": 2}


def test_an_insertion_is_not_placed_in_a_file_that_changed(tmp_path: Path) -> None:
    """Nothing is replaced, so nothing at the place itself tells that the file is another."""
    code = "class A {\n    static int f(int a) { return a; }\n}\n"
    mutant = reported(0, "A.java", "a; }", "-a; }", text=code)
    assert mutant.change is not None
    at = mutant.change.start_byte
    change = mutant.change.model_copy(update={"end_byte": at, "original": "", "replacement": "-"})
    found = verdict(mutant.model_copy(update={"change": change}), "not-equivalent", "killed")
    result = scan_result([found], source=tmp_path)
    (tmp_path / "A.java").write_text(code)
    region = place(run_of(result)["results"][0])["region"]
    column = code.split("\n")[1].index("a; }") + 1
    assert (region["startLine"], region["startColumn"], region["endColumn"]) == (2, column, column)
    (tmp_path / "A.java").write_text(code.replace("return a", "return 2 * a"))
    assert place(run_of(result)["results"][0])["region"] == {"startLine": 2, "endLine": 2}


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("src\\main\\A b.java", "src/main/A%20b.java"),
        ("größe/#1?.java", "gr%C3%B6%C3%9Fe/%231%3F.java"),
        ("/abs/A.java", "file:///abs/A.java"),
        ("C:\\x\\A.java", "file:///C:/x/A.java"),
        ("a:b.java", "a%3Ab.java"),
    ],
)
def test_paths_become_uris(file: str, uri: str) -> None:
    mutant = reported(0, RANGES, "low <= high", "low < high").model_copy(update={"file": file})
    where = place(run_of(scan_result([verdict(mutant, "unknown", "unknown")]))["results"][0])
    assert where["artifactLocation"]["uri"] == uri
    if not uri.startswith("file:"):
        assert unquote(uri) == file.replace("\\", "/")


def test_detected_mutants_are_no_results() -> None:
    killed = reported(0, RANGES, "low <= high", "low < high", status="killed")
    assert run_of(scan_result([verdict(killed, "equivalent", probability=0.9)]))["results"] == []


def test_a_result_shows_the_test_that_kills_it() -> None:
    test = "def test_find_returns_0():\n    assert find([3], 3) == 0\n"
    mutant = reported(0, RANGES, "low <= high", "low < high")
    found = verdict(mutant, "not-equivalent", "killed", reason="find([3], 3)", test=test)
    (row,) = run_of(scan_result([found]))["results"]
    assert row["properties"]["suggestedTest"] == test
    assert row["message"]["text"].endswith(test)
    assert f"```java\n{test}```" in row["message"]["markdown"]
