"""The gate: survivors that nobody has taken as equivalent fail a build, old ones if asked."""

import json
from pathlib import Path

import pytest

from oracles.command import RULES_ONLY, Result, call_equimut, says_one_line
from oracles.scans.scan_project import EDITS, JAVA, elements, entry, java_report


@pytest.fixture(autouse=True)
def _own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EQUIMUT_CACHE", str(tmp_path / "cache"))


def scan(*arguments: object) -> Result:
    return call_equimut("scan", "mutation.json", *RULES_ONLY, *arguments)


def new_survivors() -> Result:
    return scan("--fail-on", "new-survivors", "--baseline", "base.json")


def test_survivors_fail_and_the_results_are_there_all_the_same() -> None:
    java_report(Path())
    result = scan("--fail-on", "survivors", "--json")
    assert result.returncode == 1
    assert "4 undetected mutants" in result.stderr  # the fifth is proved equivalent
    assert len(json.loads(result.stdout)["mutants"]) == 5


def test_an_equivalent_is_no_survivor() -> None:
    java_report(Path(), EDITS[:2])
    assert scan("--fail-on", "survivors").returncode == 0


def test_only_new_survivors_fail() -> None:
    java_report(Path(), EDITS[:3])
    assert scan("--baseline", "base.json", "--update-baseline").returncode == 0
    assert new_survivors().returncode == 0
    java_report(Path(), EDITS)
    result = new_survivors()
    assert result.returncode == 1
    assert "3 new undetected mutants" in result.stderr
    assert "Queue.java Queue.step: - -> +" in result.stderr
    before = Path("base.json").read_bytes()
    assert new_survivors().returncode == 1
    assert Path("base.json").read_bytes() == before  # a gate does not move by itself


def test_moving_code_makes_no_survivor_new() -> None:
    java_report(Path())
    scan("--baseline", "base.json", "--update-baseline")
    moved = "// a comment\n\n" + JAVA.replace("int top", "int  top")
    mutants = [entry(n + 7, moved, *edit) for n, edit in enumerate(reversed(EDITS))]
    Path("mutation.json").write_text(json.dumps(elements(("Queue.java", "java", moved, mutants))))
    assert new_survivors().returncode == 0


PYTHON = """\
def price(amount, rate):
    if amount < 0:
        amount = 0
    total = amount * rate
    if total < 10:
        total = 10
    if total < 0:
        total = 0
    return total
"""


def python_report(source: str, *edits: tuple[str, str, int]) -> None:
    mutants = [
        entry(number, source, old, new, nth=nth) for number, (old, new, nth) in enumerate(edits)
    ]
    report = elements(("till.py", "python", source, mutants))
    Path("mutation.json").write_text(json.dumps(report))


OLD = [("< 0", "<= 0", 0), ("* rate", "/ rate", 0), ("< 10", "<= 10", 0), ("< 0", "<= 0", 1)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("    total = amount", "    log(amount)\n    total = amount"),
        ("    if amount", "    log(rate)\n    if amount"),
        ("    return total", "    total += 1\n    return total"),
        ("    total = amount * rate\n", "    total = amount * rate\n    log(total)\n"),
    ],
)
def test_an_added_line_makes_no_old_survivor_of_its_function_new(before: str, after: str) -> None:
    python_report(PYTHON, *OLD)
    scan("--baseline", "base.json", "--update-baseline")
    python_report(PYTHON.replace(before, after, 1), *OLD)
    assert new_survivors().returncode == 0


def test_another_change_in_a_known_function_is_new() -> None:
    python_report(PYTHON, *OLD)
    scan("--baseline", "base.json", "--update-baseline")
    python_report(PYTHON, *OLD, ("< 10", "> 10", 0))
    assert "1 new undetected mutant:" in new_survivors().stderr
    # The same statement once more is one more survivor.
    twice = PYTHON.replace("    return", "    if total < 10:\n        total = 3\n    return")
    python_report(twice, *OLD, ("< 10", "<= 10", 1))
    assert "1 new undetected mutant:" in new_survivors().stderr


def test_the_same_change_in_another_class_is_new() -> None:
    method = "boolean full() { return size >= 10; }"
    source = f"class A {{ static class B {{ {method} }} static class C {{ {method} }} }}\n"
    first = [entry(0, source, ">=", ">")]
    Path("mutation.json").write_text(json.dumps(elements(("A.java", "java", source, first))))
    scan("--baseline", "base.json", "--update-baseline")
    both = [*first, entry(1, source, ">=", ">", nth=1)]
    Path("mutation.json").write_text(json.dumps(elements(("A.java", "java", source, both))))
    assert "1 new undetected mutant" in new_survivors().stderr


def test_a_baseline_of_the_former_format_still_counts() -> None:
    java_report(Path())
    # As the version before wrote it for this report: four keys without a class.
    survivors = {
        "ce5401d4234c": "Queue.java largest: 1 -> 0",
        "d5999041bcc6": "Queue.java step: * -> /",
        "1ddadb73dce4": "Queue.java step: - -> +",
        "c07fca6ccc39": "Queue.java step: 2 -> 3",
    }
    former = {"format": "equimut-baseline-1", "survivors": survivors}
    Path("base.json").write_text(json.dumps(former))
    assert new_survivors().returncode == 0
    survivors.pop("1ddadb73dce4")
    Path("base.json").write_text(json.dumps(former))
    assert "1 new undetected mutant:" in new_survivors().stderr


def test_a_mutant_that_cannot_be_located_is_a_survivor_too() -> None:
    java_report(Path(), EDITS[:3])
    scan("--baseline", "base.json", "--update-baseline")
    report = json.loads(Path("mutation.json").read_text())
    lost = {**entry(99, JAVA, "a * b", "(((")}
    report["files"]["Queue.java"]["mutants"].append(lost)
    Path("mutation.json").write_text(json.dumps(report))
    result = new_survivors()
    assert result.returncode == 1
    assert "1 new undetected mutant: unlocated-" in result.stderr


def test_a_survivor_without_a_line_is_not_on_line_none() -> None:
    java_report(Path(), EDITS[:1])
    report = json.loads(Path("mutation.json").read_text())
    lost = {"id": "9", "mutatorName": "Lost", "replacement": "x", "status": "Survived"}
    report["files"]["Queue.java"]["mutants"].append(lost)
    Path("mutation.json").write_text(json.dumps(report))
    result = scan("--fail-on", "survivors")
    assert "Queue.java not located: Lost" in result.stderr
    assert "None" not in result.stderr


def test_a_report_without_statuses_does_not_pass_a_gate() -> None:
    Path("f.py").write_text("def f(a):\n    return a\n")
    Path("f.diff").write_text("--- f.py\n+++ f.py\n@@ -2 +2 @@\n-    return a\n+    return -a\n")
    result = call_equimut("scan", "f.diff", *RULES_ONLY, "--fail-on", "survivors")
    assert result.returncode == 3
    assert "whether it survived" in result.stderr


@pytest.mark.parametrize("content", ["", "[]", '{"survivors": {}}', '{"format": "x"}', "\udcff"])
def test_a_baseline_that_is_none_is_an_error(content: str) -> None:
    java_report(Path())
    Path("base.json").write_bytes(content.encode(errors="surrogateescape"))
    assert says_one_line(new_survivors(), "base.json")


def test_a_missing_baseline_says_how_to_make_one() -> None:
    java_report(Path())
    assert says_one_line(new_survivors(), "--update-baseline")
