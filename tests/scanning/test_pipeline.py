"""From a report to verdicts: evidence before opinion, in order, counted, and never twice."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tree_sitter import Language, Parser, Tree

from equimut.models.settings import Thresholds, find_model
from equimut.mutation.identity import describe
from equimut.oracle.python.foreign import foreign_names
from equimut.oracle.verdicts import OracleSettings
from equimut.parsing import tree
from equimut.parsing.text_diff import code_tokens
from equimut.proofs.proving import prove
from equimut.records import Query
from equimut.reports.locating import RowsPart
from equimut.reports.reported import Report, ReportedMutant, read_report
from equimut.scanning.example import example_report
from equimut.scanning.outputs.wording import oracle_lines
from equimut.scanning.pipeline import ScanRequest, scanned
from equimut.scanning.records import (
    UNDETECTED,
    Candidate,
    Decision,
    KilledCheck,
    Prediction,
    ScanVerdict,
)
from equimut.scanning.registry.registry import Registry, key_of
from equimut.scanning.tallying import (
    MOST_REASONS,
    OTHER,
    Rules,
    Selection,
    Totals,
    decide,
    reason_kind,
)
from equimut.scanning.verdict_cache import NAME, VerdictCache, answer_key
from oracles.scans.scan_project import (
    JAVA,
    Asked,
    elements,
    entry,
    java_report,
    length_rule,
    model_files,
    report_of,
    request,
)


def verdicts(report: Report, asked: ScanRequest) -> list[ScanVerdict]:
    with scanned(report, asked) as result:
        return list(result.verdicts())


def test_each_survivor_gets_what_a_plain_loop_gives_it(tmp_path: Path) -> None:
    report = report_of(tmp_path)
    expected = []
    for mutant in report.mutants():
        if mutant.status not in UNDETECTED or mutant.change is None:
            continue
        texts = mutant.change.origin_function, mutant.change.mutant_function
        if prove(*texts, "java"):
            expected.append((mutant.index, "proved", "equivalent", None, True))
            continue
        pair = Query(origin=texts[0], mutant=texts[1], language="java")
        chance = length_rule(pair)
        word = "equivalent" if chance >= 0.9 else "not-equivalent" if chance <= 0.2 else "unknown"
        expected.append((mutant.index, "predicted", word, chance, chance >= 0.9))
    found = verdicts(report, request(tmp_path, predict=Asked()))
    assert [(v.mutant.index, v.tier, v.word, v.probability, v.counts) for v in found] == expected
    assert len(found) == 5
    assert [v.key for v in found] == [key_of(v.mutant) for v in found]
    assert {v.tier for v in found} == {"proved", "predicted"}


def test_answers_meet_their_questions_however_far_the_model_looks_ahead(tmp_path: Path) -> None:
    report = report_of(tmp_path)
    near, far = (
        verdicts(report, request(tmp_path, predict=Asked(ahead=ahead), everything=True))
        for ahead in (False, True)
    )
    assert near == far
    assert len(near) == report.total


def test_the_scores_and_the_check_on_killed_mutants(tmp_path: Path) -> None:
    report = report_of(tmp_path)

    def rule(pair: Query) -> float:
        return 0.95 if "a / b" in pair.mutant or "- 2" in pair.mutant else 0.6

    with scanned(report, request(tmp_path, predict=Asked(rule))) as result:
        scores, killed, mistakes = result.scores, result.killed, result.mistakes
        assert sum(result.tiers.values()) == 5
    # one proved, one predicted above 0.9; three detected by the tests
    assert (scores.detected, scores.undetected, scores.equivalent) == (3, 5, 2)
    assert scores.without_equivalents == pytest.approx(3 / 6)
    assert scores.equivalents_as_killed == pytest.approx(5 / 8)
    # of two killed mutants one is called equivalent, which would count, and one is left undecided
    assert killed == KilledCheck(judged=2, called_equivalent=1, undecided=1, would_count=1)
    assert [(each.mutant.id, each.mutant.status) for each in mistakes] == [("7", "killed")]


def test_what_the_tests_noticed_is_never_taken_as_equivalent(tmp_path: Path) -> None:
    asked = request(tmp_path, predict=Asked(lambda _: 1.0), everything=True)
    found = verdicts(report_of(tmp_path), asked)
    assert len(found) == 8
    assert all(verdict.word == "equivalent" for verdict in found)
    assert [v.counts for v in found] == [v.mutant.status in UNDETECTED for v in found]


def test_without_a_promise_predictions_rank_and_no_score_counts_them(tmp_path: Path) -> None:
    report = report_of(tmp_path)
    sure = Asked(lambda _: 0.999)
    asked = request(tmp_path, predict=sure, model=model_files(threshold=None))
    with scanned(report, asked) as result:
        assert result.counting_from is None
        assert result.scores.equivalent == 1  # the proved one
        assert any("only rank" in note for note in result.notes)
        assert [v.word for v in result.verdicts() if v.tier == "predicted"] == ["unknown"] * 4
        assert result.unknown_reasons == {}  # they have a probability: that is not no verdict


def test_a_language_the_model_does_not_know_is_never_asked_about(tmp_path: Path) -> None:
    nobody = Asked()
    asked = request(tmp_path, predict=nobody, model=model_files(languages=("c",)))
    found = verdicts(report_of(tmp_path), asked)
    assert nobody.pairs == []
    assert [v.tier for v in found].count("unknown") == 4
    assert "not on java" in next(v.reason for v in found if v.tier == "unknown")


def test_a_persons_word_comes_before_proof_and_model(tmp_path: Path) -> None:
    report = report_of(tmp_path)
    registry = Registry(tmp_path / "equivalents.toml")
    chosen = [mutant for mutant in report.mutants() if mutant.status in UNDETECTED][:2]
    for mutant in chosen:
        key = key_of(mutant)
        assert key is not None
        registry.accept(key, reason="seen", author="Ada", tier="unknown", day=date(2026, 1, 2))
    nobody = Asked()
    found = verdicts(report, request(tmp_path, predict=nobody, registry=registry))
    assert [v.tier for v in found[:2]] == ["accepted", "accepted"]
    assert found[0].reason == "seen (Ada, 2026-01-02)"
    assert all(v.counts for v in found[:2])
    assert len(nobody.pairs) == 3 + 2  # the other survivors, and two killed mutants as a check


def test_the_oracle_comes_before_the_model(tmp_path: Path) -> None:
    model = Asked()
    asked = request(tmp_path, predict=model, oracle=OracleSettings(inputs=300))
    found = {v.mutant.change.replacement: v for v in verdicts(report_of(tmp_path), asked)}  # type: ignore[union-attr]
    assert found["a / b"].tier == "killed"
    assert found["a / b"].word == "not-equivalent"
    assert "before" in found["a / b"].reason
    assert found["int i = 0"].tier == "unrefuted"
    assert found["int i = 0"].word == "equivalent"
    assert not found["int i = 0"].counts
    assert found[">= top"].tier == "proved"
    # Only the killed mutants: they are there to check the model, and nobody runs them again.
    assert len(model.pairs) == 2


def test_the_oracle_says_what_it_ran_and_why_not_the_rest(tmp_path: Path) -> None:
    source = (
        "def double(x: int) -> int:\n    return x + x\n\n\n"
        "def far(x: int) -> int:\n    return helper(x) + 1\n\n\n"
        "def rate(x: int) -> int:\n    return LIMIT - x\n"
    )
    edits = [("x + x", "x - x"), ("x + x", "x * 2"), ("+ 1", "+ 2"), ("- x", "+ x")]
    mutants = [entry(number, source, *edit) for number, edit in enumerate(edits)]
    path = tmp_path / "m.json"
    path.write_text(json.dumps(elements(("m.py", "python", source, mutants))))
    asked = request(tmp_path, model=None, oracle=OracleSettings(inputs=50))
    with scanned(read_report(path), asked) as result:
        found = list(result.verdicts())
        assert result.oracle is not None
        assert result.oracle.tiers == {"killed": 1, "unrefuted": 1, "unknown": 2}
        assert result.oracle.reasons == {"uses names from outside the function": 2}
        lines = oracle_lines(result.oracle)
    assert lines == [
        "ran 2 of 4 mutants: 1 told apart by an input, 1 without a difference",
        "1 of 3 functions could be run",
        "not run 2: uses names from outside the function",
    ]
    assert "helper" in found[2].reason


def test_without_a_compiler_the_model_is_asked_and_it_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    asked = request(tmp_path, predict=Asked(), oracle=OracleSettings(inputs=10), cache=tmp_path)
    for _ in range(2):  # and a missing compiler is no answer to keep
        with scanned(report_of(tmp_path), asked) as result:
            predicted = [count for (tier, _), count in result.tiers.items() if tier == "predicted"]
            assert sum(predicted) == 4
            (note,) = [note for note in result.notes if "java was not run" in note]
            assert "PATH" in note


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("def f(x: int):\n    return helper(x) + LIMIT\n", {"helper", "LIMIT"}),
        ("def f(x: int):\n    return f(x - 1) if x else len([y for y in range(x)])\n", set()),
        ("def f(x: int):\n    def g(y):\n        return y + x + z\n    return g(1)\n", {"z"}),
        ("def f(x: Money):\n    return x\n", {"Money"}),
        ("def f(x):\n    import math\n    return math.pi\n", set()),
        ("def f(:\n", set()),
    ],
)
def test_names_from_outside_keep_a_python_function_from_being_run(
    source: str, names: set[str]
) -> None:
    assert foreign_names([source]) == names


def test_functions_that_fail_alike_for_want_of_a_name_are_not_called_unrefuted(
    tmp_path: Path,
) -> None:
    source = "def f(x: int) -> int:\n    return helper(x) + 1\n"
    path = tmp_path / "m.json"
    mutant = entry(1, source, "+ 1", "+ 2")
    path.write_text(json.dumps(elements(("f.py", "python", source, [mutant]))))
    asked = request(tmp_path, model=None, oracle=OracleSettings(inputs=50))
    (found,) = verdicts(read_report(path), asked)
    assert found.tier == "unknown"
    assert "helper" in found.reason


DEDENTED = (
    "def f(xs):\n    for x in xs:\n        g(x)\n        h()\n    return 1\n",
    "def f(xs):\n    for x in xs:\n        g(x)\n    h()\n    return 1\n",
)


def test_indentation_is_no_layout_in_python(tmp_path: Path) -> None:
    assert not describe(*DEDENTED, "python").is_layout
    joined = "def f():\n    x = a\n    (b)\n", "def f():\n    x = a (b)\n"
    assert not describe(*joined, "python").is_layout
    wrapped = "def f():\n    x = a + b\n", "def f():\n  # sum\n  x = (a\n+ b)\n"
    assert "(" in describe(*wrapped, "python").change
    same = "def f():\n    x = a + g(b)\n    y\n", "def f():\n  x = a + \\\n b_\n  y\n"
    assert code_tokens(same[1].replace("b_", "g(\nb\n)"), "python") == code_tokens(
        same[0], "python"
    )
    diff = "\n".join(["--- f.py", "+++ f.py", "@@ -4 +4 @@", "-        h()", "+    h()", ""])
    (tmp_path / "f.py").write_text(DEDENTED[0])
    (tmp_path / "f.diff").write_text(diff)
    model = Asked()
    asked = request(tmp_path, predict=model, model=model_files(languages=("python",)))
    (found,) = verdicts(read_report(tmp_path / "f.diff"), asked)
    assert found.tier == "unknown"  # not proved, and nothing that the model could see
    assert model.pairs == []


def test_a_change_of_a_comment_is_proved(tmp_path: Path) -> None:
    (tmp_path / "f.py").write_text("def f():\n    return 1  # one\n")
    (tmp_path / "f.diff").write_text(
        "--- f.py\n+++ f.py\n@@ -2 +2 @@\n-    return 1  # one\n+    return 1  # 1\n"
    )
    (found,) = verdicts(read_report(tmp_path / "f.diff"), request(tmp_path, model=None))
    assert (found.tier, found.reason) == ("proved", "only layout or comments differ")


@given(killed=st.integers(0, 300), wanted=st.integers(0, 60), gap=st.integers(1, 5))
def test_the_check_takes_as_many_killed_mutants_as_wanted_evenly(
    killed: int, wanted: int, gap: int
) -> None:
    counts = {"killed": killed, "survived": 7}
    report = Report("x", "x", "", Path("x"), counts, {}, lambda: iter(()))  # type: ignore[arg-type]
    selection = Selection(report, everything=False, check_killed=wanted)
    chosen = []
    for number in range(killed):
        if number % gap == 0:
            assert not selection.check("survived")
        if selection.check("killed"):
            chosen.append(number)
    assert len(chosen) == min(wanted, killed)
    gaps = [after - before for before, after in pairwise(chosen)]
    assert not gaps or max(gaps) - min(gaps) <= 1


def test_a_second_scan_asks_nobody_and_says_the_same(tmp_path: Path) -> None:
    report, cache = report_of(tmp_path), tmp_path / "cache"
    first, second, other = Asked(), Asked(lambda _: 0.0), Asked()
    before = verdicts(report, request(tmp_path, predict=first, cache=cache))
    after = verdicts(report, request(tmp_path, predict=second, cache=cache))
    assert before == after
    assert len(first.pairs) == 6
    assert second.pairs == []
    asked = request(tmp_path, predict=other, cache=cache, model=model_files(digest="another"))
    verdicts(report, asked)
    assert len(other.pairs) == 6


def test_a_stopped_scan_has_kept_what_it_knew(tmp_path: Path) -> None:
    report, cache = report_of(tmp_path), tmp_path / "cache"

    class Stops(Asked):
        def __call__(self, questions: Iterator[Query]) -> Iterator[Prediction]:  # type: ignore[override]
            for number, answer in enumerate(super().__call__(questions)):
                if number == 3:
                    raise KeyboardInterrupt
                yield answer

    with pytest.raises(KeyboardInterrupt):
        verdicts(report, request(tmp_path, predict=Stops(), cache=cache))
    rest = Asked()
    verdicts(report, request(tmp_path, predict=rest, cache=cache))
    assert len(rest.pairs) == 3


@pytest.mark.parametrize("damage", ["garbage", "cut", "rows", "directory"])
def test_a_damaged_cache_is_done_without(tmp_path: Path, damage: str) -> None:
    report, cache = report_of(tmp_path), tmp_path / "cache"
    before = verdicts(report, request(tmp_path, predict=Asked(), cache=cache))
    path = cache / NAME
    for extra in cache.glob(f"{NAME}-*"):
        extra.unlink()
    if damage == "garbage":
        path.write_bytes(b"\0not a database" * 1000)
    elif damage == "cut":
        path.write_bytes(path.read_bytes()[:5000])
    elif damage == "rows":
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE answers SET answer = '{\"oops\": 1}'")
        connection.close()
    else:
        path.unlink()
        path.mkdir()
    assert verdicts(report, request(tmp_path, predict=Asked(), cache=cache)) == before


def test_a_cache_forgets_the_oldest_when_it_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("equimut.scanning.verdict_cache.MOST_ANSWERS", 20)
    keys = [answer_key("k", "v", (str(number),)) for number in range(30)]
    with VerdictCache(tmp_path) as cache:
        for number, key in enumerate(keys):
            cache.put(key, Prediction(reason=str(number)))
    with VerdictCache(tmp_path) as cache:
        kept = [cache.get(key, Prediction) for key in keys]
    assert kept[0] is None
    assert kept[-1] == Prediction(reason="29")
    assert 5 <= sum(each is not None for each in kept) <= 20


@given(st.lists(st.text(max_size=4), max_size=3), st.lists(st.text(max_size=4), max_size=3))
def test_different_parts_have_different_keys(one: list[str], other: list[str]) -> None:
    assert (answer_key("k", "v", one) == answer_key("k", "v", other)) == (one == other)


def test_reasons_are_counted_by_kind_and_their_number_is_bounded(tmp_path: Path) -> None:
    assert reason_kind("not locatable: there is no line 7") == "not locatable"
    assert reason_kind("language not supported: php") == "language not supported: php"
    files = [
        (f"f{number}", f"tongue{number}", "x y\n", [entry(number, "x y\n", "x", "z")])
        for number in range(MOST_REASONS + 30)
    ]
    path = tmp_path / "m.json"
    path.write_text(json.dumps(elements(*files)))
    with scanned(read_report(path), request(tmp_path, model=None)) as result:
        assert len(result.unknown_reasons) <= MOST_REASONS + 1
        assert result.unknown_reasons[OTHER] >= 29
        assert sum(result.unknown_reasons.values()) == len(files)


def test_a_lone_surrogate_gets_through(tmp_path: Path) -> None:
    report = report_of(tmp_path)
    strange = [
        mutant.model_copy(update={"file": "Queue\udc00.java", "description": "\ud800 half"})
        for mutant in report.mutants()
    ]
    part = RowsPart(
        (),
        tuple(mutant.status for mutant in strange),
        lambda _, wanted: (each for each, want in zip(strange, wanted, strict=True) if want),
    )
    report = replace(report, read_parts=lambda _: iter([part]))
    found = verdicts(report, request(tmp_path, predict=Asked(), cache=tmp_path))
    assert [v.mutant.file for v in found] == ["Queue?.java"] * 5


def test_nothing_is_left_behind_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "tmp"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    with scanned(read_report(java_report(tmp_path)), request(tmp_path, predict=Asked())):
        assert list(place.iterdir())
    assert list(place.iterdir()) == []


def test_totals_do_not_mix_the_check_with_the_verdicts(tmp_path: Path) -> None:
    mutants = {mutant.index: mutant for mutant in report_of(tmp_path).mutants()}
    proof = Decision(word="equivalent", tier="proved", reason="a tie")
    candidates = [
        Candidate(mutant=mutants[0], settled=proof),
        Candidate(mutant=mutants[2], prediction=Prediction(probability=0.95)),
        Candidate(mutant=mutants[3], prediction=Prediction(reason="not parsable: x")),
        Candidate(mutant=mutants[1], check=True, prediction=Prediction(probability=0.99)),
        Candidate(mutant=mutants[7], check=True, prediction=Prediction(probability=0.6)),
        Candidate(mutant=mutants[7], check=True, prediction=Prediction(probability=0.1)),
        Candidate(mutant=mutants[1], check=True, settled=proof),
    ]
    totals = Totals()
    promised = Thresholds(equivalent_from=0.9, not_equivalent_to=0.2, basis="")
    found = list(totals.count(candidates, Rules(promised)))
    assert [verdict.mutant.index for verdict in found] == [0, 2, 3]
    assert totals.tiers == {
        ("proved", "equivalent"): 1, ("predicted", "equivalent"): 1, ("unknown", "unknown"): 1,
    }  # fmt: skip
    assert (totals.equivalent, totals.analysed, totals.reasons) == (2, 3, {"not parsable": 1})
    assert totals.killed == KilledCheck(
        judged=3, called_equivalent=1, undecided=1, would_count=1, proved=1
    )
    assert [each.probability for each in totals.mistakes] == [0.99]
    # Listed as well, they are among the verdicts, and still no equivalents of the score.
    listed = Totals()
    rules = Rules(promised, everything=True)
    assert len(list(listed.count(candidates, rules))) == len(candidates)
    assert (listed.equivalent, listed.killed) == (2, totals.killed)


@pytest.mark.parametrize(
    ("chance", "word", "reason"),
    [
        (0.56, "unknown", "for equivalence: a; against equivalence: c"),
        (0.47, "unknown", "for equivalence: a; against equivalence: c"),
        (0.9, "equivalent", "for equivalence: a, b"),
        (0.2, "not-equivalent", "against equivalence: c, d"),
    ],
)
def test_a_prediction_says_what_speaks_for_it(
    chance: float, word: str, reason: str, tmp_path: Path
) -> None:
    mutant = next(iter(report_of(tmp_path).mutants()))
    said = Prediction(
        probability=chance, note="sees a part", supports=("a", "b"), opposes=("c", "d")
    )
    candidate = Candidate(mutant=mutant, prediction=said, remark="oracle: no")
    promised = Thresholds(equivalent_from=0.9, not_equivalent_to=0.2, basis="")
    found = decide(candidate, Rules(promised))
    assert (found.word, found.reason, found.counts) == (word, reason, word == "equivalent")
    assert found.details == "sees a part; oracle: no"  # no reason, and not in its place


def test_no_precision_is_promised_for_what_lies_outside_of_the_function(tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text(
        "class A {\n  int at;\n  int f(int n) {\n    return this.at + n;\n  }\n}\n"
    )
    old = "    return this.at + n;"
    changed = {name: f"    return {name};" for name in ("this.at++ + n", "this.at + n++")}
    (tmp_path / "a.diff").write_text(
        "".join(
            f"--- A.java\n+++ A.java\n@@ -4 +4 @@\n-{old}\n+{new}\n" for new in changed.values()
        )
    )
    field, parameter = read_report(tmp_path / "a.diff").mutants()
    promised = Rules(Thresholds(equivalent_from=0.9, not_equivalent_to=0.2, basis=""))

    def decided(mutant: ReportedMutant, chance: float) -> ScanVerdict:
        said = Prediction(probability=chance, supports=("a",), opposes=("b",))
        return decide(Candidate(mutant=mutant, prediction=said), promised)

    assert decided(parameter, 0.99).counts
    found = decided(field, 0.99)
    assert (found.word, found.tier, found.counts) == ("unknown", "predicted", False)
    assert found.reason.startswith("`at` is from outside of the function, where no precision is")
    assert decided(field, 0.1).word == "not-equivalent"  # that a test is worth it, may be said


@pytest.mark.parametrize("format_", ["elements", "example", "diff"])
def test_a_mutant_is_parsed_once_on_its_way(
    format_: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the shipped detector: located, keyed, proved and encoded from one tree."""
    path, source = small_report(format_, tmp_path)
    report = read_report(path, source)
    texts = [mutant.change.mutant_function for mutant in report.mutants() if mutant.change]
    assert texts
    parsed: Counter[str] = Counter()

    class CountingParser:
        def __init__(self, language: Language) -> None:
            self._parser = Parser(language)

        def parse(self, source: Any) -> Tree:
            if isinstance(source, bytes):
                parsed[source.decode()] += 1
            return self._parser.parse(source)

    monkeypatch.setattr(tree, "Parser", CountingParser)
    monkeypatch.setattr(tree, "_KEPT", tree.TreeCache(tree.KEPT_BYTES))
    code_tokens.cache_clear()
    asked = request(tmp_path, model=find_model("equimut"))
    with scanned(read_report(path, source), asked) as result:
        found = list(result.verdicts())
    assert sum(verdict.tier == "predicted" for verdict in found) >= 1
    judged = {v.mutant.change.mutant_function for v in found if v.mutant.change}
    assert judged
    assert {text: parsed[text] for text in texts if parsed[text] != 1} == {}


def small_report(format_: str, folder: Path) -> tuple[Path, Path | None]:
    """A report of one tool, and where its sources are."""
    if format_ == "elements":
        return java_report(folder), None
    if format_ == "example":
        return example_report(), None
    (folder / "Queue.java").write_text(JAVA)
    lines = JAVA.splitlines()
    at = next(number for number, line in enumerate(lines) if "a * b" in line)
    head = ["--- Queue.java", "+++ Queue.java", f"@@ -{at + 1} +{at + 1} @@"]
    new = lines[at].replace("a * b", "a / b")
    (folder / "one.diff").write_text("\n".join([*head, f"-{lines[at]}", f"+{new}", ""]))
    return folder / "one.diff", folder


def test_the_trees_that_are_kept_are_bounded() -> None:
    kept = tree.TreeCache(100)
    texts = [f"int f() {{ return {number}; }}" for number in range(9)]
    trees = [tree.parse(text, "java") for text in texts]
    for each in trees:
        kept.put(each)
        kept.get(texts[0].encode(), trees[0].language)  # what is used again stays
    known = [kept.get(text.encode(), trees[0].language) is not None for text in texts]
    assert known[0]
    assert known[-1]
    assert sum(known) == 100 // len(texts[0])
