"""`equimut scan` as people call it: results, exit codes, settings, what it leaves behind."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import FULL
from equimut.errors import EquimutError
from equimut.reports.reported import read_report
from equimut.scanning.api import ScanSettings, find_settings, parse_tiers
from equimut.scanning.example import example_report
from oracles import jdk
from oracles.command import RULES_ONLY, Result, call_equimut, run_equimut, says_one_line
from oracles.scans.scan_project import EDITS, Asked, elements, java_report, model_files

Call = Callable[..., Result]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Call:
    """The command, in a directory and with a cache of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EQUIMUT_CACHE", str(tmp_path / "cache"))
    return call_equimut


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory that looks like a detector, and somebody who answers for it."""
    directory = tmp_path / "model"
    directory.mkdir()
    (directory / "detector.json").write_text(model_files().settings.model_dump_json())
    monkeypatch.setattr("equimut.scanning.pipeline.local_predict", lambda *_: Asked(lambda _: 0.95))
    return directory


def scan_json(call: Call, *arguments: object) -> dict[str, object]:
    result = call("scan", *arguments, "--json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_the_example_shows_what_a_scan_is(call: Call) -> None:
    result = call("scan", "--example", "--no-model")
    assert result.returncode == 0
    assert "70.0 %" in result.stdout  # as reported
    taken = re.search(r"Taken as equivalent: (\d+) mutants", result.stdout)
    assert taken is not None
    assert 7 <= int(taken[1]) <= 15
    assert f"{3500 / (50 - int(taken[1])):.1f} %" in result.stdout  # without those
    assert "loop-exit" in result.stdout
    rules = call("scan", "--example", "--no-model", "--prove-budget", "none")
    assert "Taken as equivalent: 5 mutants" in rules.stdout


def test_every_mutant_of_the_example_is_where_it_says(call: Call) -> None:
    report = read_report(example_report())
    mutants = list(report.mutants())
    assert all(mutant.analysable for mutant in mutants)
    assert {mutant.language for mutant in mutants} == {"java", "python"}
    assert 20 <= len(mutants) <= 60


def test_the_examples_python_statuses_are_true() -> None:
    for mutant in read_report(example_report()).mutants():
        if mutant.language == "python":
            assert mutant.change is not None
            # Function by function, with the types that the module has.
            space: dict[str, object] = {}
            exec(mutant.change.mutant_function, space)
            assert (mutant.status == "survived") == _till_works(space, mutant.change.function)


def _till_works(space: dict[str, object], name: str) -> bool:
    function = space[name]
    assert callable(function)
    cases = {
        "tax": [((1000, 19), 190), ((99, 7), 7)],
        "rebate": [((100, 2), 200), ((100, 20), 1800)],
        "longest_queue": [(([3, 5, 1], [2, 2, 2]), 4)],
    }
    try:
        return all(function(*given) == wanted for given, wanted in cases[name])
    except (IndexError, TypeError, ZeroDivisionError):
        return False


JAVA_TESTS = """
package shop;
class Tests {
    public static void main(String[] arguments) {
        int[] marks = {2, 4, 7, 9};
        boolean fine = Stock.find(marks, 7) == 2 && Stock.find(marks, 5) == -1
            && Stock.find(marks, 9) == 3 && Stock.largest(new int[] {3, 8, 5}) == 8
            && Stock.clamp(5, 0, 10) == 5 && Stock.clamp(12, 0, 10) == 10
            && Stock.scarce(new int[] {1, 5, 9}, 4) == 1;
        System.exit(fine ? 0 : 1);
    }
}
"""


@pytest.mark.skipif(not FULL or not shutil.which("javac"), reason="34 compilations: full, javac")
def test_the_examples_java_statuses_are_true(tmp_path: Path) -> None:
    path = example_report()
    source = json.loads(path.read_text())["files"]["shop/Stock.java"]["source"].encode()
    for mutant in read_report(path).mutants():
        if mutant.language != "java":
            continue
        change = mutant.change
        assert change is not None
        place = tmp_path / str(mutant.index)
        place.mkdir()
        (place / "Tests.java").write_text(JAVA_TESTS)
        (place / "Stock.java").write_bytes(
            source[: change.start_byte] + change.replacement.encode() + source[change.end_byte :]
        )
        subprocess.run([*jdk.JAVAC, "-d", ".", "Tests.java", "Stock.java"], cwd=place, check=True)
        try:
            run = [*jdk.JAVA, "-cp", ".", "shop.Tests"]
            done = subprocess.run(run, cwd=place, timeout=5, check=False, capture_output=True)
            found = "killed" if done.returncode else "survived"
        except subprocess.TimeoutExpired:
            found = "timeout"
        assert found == mutant.status, (change.original, change.replacement)


def test_json_is_format_json_and_a_file_holds_the_same(call: Call, tmp_path: Path) -> None:
    path = java_report(tmp_path)
    one = call("scan", path, *RULES_ONLY, "--json").stdout
    other = call("scan", path, *RULES_ONLY, "--format", "json").stdout
    filed = call("scan", path, *RULES_ONLY, "--json", "--out", tmp_path / "deep" / "out.json")
    assert one == other == (tmp_path / "deep" / "out.json").read_text()
    assert filed.stdout == ""
    assert len(json.loads(one)["mutants"]) == 5


def test_predictions_count_only_with_a_model_that_promises(call: Call, model: Path) -> None:
    path = java_report(Path())
    found = scan_json(call, path, "--model", model)
    assert found["scores"]["equivalent"] == 5  # type: ignore[index]
    assert found["killed_check"] == {
        "judged": 2, "called_equivalent": 2, "undecided": 0, "would_count": 2, "proved": 0
    }  # fmt: skip
    strict = call("scan", path, "--model", model, "--min-precision", "0.99", "--json")
    assert json.loads(strict.stdout)["scores"]["equivalent"] == 2
    assert "only rank" in strict.stderr
    few = scan_json(call, path, "--model", model, "--check-killed", "1")
    assert few["killed_check"]["judged"] == 1  # type: ignore[index]
    everything = scan_json(call, path, "--model", model, "--all")
    assert len(everything["mutants"]) == len(EDITS)  # type: ignore[arg-type]
    assert everything["scores"]["equivalent"] == 5  # type: ignore[index]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "name a report"),
        (["nowhere.json"], "no such report"),
        (["mutation.json", "--no-model", "--format", "pdf"], "pdf"),
        (["mutation.json", "--no-model", "--format", "html"], "--out"),
        (["mutation.json", "--no-model", "--out", "."], "is a directory"),
        (["mutation.json", "--no-model", "--out", "./mutation.json"], "the report itself"),
        (["mutation.json", "--no-model", "--out", "equivalents.toml"], "the registry"),
        (["mutation.json", "--no-model", "--out", "a", "--write-back", "a"], "written already"),
        (
            ["mutation.json", "--no-model", "--baseline", "mutation.json", "--update-baseline"],
            "the report itself",
        ),
        (["mutation.json", "--no-model", "--json", "--format", "html"], "contradict"),
        (["mutation.json", "--no-model", "--model", "x"], "contradict"),
        (["mutation.json", "--model", "nowhere"], "holds no detector"),
        (["mutation.json", "--no-model", "--fail-on", "sundays"], "fail"),
        (["mutation.json", "--no-model", "--fail-on", "new-survivors"], "--baseline"),
        (["mutation.json", "--no-model", "--update-baseline"], "--baseline"),
        (["mutation.json", "--no-model", "--write-back-tiers", "hope"], "hope"),
        (["mutation.json", "--no-model", "--write-back", "mutation.json"], "the report itself"),
        (["mutation.json", "--example", "--no-model"], "--example"),
        (["mutation.json", "--no-model", "--source", "nowhere"], "no such directory"),
        (["mutation.json", "--no-model", "--input-format", "tea"], "tea"),
    ],
)
def test_a_mistake_is_one_line(call: Call, arguments: list[str], words: str) -> None:
    java_report(Path())
    assert says_one_line(call("scan", *arguments), words)


def test_a_mistake_is_found_before_the_work(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(*_: object, **__: object) -> None:
        raise AssertionError("the scan had begun")

    monkeypatch.setattr("equimut.scanning.pipeline.scanned", work)
    java_report(tmp_path)
    for arguments in (
        ["--format", "html"],
        ["--format", "pdf"],
        ["--write-back", "mutation.json"],
        ["--fail-on", "new-survivors", "--baseline", "nowhere.json"],
    ):
        assert call("scan", "mutation.json", "--no-model", *arguments).returncode == 2


def test_nothing_analysable_is_never_a_success(call: Call, tmp_path: Path) -> None:
    empty = tmp_path / "empty.json"
    empty.write_text(json.dumps(elements()))
    assert call("scan", empty, "--no-model").returncode == 3
    foreign = java_report(tmp_path).read_text().replace('"java"', '"klingon"')
    (tmp_path / "foreign.json").write_text(foreign)
    report = json.loads(foreign)
    for mutant in report["files"]["Queue.java"]["mutants"]:
        del mutant["location"]
    (tmp_path / "foreign.json").write_text(json.dumps(report))
    result = call("scan", tmp_path / "foreign.json", "--no-model")
    assert result.returncode == 3
    assert "none of 5 mutants could be judged" in result.stderr
    assert "No verdict on 5 mutants" in result.stdout
    pending = java_report(tmp_path, [("a * b", "a / b", "Pending")])
    assert call("scan", pending, "--no-model").returncode == 3


def test_a_report_without_survivors_is_a_success(call: Call, tmp_path: Path) -> None:
    path = java_report(tmp_path, [("a * b", "a / b", "Killed")])
    assert call("scan", path, "--no-model").returncode == 0


def test_a_model_for_other_languages_can_say_nothing(
    call: Call, model: Path, tmp_path: Path
) -> None:
    settings = model_files(languages=("c",)).settings
    (model / "detector.json").write_text(settings.model_dump_json())
    path = java_report(tmp_path, [("a * b", "a / b", "Survived")])
    result = call("scan", path, "--model", model)
    assert result.returncode == 0  # it is listed, and somebody can decide
    assert "trained on c, not on java" in result.stdout
    assert "if equivalent: equimut accept " in result.stdout


def test_equivalents_are_written_back_into_a_new_file(
    call: Call, model: Path, tmp_path: Path
) -> None:
    path = java_report(tmp_path)
    before = path.read_bytes()
    assert call("scan", path, "--model", model, "--write-back", "marked.json").returncode == 0
    assert read_report(tmp_path / "marked.json").counts["ignored"] == 5
    written = json.loads((tmp_path / "marked.json").read_text())["files"]["Queue.java"]["mutants"]
    assert written[0]["statusReason"].startswith("equimut: equivalent, proved: tie")
    assert written[1] == json.loads(before)["files"]["Queue.java"]["mutants"][1]  # killed
    call("scan", path, "--model", model, "--write-back", "m2.json", "--write-back-tiers", "proved")
    assert read_report(tmp_path / "m2.json").counts["ignored"] == 2
    assert path.read_bytes() == before


def test_a_tool_without_a_place_for_marks_is_refused_before_the_work(
    call: Call, tmp_path: Path
) -> None:
    (tmp_path / "f.py").write_text("def f(a):\n    return a\n")
    diff = "--- f.py\n+++ f.py\n@@ -2 +2 @@\n-    return a\n+    return -a\n"
    (tmp_path / "f.diff").write_text(diff)
    result = call("scan", "f.diff", "--no-model", "--write-back", "new")
    assert says_one_line(result, "nothing can be written back into a diff")
    assert not (tmp_path / "new").exists()
    assert call("scan", "f.diff", "--no-model").returncode == 0  # a diff has no status: judged


def test_settings_are_found_upwards_and_the_command_line_wins(call: Call, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.equimut]\nformat = "json"\nuse-model = false\nregistry = "deep/eq.toml"\n'
    )
    inside = tmp_path / "a" / "b"
    inside.mkdir(parents=True)
    settings, path = find_settings(inside)
    assert path == tmp_path / "pyproject.toml"
    assert settings.registry == tmp_path / "deep" / "eq.toml"
    java_report(tmp_path)
    assert json.loads(call("scan", "mutation.json").stdout)["model"] == ""
    assert "Mutation score" in call("scan", "mutation.json", "--format", "text").stdout
    (tmp_path / "equimut.toml").write_text("min-precision = 0.8\n")
    assert find_settings(inside)[0].min_precision == 0.8  # its own file comes first
    (tmp_path / "a" / ".git").mkdir()
    assert find_settings(inside) == (ScanSettings(), None)  # not beyond the repository


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[tool.equimut]\nmin_precision = 0.9\n", "min_precision"),
        ("[tool.equimut]\noracle = true\n", "no setting `oracle`; there are source"),
        ("[tool.equimut]\nmin-precision = 2\n", "`min-precision`"),
        ("[tool]\nequimut = 3\n", "must be a table"),
        ("[tool.equimut\n", "not TOML"),
    ],
)
def test_a_wrong_setting_is_one_clear_error(call: Call, text: str, words: str) -> None:
    Path("pyproject.toml").write_text(text)
    java_report(Path())
    assert says_one_line(call("scan", "mutation.json", "--no-model"), "pyproject.toml", words)


def test_tiers_to_write_back_come_from_a_list() -> None:
    assert parse_tiers("predicted, proved") == ("proved", "predicted")
    with pytest.raises(EquimutError, match="at least one"):
        parse_tiers(" , ")


def test_a_scan_without_a_model_never_loads_torch(tmp_path: Path) -> None:
    java_report(tmp_path)
    code = (
        "import sys; sys.argv = ['equimut', 'scan', 'mutation.json', '--no-model', '--json']\n"
        "from equimut.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print([name for name in ('torch', 'transformers', 'ray') if name in sys.modules],"
        " file=sys.stderr)"
    )
    environment = {**os.environ, "EQUIMUT_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path,
        env=environment, check=True,
    )  # fmt: skip
    assert done.stderr.strip().endswith("[]")


def test_no_cache_leaves_nothing(call: Call, tmp_path: Path) -> None:
    java_report(tmp_path)
    assert call("scan", "mutation.json", "--no-model", "--no-cache").returncode == 0
    assert not (tmp_path / "cache").exists()
    assert call("scan", "mutation.json", "--no-model", "--cache", "mine").returncode == 0
    assert (tmp_path / "mine" / "verdicts.sqlite").exists()


def test_survivors_of_another_language_are_shown_and_can_be_accepted(
    call: Call, tmp_path: Path
) -> None:
    report = java_report(tmp_path).read_text().replace('"java"', '"javascript"')
    (tmp_path / "js.json").write_text(report.replace("Queue.java", "queue.js"))
    result = call("scan", "js.json", "--limit", "2")
    assert result.returncode == 0
    assert result.stdout.count("+    5  ") == 1  # the code of the first
    keys = re.findall(r"if equivalent: equimut accept (\w{12})", result.stdout)
    assert len(keys) == 2
    assert "3 more: --limit 5 shows all" in result.stdout
    assert call("accept", keys[0], "--reason", "a tie").returncode == 0
    again = scan_json(call, "js.json")
    assert again["scores"]["equivalent"] == 1  # type: ignore[index]
    assert call("scan", "js.json", "--format", "html", "--out", "p.html").returncode == 0
    page = Path("p.html").read_text()
    assert '<h1 id="headline">None of 5 survivors is known to be worth a test</h1>' in page
    annotated = call("scan", "js.json", "--format", "github").stdout
    assert annotated.count("::notice file=queue.js") == 4


def test_an_empty_file_is_called_empty(call: Call, tmp_path: Path) -> None:
    (tmp_path / "empty.json").write_text(" \n")
    assert says_one_line(call("scan", "empty.json"), "empty.json: the file is empty")


def test_a_passed_gate_says_so(call: Call, tmp_path: Path) -> None:
    path = java_report(tmp_path)
    options = ("--no-model", "--baseline", "b.json")
    written = call("scan", path, *options, "--update-baseline")
    assert "3 survivors written to b.json" in written.stderr
    passed = call("scan", path, *options, "--fail-on", "new-survivors")
    assert passed.returncode == 0
    assert "gate passed: no new undetected mutant" in passed.stderr
    failed = call("scan", path, *options, "--fail-on", "survivors")
    assert "gate passed" not in failed.stderr


def test_counts_have_their_singular(call: Call, tmp_path: Path) -> None:
    path = java_report(tmp_path, [("a * b", "a / b", "Survived"), ("> top", ">= top", "Survived")])
    one = call("scan", path, "--no-model", "--baseline", "b.json", "--update-baseline",
               "--write-back", "marked.json")  # fmt: skip
    assert "1 survivor written to" in one.stderr
    assert "1 mutant marked as equivalent" in one.stderr
    assert not re.search(r"\b1 (mutants|survivors|inputs|files)\b", one.stdout + one.stderr)


def test_killed_mutants_called_equivalent_can_be_listed(call: Call, model: Path) -> None:
    path = java_report(Path())
    plain = call("scan", path, "--model", model)
    listed = call("scan", path, "--model", model, "--list-mistakes")
    assert "of 2 killed mutants the model calls 2 equivalent (100.0 %): known" in plain.stdout
    title = "Killed mutants that the model calls equivalent"
    assert title not in plain.stdout
    shown = listed.stdout.partition(title)[2]
    assert "if (values[i] < top) {" in shown
    assert "a * b - 2" in shown
    mistakes = scan_json(call, path, "--model", model)["mistakes"]
    assert [row["status"] for row in mistakes] == ["killed"] * 2  # type: ignore[attr-defined]


HELP = [
    *(("scan",), ("review",), ("accept",), ("reject",), ("registry", "check"), ("judge",)),
    *(("train",), ("sweep",), ("mutate",), ("oracle",), ("prove",), ("graph",), ("paper",), ()),
]


@pytest.mark.parametrize("command", HELP, ids=" ".join)
def test_no_help_text_is_cut(
    command: tuple[str, ...], call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("typer.rich_utils.MAX_WIDTH", 80)
    shown = call(*command, "--help").stdout
    assert max(map(len, shown.splitlines())) <= 80
    assert "…" not in shown


def test_help_teaches() -> None:
    shown = run_equimut("scan", "--help").stdout
    assert "Example: equimut scan target/pit-reports/mutations.xml" in shown
    assert "--oracle" in shown
