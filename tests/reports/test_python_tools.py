"""mutmut directories and cosmic-ray sessions, made by hand and by the tools themselves."""

import ast
import difflib
import json
import shutil
import sqlite3
from collections import Counter
from pathlib import Path

import pytest

from conftest import shared_file
from equimut.mutation import mutate
from equimut.reports.cosmic_ray.session import read_cosmic_ray
from equimut.reports.diffs import read_diffs
from equimut.reports.mutmut import read_mutmut
from equimut.reports.reported import ReportError
from oracles.reports.every_reader import SAMPLES, mutmut_project
from oracles.reports.report_files import (
    PYTHON,
    SESSION_TABLES,
    cosmic_ray_session,
    files_opened,
    splice,
)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return mutmut_project(tmp_path)


def test_mutmut_counts_and_places(shop: Path) -> None:
    report = read_mutmut(shop, None)
    # What `mutmut export-cicd-stats` says of this run.
    assert report.tool_counts == {"killed": 21, "survived": 14, "no tests": 7}
    assert report.counts == {"killed": 21, "survived": 14, "no_coverage": 7}
    found = list(report.mutants())
    assert [mutant.problem for mutant in found] == [None] * 42
    assert {mutant.file for mutant in found} == {"src/shop/till.py"}
    source = (shop / "src/shop/till.py").read_text(encoding="utf-8")
    written = {
        node.name: node
        for node in ast.walk(ast.parse((SAMPLES / "mutmut_till.txt").read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    for mutant in found:
        assert mutant.change is not None
        whole = splice(
            source, mutant.change.start_byte, mutant.change.end_byte, mutant.change.replacement
        )
        name = mutant.id.split(".")[-1]
        plain = name.split("__mutmut_")[0].split("ǁ")[-1].removeprefix("x_")
        mine = [
            node
            for node in ast.walk(ast.parse(whole))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == plain
        ]
        written[name].name = plain
        assert [ast.dump(node) for node in mine] == [ast.dump(written[name])]


@pytest.mark.parametrize("entry", ["", "mutants", "mutants/src/shop/till.py.meta"])
def test_mutmut_is_read_from_the_project_its_folder_or_a_file(shop: Path, entry: str) -> None:
    assert all(mutant.analysable for mutant in read_mutmut(shop / entry, None).mutants())


def test_several_mutmut_projects_are_named_and_each_is_right_by_itself(tmp_path: Path) -> None:
    alone = [
        mutant.model_dump() for mutant in read_mutmut(mutmut_project(tmp_path), None).mutants()
    ]
    projects = tmp_path / "projects"
    mutmut_project(projects / "a")
    below = read_mutmut(projects, None)  # one project, below: its own files and lines
    assert [mutant.model_dump() for mutant in below.mutants()] == alone
    assert below.root == projects / "a"
    mutmut_project(projects / "deep" / "b")
    with pytest.raises(ReportError, match="several mutmut projects") as caught:
        read_mutmut(projects, None)
    assert str(projects / "a") in str(caught.value)
    assert str(projects / "deep" / "b") in str(caught.value)
    for project in ("a", "deep/b"):
        found = read_mutmut(projects / project, None)
        assert [mutant.model_dump() for mutant in found.mutants()] == alone
    (projects / "a" / "src" / "shop" / "till.py").unlink()
    gone = list(read_mutmut(projects / "a", None).mutants())  # the copy does not stand in for it
    assert {mutant.line for mutant in gone} == {None}
    assert all("file not found" in (mutant.problem or "") for mutant in gone)
    mutmut_project(projects / "a")
    # A directory inside of mutmut's copies: still the files of the project.
    inside = read_mutmut(projects / "a" / "mutants" / "src", None)
    assert [mutant.model_dump() for mutant in inside.mutants()] == alone


def test_mutmut_source_changed_since_is_not_located(shop: Path) -> None:
    source = shop / "src/shop/till.py"
    text = source.read_text(encoding="utf-8")
    source.write_text("\n\n" + text.replace("rate // 100", "rate // 1000"), encoding="utf-8")
    problems = Counter(mutant.problem for mutant in read_mutmut(shop, None).mutants())
    assert problems == {
        None: 39,
        "not locatable: 'tax' has changed in the source since mutmut ran": 3,
    }
    source.unlink()
    (shop / "mutants/src/shop/till.py").rename(shop / "elsewhere.txt")
    assert not any(mutant.change for mutant in read_mutmut(shop, None).mutants())


def test_mutmut_functions_of_the_same_text_are_ambiguous(shop: Path) -> None:
    source = shop / "src/shop/till.py"
    text = source.read_text(encoding="utf-8")
    twice = text + text[text.index("def countdown") : text.index("def outer")]
    source.write_text(twice, encoding="utf-8")
    problems = {m.problem for m in read_mutmut(shop, None).mutants() if "countdown" in m.id}
    assert problems == {"ambiguous: 2 functions named 'countdown' have the same text"}


@pytest.mark.parametrize(
    ("code", "word", "status"),
    [
        (None, "not checked", "pending"),
        (-24, "timeout", "timeout"),
        (36, "timeout", "timeout"),
        (34, "skipped", "ignored"),
        (37, "caught by type check", "compile_error"),
        (-11, "segfault", "runtime_error"),
        (99, "suspicious", "unknown"),
        ("x", "suspicious", "unknown"),
        ([1], "suspicious", "unknown"),
    ],
)
def test_mutmut_exit_codes(tmp_path: Path, code: object, word: str, status: str) -> None:
    meta = tmp_path / "a.py.meta"
    meta.write_text(json.dumps({"exit_code_by_key": {"a.x_f__mutmut_1": code, "b": 1}}))
    report = read_mutmut(meta, None)
    assert report.tool_counts == {word: 1, "killed": 1}
    assert next(report.mutants()).status == status


def test_the_real_mutmut_run() -> None:
    folder = shared_file("samples", "mutmut")
    stats = json.loads((folder / "mutmut-cicd-stats.json").read_text())
    report = read_mutmut(folder / "search.py.meta", folder)
    total = stats.pop("total")
    assert report.total == total
    assert report.tool_counts == {word: number for word, number in stats.items() if number}
    results = dict(
        line.strip().split(": ") for line in (folder / "results_all.txt").read_text().splitlines()
    )
    assert {mutant.id: mutant.tool_status for mutant in report.mutants()} == results


def test_the_real_mutmut_run_is_located(tmp_path: Path) -> None:
    folder = shared_file("samples", "mutmut")
    for name, target in {
        "mutants_src_toy_search.py": "mutants/src/toy/search.py",
        "search.py.meta": "mutants/src/toy/search.py.meta",
        "search_original.py": "src/toy/search.py",
    }.items():
        (tmp_path / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(folder / name, tmp_path / target)
    found = {mutant.id: mutant for mutant in read_mutmut(tmp_path, None).mutants()}
    assert all(mutant.analysable for mutant in found.values())
    shown = found["toy.search.x_maximum__mutmut_1"].change
    assert shown is not None
    assert "if a >= b:" in shown.mutant_function
    assert shown.start_line == 15


def diff_of(source: str, mutant: str, file: str) -> str:
    lines = difflib.unified_diff(
        source.splitlines(), mutant.splitlines(), f"a/{file}", f"b/{file}", lineterm=""
    )
    return "\n".join(["--- mutation diff ---", *lines])


def test_cosmic_ray_mutants_come_back_as_they_were_made(tmp_path: Path) -> None:
    (tmp_path / "till.py").write_text(PYTHON, encoding="utf-8")
    made = mutate(PYTHON, "python")
    rows = [
        {
            "job": f"{number:032x}",
            "file": "till.py",
            "line": mutant.line,
            "worker": "NORMAL",
            "test": "KILLED" if number % 3 else "SURVIVED",
            "diff": diff_of(
                PYTHON,
                splice(PYTHON, mutant.start_byte, mutant.end_byte, mutant.replacement),
                "till.py",
            ),
        }
        for number, mutant in enumerate(made)
    ]
    report = read_cosmic_ray(cosmic_ray_session(tmp_path / "s.sqlite", rows), None)
    survived = len(range(0, len(made), 3))
    assert report.counts == {"killed": len(made) - survived, "survived": survived}
    for mutant, found in zip(made, report.mutants(), strict=True):
        assert found.problem is None
        assert found.change is not None
        assert found.change.mutant_function == mutant.mutant_function
        assert found.line == mutant.line


def test_cosmic_ray_outcomes(tmp_path: Path) -> None:
    outcomes = [
        ({"worker": "NORMAL", "test": "INCOMPETENT"}, "runtime_error"),
        ({"worker": "SKIPPED"}, "ignored"),
        ({"worker": "NO_TEST"}, "no_coverage"),
        ({"worker": "ABNORMAL"}, "runtime_error"),
        ({"worker": "NORMAL", "test": "?"}, "unknown"),
        ({}, "pending"),
    ]
    rows = [{"job": str(9 - n), "file": "a.py", **row} for n, (row, _) in enumerate(outcomes)]
    report = read_cosmic_ray(cosmic_ray_session(tmp_path / "s.sqlite", rows), None)
    found = list(report.mutants())
    assert [mutant.status for mutant in found] == [status for _, status in outcomes]
    assert {mutant.problem for mutant in found} == {
        "not locatable: the session has no diff, the mutant was not run"
    }


def test_cosmic_ray_a_diff_that_does_not_fit_is_named(tmp_path: Path) -> None:
    (tmp_path / "till.py").write_text("x = 1\n")
    rows = [
        {"job": "1", "file": "till.py", "worker": "NORMAL", "test": "SURVIVED", "diff": diff}
        for diff in [diff_of(PYTHON, PYTHON.replace("<", ">"), "till.py")]
    ]
    (mutant,) = read_cosmic_ray(cosmic_ray_session(tmp_path / "s.sqlite", rows), None).mutants()
    assert "does not apply" in (mutant.problem or "")


def test_the_real_cosmic_ray_session(tmp_path: Path) -> None:
    (tmp_path / "src/toy").mkdir(parents=True)
    shutil.copy(shared_file("samples", "cosmic-ray", "search.py"), tmp_path / "src/toy/search.py")
    report = read_cosmic_ray(shared_file("samples", "cosmic-ray", "session.sqlite"), tmp_path)
    listing = shared_file("samples", "cosmic-ray", "cr-report_surviving.txt").read_text()
    surviving = {block.split("\n")[0] for block in listing.split("[job-id] ")[1:]}
    found = list(report.mutants())
    assert {mutant.id for mutant in found if mutant.status == "survived"} == surviving
    # cr.xml: tests="114" failures="88"
    assert (
        report.counts
        == {"killed": 88, "survived": len(surviving)}
        == {"killed": 88, "survived": 26}
    )
    assert all(mutant.analysable for mutant in found)


def test_a_dump_says_what_the_session_says(tmp_path: Path) -> None:
    (tmp_path / "till.py").write_text(PYTHON, encoding="utf-8")
    change = diff_of(PYTHON, PYTHON.replace("* rate", "/ rate"), "till.py")
    spec = {"module_path": "till.py", "start_pos": [8, 17], "end_pos": [8, 18]}
    results = [{"worker_outcome": "normal", "test_outcome": "survived", "diff": change}, None]
    lines = [[{"job_id": str(n), "mutations": [spec]}, result] for n, result in enumerate(results)]
    (tmp_path / "d.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    report = read_cosmic_ray(tmp_path / "d.jsonl", None)
    assert report.counts == {"survived": 1, "pending": 1}
    run, waiting = report.mutants()
    assert run.change is not None
    assert (run.line, run.end_line, run.change.original) == (8, 8, "*")
    assert "was not run" in (waiting.problem or "")


def test_the_dump_of_the_real_session_says_the_same(tmp_path: Path) -> None:
    (tmp_path / "src/toy").mkdir(parents=True)
    shutil.copy(shared_file("samples", "cosmic-ray", "search.py"), tmp_path / "src/toy/search.py")
    dump = read_cosmic_ray(shared_file("samples", "cosmic-ray", "dump_first8.jsonl"), tmp_path)
    whole = read_cosmic_ray(shared_file("samples", "cosmic-ray", "session.sqlite"), tmp_path)
    in_session = {mutant.id: mutant for mutant in whole.mutants()}
    found = list(dump.mutants())
    assert len(found) == dump.total == 8
    for mutant in found:
        other = in_session[mutant.id]
        assert mutant.change is not None
        assert (mutant.change, mutant.status) == (other.change, other.status)
        assert (mutant.line, mutant.end_line) == (other.line, other.end_line)
        assert (mutant.operator, mutant.description) == (other.operator, other.description)


def test_the_printed_survivors_of_the_real_session(tmp_path: Path) -> None:
    (tmp_path / "src/toy").mkdir(parents=True)
    shutil.copy(shared_file("samples", "cosmic-ray", "search.py"), tmp_path / "src/toy/search.py")
    printed = shared_file("samples", "cosmic-ray", "cr-report_surviving.txt")
    report = read_diffs(printed, tmp_path)
    assert report.counts == {"survived": 26}
    assert all(f"[job-id] {mutant.id}\n" in printed.read_text() for mutant in report.mutants())
    assert all(mutant.analysable for mutant in report.mutants())


@pytest.mark.parametrize("line", ["[]", "[1, 2]", '[{"job_id": "1"}, null]', "[{" * 5000, "[{x"])
def test_what_is_no_dump_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "d.jsonl").write_text(
        '[{"job_id": "1", "mutations": [{"module_path": "a.py"}]}, null]\n' + line
    )
    with pytest.raises(ReportError, match="line 2: not a line of"):
        read_cosmic_ray(tmp_path / "d.jsonl", None)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"not a database", "not an SQLite file"),
        (b"", "not an SQLite file"),
        (b"SQLite format 3\0" + b"\x10\x00" * 100, "not a readable cosmic-ray session"),
    ],
)
def test_what_is_no_database_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "s.sqlite"
    path.write_bytes(content)
    with pytest.raises(ReportError, match=words):
        read_cosmic_ray(path, None)


def test_a_cut_session_is_refused(tmp_path: Path) -> None:
    rows = [
        {"job": str(n), "file": "a.py", "worker": "NORMAL", "test": "KILLED", "diff": "x" * 3000}
        for n in range(50)
    ]
    path = cosmic_ray_session(tmp_path / "s.sqlite", rows)
    path.write_bytes(path.read_bytes()[:20_000])
    with pytest.raises(ReportError, match="not a readable cosmic-ray session"):
        read_cosmic_ray(path, None)


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("CREATE TABLE other (a)", "no table mutation_specs"),
        (
            "CREATE TABLE work_items (job_id); CREATE TABLE mutation_specs (job_id);"
            "CREATE VIEW work_results AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1"
            " FROM n) SELECT i AS job_id FROM n",
            "no table work_results",
        ),
        (
            SESSION_TABLES + "CREATE TRIGGER t AFTER INSERT ON work_items BEGIN SELECT 1; END",
            "it holds a trigger",
        ),
        (
            "CREATE TABLE work_items (a); CREATE TABLE mutation_specs (a);"
            "CREATE TABLE work_results (a)",
            "no such column",
        ),
    ],
)
def test_a_database_that_is_no_session_is_refused(tmp_path: Path, script: str, words: str) -> None:
    connection = sqlite3.connect(tmp_path / "s.sqlite")
    connection.executescript(script)
    connection.close()
    with pytest.raises(ReportError, match=words):
        read_cosmic_ray(tmp_path / "s.sqlite", None)


def test_reading_leaves_the_session_as_it_was(tmp_path: Path) -> None:
    path = cosmic_ray_session(tmp_path / "s.sqlite", [{"job": "1", "file": "a.py"}])
    before = path.read_bytes(), sorted(tmp_path.iterdir())
    with files_opened() as opened:
        list(read_cosmic_ray(path, None).mutants())
    assert {name.partition("?")[2] for name in opened if name.startswith("file:")} == {"mode=ro"}
    assert (path.read_bytes(), sorted(tmp_path.iterdir())) == before
