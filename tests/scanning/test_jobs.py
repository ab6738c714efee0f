"""A scan shared between processes says what one process says, in the same order."""

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from equimut.models.settings import find_model
from equimut.proofs import proving
from equimut.proofs.budget import BUDGETS, BudgetName
from equimut.reports.elements import location as elements_location
from equimut.reports.locating import RowsPart
from equimut.reports.reported import read_report
from equimut.scanning import pipeline
from equimut.scanning.evidence import model, parts, texts
from equimut.scanning.example import example_report
from equimut.scanning.pipeline import scanned
from equimut.scanning.records import ScanVerdict
from equimut.scanning.registry.registry import Registry
from equimut.scanning.verdict_cache import VerdictCache
from equimut.storage import worker_template
from equimut.storage.worker_pool import Lost, answers
from oracles.child_processes import descendants
from oracles.reports.every_reader import BY_HAND
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
    monkeypatch.setattr(parts, "MUTANTS_AT_ONCE", 7)
    monkeypatch.setattr(parts, "PROVED_AT_ONCE", 5)
    monkeypatch.setattr(model, "_SHARD", 11)


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("budget", ["none", "small"])
def test_workers_say_the_same_in_the_same_order(
    tmp_path: Path,
    alone: list[ScanVerdict],
    monkeypatch: pytest.MonkeyPatch,
    budget: BudgetName,
) -> None:
    """One pool locates, reads, proves and predicts; nothing is left for another."""
    asked: list[Callable[..., Any]] = []

    def noted(work: Any, *given: Any, **more: Any) -> Any:
        asked.append(work)
        return answers(work, *given, **more)

    for place in (pipeline, model, proving):
        monkeypatch.setattr(place, "answers", noted)
    found = verdicts(tmp_path, 2, budget=BUDGETS[budget])
    assert [type(work) for work in asked] == [parts.PartExaminer]
    if budget != "none":
        alone = verdicts(tmp_path, 1, budget=BUDGETS[budget])
    assert len({verdict.tier for verdict in found}) >= 2
    assert len(found) == len(alone) > 40
    assert plain(found) == plain(alone)
    assert not descendants("equimut.storage.worker_pool")


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("budget", ["none", "small"])
def test_what_workers_lose_is_asked_again(
    tmp_path: Path,
    alone: list[ScanVerdict],
    monkeypatch: pytest.MonkeyPatch,
    budget: BudgetName,
) -> None:
    def dead(work: Any, questions: Iterator[Any], *given: Any, **more: Any) -> Iterator[Lost]:
        for _ in questions:
            yield Lost("its process died")

    if budget != "none":
        alone = verdicts(tmp_path, 1, budget=BUDGETS[budget])
    monkeypatch.setattr(pipeline, "answers", dead)
    monkeypatch.setattr(model, "answers", dead)
    assert plain(verdicts(tmp_path, 2, budget=BUDGETS[budget])) == plain(alone)


@pytest.mark.usefixtures("shared")
def test_what_is_known_asks_nobody_again(
    tmp_path: Path, alone: list[ScanVerdict], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What workers found out is kept, and another scan's workers find it: no model is loaded."""
    first = verdicts(tmp_path, 2, cache=tmp_path / "cache")

    def here(work: Any, questions: Iterator[Any], *given: Any, **more: Any) -> Iterator[Any]:
        yield from map(work, questions)

    def never(*given: Any, **more: Any) -> None:
        raise AssertionError("asked again")

    monkeypatch.setattr(pipeline, "answers", here)
    monkeypatch.setattr(texts, "read_texts", never)
    monkeypatch.setattr(model, "predict_part", never)
    assert plain(verdicts(tmp_path, 2, cache=tmp_path / "cache")) == plain(first) == plain(alone)


@pytest.mark.usefixtures("shared")
def test_workers_know_what_people_decided(tmp_path: Path) -> None:
    """An accepted mutant needs no proof, and its entry counts as met."""
    registry = Registry(tmp_path / "equivalents.toml")
    survivors = (each for each in verdicts(tmp_path, 1) if each.mutant.status == "survived")
    first = next(each for each in survivors if each.key is not None)
    assert first.key is not None
    registry.accept(first.key, reason="looked", author="", tier="predicted", day=date(2026, 3, 1))
    with scanned(
        read_report(example_report()),
        request(tmp_path, jobs=2, registry=registry, model=None, predict=None),
    ) as result:
        tiers = {verdict.mutant.index: verdict.tier for verdict in result.verdicts()}
        assert not any("not among the survivors" in note for note in result.notes)
    assert tiers[first.mutant.index] == "accepted"


@pytest.mark.usefixtures("shared")
def test_killed_mutants_that_nobody_asks_about_are_not_located(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def here(work: Any, questions: Iterator[Any], *given: Any, **more: Any) -> Iterator[Any]:
        yield from map(work, questions)

    monkeypatch.setattr(pipeline, "answers", here)
    located: list[object] = []
    locate = elements_location.locate

    def counted(*given: Any, **more: Any) -> Any:
        located.append(given)
        return locate(*given, **more)

    monkeypatch.setattr(elements_location, "locate", counted)
    found = verdicts(tmp_path, 2, model=None, everything=False, check_killed=0)
    report = read_report(example_report())
    assert report.counts["killed"] > 0
    assert len(located) <= len(found) < report.total


def test_a_small_scan_starts_no_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*given: Any, **more: Any) -> None:
        raise AssertionError("a worker was started")

    monkeypatch.setattr(pipeline, "answers", never)
    monkeypatch.setattr(model, "answers", never)
    assert verdicts(tmp_path, 2)


@pytest.mark.usefixtures("shared")
def test_a_process_with_an_open_cache_is_not_forked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another scan of the same program may be under way; SQLite must not be forked."""
    given: list[object] = []

    def here(work: Any, questions: Iterator[Any], *others: Any, **more: Any) -> Iterator[Any]:
        given.append(more["template"])
        yield from map(work, questions)

    monkeypatch.setattr(pipeline, "answers", here)
    monkeypatch.setattr(worker_template, "_alone", lambda: True)
    with VerdictCache(tmp_path / "cache"):
        verdicts(tmp_path, 2, model=None)
    verdicts(tmp_path, 2, model=None)
    assert [template is None for template in given] == [True, False]


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("name", ["pit", "mutmut", "diff"])
def test_workers_locate_what_other_tools_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    path, source, form = BY_HAND[name](tmp_path)
    report = read_report(path, source, form)
    found = []
    for jobs in (1, 2):
        asked = request(tmp_path, jobs=jobs, model=None, predict=None, everything=True)
        with scanned(report, asked) as result:
            found.append(plain(list(result.verdicts())))

        def nowhere(*given: Any) -> Any:
            raise AssertionError("located in this process")

        monkeypatch.setattr(RowsPart, "located", nowhere)
        monkeypatch.setattr(worker_template, "_alone", lambda: False)  # else workers inherit it
    assert found[0] == found[1]
    assert len(found[0]) == report.total
