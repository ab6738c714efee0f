"""A person's word wins over every other evidence, in every output, and for one mutant only."""

import json
import os
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from equimut.mutation import mutate
from equimut.mutation.identity import MutantKey, describe
from equimut.scanning.registry.check import check_entries
from equimut.scanning.registry.registry import Registry
from oracles.command import RULES_ONLY, Result, call_equimut, run_equimut, says_one_line
from oracles.scans.scan_project import EDITS, elements, entry, java_report

DAY = date(2026, 3, 1)
TWO_CLASSES = """\
class Queues {
    static class Slow { int size; boolean full() { return size >= 10; } }
    static class Fast { int size; boolean full() { return size >= 10; } }
}
"""


@pytest.fixture(autouse=True)
def _own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EQUIMUT_CACHE", str(tmp_path / "cache"))


def scan(*more: object, report: str = "mutation.json") -> dict[str, object]:
    result = call_equimut("scan", report, *RULES_ONLY, "--json", *more)
    assert result.returncode == 0, result.stderr
    found: dict[str, object] = json.loads(result.stdout)
    return found


def mutants(found: dict[str, object]) -> list[dict[str, object]]:
    rows = found["mutants"]
    assert isinstance(rows, list)
    return rows


def proved() -> dict[str, object]:
    return next(row for row in mutants(scan()) if row["tier"] == "proved")


def reject(key: object, *more: object) -> Result:
    return call_equimut("reject", key, "--reason", "seen to differ", *more)


def test_a_rejected_mutant_is_a_survivor_whatever_proves_it(tmp_path: Path) -> None:
    java_report(Path(), EDITS)
    key = proved()["key"]
    before = scan()["scores"]
    result = reject(key)
    assert (result.returncode, result.stdout.split()[:2]) == (0, ["rejected", key]), result.stderr
    assert "report that" in result.stderr  # it was proved: somebody should hear of it
    row = next(row for row in mutants(scan()) if row["key"] == key)
    assert (row["verdict"], row["tier"], row["counts"]) == ("not-equivalent", "rejected", False)
    assert row["finding"] == "worth-a-test"
    after = scan()["scores"]
    assert isinstance(before, dict)
    assert isinstance(after, dict)
    assert after["equivalent"] == before["equivalent"] - 1


@pytest.mark.parametrize("format", ["text", "json", "elements", "sarif", "github", "junit", "html"])
def test_every_format_shows_the_decision(format: str) -> None:
    java_report(Path(), EDITS)
    reject(proved()["key"])
    out = Path("out")
    result = call_equimut(
        "scan", "mutation.json", *RULES_ONLY, "--format", format, "--out", out, "--all"
    )
    assert result.returncode == 0, result.stderr
    text = out.read_text("utf-8")
    if format == "elements":  # that only says who is left out: not this one any more
        assert '"Ignored"' not in text
    else:
        assert "seen to differ" in text


def test_gate_and_write_back_follow_the_decision() -> None:
    java_report(Path(), EDITS[:2])  # the first one survived and is proved equivalent
    gate = ("scan", "mutation.json", *RULES_ONLY, "--fail-on", "survivors")
    assert call_equimut(*gate).returncode == 0
    reject(proved()["key"])
    result = call_equimut(*gate, "--write-back", "marked.json")
    assert result.returncode == 1
    assert "0 mutants marked" in result.stderr


def test_the_last_word_counts_and_takes_the_place_of_the_one_before() -> None:
    java_report(Path(), EDITS)
    key = proved()["key"]
    reject(key)
    result = call_equimut("accept", key, "--reason", "I was wrong")
    assert result.returncode == 0
    assert "seen to differ" in result.stderr
    registry = Registry(Path("equivalents.toml"))
    assert [entry.reason for entry in registry.decisions] == ["I was wrong"]
    assert says_one_line(call_equimut("accept", key, "--reason", "x"), "accepted already")
    reject(key)
    assert [each.decision for each in Registry(registry.path).decisions] == ["rejected"]
    assert says_one_line(reject(key), "rejected already")
    assert "rejected" in call_equimut("registry", "show").stdout


def test_a_rejected_mutant_that_a_test_kills_is_no_failure() -> None:
    java_report(Path(), EDITS)
    reject(proved()["key"])
    report = json.loads(Path("mutation.json").read_text())
    for mutant in report["files"]["Queue.java"]["mutants"]:
        mutant["status"] = "Killed"
    Path("mutation.json").write_text(json.dumps(report))
    result = call_equimut("registry", "check", "mutation.json")
    assert result.returncode == 0
    assert "as it should" in result.stdout


def test_lists_print_keys() -> None:
    java_report(Path(), EDITS)
    key = proved()["key"]
    text = call_equimut("scan", "mutation.json", *RULES_ONLY).stdout
    assert str(key) in text.split("Taken as equivalent")[1]
    assert "equimut reject KEY" in text
    call_equimut("scan", "mutation.json", *RULES_ONLY, "--format", "html", "--out", "page.html")
    assert f"equimut reject {key} --reason" in Path("page.html").read_text("utf-8")


def two_classes() -> tuple[str, str]:
    """A report on two equal methods in two classes; their full keys."""
    rows = [entry(n, TWO_CLASSES, ">=", ">", nth=n) for n in range(2)]
    Path("mutation.json").write_text(
        json.dumps(elements(("Queues.java", "java", TWO_CLASSES, rows)))
    )
    slow, fast = (str(row["full_key"]) for row in mutants(scan()))
    return slow, fast


def test_the_same_method_in_two_classes_is_two_mutants() -> None:
    slow, fast = two_classes()
    assert slow[:12] != fast[:12]
    assert call_equimut("accept", slow[:12], "--reason", "never full").returncode == 0
    assert [row["tier"] for row in mutants(scan())] == ["accepted", "unknown"]
    (entry_,) = Registry(Path("equivalents.toml")).entries
    assert entry_.owner == "Queues.Slow"


def test_an_entry_of_before_that_fits_two_classes_is_named() -> None:
    two_classes()
    identity = next(row["identity"] for row in mutants(scan()))
    assert isinstance(identity, dict)
    key = MutantKey(**{**identity, "owner": "", "context": identity["context"][:16]})
    fields = key.model_dump(exclude={"owner", "statement"})
    lines = [f"{name} = {json.dumps(value)}" for name, value in fields.items()]
    lines += [f'key = "{key.text}"', 'reason = "seen"', "date = 2026-03-01"]
    Path("equivalents.toml").write_text("\n".join(["[[equivalent]]", *lines]))
    assert [row["tier"] for row in mutants(scan())] == ["accepted", "accepted"]  # as it was
    result = call_equimut("registry", "check", "mutation.json")
    assert result.returncode == 1
    assert "1 ambiguous" in result.stderr


def test_an_entry_of_before_gets_a_long_key() -> None:
    java_report(Path(), EDITS)
    row = proved()
    assert isinstance(row["identity"], dict)
    identity = {**row["identity"], "owner": "", "context": row["identity"]["context"][:16]}
    key = MutantKey(**identity)
    fields = key.model_dump(exclude={"owner", "statement"})
    lines = [f"{name} = {json.dumps(value)}" for name, value in fields.items()]
    lines += [f'key = "{key.text}"  # ours', 'reason = "seen"', "date = 2026-03-01"]
    Path("equivalents.toml").write_text("\n".join(["[[equivalent]]", *lines]))
    assert next(each for each in mutants(scan()) if each["key"] == row["key"])["tier"] == "accepted"
    result = call_equimut("registry", "update", "mutation.json", "--yes")
    assert "1 with longer keys" in result.stderr
    (entry_,) = Registry(Path("equivalents.toml")).entries
    assert (entry_.key, entry_.owner, entry_.reason) == (row["full_key"], "Queue", "seen")
    assert "# ours" in Path("equivalents.toml").read_text()


def forged(number: int, returned: str) -> MutantKey:
    """Two of these were searched for until their short keys were the same."""
    before = f"int f(int a) {{ int t = {number}; return {returned}; }}"
    after = before.replace("; return", "; t++; return")
    return MutantKey(file="f.c", function="f", **describe(before, after, "c").model_dump())


def test_two_mutants_with_one_short_key_are_told_apart(tmp_path: Path) -> None:
    harmless, harmful = forged(121402811, "a"), forged(108432660, "a + t")
    assert harmless.text == harmful.text == "0b5abf135253"
    assert harmless.full != harmful.full
    registry = Registry(tmp_path / "r.toml")
    registry.accept(harmless, reason="t is not used", author="", tier="unknown", day=DAY)
    assert registry.find(harmless) is not None
    assert registry.find(harmful) is None
    assert [each.state for each in check_entries(registry.entries, [harmful])] == ["stale"]
    registry.decide("rejected", harmful, reason="t is", author="", tier="unknown", day=DAY)
    again = Registry(tmp_path / "r.toml")
    found = again.find(harmless), again.find(harmful)
    assert [each and each.decision for each in found] == ["equivalent", "rejected"]


def test_a_short_key_of_two_mutants_asks_which(tmp_path: Path) -> None:
    numbers = ((121402811, "a"), (108432660, "a + t"))
    diffs = []
    for folder, (number, returned) in zip(("one", "two"), numbers, strict=True):
        Path(folder).mkdir()
        text = f"int f(int a) {{ int t = {number}; return {returned}; }}\n"
        (Path(folder) / "f.c").write_text(text)
        after = text.replace("; return", "; t++; return")
        diffs.append(f"--- a/f.c\n+++ b/f.c\n@@ -1 +1 @@\n-{text}+{after}")
    keys = []
    for folder, diff in zip(("one", "two"), diffs, strict=True):
        (Path(folder) / "f.diff").write_text(diff)
        keys += mutants(scan("--source", folder, report=f"{folder}/f.diff"))
    assert [row["key"] for row in keys] == ["0b5abf135253"] * 2
    last = next(Path("cache").rglob("last-scan/*.jsonl"))
    seen = [{"key": row["identity"], "tier": "unknown"} for row in keys]
    last.write_text("".join(json.dumps(row) + "\n" for row in seen))
    result = call_equimut("accept", "0b5abf135253", "--reason", "which?")
    assert says_one_line(result, "fits 2 keys", str(keys[0]["full_key"])[:13])
    chosen = str(keys[1]["full_key"])
    assert call_equimut("accept", chosen[:16], "--reason", "this").returncode == 0
    assert Registry(Path("equivalents.toml")).entries[0].key == chosen


@pytest.mark.parametrize("option", ["--reason", "--author"])
def test_a_text_that_is_no_text_is_one_line(option: str) -> None:
    java_report(Path(), EDITS)
    key = str(proved()["key"])
    given = {"--reason": "fine", "--author": "Ada", option: os.fsdecode(b"caf\xe9")}
    words = [word for pair in given.items() for word in pair]
    result = subprocess.run(
        [sys.executable, "-m", "equimut", "accept", key, *words],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert says_one_line(result, option, "not UTF-8")
    assert not Path("equivalents.toml").exists()


def test_a_name_of_git_that_is_no_text_is_still_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gitconfig").write_bytes(b"[user]\n\tname = Ren\xe9\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    java_report(Path(), EDITS)
    result = run_equimut("accept", proved()["key"], "--reason", "fine")
    assert result.returncode == 0, result.stderr
    assert Registry(Path("equivalents.toml")).entries[0].author == "Ren�"


def test_white_space_counts_where_nobody_knows_the_language() -> None:
    def key(origin: str) -> MutantKey:
        mutant = origin.replace("<", "<=")
        found = describe(origin, mutant, "javascript").model_dump()
        return MutantKey(file="a.js", function="", **found)

    plain = key("if (a < b) return 'x y';")
    assert plain.full != key("if (a < b) return 'x  y';").full
    assert plain.full != key("if (a < b) return\n 'x y';").full
    assert plain.full == key("if (a < b)  return 'x y';").full


def test_ids_are_unique_in_a_file_and_are_keys() -> None:
    source = (
        "class A { void m() { new R() { int f(int a) { return a + 1; } };\n"
        " new R() { int f(int a) { /* same */ return a + 1; } }; }\n"
        " static class B { int f(int a) { return a + 1; } }\n"
        " enum E { X { int f(int a) { return a + 1; } }, Y { int f(int a) { return a + 1; } } } }"
    )
    made = mutate(source, "java", function="f")
    ids = [mutant.id for mutant in made]
    assert len(ids) == 5 * len({(m.original, m.replacement) for m in made})
    assert len(set(ids)) == len(ids)
    assert {len(name) for name in ids} == {12}
