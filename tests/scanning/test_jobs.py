"""A scan shared between processes says what one process says, in the same order."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from equimut.models.settings import find_model
from equimut.proofs.budget import BUDGETS, BudgetName
from equimut.reports.reported import ReportedMutant, read_report
from equimut.scanning import pipeline
from equimut.scanning.evidence import model, texts
from equimut.scanning.example import example_report
from equimut.scanning.pipeline import scanned
from equimut.scanning.records import ScanVerdict
from equimut.scanning.registry.registry import Registry
from equimut.scanning.verdict_cache import VerdictCache
from equimut.storage.worker_pool import Lost, answers
from oracles.child_processes import descendants
from oracles.scans.scan_project import request


def verdicts(folder: Path, jobs: int, **options: Any) -> list[ScanVerdict]:
    given = {"model": find_model("equimut"), "predict": None, "everything": True, **options}
    with scanned(read_report(example_report()), request(folder, jobs=jobs, **given)) as result:
        return list(result.verdicts())


def plain(found: list[ScanVerdict]) -> list[object]:
    """All but the last digits: numbers of a batch depend a little on what is in it."""
    rows = []
    for verdict in found:
        row = verdict.model_dump(exclude={"probability", "nearest"})
        nearest = verdict.nearest and verdict.nearest.model_dump(exclude={"similarity"})
        rows.append((row, nearest, None if (p := verdict.probability) is None else round(p, 4)))
    return rows


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> list[ScanVerdict]:
    return verdicts(tmp_path_factory.mktemp("alone"), 1)


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers from the first mutant on, in shards that do not fit the report."""
    monkeypatch.setattr(pipeline, "_MANY", 1)
    monkeypatch.setattr(texts, "_SHARD", 7)
    monkeypatch.setattr(model, "_SHARD", 11)


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize(
    ("budget", "works"), [("none", {"read_and_predict"}), ("small", {"read_all", "predict_part"})]
)
def test_workers_say_the_same_in_the_same_order(
    tmp_path: Path,
    alone: list[ScanVerdict],
    monkeypatch: pytest.MonkeyPatch,
    budget: BudgetName,
    works: set[str],
) -> None:
    """Without a prover between them, one worker reads a mutant's texts and predicts."""
    asked: list[Callable[..., Any]] = []

    def noted(work: Any, *given: Any, **more: Any) -> Any:
        asked.append(work)
        return answers(work, *given, **more)

    monkeypatch.setattr(texts, "answers", noted)
    monkeypatch.setattr(model, "answers", noted)
    found = verdicts(tmp_path, 2, budget=BUDGETS[budget])
    assert {getattr(work, "func", work).__name__ for work in asked} == works
    if budget != "none":
        alone = verdicts(tmp_path, 1, budget=BUDGETS[budget])
    assert len({verdict.tier for verdict in found}) >= 2
    assert len(found) == len(alone) > 40
    assert plain(found) == plain(alone)
    assert not descendants("equimut.storage.worker_pool")


@pytest.mark.usefixtures("shared")
def test_what_workers_lose_is_done_here(
    tmp_path: Path, alone: list[ScanVerdict], monkeypatch: pytest.MonkeyPatch
) -> None:
    def dead(work: Any, questions: Iterator[Any], *given: Any, **more: Any) -> Iterator[Lost]:
        for _ in questions:
            yield Lost("its process died")

    monkeypatch.setattr(texts, "answers", dead)
    monkeypatch.setattr(model, "answers", dead)
    assert plain(verdicts(tmp_path, 2)) == plain(alone)


@pytest.mark.usefixtures("shared")
def test_what_is_known_asks_no_worker(
    tmp_path: Path, alone: list[ScanVerdict], monkeypatch: pytest.MonkeyPatch
) -> None:
    verdicts(tmp_path, 1, cache=tmp_path / "cache")

    def nobody(work: Any, questions: Iterator[Any], *given: Any, **more: Any) -> Iterator[Lost]:
        assert not list(questions)
        yield from ()

    monkeypatch.setattr(texts, "answers", nobody)
    monkeypatch.setattr(model, "answers", nobody)
    assert plain(verdicts(tmp_path, 2, cache=tmp_path / "cache")) == plain(alone)


def test_a_small_scan_starts_no_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*given: Any, **more: Any) -> None:
        raise AssertionError("a worker was started")

    monkeypatch.setattr(texts, "answers", never)
    monkeypatch.setattr(model, "answers", never)
    assert verdicts(tmp_path, 2)


def test_what_is_known_does_not_wait_for_what_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A report that repeats itself: after its first shard there is nothing for workers to read."""
    monkeypatch.setattr(texts, "_SHARD", 2)
    monkeypatch.setattr(texts, "_KNOWN_IN_A_ROW", 3)

    def here(work: Any, questions: Iterator[Any], *given: Any, **more: Any) -> Iterator[Any]:
        yield from map(work, questions)

    monkeypatch.setattr(texts, "answers", here)
    known = list(read_report(example_report()).mutants())[:4]
    taken = 0

    def repeated() -> Iterator[tuple[ReportedMutant, bool]]:
        nonlocal taken
        for taken in range(1, 401):
            yield known[taken % 4], False

    with VerdictCache(tmp_path) as cache:
        finder = texts.EvidenceFinder(Registry(tmp_path / "none.toml"), cache)
        found = []
        for candidate in finder.examine_all(repeated(), 2):
            found.append(candidate.mutant.index)
            assert taken <= len(found) + 2 * (3 + 2)
    assert found == [known[number % 4].index for number in range(1, 401)]
