"""`equimut judge` asks the proofs first, as a scan does, and says the same sentence."""

import json
from pathlib import Path

import pytest

from equimut.models.bulk.proof_first import ProofFirst
from equimut.proofs.budget import DEFAULT
from equimut.records import Judgement, Query
from equimut.reports.reported import read_report
from equimut.scanning.pipeline import scanned
from oracles.command import call_equimut
from oracles.encoders.tiny_encoder import save_tiny_encoder
from oracles.scans import prover_project
from oracles.scans.prover_project import shelf_report
from oracles.scans.scan_project import Asked, request

MAX = "int most(int a, int b) { int m = a; if (b > m) { m = b; } return m; }"
INDEX = "boolean none(String s) { return s.indexOf('x') < 0; }"
PAIRS = (
    (MAX, MAX.replace("b > m", "b >= m")),  # a rule
    (INDEX, INDEX.replace("< 0", "> 0")),
    (INDEX, INDEX.replace("< 0", "== -1")),  # the solver
)
QUERIES = [Query(origin=origin, mutant=mutant, language="java") for origin, mutant in PAIRS]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from equimut.models.detector import Detector

    folder = tmp_path_factory.mktemp("model")
    encoder = save_tiny_encoder(folder / "encoder", layers=1, hidden=16)
    Detector.from_encoder(encoder).save_pretrained(folder / "detector")
    return folder / "detector"


def judged(folder: Path, model: Path, *options: object) -> list[dict[str, object]]:
    rows = folder / "rows.jsonl"
    lines = [json.dumps(query.model_dump()) for query in QUERIES]
    lines.insert(1, "{broken")
    rows.write_text("\n".join(lines))
    done = call_equimut("judge", rows, "--model", model, *options)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_proofs_come_first_and_rows_keep_their_order(tmp_path: Path, model: Path) -> None:
    rule, broken, other, solver = judged(tmp_path, model)
    assert [row["tier"] for row in (rule, broken, other, solver)] == [
        "proved", "unknown", "predicted", "proved",
    ]  # fmt: skip
    assert str(rule["reason"]).startswith("tie: ")
    assert solver["reason"]
    assert rule["verdict"] == solver["verdict"] == "equivalent"
    assert other["mutant"] == PAIRS[1][1]


def test_without_a_budget_rules_only(tmp_path: Path, model: Path) -> None:
    rows = judged(tmp_path, model, "--prove-budget", "none")
    assert [row["tier"] for row in rows] == ["proved", "unknown", "predicted", "predicted"]
    wrong = call_equimut("judge", tmp_path / "rows.jsonl", "--prove-budget", "huge")
    assert wrong.returncode == 2
    assert "none, small, default, large" in wrong.stderr


def test_a_scan_says_the_same_sentence(tmp_path: Path) -> None:
    asked = request(tmp_path, budget=DEFAULT, predict=Asked())
    with scanned(read_report(shelf_report(tmp_path)), asked) as result:
        verdicts = [each for each in result.verdicts() if each.tier == "proved"]
    alone = verdicts[0], verdicts[2]  # the one between needs the whole file
    changes = [each.mutant.change for each in alone]
    queries = [
        Query(origin=change.origin_function, mutant=change.mutant_function, language="java")
        for change in changes
        if change is not None
    ]
    found = list(ProofFirst(DEFAULT, 1)(queries))
    assert [each.reason for each in found if isinstance(each, Judgement)] == [
        each.reason for each in alone
    ]


def test_a_lost_worker_costs_one_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("equimut.proofs.proving.answer", prover_project.killed_answer)
    origin = "int f(int number) { return number * 2; }"
    deadly = Query(origin=origin, mutant=origin.replace("2", "3"), language="java")
    first = ProofFirst(DEFAULT, 2)
    found = list(first([QUERIES[0], deadly, QUERIES[2]]))
    assert [isinstance(each, Judgement) for each in found] == [True, False, True]
    assert found[1] == deadly
    assert first.lost == {"its process died": 1}
