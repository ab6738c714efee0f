"""Only what changed: functions that a diff touches, files by pattern."""

import json
import random
import subprocess
from difflib import unified_diff
from pathlib import Path, PurePosixPath
from unittest import mock

import pytest

from conftest import count
from equimut.errors import EquimutError
from equimut.reports.reported import read_report
from equimut.scanning import pipeline
from equimut.scanning.pipeline import scanned
from equimut.scanning.scope import make_scope, read_diff
from equimut.storage.files import counted
from oracles.command import call_equimut
from oracles.scans.scan_project import JAVA, elements, entry, request


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=n", "-c", "user.email=n@example.org"]
    subprocess.run(["git", *identity, "-C", str(folder), *arguments], check=True, stdout=-3)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with two classes below `src`, and a report on both."""
    source = tmp_path / "src"
    source.mkdir()
    other = JAVA.replace("Queue", "Other")
    (source / "Queue.java").write_text(JAVA)
    (source / "Other.java").write_text(other)
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "src")
    git(tmp_path, "commit", "-q", "-m", "one")
    return tmp_path


def report_on(project: Path) -> Path:
    files = []
    for name in ("Queue", "Other"):
        text = (project / "src" / f"{name}.java").read_text()
        edits = [entry(1, text, "values[i] > top", "values[i] < top"), entry(2, text, "a - b", "b")]
        files.append((f"{name}.java", "java", text, edits))
    path = project / "report.json"
    path.write_text(json.dumps(elements(*files)))
    return path


def judged(project: Path, **options: object) -> list[str]:
    scope = make_scope(project / "src", **options)  # type: ignore[arg-type]
    report = read_report(report_on(project), project / "src")
    answers = []
    for many in (250, 1):  # in this process, and in workers
        with (
            mock.patch.object(pipeline, "_MANY", many),
            scanned(report, request(project, scope=scope, model=None, jobs=2)) as result,
        ):
            notes = "; ".join(result.notes)
            found = [f"{v.mutant.file} {v.mutant.change.function}" for v in result.verdicts()]  # type: ignore[union-attr]
        left = report.total - len(found)
        assert (f"{counted(left, 'mutant')} of the report left out" in notes) == (scope is not None)
        answers.append((found, notes))
    assert answers[0] == answers[1]
    return found


ALL = ["Queue.java largest", "Queue.java step", "Other.java largest", "Other.java step"]


def test_functions_touched_since_a_revision_and_nothing_else(project: Path) -> None:
    assert judged(project) == ALL
    assert judged(project, since="HEAD") == []
    queue = project / "src" / "Queue.java"
    queue.write_text(JAVA.replace("2 * (a", "7 * (a"))
    assert judged(project, since="HEAD") == ["Queue.java step"]
    git(project, "commit", "-q", "-a", "-m", "two")
    assert judged(project, since="HEAD") == []
    assert judged(project, since="HEAD~1") == ["Queue.java step"]


def test_a_branch_is_compared_with_where_it_left(project: Path) -> None:
    git(project, "checkout", "-q", "-b", "work")
    other = project / "src" / "Other.java"
    other.write_text(other.read_text().replace("int top = values[0];", "int top;\n top = 0;"))
    git(project, "commit", "-q", "-a", "-m", "on the branch")
    git(project, "checkout", "-q", "main")
    queue = project / "src" / "Queue.java"
    queue.write_text(JAVA.replace("2 * (a", "7 * (a"))
    git(project, "commit", "-q", "-a", "-m", "meanwhile")
    git(project, "checkout", "-q", "work")
    assert judged(project, since="main") == ["Other.java largest"]


def test_a_line_that_is_removed_touches_its_function_and_a_new_file_is_all_new(
    project: Path,
) -> None:
    queue, other = (project / "src" / f"{name}.java" for name in ("Queue", "Other"))
    queue.write_text(JAVA.replace("        return a * b", "\n        return a * b"))
    git(project, "rm", "-q", "--cached", "src/Other.java")
    git(project, "commit", "-q", "-a", "-m", "other is not known any more")
    queue.write_text(JAVA)
    assert other.exists()
    assert judged(project, since="HEAD") == ["Queue.java step", *ALL[2:]]


def test_a_diff_in_a_file_and_patterns(project: Path) -> None:
    queue = project / "src" / "Queue.java"
    queue.write_text(JAVA.replace("2 * (a", "7 * (a"))
    done = subprocess.run(
        ["git", "-C", str(project), "diff"], capture_output=True, text=True, check=True
    )
    (project / "change.diff").write_text(done.stdout)
    assert judged(project, diff=project / "change.diff") == ["Queue.java step"]
    assert judged(project, only=["Other*"]) == ALL[2:]
    assert judged(project, only=["*.java"]) == ALL
    assert judged(project, only=["*.py"]) == []
    both = judged(project, only=["Other*"], diff=project / "change.diff")
    assert both == []


@pytest.mark.parametrize("seed", range(count(30, 400)))
def test_touched_lines_are_those_that_a_plain_comparison_finds(seed: int) -> None:
    chance = random.Random(seed)
    old = [f"{chance.randrange(6)}\n" for _ in range(chance.randrange(1, 30))]
    new = list(old)
    for _ in range(chance.randrange(1, 5)):
        at = chance.randrange(len(new) + 1)
        if chance.random() < 0.5 and new:
            del new[at : at + chance.randrange(1, 3)]
        else:
            new[at:at] = [f"new {seed}\n"] * chance.randrange(1, 3)
    new = new or ["left\n"]  # an empty file has no function
    context = chance.choice([0, 3])
    text = "".join(unified_diff(old, new, "a/f.py", "b/f.py", n=context))
    places = read_diff(text, "x").get(PurePosixPath("f.py"), ())
    touched = {line for first, last in places for line in range(first, last + 1)}
    added, gaps, line = set(), set(), 1
    for piece in unified_diff(old, new, n=len(old) + len(new)):
        if piece.startswith(("---", "+++", "@@")):
            continue
        if piece.startswith("+"):
            added.add(line)
        if piece.startswith("-"):
            gaps |= {line - 1, line}
        else:
            line += 1
    assert touched == added | gaps


def test_a_branch_that_touches_no_mutated_function_passes(project: Path) -> None:
    source = ("--source", project / "src", "--no-model", "--no-cache", "--prove-budget", "none")
    done = call_equimut(
        "scan", report_on(project), *source, "--since", "HEAD", "--fail-on", "survivors"
    )
    assert done.returncode == 0, done.stderr
    assert "functions touched since HEAD: 4 mutants of the report left out" in done.stderr


def test_what_cannot_be_is_one_line(project: Path) -> None:
    report = report_on(project)
    for options, words in (
        (["--since", "nothing"], "--since: git rev-parse"),
        (["--since=--output=x"], "not a revision"),
        (["--since", "HEAD", "--diff", str(report)], "give one of them"),
        (["--diff", str(project / "src" / "Queue.java")], "not a unified diff"),
        (["--only", "*.java", "--update-baseline", "--baseline", "b.json"], "the whole report"),
    ):
        done = call_equimut(
            "scan", report, "--source", project / "src", "--no-model", "--no-cache", *options
        )
        assert done.returncode == 2, options
        assert words in done.stderr
        assert "Traceback" not in done.stderr
    with pytest.raises(EquimutError, match="--since"):
        make_scope(Path("/"), since="HEAD")
