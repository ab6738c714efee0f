"""What is written back: the marked mutants and nothing else, in a new file, whole or not at all."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from conftest import shared_file
from equimut.errors import EquimutError
from equimut.reports.reported import ReportError, read_report
from equimut.reports.write_back import write_back
from oracles.reports.elements_samples import schema_faults
from oracles.reports.report_files import PYTHON, cosmic_ray_session, elements_report, write_json

REASON = 'equivalent: "proved", a ≥ b\nsays <script>'


def mutant(number: int, **more: Any) -> dict[str, Any]:
    location = {"start": {"line": 8, "column": 25}, "end": {"line": 8, "column": 27}}
    return {
        "id": str(number),
        "mutatorName": "Div",
        "replacement": "/",
        "location": location,
        "status": "Survived",
        "duration": 12.5,
        "coveredBy": ["1", "2"],
        **more,
    }


def report(tmp_path: Path, *mutants: Any) -> Path:
    value = elements_report(
        "till.py", PYTHON, "python", mutants, config={"deep": [{"a": [None, True, 1e-3]}]}
    )
    value["files"]["käse.py"] = {"language": "python", "source": "", "mutants": [mutant(99)]}
    return write_json(tmp_path / "report.json", value)


def assert_no_key_twice(pairs: list[tuple[str, Any]]) -> None:
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys))


def test_marked_mutants_are_ignored_with_a_reason_and_all_else_is_the_same(tmp_path: Path) -> None:
    path = report(tmp_path, mutant(0), mutant(1, statusReason="old"), mutant(2))
    out = tmp_path / "new" / "out.json"
    write_back(read_report(path), {1: REASON, 3: "other file"}, out)
    expected = json.loads(path.read_text(encoding="utf-8"))
    till, cheese = expected["files"]["till.py"]["mutants"], expected["files"]["käse.py"]["mutants"]
    till[1] |= {"status": "Ignored", "statusReason": REASON}
    cheese[0] |= {"status": "Ignored", "statusReason": "other file"}
    written = json.loads(out.read_text(encoding="utf-8"))
    assert written == expected
    assert list(written) == list(expected)
    json.loads(out.read_text(encoding="utf-8"), object_pairs_hook=assert_no_key_twice)
    assert read_report(out).counts == {"survived": 2, "ignored": 2}


def test_ids_do_not_matter_positions_do(tmp_path: Path) -> None:
    path = report(tmp_path, mutant(7), mutant(7), "no object", mutant(7))
    write_back(read_report(path), {3: "x"}, tmp_path / "out.json")
    statuses = [found.status for found in read_report(tmp_path / "out.json").mutants()]
    assert statuses == ["survived", "survived", "unknown", "ignored", "survived"]


@pytest.mark.parametrize("name", ["strykerjs_toy_mutation.json", "strict-report-v2.json"])
def test_the_official_schema_accepts_the_result(tmp_path: Path, name: str) -> None:
    found = read_report(shared_file("samples", "elements", name))
    out = tmp_path / "out.json"
    survivors = [each.index for each in found.mutants() if each.status == "survived"]
    write_back(found, dict.fromkeys(survivors, REASON), out)
    written = json.loads(out.read_text(encoding="utf-8"))
    assert schema_faults(written) == []
    again = read_report(out)
    assert "survived" not in again.counts
    assert again.total == found.total
    written["files"] |= {"x": {"language": 3, "source": "", "mutants": [{"status": "Fine"}]}}
    assert len(schema_faults(written)) == 5  # the validator is awake


def test_every_real_report_is_copied_faithfully(tmp_path: Path) -> None:
    for path in sorted(shared_file("samples", "elements").glob("*report*.json")):
        if "schema" in path.name:
            continue
        write_back(read_report(path), {}, tmp_path / "out.json")
        assert json.loads((tmp_path / "out.json").read_text()) == json.loads(path.read_text())


def test_a_script_becomes_plain_json(tmp_path: Path) -> None:
    path = shared_file("samples", "elements", "python-example_report.js")
    write_back(read_report(path), {0: "x"}, tmp_path / "out.json")
    text = path.read_text(encoding="utf-8")
    expected = json.loads(text[text.index("{") :])
    first = next(iter(expected["files"].values()))["mutants"][0]
    first |= {"status": "Ignored", "statusReason": "x"}
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8")) == expected


def session(tmp_path: Path) -> Path:
    rows = [
        {"job": "a", "file": "a.py", "worker": "NORMAL", "test": "SURVIVED", "diff": "one"},
        {"job": "b", "file": "a.py", "worker": "NORMAL", "test": "SURVIVED", "diff": "two"},
        {"job": "c", "file": "a.py"},
    ]
    return cosmic_ray_session(tmp_path / "session.sqlite", rows)


def test_a_copied_session_skips_the_marked_jobs(tmp_path: Path) -> None:
    path = session(tmp_path)
    before = path.read_bytes()
    write_back(read_report(path), {1: REASON, 2: "new"}, tmp_path / "out.sqlite")
    assert path.read_bytes() == before
    connection = sqlite3.connect(tmp_path / "out.sqlite")
    rows = connection.execute("SELECT * FROM work_results ORDER BY job_id").fetchall()
    connection.close()
    assert rows == [
        ("NORMAL", "output", "SURVIVED", "one", "a"),
        ("SKIPPED", REASON, None, "two", "b"),
        ("SKIPPED", "new", None, None, "c"),
    ]
    assert read_report(tmp_path / "out.sqlite").counts == {"survived": 1, "ignored": 2}
    assert sorted(file.name for file in tmp_path.iterdir()) == ["out.sqlite", "session.sqlite"]


@pytest.mark.parametrize("make", [report, session])
def test_the_report_itself_is_never_overwritten(tmp_path: Path, make: Any) -> None:
    path = make(tmp_path)
    found = read_report(path)
    (tmp_path / "alias").symlink_to(path)
    for out in (path, tmp_path / "alias"):
        with pytest.raises(ReportError, match="the report itself"):
            write_back(found, {}, out)
    with pytest.raises(ReportError, match="no mutant at position"):
        write_back(found, {found.total: "x"}, tmp_path / "out")
    with pytest.raises(EquimutError, match="not a file"):
        write_back(found, {}, tmp_path)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("make", [report, session])
def test_nothing_is_left_half_written(tmp_path: Path, make: Any) -> None:
    path = make(tmp_path)
    found = read_report(path)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) * 2 // 3])  # cut off after it was read
    out = tmp_path / "out"
    out.write_bytes(b"what was there")
    with pytest.raises(EquimutError):
        write_back(found, {0: "x"}, out)
    assert out.read_bytes() == b"what was there"
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(["out", path.name])


def test_formats_without_a_mark_say_so(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def f():\n    return 1\n")
    (tmp_path / "a.diff").write_text(
        "--- a.py\n+++ a.py\n@@ -2 +2 @@\n-    return 1\n+    return 2\n"
    )
    with pytest.raises(ReportError, match="diff report; possible for: elements, cosmic-ray, pit"):
        write_back(read_report(tmp_path / "a.diff"), {}, tmp_path / "out")
