"""A text is parsed and cut into tokens once in a scan, whoever looks at it."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from equimut.data.benchmark.reader import origins
from equimut.models.settings import find_model
from equimut.mutation import mutate
from equimut.parsing import tree
from equimut.proofs.budget import BUDGETS, BudgetName
from equimut.reports.reported import read_report
from equimut.scanning import pipeline
from equimut.scanning.pipeline import scanned
from equimut.scanning.records import ScanVerdict
from equimut.scanning.scope import make_scope
from oracles.reports.report_files import elements_mutant
from oracles.scans.counted_reading import FOLDER, CountingExaminer, left_in
from oracles.scans.scan_project import request


def write(path: Path, mutants: int, functions: int) -> Path:
    """A report on functions of the benchmark, each in a file of its own."""
    files: dict[str, Any] = {}
    for origin in origins("java"):
        if len(files) == functions:
            break
        source = origin.snippet.text
        found = mutate(source, "java")[: mutants // functions]
        if len(found) == mutants // functions:
            entries = [elements_mutant(source, mutant, "utf-16") for mutant in found]
            files[f"{origin.name}.java"] = {"source": source, "mutants": entries}
    assert len(files) == functions
    path.write_text(json.dumps({"schemaVersion": "2.0", "thresholds": {}, "files": files}))
    return path


@pytest.mark.parametrize(
    ("mutants", "functions", "budget", "model", "jobs", "only"),
    [
        (1_500, 60, "none", False, 2, None),
        (120, 6, "none", True, 2, None),
        (60, 6, "small", True, 2, None),
        (260, 4, "none", True, 3, None),
        (240, 12, "none", True, 2, "*[a-m].java"),
    ],
    ids=["many", "model", "prover and model", "files of several parts", "only some files"],
)
def test_no_text_is_read_twice(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    mutants: int,
    functions: int,
    budget: BudgetName,
    model: bool,
    jobs: int,
    only: str | None,
) -> None:
    report = read_report(write(tmp_path / "report.json", mutants, functions))
    counts = tmp_path / "counts"
    counts.mkdir()
    monkeypatch.setenv(FOLDER, str(counts))
    monkeypatch.setattr(pipeline, "_MANY", 1)
    # Workers are forked, and this process has parsed the texts to mutate them.
    monkeypatch.setattr(tree, "_KEPT", tree.TreeCache(tree.KEPT_BYTES))
    monkeypatch.setattr(pipeline, "PartExaminer", CountingExaminer)
    asked = request(
        tmp_path,
        jobs=jobs,
        budget=BUDGETS[budget],
        model=find_model("equimut") if model else None,
        predict=None,
        scope=make_scope(None, only=[only] if only else ()),
    )
    with scanned(report, asked) as result:
        found = list(result.verdicts())
    assert len(found) == mutants if only is None else 0 < len(found) < mutants
    read, processes = left_in(counts)
    assert 0 < len(processes - {os.getpid()}) == len(processes) <= jobs
    changes = [verdict.mutant.change for verdict in found]
    texts = {change.mutant_function for change in changes if change is not None}
    assert texts <= read["parse"].keys(), "the count sees what happens in workers"
    predicted = {_mutant(verdict) for verdict in found if verdict.probability is not None}
    assert predicted <= read["words"].keys()
    assert bool(predicted) == model
    shared = {change.origin_function for change in changes if change is not None}
    for kind, counted in read.items():
        # A file whose mutants two processes share is read by both.
        assert max(counted[text] for text in shared) <= len(processes), kind
        often = {text: count for text, count in counted.items() if count > 1 and text in texts}
        assert not often, kind


def _mutant(verdict: ScanVerdict) -> str:
    assert verdict.mutant.change is not None
    return verdict.mutant.change.mutant_function
