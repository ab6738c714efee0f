"""Mutants of named projects, labelled by rules and the prover."""

from collections import Counter
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import get_args

import pytest

from equimut.errors import DataError
from equimut.mutation import mutate
from equimut.pretraining.labels.build import build_labels, project_jobs
from equimut.pretraining.labels.card import RESTS_ON
from equimut.pretraining.labels.likeness import distinct
from equimut.pretraining.labels.projects import (
    HELD_OUT,
    Project,
    fetched,
    listed_projects,
    project_files,
)
from equimut.pretraining.labels.prover import (
    OTHERS,
    SHARES,
    TOOL_OPERATORS,
    ProjectFile,
    drawn_by_operator,
    label_project_file,
)
from equimut.pretraining.labels.records import Evidence, LabelledPair
from equimut.pretraining.labels.store import read_index, read_labels

ODDS = {"": 0.9}
SOURCE = """
LIMIT = 3

def clamp(value: int, low: int, high: int):
    if value < low:
        value = low
    if value > high:
        return high
    return value

def grade(points: int, extra: int):
    total = points + extra
    if total >= 10:
        return 1
    unused = total
    unused = 0
    return unused

def forward(other, value: int):
    kept = other.get(value + LIMIT)
    if kept > LIMIT and value > 0:
        other.put(kept, value - 1)
    return kept
"""


def project(folder: Path, name: str, text: str, language: str = "python") -> Path:
    path = folder / "packages" / name / "files" / f"{name}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def labelled(folder: Path, text: str = SOURCE, part: str = "train") -> list[LabelledPair]:
    path = project(folder, "shop", text)
    file = ProjectFile(path, "python", "shop", part, "python/shop/shop.py")
    return label_project_file(file, 0, ODDS)


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[LabelledPair]:
    return labelled(tmp_path_factory.mktemp("project"))


def function_of(text: str) -> Callable[..., object]:
    names: dict[str, Callable[..., object]] = {}
    exec(text, {"LIMIT": 3}, names)
    return next(iter(names.values()))


def outcome(text: str, values: tuple[int, ...]) -> object:
    try:
        return function_of(text)(*values)
    except Exception as error:  # noqa: BLE001  # what is raised is a result like any other
        return type(error)


def test_labels_agree_with_runs(rows: list[LabelledPair]) -> None:
    """Every function of plain numbers is run on a grid that holds all of its boundaries."""
    checked = 0
    for row in rows:
        if "other" in row.origin or row.evidence not in ("fact", "solver", "differs"):
            continue
        count = function_of(row.origin).__code__.co_argcount
        grid = product((-11, -1, 0, 1, 5, 9, 10, 11), repeat=count)
        differs = any(outcome(row.origin, each) != outcome(row.mutant, each) for each in grid)
        assert differs == (row.label == 0), (row.evidence, row.mutant)
        checked += 1
    assert checked >= 8
    assert {row.label for row in rows if row.evidence != "prior"} == {0, 1}


def test_what_rests_on_calls_is_likely_only(rows: list[LabelledPair]) -> None:
    weak = [row for row in rows if "other" in row.origin and row.label == 0]
    assert weak
    assert {row.evidence for row in weak if row.view and "call" in row.view.through} <= {"prior"}


def test_rows_say_where_they_come_from(rows: list[LabelledPair]) -> None:
    for row in rows:
        assert (row.project, row.split, row.program) == ("shop", "train", "python/shop/shop.py")
        start = SOURCE.splitlines()[row.line - 1]
        assert start == row.origin.splitlines()[0]
        assert row.operators[0] in TOOL_OPERATORS


def test_a_proof_has_a_weaker_view_and_differences_have_some_too(rows: list[LabelledPair]) -> None:
    for row in rows:
        proved = row.evidence in ("fact", "solver")
        assert (row.view is None) == proved
        assert (row.weak_view is None) == (not row.without)
    assert any(row.weak_view for row in rows if row.label == 1)
    drawn = [row for row in rows if row.label == 0]
    assert 0 < sum(row.weak_view is not None for row in drawn) < len(drawn)


def test_projects_are_in_one_part_and_none_is_kept_for_measuring() -> None:
    listed = listed_projects()
    used = {each.name for each in listed if each.part != HELD_OUT}
    assert len([each for each in listed if each.language == "java" and each.name in used]) >= 30
    for name in used:
        for kept in (
            "lang",
            "math",
            "collections",
            "csv",
            "jxpath",
            "gson",
            "jfreechart",
            "jcommon",
        ):
            assert not name.startswith((f"commons-{kept}", f"libcommons-{kept}", f"lib{kept}"))
            assert kept not in name.split("-")
    for language in ("java", "c", "python"):
        parts = {each.part for each in listed if each.language == language}
        assert {"train", "validation", "test"} <= parts


def test_a_project_in_two_parts_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "list.toml"
    path.write_text('[java]\ntrain = ["a", "b"]\ntest = ["a"]\n')
    with pytest.raises(DataError, match="listed twice: a"):
        listed_projects(path)


def test_an_unknown_part_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "list.toml"
    path.write_text('[java]\ntrian = ["a"]\n')
    with pytest.raises(DataError, match="trian"):
        listed_projects(path)


def test_a_project_that_cannot_be_fetched_costs_itself_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fetch(name: str, language: str, cache: Path) -> None:
        if name == "gone":
            raise DataError("not there")

    monkeypatch.setattr("equimut.pretraining.labels.projects.fetch_package", fetch)
    told: list[tuple[str, str]] = []
    names = [Project("gone", "java", "train"), Project("here", "java", "train")]
    there = fetched(names, tmp_path, on_project=lambda each, why: told.append((each.name, why)))
    assert [each.name for each in there] == ["here"]
    assert told == [("gone", "not there"), ("here", "")]


def test_generated_files_are_passed_over(tmp_path: Path) -> None:
    project(tmp_path, "shop", "# automatically generated by a tool\n" + SOURCE)
    assert list(project_files(Project("shop", "python", "train"), tmp_path, 5)) == []


def test_of_functions_that_are_alike_the_measured_one_stays(
    rows: list[LabelledPair], tmp_path: Path
) -> None:
    mine = [row.model_copy(update={"project": "copy", "split": "test"}) for row in rows]
    kept, left_out = distinct([*rows, *mine])
    assert {row.project for row in kept} == {"copy"}
    assert left_out == {"near-duplicates": len({row.origin for row in rows})}


def test_functions_like_a_held_out_project_are_left_out(
    rows: list[LabelledPair], tmp_path: Path
) -> None:
    own = SOURCE[SOURCE.index("def clamp") :].split("\n\n")[0]
    (tmp_path / "held.py").write_bytes(b"# by Andr\xe9\n" + own.encode())
    kept, left_out = distinct(rows, [tmp_path])
    assert not any("def clamp" in row.origin for row in kept)
    assert any("def grade" in row.origin for row in kept)
    assert left_out == {"like one that is kept for measuring": 1}


def test_a_build_goes_on_where_it_was_and_keeps_projects_apart(tmp_path: Path) -> None:
    project(tmp_path, "shop", SOURCE)
    other = SOURCE.replace("total", "sum_of_all").replace("10", "-7").replace("points", "wide")
    project(tmp_path, "till", other.split("def forward")[0].split("def clamp")[0] + other[200:520])
    projects = [Project("shop", "python", "train"), Project("till", "python", "test")]
    jobs = project_jobs(projects, tmp_path, 3)
    assert [job.project for job in jobs] == ["shop", "till"]
    built = build_labels(jobs[:1], tmp_path / "work", tmp_path / "out", processes=1)
    assert built.index.pairs > 10
    assert set(read_index(tmp_path / "out").files) == {"python/shop"}
    card = (tmp_path / "out" / "README.md").read_text()
    (count,) = built.index.projects
    assert (count.project, count.part, count.pairs) == ("shop", "train", built.index.pairs)
    assert f"| python | train | shop | {count.pairs} | {count.equivalent} |" in card
    assert "Equivalents that nobody can prove" in card
    (done,) = (tmp_path / "work").rglob("python-prover/*/*.gz")
    before = done.stat().st_mtime_ns
    build_labels(jobs[:1], tmp_path / "work", tmp_path / "out", processes=1)
    assert done.stat().st_mtime_ns == before
    assert {row.project for row in read_labels(tmp_path / "out", "python")} == {"shop"}


def test_the_card_says_what_every_kind_of_label_rests_on() -> None:
    assert set(RESTS_ON) == set(get_args(Evidence))


def test_operators_come_up_by_their_shares() -> None:
    """Of a function with many arithmetic mutants and few comparisons, many comparisons."""
    text = (
        "class A { int f(int a, int b) { if (a < b) return a + b - a + b - a + b; return a > 3; } }"
    )
    made = mutate(text, "java", operators=("ROR", "AORB", "RVR"))
    kinds = Counter(mutant.operator for mutant in made)
    assert kinds["AORB"] > 1.4 * kinds["ROR"]
    firsts = Counter(drawn_by_operator(made, 1, seed)[0].operator for seed in range(600))
    wanted = {name: SHARES.get(name, OTHERS) for name in kinds}
    for name, share in wanted.items():
        expected = 600 * share / sum(wanted.values())
        assert abs(firsts[name] - expected) < 4 * expected**0.5, (name, firsts)
    assert len(drawn_by_operator(made, 10_000, 0)) == len(made)
