"""Accept, review, registry check: a person's word holds as long as the code does."""

import json
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conftest import ROOT
from equimut.errors import EquimutError
from equimut.mutation.identity import MutantKey
from equimut.reports.reported import read_report
from equimut.scanning.registry.last_scan import SeenMutant, find_mutant
from equimut.scanning.registry.registry import Registry
from oracles.command import RULES_ONLY, Result, call_equimut, run_equimut, says_one_line
from oracles.scans.scan_project import EDITS, JAVA, elements, entry, java_report

REPORT = "mutation.json"


@pytest.fixture(autouse=True)
def _own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EQUIMUT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    (tmp_path / "gitconfig").write_text("[user]\n\tname = Ada Example\n")


def scan() -> dict[str, dict[str, object]]:
    """Scan, and give the rows by what they put in."""
    java_report(Path())
    result = call_equimut("scan", REPORT, *RULES_ONLY, "--json")
    return {row["change"]["replacement"]: row for row in json.loads(result.stdout)["mutants"]}


def accept(key: object, *more: object) -> Result:
    return call_equimut("accept", key, "--reason", "a, b: never 0", *more)


def check(*more: object) -> Result:
    return call_equimut("registry", "check", REPORT, *more)


def rewrite(source: str, status: str = "Survived") -> None:
    """A new report on changed code: the same mutant of `a * b`."""
    mutants = [entry(1, source, "a * b", "a / b", status)]
    Path(REPORT).write_text(json.dumps(elements(("Queue.java", "java", source, mutants))))


def test_accept_takes_a_key_of_the_last_scan() -> None:
    rows = scan()
    key = str(rows["a / b"]["key"])
    result = accept(key[:6])
    assert result.returncode == 0
    assert key in result.stdout
    (entry_,) = Registry(Path("equivalents.toml")).entries
    assert entry_.key == rows["a / b"]["full_key"]
    assert (entry_.key[:12], entry_.author, entry_.tier) == (key, "Ada Example", "unknown")
    assert scan()["a / b"]["tier"] == "accepted"
    assert says_one_line(accept(key), "accepted already")


def test_accept_can_take_it_from_a_report_instead() -> None:
    key = scan()["a / b"]["key"]
    for path in Path("cache").rglob("*.jsonl"):
        path.unlink()
    assert says_one_line(accept(key), "run `equimut scan`")
    assert accept(key, "--report", REPORT, "--author", "Bob").returncode == 0
    assert Registry(Path("equivalents.toml")).entries[0].author == "Bob"


def test_a_key_must_be_one_of_the_scan() -> None:
    rows = scan()
    assert says_one_line(accept("ffffffffffff"), "no mutant with the key")
    assert says_one_line(accept("ab"), "too short")
    assert says_one_line(
        call_equimut("accept", rows["a / b"]["key"], "--reason", "  "), "with a reason"
    )
    assert not Path("equivalents.toml").exists()


def test_a_beginning_that_fits_two_keys_chooses_neither() -> None:
    known: dict[str, SeenMutant] = {}
    for place in range(10_000):
        key = MutantKey(file="f", function="g", change="a -> b", place=place, context="c")
        twin = known.setdefault(key.text[:4], SeenMutant(key=key, tier="unknown"))
        if twin.key != key:
            break
    both = [twin, SeenMutant(key=key, tier="unknown")]
    with pytest.raises(EquimutError, match="fits 2 keys"):
        find_mutant(key.text[:4], both)
    assert find_mutant(key.text, both) == both[1]
    assert find_mutant(key.text[:4], both[:1]) == both[0]


def test_check_passes_while_the_code_is_the_same_and_layout_does_not_matter() -> None:
    accept(scan()["a / b"]["key"])
    rewrite("\n\n/* moved */ " + JAVA.replace("a * b + 2", "a * b\n + 2"))
    result = check()
    assert result.returncode == 0
    assert result.stdout.startswith("valid")


def test_an_entry_whose_code_changed_fails_until_it_is_renewed() -> None:
    accept(scan()["a / b"]["key"])
    rewrite(JAVA.replace("2 * (a - b)", "3 * (a - b)"))
    result = check()
    assert result.returncode == 1
    assert "1 stale" in result.stderr
    assert "registry update" in result.stdout
    update = ("registry", "update", REPORT)
    assert says_one_line(call_equimut(*update), "--yes")
    assert check().returncode == 1
    result = call_equimut(*update, "--yes")
    assert result.returncode == 0
    assert "1 renewed in equivalents.toml" in result.stderr
    assert check().returncode == 0
    (row,) = json.loads(check("--json").stdout)
    assert row["state"] == "valid"
    assert (row["reason"], row["author"]) == ("a, b: never 0", "Ada Example")


def test_an_entry_whose_mutant_is_gone_fails() -> None:
    accept(scan()["a / b"]["key"])
    rewrite(JAVA.replace("static int step", "static int leap"))
    result = check()
    assert result.returncode == 1
    assert "1 gone" in result.stderr


def test_an_entry_whose_mutant_a_test_kills_fails() -> None:
    accept(scan()["a / b"]["key"])
    rewrite(JAVA, "Killed")
    result = check()
    assert result.returncode == 1
    assert "1 killed" in result.stderr
    assert "delete the entry" in result.stdout


def test_an_unreadable_registry_is_no_empty_one() -> None:
    java_report(Path())
    Path("equivalents.toml").write_text("[[equivalent]]\nkey = 3\n")
    assert says_one_line(check(), "equivalents.toml")
    assert says_one_line(call_equimut("scan", REPORT, *RULES_ONLY), "equivalents.toml")


def test_a_scan_says_when_accepted_ones_are_not_among_the_survivors() -> None:
    accept(scan()["a / b"]["key"])
    rewrite(JAVA, "Killed")
    result = call_equimut("scan", REPORT, *RULES_ONLY)
    assert "1 entry of equivalents.toml is not among the survivors" in result.stderr


def test_show_prints_what_was_accepted() -> None:
    accept(scan()["a / b"]["key"])
    shown = call_equimut("registry", "show").stdout
    assert "Queue.java Queue.step: * -> /" in shown
    assert "a, b: never 0 (Ada Example, " in shown
    assert json.loads(call_equimut("registry", "show", "--json").stdout)[0]["place"] > 0


def test_a_report_of_pit_from_scan_to_write_back(tmp_path: Path) -> None:
    project = ROOT / "tests" / "reports" / "pit_project"
    given = [project / "mutations.xml", "--source", project / "src", *RULES_ONLY]
    rows = json.loads(call_equimut("scan", *given, "--json").stdout)["mutants"]
    chosen = [row for row in rows if row["key"]][3]
    assert accept(chosen["key"]).returncode == 0
    marked = sum(row["key"] == chosen["key"] for row in rows)
    assert call_equimut("scan", *given, "--write-back", "out.xml").returncode == 0
    before, after = read_report(project / "mutations.xml"), read_report(tmp_path / "out.xml")
    assert after.counts.get("ignored", 0) == before.counts.get("ignored", 0) + marked
    assert after.total == before.total
    assert "a, b: never 0" in Path("out.xml").read_text()
    assert call_equimut("registry", "check", *given[:3]).returncode == 0


def test_a_review_without_a_terminal_is_refused() -> None:
    java_report(Path())
    assert says_one_line(run_equimut("review", REPORT, "--no-model"), "needs a terminal")


PROMPTS = ("[q] quit", "reason:", "still equivalent?")


def review(*keys: str) -> tuple[str, int]:
    return at_terminal(["review", REPORT, "--no-model"], *keys)


def at_terminal(command: list[str], *keys: str) -> tuple[str, int]:
    """Type these, one after the other, at a real terminal; what it showed, and the exit code."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "equimut", *command],
        stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True, start_new_session=True,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    )  # fmt: skip
    os.close(theirs)
    shown, waiting = "", list(keys)
    deadline = time.monotonic() + 240
    asked = 0
    try:
        while time.monotonic() < deadline:
            if select.select([ours], [], [], 0.2)[0]:
                try:
                    piece = os.read(ours, 4096).decode(errors="replace")
                except OSError:  # the other end is closed
                    break
                if not piece:
                    break
                shown += piece
            prompts = sum(shown.count(prompt) for prompt in PROMPTS)
            if waiting and prompts > asked:
                asked = prompts
                time.sleep(0.1)  # the prompt is printed before the terminal is in raw mode
                os.write(ours, waiting.pop(0).encode())
            elif process.poll() is not None and not select.select([ours], [], [], 0)[0]:
                break
        return shown, process.wait(timeout=120)
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def test_a_review_at_a_real_terminal() -> None:
    java_report(Path())
    Path("equimut.toml").write_text('prove-budget = "none"\n')  # four are left to be decided
    shown, code = review("a", "both are whole\n", "r", "\n", "f", "r", "0 is lost\n", "q")
    assert code == 0, shown
    assert "1 of 4" in shown
    assert "4 of 4" in shown
    counted, _, place = shown.partition(", now in")
    assert counted.endswith("1 accepted and 2 rejected")
    assert str(Path("equivalents.toml").resolve()) in place
    assert "return" in shown.split("3 of 4")[1].split("[q] quit")[1]  # the whole function
    registry = Registry(Path("equivalents.toml"))
    (accepted,) = registry.entries
    assert accepted.reason == "both are whole"
    assert [entry.reason for entry in registry.decisions[1:]] == [
        "looked at in a review: a test can notice it",
        "0 is lost",
    ]
    # What was accepted or rejected is not asked again.
    shown, _ = review("q")
    assert "1 of 1" in shown
    assert len(EDITS) == 8


def test_update_shows_the_code_of_now_and_asks() -> None:
    accept(scan()["a / b"]["key"])
    rewrite(JAVA.replace("2 * (a - b)", "3 * (a - b)"))
    command = ["registry", "update", REPORT]
    shown, code = at_terminal(command, "n\n")
    assert code == 0, shown
    assert "a, b: never 0" in shown  # why it was accepted
    assert "+         return a / b + 3 * (a - b);" in shown
    assert "0 renewed" in shown
    assert check().returncode == 1
    shown, _ = at_terminal(command, "y\n")
    assert "1 renewed" in shown
    assert check().returncode == 0
