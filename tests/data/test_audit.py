"""The audit refutes wrong labels with a witness, confirms right ones, and says what it cannot."""

import json
from pathlib import Path

import pytest

from conftest import shared_file
from equimut.data.audit.entries import ENTRY, Entry
from equimut.data.audit.programs import (
    find_program,
    reduced,
    through_entry,
    through_function,
    whole_programs,
)
from equimut.data.audit.records import count_program
from equimut.data.audit.run import audit_pairs
from equimut.data.published.mutantbench import read_mutantbench
from equimut.data.store import write_pairs
from equimut.errors import NothingToAnalyse
from equimut.oracle.inputs.ordinary import is_ordinary
from equimut.oracle.judging import judge, judge_mutants, replay
from equimut.oracle.signature import ValueType, array, integer
from equimut.oracle.verdicts import OracleSettings
from equimut.oracle.witness_files import load_witness
from equimut.records import Pair
from oracles.command import call_equimut

FEW = OracleSettings(inputs=400)
MIDDLE = "def middle(a: int, b: int) -> int:\n    return (a + b) // 2\n"
CLAMP = "def clamp(a: int) -> int:\n    return 9 if a > 9 else a\n"


def pair(name: str, origin: str, mutant: str, label: int, **more: str) -> Pair:
    fields = {"language": "python", "program": "small.py", "source": "own", "split": "", **more}
    return Pair.model_validate(
        {"id": name, "class_id": 0, "operators": ("X",), "origin": origin, "mutant": mutant,
         "label": label, **fields}
    )  # fmt: skip


def small_pairs() -> list[Pair]:
    return [
        pair("wrong-1", MIDDLE, MIDDLE.replace("//", "%"), 1),
        pair("right-0", MIDDLE, MIDDLE.replace("+", "-"), 0),
        pair("right-1", CLAMP, CLAMP.replace("a >", "a >="), 1),
        pair("wrong-0", CLAMP, CLAMP.replace(" 9 if", "  9 if"), 0),
        pair("not-killed", CLAMP, CLAMP.replace("a >", "a >="), 0),
        pair("no-type", "def f(x: Foo):\n    return x\n", "def f(x: Foo):\n    return 1\n", 1),
    ]


def test_labels_are_refuted_confirmed_or_left_alone() -> None:
    audited = audit_pairs(small_pairs(), settings=FEW)
    assert [(one.mutant.id, one.mutant.finding) for one in audited] == [
        ("wrong-1", "refuted"),
        ("right-0", "confirmed"),
        ("right-1", "unrefuted"),
        ("wrong-0", "refuted"),
        ("not-killed", "not killed"),
        ("no-type", "not judged"),
    ]
    assert audited[0].mutant.kind == "ordinary"
    assert audited[3].mutant.proof == "tokens"
    assert audited[2].mutant.inputs > FEW.inputs, "both rounds are counted"
    counts = count_program("small.py", [one.mutant for one in audited])
    assert (counts.mutants, counts.judged, counts.not_judged) == (6, 5, 1)
    assert list(counts.reasons) == ["a parameter or result type is not supported"]


def test_a_witness_against_a_label_replays() -> None:
    witness = audit_pairs(small_pairs()[:1], settings=FEW)[0].witness
    assert witness is not None
    now = replay(witness)
    assert now == witness.witness
    a, b = now.arguments
    assert (now.origin.value, now.mutant.value) == (str((a + b) // 2), str((a + b) % 2))


def test_only_extreme_inputs_are_told_apart_from_ordinary_ones() -> None:
    origin = "static int next(int a) { return a < a + 1 ? 1 : 0; }"
    mutant = "static int next(int a) { return 1; }"
    found = audit_pairs([pair("o", origin, mutant, 1, language="java")], settings=FEW)[0].mutant
    assert (found.finding, found.kind) == ("refuted", "extreme")
    assert found.witness is not None
    assert found.witness.arguments == (2**31 - 1,)


@pytest.mark.parametrize(
    ("type_", "plain", "odd"),
    [
        (integer(32), [0, -10_000, 7], [10_001, -(2**31), None]),
        (ValueType("float"), [0.0, -2.5, 1e9], [-0.0, float("nan"), float("inf"), 1e-9, 1e10]),
        (ValueType("string", nullable=True), ["", "a b\n"], [None, "é", "\0"]),
        (array(integer(8), nullable=True), [[], [1, 2]], [None, [None]]),
    ],
)
def test_ordinary_values(type_: ValueType, plain: list[object], odd: list[object]) -> None:
    assert all(is_ordinary(type_, value) for value in plain)
    assert not any(is_ordinary(type_, value) for value in odd)


COUNTER = """\
import far.away.Thing;
public class Counter {
    private int step; // set before use
    void setStep(int step) { this.step = step; }
    private int bump(int n) { return n + step; }
    int bump(int n, int m) { return bump(n) + bump(m); }
    Object far() { return new Thing(); }
}
"""
BUMP = "private int bump(int n) { return n + step; }"


def test_a_private_method_is_judged_through_its_entry() -> None:
    entry = Entry(
        "static int ENTRY(int n, int m)",
        "Counter c = new Counter(); c.setStep(3); return c.bump(n, m);",
        "n >= 0",
    )
    java = whole_programs("java")
    assert java is not None
    small = reduced(COUNTER, "java", [BUMP, entry.text(java, True)])
    assert "far" not in small
    mutants = {"-": "killed", "*": "killed", "+ 0 +": "unrefuted"}
    sources = {
        new: through_entry(small, "java", {BUMP: BUMP.replace("+", new)}, entry, True)
        for new in ("+", *mutants)
    }
    settings = FEW.model_copy(update={"function": ENTRY})
    texts = [str(sources[new]) for new in mutants]
    found = judge_mutants(str(sources["+"]), texts, "java", settings)
    for (new, tier), verdict in zip(mutants.items(), found, strict=True):
        assert verdict.tier == tier, new
        assert verdict.dropped > 0, "inputs outside the domain are not counted"


def test_an_overload_moves_to_the_end_of_its_class() -> None:
    small = reduced(COUNTER, "java", [BUMP])
    moved = through_function(small, "java", BUMP, BUMP.replace("+", "-"))
    assert moved is not None
    assert moved.index("n - step") > moved.index("int m")
    assert "n + step" not in moved


def test_an_origin_that_is_not_in_the_program_is_not_forced_into_it() -> None:
    assert through_function(COUNTER, "java", "int other() { return 1; }", "") is None


def test_a_program_name_may_not_lead_out_of_its_directory(tmp_path: Path) -> None:
    (tmp_path / "programs").mkdir()
    (tmp_path / "secret.c").write_text("int x;")
    (tmp_path / "programs" / "link.c").symlink_to(tmp_path / "secret.c")
    for name in ("../secret.c", "link.c", "..", "", "a\0b"):
        assert find_program(name, [tmp_path / "programs"]) is None


def test_old_style_parameters_are_refused_not_ignored() -> None:
    origin = "int f(a, b) int a, b; { return a + b; }"
    verdict = judge(origin, origin.replace("+", "-"), "c")
    assert verdict.tier == "unknown"
    assert "old-style" in verdict.reason


def test_a_language_nobody_runs_is_one_clear_error() -> None:
    with pytest.raises(NothingToAnalyse, match="c, java, python"):
        audit_pairs([pair("x", "sub f {}", "sub f {1}", 0, language="perl")])


def test_the_command_writes_a_report_without_source(tmp_path: Path) -> None:
    pairs, out = tmp_path / "pairs.jsonl", tmp_path / "audit.json"
    write_pairs(pairs, small_pairs())
    arguments = ["--inputs", "300", "--out", out, "--witnesses", tmp_path / "w", "--json"]
    done = call_equimut("data", "audit", pairs, *arguments)
    assert done.returncode == 0, done.stderr
    report = json.loads(out.read_text())
    assert report["total"]["refuted_by_ordinary_input"] == 1
    assert report["total"]["refuted_by_proof"] == 1
    assert [m["id"] for m in report["mutants"] if "witness" in m] == ["wrong-1"]
    assert "return" not in out.read_text().replace("returns", "")
    assert load_witness(tmp_path / "w" / "wrong-1.json").origin_source == MIDDLE


def test_published_labels_of_a_sort_are_refuted_by_ordinary_arrays() -> None:
    """Known: twelve of BubbleSort's twenty 'equivalent' mutants do not sort, or fail."""
    ttl = shared_file("data", "mutantbench", "dataset.ttl")
    directory = ttl.parent
    found = read_mutantbench(directory, "java").pairs
    chosen = [one for one in found if one.program == "BubbleSort.java" and one.label == 1]
    audited = audit_pairs(chosen, [directory / "programs"], FEW)
    refuted = [one for one in audited if one.mutant.kind == "ordinary"]
    assert (len(chosen), len(refuted)) == (20, 12)
    witness = refuted[0].witness
    assert witness is not None
    now = replay(witness)
    assert now == witness.witness
    (given,) = now.arguments
    # Independent of the oracle: the origin sorts, and that is what the mutant does not do.
    assert json.loads(now.origin.arguments[0]) == sorted(given)
    assert now.mutant != now.origin
