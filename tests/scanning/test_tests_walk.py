"""docs/tests.md tells the truth: report, record, scan, tests, tool again, score up."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT, count
from equimut.errors import EquimutError
from equimut.oracle.project import SuggestedTest
from equimut.reports.reported import ReportedMutant, read_report
from equimut.scanning.outputs.test_files import write_test_files
from oracles.command import RULES_ONLY, call_equimut
from oracles.scans.scan_results import scan_result

SAMPLES = ROOT / "tests" / "reports" / "samples"
PAGE = (ROOT / "docs" / "tests.md").read_text()
WALK = re.search(r"^## The walk\n(.*?)^## ", PAGE, re.M | re.S)
FEW = (*RULES_ONLY, "--oracle-inputs", "150")
SUITE = """
from shop.till import Till, countdown, tax

def test_till():
    till = Till()
    assert till.empty
    till.add(100, 2)
    assert not till.empty

def test_others():
    assert tax(100) == 19
    assert countdown(2) == 2
    assert Till().biggest([1, 3, 2]) == 3
"""
KILLED = 1
MOST_RUNS = 4
"""Mutants on which the tests are run once more; each is a process of its own."""


def commands() -> list[str]:
    assert WALK is not None
    return [
        line.strip() for line in WALK[1].split("```")[0].splitlines() if line.startswith("    ")
    ]


def results_of_mutmut() -> str:
    """The tool's results: each survivor costs a dozen processes, so some count as killed."""
    found = json.loads((SAMPLES / "mutmut_till.meta.json").read_text())
    codes = found["exit_code_by_key"]
    lived = [name for name, code in codes.items() if code != KILLED]
    codes.update(dict.fromkeys(set(lived) - set(lived[:: count(3, 1)]), KILLED))
    return json.dumps(found)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EQUIMUT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:/usr/bin:/bin")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # ours take two seconds to load
    for folder in ("mutants/shop", "shop", "tests"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(SAMPLES / "mutmut_till.txt", tmp_path / "mutants/shop/till.py")
    (tmp_path / "mutants/shop/till.py.meta").write_text(results_of_mutmut())
    shutil.copy(SAMPLES / "shop_till.txt", tmp_path / "shop/till.py")
    (tmp_path / "shop/__init__.py").write_text("")
    (tmp_path / "tests/test_till.py").write_text(SUITE)
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\npythonpath = .\naddopts = -p no:cacheprovider\n"
    )
    return tmp_path


def is_killed(project: Path, mutant: ReportedMutant) -> bool:
    """What a mutation tool does: put the mutant in its place and run the tests."""
    assert mutant.change is not None
    file = project / mutant.file
    before = file.read_bytes()
    start, end = mutant.change.start_byte, mutant.change.end_byte
    try:
        file.write_bytes(before[:start] + mutant.change.replacement.encode() + before[end:])
        done = subprocess.run(["pytest", "-q", "-x"], cwd=project, capture_output=True, check=False)
    finally:
        file.write_bytes(before)
    return done.returncode == 1


def test_the_walk_of_the_page_raises_the_score(project: Path) -> None:
    record, scan, again = commands()
    assert (shlex.split(record)[:2], again) == (["equimut", "record"], "mutmut run")
    done = call_equimut(*shlex.split(record)[1:])
    assert done.returncode == 0, done.stderr
    assert (project / "equimut-calls.json").is_file()

    words = shlex.split(scan)[1:]
    done = call_equimut(*words, *FEW, "--json", "--out", "scan.json")
    assert done.returncode == 0, done.stderr
    (written,) = (project / "tests").glob("*_survivors.py")
    assert written.name == "test_shop_till_survivors.py"

    found = json.loads((project / "scan.json").read_text())
    tested = [row["index"] for row in found["mutants"] if row["test"]]
    assert len(tested) == found["oracle"]["tested"] >= MOST_RUNS
    assert found["oracle"]["functions_run"] == found["oracle"]["functions"]
    chosen = [
        m for m in read_report(project).mutants() if m.index in tested[:: len(tested) // MOST_RUNS]
    ]
    assert [mutant.id for mutant in chosen if not is_killed(project, mutant)] == []
    done = subprocess.run(["pytest", "-q"], cwd=project, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout


def test_nothing_runs_and_nothing_is_written_without_being_asked(project: Path) -> None:
    (project / "shop/till.py").write_text("raise SystemExit('it was run')\n")
    assert call_equimut("scan", ".", *RULES_ONLY).returncode in (0, 3)
    done = call_equimut("scan", ".", "--tests", "tests")
    assert (done.returncode, "are for --oracle" in done.stderr) == (2, True)
    assert not list((project / "tests").glob("*_survivors.py"))


KEYS = """\
def first(words: list[str]) -> str:
    def key(word: str) -> tuple[int, str]:
        return (1, word)

    return min(words, key=key, default="")
"""


def test_what_only_the_function_around_would_see_is_no_difference(project: Path) -> None:
    """The inner function alone is another one; through the outer one nothing shows it."""
    (project / "shop/keys.py").write_text(KEYS)
    (project / "keys.diff").write_text(
        "--- a/shop/keys.py\n+++ b/shop/keys.py\n@@ -3 +3 @@\n"
        "-        return (1, word)\n+        return (2, word)\n"
    )
    done = call_equimut("scan", "keys.diff", "--source", ".", *FEW, "--oracle", "--json")
    assert done.returncode in (0, 3), done.stderr
    (row,) = json.loads(done.stdout)["mutants"]
    assert row["tier"] != "killed", row["reason"]


def test_a_state_of_the_prover_becomes_a_test(project: Path) -> None:
    """One number in all of them tells the two apart; nobody guesses it, a solver finds it."""
    (project / "shop/prize.py").write_text(
        "def prize(x: int) -> bool:\n    return x * 3 == 777777\n"
    )
    (project / "prize.diff").write_text(
        "--- a/shop/prize.py\n+++ b/shop/prize.py\n@@ -2 +2 @@\n"
        "-    return x * 3 == 777777\n+    return x * 3 == 777774\n"
    )
    words = ("scan", "prize.diff", "--source", ".", "--no-model", "--oracle-inputs", "150")
    done = call_equimut(*words, "--oracle", "--tests", "tests", "--json")
    assert done.returncode in (0, 3), done.stderr
    (row,) = json.loads(done.stdout)["mutants"]
    assert row["tier"] == "killed", row["reason"]
    assert "prize(25925" in (project / "tests/test_shop_prize_survivors.py").read_text()


def test_a_file_that_somebody_else_wrote_is_not_replaced(tmp_path: Path) -> None:
    test = SuggestedTest(
        name="test_f", imports=("import m",), text="def test_f(): ...\n", kills=(0,)
    )
    result = scan_result([], tests={"src/shop/till.py": (test,)})
    (written,) = write_test_files(result, tmp_path)
    assert written.name == "test_shop_till_survivors.py"
    assert write_test_files(result, tmp_path) == [written]  # its own file is
    written.write_text("# mine\n")
    with pytest.raises(EquimutError, match="name another directory"):
        write_test_files(result, tmp_path)
    assert written.read_text() == "# mine\n"
