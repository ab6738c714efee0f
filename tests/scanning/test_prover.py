"""The prover as a step of a scan: on by default, with the whole file, never asked twice."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import equimut
from equimut.models.settings import ModelFiles
from equimut.models.stacking import Stack
from equimut.mutation import mutate
from equimut.oracle.verdicts import OracleSettings
from equimut.proofs.budget import BUDGETS, DEFAULT
from equimut.proofs.smt.proving import compare, prove
from equimut.reports.reported import read_report
from equimut.scanning.outputs import FORMATS
from equimut.scanning.pipeline import scanned
from equimut.scanning.records import ScanResult, ScanVerdict
from equimut.scanning.verdict_cache import NAME
from oracles.child_processes import descendants, wait_for
from oracles.command import call_equimut
from oracles.reports.report_files import elements_mutant
from oracles.scans import prover_project
from oracles.scans.prover_project import SOURCE, shelf_report
from oracles.scans.scan_project import Asked, elements, entry, model_files, request

Answer = Callable[..., Any]


def scan(
    folder: Path, source: str = SOURCE, **options: Any
) -> tuple[list[ScanVerdict], ScanResult]:
    given = {"budget": DEFAULT, "jobs": 2, "predict": Asked(lambda _: 0.2), **options}
    with scanned(read_report(shelf_report(folder, source)), request(folder, **given)) as result:
        return list(result.verdicts()), result


def tiers(verdicts: list[ScanVerdict]) -> list[str]:
    return [verdict.tier for verdict in verdicts]


def test_survivors_get_what_the_prover_says_of_each_alone(tmp_path: Path) -> None:
    found, result = scan(tmp_path)
    expected = []
    for mutant in read_report(shelf_report(tmp_path)).mutants():
        if mutant.status == "survived" and (change := mutant.change) is not None:
            texts = change.origin_function, change.mutant_function, "java"
            proved = prove(*texts, file=SOURCE, line=change.start_line)
            expected.append((mutant.id, "predicted" if proved is None else "proved"))
    assert [(verdict.mutant.id, verdict.tier) for verdict in found] == expected
    assert tiers(found) == ["proved", "predicted", "proved", "proved"]
    assert result.scores.equivalent == 3
    assert not result.notes


def test_a_proof_names_its_assumptions(tmp_path: Path) -> None:
    size, _, _, index = scan(tmp_path)[0]
    assert size.assumptions
    assert all(words in size.reason for words in size.assumptions)
    assert not index.assumptions


def test_without_a_budget_nobody_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("equimut.proofs.proving.answer", prover_project.no_answer)
    assert tiers(scan(tmp_path, budget=None)[0]) == ["predicted"] * 4


def test_killed_mutants_are_proved_only_if_all_are_judged(tmp_path: Path) -> None:
    assert scan(tmp_path)[1].killed.proved == 0
    everything, result = scan(tmp_path, everything=True)
    assert tiers(everything)[4:] == ["predicted", "proved"]
    assert result.killed.proved == 1  # this report lies on purpose
    assert result.scores.equivalent == 3


def test_answers_are_kept_and_found_by_all_they_depend_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = {"cache": tmp_path / "cache"}
    first, _ = scan(tmp_path, **kept)
    with monkeypatch.context() as patch:
        patch.setattr("equimut.proofs.proving.answer", prover_project.no_answer)
        assert scan(tmp_path, **kept)[0] == first
        # another budget, or another text anywhere in the file, is another question
        assert "proved" not in tiers(scan(tmp_path, budget=BUDGETS["small"], **kept)[0])
        assert "proved" not in tiers(scan(tmp_path, SOURCE.replace("= 8", "= 9"), **kept)[0])
    other, _ = scan(tmp_path, SOURCE.replace("= 8", "= 9"), **kept)
    assert tiers(other) == ["proved", "predicted", "predicted", "proved"]
    assert [verdict.key for verdict in other] == [verdict.key for verdict in first]


def test_constants_of_other_files_are_part_of_the_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, limits = tmp_path / "src", tmp_path / "src" / "Limits.java"
    root.mkdir()
    limits.write_text("class Limits { static final int SLOTS = 8; }")
    text = SOURCE.replace("private static final int SLOTS = 8;", "").replace(
        "SLOTS", "Limits.SLOTS"
    )
    edits = [("number < Limits.SLOTS", "number <= 7", "Survived")]

    def found() -> ScanVerdict:
        given = request(
            tmp_path, budget=DEFAULT, predict=Asked(lambda _: 0.2), cache=tmp_path / "cache",
            source=root,
        )  # fmt: skip
        with scanned(read_report(shelf_report(tmp_path, text, edits)), given) as result:
            (verdict,) = result.verdicts()
            return verdict

    first = found()
    assert first.tier == "proved"
    assert "`Limits.SLOTS` is the constant that another file" in " ".join(first.assumptions)
    with monkeypatch.context() as patch:
        patch.setattr("equimut.proofs.proving.answer", prover_project.no_answer)
        assert found() == first
        limits.write_text("class Limits { static final int SLOTS = 8; static int other; }")
        assert found() == first  # nothing of what is asked about has changed
    limits.write_text("class Limits { static final int SLOTS = 9; }")
    assert found().tier == "predicted"
    limits.unlink()
    assert found().tier == "predicted"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (prover_project.killed_answer, "its process died"),
        (prover_project.endless_answer, "it took longer than 1 seconds of processor time"),
    ],
)
def test_a_lost_worker_costs_one_proof(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: Answer, reason: str
) -> None:
    kept = {"cache": tmp_path / "cache", "budget": replace(DEFAULT, seconds=1)}
    with monkeypatch.context() as patch:
        patch.setattr("equimut.proofs.proving.answer", answer)
        found, result = scan(tmp_path, **kept)
    assert tiers(found) == ["proved", "predicted", "proved", "proved"]
    assert reason in found[1].details
    assert any(reason in note for note in result.notes)
    again, result = scan(tmp_path, **kept)  # what was lost was not kept
    assert "prover" not in again[1].details
    assert not result.notes


def test_progress_counts_the_mutants_that_are_asked_about(tmp_path: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    report = read_report(shelf_report(tmp_path))
    with scanned(report, request(tmp_path, budget=DEFAULT, predict=Asked()), progress_of(seen)):
        assert [step for step in seen if step[0] == "proving"] == [("proving", 1, 4)] * 4


def test_a_state_of_the_prover_is_the_first_input_of_the_oracle(tmp_path: Path) -> None:
    """One in four billion values tells them apart, and no number in the text is near it."""
    source = "class Till { static int due(int cents) { return cents * 7 == 424242 ? 1 : 0; } }"
    mutants = [entry(0, source, "== 424242 ? 1", "== 424242 ? 2")]
    report = tmp_path / "till.json"
    report.write_text(json.dumps(elements(("Till.java", "java", source, mutants))))
    tiers = []
    for budget in (None, DEFAULT):
        asked = request(tmp_path, budget=budget, oracle=OracleSettings(inputs=200), model=None)
        with scanned(read_report(report), asked) as result:
            tiers += [verdict.tier for verdict in result.verdicts()]
    assert tiers == ["unrefuted", "killed"]


def progress_of(seen: list[tuple[str, int, int]]) -> Callable[[str, int, int], None]:
    return lambda stage, more, total: seen.append((stage, more, total))


WITHOUT_EQUIVALENTS = {"github", "junit"}  # they list what is worth a test


@pytest.fixture(scope="module")
def proved_once(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A directory with a report and the answers about it, and the reasons of what was proved."""
    folder = tmp_path_factory.mktemp("shelf")
    found, _ = scan(folder, cache=folder / "cache")
    reasons = [verdict.reason for verdict in found if verdict.tier == "proved"]
    assert reasons
    return folder, reasons


@pytest.mark.parametrize("format", sorted({*FORMATS} - {"text"} - WITHOUT_EQUIVALENTS))
def test_every_output_says_the_same_sentence(
    proved_once: tuple[Path, list[str]], tmp_path: Path, format: str
) -> None:
    folder, reasons = proved_once
    out = tmp_path / f"out.{format}"
    options = ("--no-model", "--cache", folder / "cache", "--jobs", "1", "--out", out)
    done = call_equimut("scan", shelf_report(folder), *options, "--format", format)
    assert done.returncode == 0, done.stderr
    text = plain(out.read_text())
    for reason in reasons:
        assert plain(reason) in text


def test_text_and_write_back_say_it_too(
    proved_once: tuple[Path, list[str]], tmp_path: Path
) -> None:
    folder, reasons = proved_once
    marked = tmp_path / "marked.json"
    options = ("--no-model", "--cache", folder / "cache", "--write-back", marked)
    done = call_equimut("scan", shelf_report(folder), *options, "--source", folder)
    assert all(reason in plain(done.stdout) for reason in map(plain, reasons))
    assert all(reason in plain(marked.read_text()) for reason in map(plain, reasons))


def plain(text: str) -> str:
    """Without what the formats do to quotes, signs and line ends."""
    for spelt, sign in (("&lt;", "<"), ("&gt;", ">"), ("\\u003c", "<"), ("\\u003e", ">")):
        text = text.replace(spelt, sign)
    return " ".join(text.replace("`", "").split())


def test_settings_and_options_name_the_budget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = shelf_report(tmp_path)
    monkeypatch.chdir(tmp_path)
    by_api = {}
    for name in ("none", None):
        with equimut.scan(report, use_model=False, use_cache=False, prove_budget=name) as result:
            by_api[name] = result.scores.equivalent
    assert by_api == {"none": 0, None: 3}
    Path("equimut.toml").write_text('prove-budget = "none"\nuse-model = false\n')
    with equimut.scan(report, use_cache=False) as result:
        assert result.scores.equivalent == 0
    done = call_equimut("scan", report, "--no-cache", "--prove-budget", "small", "--json")
    assert json.loads(done.stdout)["scores"]["equivalent"] == 3
    wrong = call_equimut("scan", report, "--prove-budget", "huge")
    assert wrong.returncode == 2
    assert "'none', 'small', 'default' or 'large'" in wrong.stderr


def test_the_solver_is_imported_by_workers_only(tmp_path: Path) -> None:
    # a plain script, without the guard that multiprocessing asks for
    code = """
import sys, equimut
with equimut.scan(sys.argv[1], use_model=False, use_cache=False) as result:
    assert result.scores.equivalent == 3
assert "z3" not in sys.modules
"""
    report = shelf_report(tmp_path)
    subprocess.run([sys.executable, "-c", code, report], check=True, cwd=tmp_path)


@pytest.fixture
def long_report(tmp_path: Path) -> Path:
    """Mutants enough for some seconds of proving."""
    source = "\n".join(
        f"static int f{number}(int[] a) {{ int s = {number}; for (int i = 0; i < a.length; i++)"
        f" {{ if (a[i] > s) s = a[i] * 3 + i % 7; else s -= i * a[i]; }} return s; }}"
        for number in range(2)
    )
    source = f"class Long {{\n{source}\n}}\n"
    mutants = [
        elements_mutant(source, mutant, "utf-16", id=str(number))
        for number, mutant in enumerate(mutate(source, "java"))
    ]
    path = tmp_path / "long.json"
    path.write_text(json.dumps(elements(("Long.java", "java", source, mutants))))
    return path


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_scan_that_is_stopped_leaves_nothing_behind(
    tmp_path: Path, long_report: Path, how: signal.Signals
) -> None:
    others = {*descendants(sys.executable)}  # of tests before it, Ray's for one
    rooms = {name: tmp_path / name for name in ("out", "temporary", "cache")}
    for room in rooms.values():
        room.mkdir()
    command = [sys.executable, "-m", "equimut", "scan", long_report, "--no-model", "--jobs", "2"]
    process = subprocess.Popen(
        [*command, "--cache", rooms["cache"], "--out", rooms["out"] / "scan.json", "--json"],
        env={**os.environ, "TMPDIR": str(rooms["temporary"])},
        stderr=subprocess.PIPE,
    )
    workers: set[int] = set()

    def working() -> bool:
        workers.update({*descendants(sys.executable)} - {process.pid, *others})
        return len(workers) >= 2

    wait_for(working)
    process.send_signal(how)
    _, errors = process.communicate(timeout=240)
    assert process.returncode not in (0, 2, 3), errors
    assert b"Traceback" not in errors
    assert {*descendants(sys.executable)} <= others
    assert not list(rooms["out"].iterdir())
    assert not list(rooms["temporary"].iterdir())
    with closing(sqlite3.connect(rooms["cache"] / NAME)) as cache:
        assert cache.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def stacked_model(digest: str = "d") -> ModelFiles:
    files = model_files(digest=digest)
    stack = Stack(names=("margin",), constant=0.0, weights=(1.0,))
    return replace(files, settings=files.settings.model_copy(update={"stack": stack}))


def test_a_model_with_a_stack_is_told_what_the_prover_saw(tmp_path: Path) -> None:
    """The same view as the prover gives of each mutant alone; killed ones go the same way."""
    asked = Asked(lambda _: 0.2)
    scan(tmp_path, model=stacked_model(), predict=asked)
    assert asked.pairs
    changes = [mutant.change for mutant in read_report(shelf_report(tmp_path)).mutants()]
    lines = {
        (change.origin_function, change.mutant_function): change.start_line
        for change in changes
        if change is not None
    }
    for pair in asked.pairs:
        line = lines[pair.origin, pair.mutant]
        assert pair.view is not None
        found = compare(pair.origin, pair.mutant, "java", file=SOURCE, line=line)
        assert pair.view == found.view


def test_a_model_without_one_is_asked_as_before(tmp_path: Path) -> None:
    asked = Asked(lambda _: 0.2)
    scan(tmp_path, predict=asked)
    assert asked.pairs
    assert all(pair.view is None for pair in asked.pairs)


def test_answers_that_depend_on_views_are_kept_too(tmp_path: Path) -> None:
    options = {"model": stacked_model(), "cache": tmp_path / "cache"}
    first, _ = scan(tmp_path, **options)
    again = Asked(lambda _: 0.9)
    second, _ = scan(tmp_path, predict=again, **options)
    assert not again.pairs
    assert [(one.tier, one.probability) for one in second] == [
        (one.tier, one.probability) for one in first
    ]
