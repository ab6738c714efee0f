"""Reports from strangers, through the command: one clear line or a counted skip, nothing else."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from conftest import count
from oracles.command import RULES_ONLY, Result, call_equimut, says_one_line
from oracles.reports.report_files import files_opened
from oracles.scans.scan_project import JAVA, elements, entry, java_report

LAUGHS = (
    '<?xml version="1.0"?>\n<!DOCTYPE mutations [<!ENTITY a "ha">\n'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">\n' for a, b in zip("abcdefghi", "bcdefghij"))  # noqa: B905
    + "]>\n<mutations><mutation detected='false' status='SURVIVED'><sourceFile>&j;</sourceFile>"
    "</mutation></mutations>"
)


@pytest.fixture(autouse=True)
def _own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "root").mkdir()
    monkeypatch.chdir(tmp_path / "root")
    monkeypatch.setenv("EQUIMUT_CACHE", str(tmp_path / "cache"))


def scan(path: object, *more: object) -> Result:
    return call_equimut("scan", path, *RULES_ONLY, "--json", *more)


def rows(result: Result) -> list[dict[str, Any]]:
    return json.loads(result.stdout)["mutants"]  # type: ignore[no-any-return]


def test_entities_that_multiply_are_refused() -> None:
    Path("mutations.xml").write_text(LAUGHS)
    result = scan("mutations.xml", "--source", ".", "--write-back", "out.xml")
    assert says_one_line(result, "mutations.xml")
    assert not Path("out.xml").exists()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\0" * 100,
        b"{",
        b'{"files": {"a": {"language": "java", "mutants": [',
        b'{"files": ' + b"[" * 100_000,
        b"\xff\xfe{\x00",
        b'{"files": {"a.java": {"mutants": [{"id": NaN}]}}}',
        b"SQLite format 3\0" + b"x" * 200,
        b"<mutations><mutation",
        b'{"files": {"a.java": {"mutants": [{"location": {"start": {"line": 1'
        + b"0" * 40
        + b"}}}]}}}",
        '{"files": {"ü": 3'.encode("latin-1"),
    ],
)
def test_a_broken_report_is_one_line_and_leaves_nothing(content: bytes) -> None:
    Path("report").write_bytes(content)
    result = scan("report", "--write-back", "out", "--out", "result.json")
    assert says_one_line(result, "report")
    assert sorted(os.listdir()) == ["report"]


@pytest.mark.parametrize(
    "name", ["../secret.java", "/etc/hostname", "link.java", "a/../../secret.java", "C:\\s.java"]
)
def test_nothing_outside_the_root_is_read(name: str, tmp_path: Path) -> None:
    (tmp_path / "secret.java").write_text(JAVA)
    Path("link.java").symlink_to(tmp_path / "secret.java")
    mutants = [entry(1, JAVA, "a * b", "a / b")]
    Path("m.json").write_text(json.dumps(elements((name, "java", None, mutants))))
    with files_opened() as opened:
        result = scan("m.json", "--source", ".")
    assert result.returncode == 3
    (row,) = rows(result)
    assert row["change"] is None
    assert row["reason"].startswith(("refused", "file not found"))
    real = [os.path.realpath(path) for path in opened]
    assert str(tmp_path / "secret.java") not in real
    assert "/etc/hostname" not in real


def test_repeated_ids_are_told_apart_and_each_is_marked() -> None:
    mutants = [entry(7, JAVA, "> top", ">= top"), entry(7, JAVA, "a * b", "a / b")]
    Path("m.json").write_text(json.dumps(elements(("Queue.java", "java", JAVA, mutants))))
    result = scan("m.json", "--write-back", "out.json")
    assert [row["id"] for row in rows(result)] == ["7", "7~2"]
    written = json.loads(Path("out.json").read_text())["files"]["Queue.java"]["mutants"]
    assert [mutant["status"] for mutant in written] == ["Ignored", "Survived"]


@pytest.mark.parametrize(
    "place",
    [
        {"start": {"line": -3, "column": 1}, "end": {"line": 1, "column": 2}},
        {"start": {"line": 0, "column": 0}, "end": {"line": 0, "column": 0}},
        {"start": {"line": 10**15, "column": 1}, "end": {"line": 10**15, "column": 2}},
        {"start": {"line": 1.5, "column": "x"}, "end": None},
        {"start": {"line": 3, "column": 9}, "end": {"line": 2, "column": 1}},
        [],
        "NaN",
    ],
)
def test_places_that_are_none_are_counted(place: Any) -> None:
    good = entry(1, JAVA, "a * b", "a / b")
    bad = {**entry(2, JAVA, "a * b", "a / b"), "location": place}
    Path("m.json").write_text(json.dumps(elements(("Queue.java", "java", JAVA, [good, bad]))))
    found = json.loads(scan("m.json").stdout)
    assert found["report"]["total"] == 2
    reasons = {each["reason"]: each["mutants"] for each in found["unknown_reasons"]}
    assert sum(reasons.values()) == 2
    assert any(reason.startswith("not ") for reason in reasons)


def test_a_report_cannot_write_to_the_terminal() -> None:
    bell = "\x1b]0;owned\x07\x1b[2J"
    mutants = [entry(1, JAVA, "a * b", "a / b"), entry(2, JAVA, "2 *", "3 *")]
    strange = {**entry(3, JAVA, "a * b", "((("), "mutatorName": bell, "description": bell}
    files = (f"{bell}.java", "java", JAVA, [*mutants, strange]), ("x", bell, "a b\n", [mutants[0]])
    Path("m.json").write_text(json.dumps(elements(*files)))
    printed = [call_equimut("scan", "m.json", *RULES_ONLY, "--fail-on", "survivors")]
    key = rows(scan("m.json"))[0]["key"]
    printed.append(call_equimut("accept", key, "--reason", "x", "--author", bell))
    printed.append(call_equimut("registry", "show"))
    printed.append(call_equimut("registry", "check", "m.json"))
    Path("n.json").write_text(json.dumps(elements(files[1])))
    printed.append(call_equimut("scan", "n.json", *RULES_ONLY))
    assert [result.returncode for result in printed] == [1, 0, 0, 0, 3]
    assert not any("\x1b]" in r.stdout + r.stderr or "\x07" in r.stdout for r in printed)


def test_a_source_in_another_encoding_is_read() -> None:
    source = "class K {\n  // K\xe4se\n" + JAVA[JAVA.index("\n") + 1 :]
    Path("K.java").write_bytes(source.encode("latin-1"))
    mutants = [entry(1, source, "> top", ">= top")]
    Path("m.json").write_text(json.dumps(elements(("K.java", "java", None, mutants))))
    (row,) = rows(scan("m.json", "--source", "."))
    assert row["tier"] == "proved"


def test_a_session_with_a_trigger_is_refused() -> None:
    with sqlite3.connect("s.sqlite") as connection:
        connection.execute("CREATE TABLE work_items (job_id VARCHAR)")
        connection.execute("CREATE TABLE mutation_specs (module_path VARCHAR, job_id VARCHAR)")
        connection.execute("CREATE TABLE work_results (diff TEXT, job_id VARCHAR)")
        connection.execute("CREATE TRIGGER t AFTER INSERT ON work_items BEGIN SELECT 1; END")
    connection.close()
    assert says_one_line(scan("s.sqlite"), "s.sqlite")


def test_a_write_back_that_fails_leaves_nothing_half_written(tmp_path: Path) -> None:
    java_report(Path())
    Path("taken").mkdir()
    result = scan("mutation.json", "--write-back", "taken")
    assert result.returncode == 2
    assert "taken" in result.stderr
    assert sorted(os.listdir()) == ["mutation.json", "taken"]
    assert os.listdir("taken") == []


MEASURE = r"""
import re, sys
sys.argv = ["equimut", "scan", sys.argv[1], "--no-model", "--json", "--out", sys.argv[2]]
from equimut.cli.main import main
try:
    main()
except SystemExit as stop:
    print(stop.code or 0, end=" ")
# Not getrusage: after a fork it still knows the parent's peak.
print(re.search(r"VmHWM:\s+(\d+)", open("/proc/self/status").read())[1])
"""


def peak(report: str, out: str) -> int:
    """Megabytes that a scan of a report takes at most, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, report, out], capture_output=True, text=True, check=True
    )
    code, kilobytes = done.stdout.split()
    assert code == "0", done.stderr
    return int(kilobytes) // 1024


def write_large(path: Path, mutants: int, padding: int) -> None:
    """A report as large as wanted, a thousand mutants a file; most of them are killed."""
    lines = []
    for number in range(8):
        old, new = ("a * b", f"a / {number + 2}") if number else ("> top", ">= top")
        status = "Survived" if number < 2 else "Killed"
        lines.append(entry(number, JAVA, old, new, status) | {"description": "x" * padding})
    texts = [json.dumps(line) for line in lines]
    per_file = 1_000
    with path.open("w") as file:
        file.write('{"schemaVersion": "2.0", "thresholds": {}, "files": {')
        for start in range(0, mutants, per_file):
            entry_ = {"language": "java", "source": JAVA}
            head = f'"Queue{start}.java": {json.dumps(entry_)[:-1]}, "mutants": ['
            file.write("," * (start > 0) + head)
            numbers = range(start, min(start + per_file, mutants))
            file.write(",".join(texts[number % len(texts)] for number in numbers))
            file.write("]}")
        file.write("}}")


def test_memory_stays_flat_as_a_report_grows(tmp_path: Path) -> None:
    small, large = tmp_path / "small.json", tmp_path / "large.json"
    factor = 10
    mutants, padding = count(200, 20_000), count(10_000, 2_000)
    write_large(small, mutants, padding)
    write_large(large, mutants * factor, padding)
    assert large.stat().st_size > count(15_000_000, 400_000_000)
    before, after = peak(str(small), "small.out"), peak(str(large), "large.out")
    assert after < before * 1.25 + 15, f"{before} MB, then {after} MB"
