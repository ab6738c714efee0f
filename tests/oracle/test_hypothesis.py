"""Hypothesis as a second source of arguments: it makes objects that our own makers cannot."""

import sys
import venv
from collections.abc import Iterable
from pathlib import Path

import pytest

from equimut.oracle.project import FileAnswer, FileMutant, ProjectSettings
from equimut.oracle.python.project import judge_file
from equimut.oracle.verdicts import OracleSettings

ROUTES = """
import abc
import enum
import sys
from typing import Literal, TypedDict


class Point(TypedDict):
    latitude: int
    longitude: int


class Route:
    def __init__(self, start: Point, stops: int) -> None:
        if set(start) != {"latitude", "longitude"}:
            raise ValueError("not a point")
        self.start = start
        self.stops = stops

    def longer(self, limit: int) -> bool:
        return self.stops > limit


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self) -> int: ...


class Flat(Shape):
    @abc.abstractmethod
    def side(self) -> int: ...


class Square(Flat):
    def __init__(self, length: int) -> None:
        self.length = length

    def side(self) -> int:
        return self.length

    def area(self) -> int:
        return self.length**2


class Odd:
    def __init__(self, size):
        self.size = size


class New:
    def __new__(cls, size: int) -> "New":
        made = super().__new__(cls)
        made.size = size
        return made


class Never:
    def __init__(self, size: int) -> None:
        raise ValueError("never")


class Speed(enum.Enum):
    SLOW = 1
    FAST = 2


def stops(route: Route) -> int:
    return route.stops + 1


def north(points: list[Point]) -> int:
    return sum(point["latitude"] for point in points)


def price(shape: Shape) -> int:
    return shape.area() * 3 + 8


def beside(route: Route, odd: Odd) -> int:
    return route.stops - 2


def hopeless(never: Never) -> int:
    return 4


def grown(new: New) -> int:
    return new.size + 20


def loaded(route: Route) -> bool:
    return "hypothesis" in sys.modules


def fast(speed: Literal[Speed.FAST]) -> int:
    return speed.value + 5
"""
CHANGES = {
    "a class whose constructor checks": ("stops + 1", "stops + 2"),
    "the object of a method": ("stops > limit", "stops < limit"),
    "a list of typed dictionaries": ('sum(point["latitude"]', 'sum(point["longitude"]'),
    "an abstract class": ("* 3 + 8", "* 3 + 9"),
    "beside a parameter without a strategy": ("stops - 2", "stops - 3"),
    "a class that no recipe describes": ("size + 20", "size + 21"),
    "a class that cannot be made": ("return 4", "return 6"),
    "loaded": ('"hypothesis" in', '"hypothesis" not in'),
    "a literal": ("value + 5", "value + 6"),
}
KEYS = list(CHANGES)
CODES = """
from typing import Annotated

from annotated_types import Interval

LOW, HIGH = 123_456_000, 123_456_010


def check(code: Annotated[int, Interval(ge=LOW, le=HIGH)]) -> int:
    if not LOW <= code <= HIGH:
        raise ValueError("not a code")
    return code % 10
"""


def judged(
    folder: Path,
    python: Path,
    source: str = ROUTES,
    changes: Iterable[tuple[str, str]] = CHANGES.values(),
) -> FileAnswer:
    path = folder / "routes.py"
    path.write_text(source)
    mutants = []
    for before, after in changes:
        at = source.index(before)
        start = max(source.rfind("\ndef ", 0, at), source.rfind("    def ", 0, at))
        function = source[start:].split("\n\n")[0].strip()
        mutants.append(
            FileMutant(start=at, end=at + len(before), replacement=after, function=function)
        )
    settings = OracleSettings(inputs=150)
    return judge_file(ProjectSettings(root=folder, python=python), path, source, mutants, settings)


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> FileAnswer:
    return judged(tmp_path_factory.mktemp("with"), Path(sys.executable))


@pytest.fixture(scope="module")
def without(tmp_path_factory: pytest.TempPathFactory) -> FileAnswer:
    """What an interpreter says that has nothing installed."""
    folder = tmp_path_factory.mktemp("without")
    venv.create(folder / "bare", with_pip=False)
    return judged(folder, folder / "bare" / "bin" / "python")


@pytest.mark.parametrize("key", KEYS[:5])
def test_what_only_hypothesis_makes_is_killed_with_a_test(
    answer: FileAnswer, without: FileAnswer, key: str
) -> None:
    number = KEYS.index(key)
    assert answer.verdicts[number].tier == "killed"
    assert any(number in test.kills for test in answer.tests)
    assert without.verdicts[number].tier != "killed"


def test_the_object_is_written_as_it_was_made(answer: FileAnswer) -> None:
    text = next(test.text for test in answer.tests if 0 in test.kills)
    assert "assert stops(Route({" in text


@pytest.mark.parametrize(("key", "tier"), [(KEYS[5], "killed"), (KEYS[6], "unknown")])
def test_a_type_that_gives_no_values_is_left_as_it_was(
    answer: FileAnswer, without: FileAnswer, key: str, tier: str
) -> None:
    number = KEYS.index(key)
    assert answer.verdicts[number].tier == tier
    assert answer.verdicts[number] == without.verdicts[number]


def test_the_code_under_test_runs_without_hypothesis(answer: FileAnswer) -> None:
    witness = answer.verdicts[KEYS.index("loaded")].witness
    assert witness is not None
    assert witness.origin.value == "False"


def test_a_literal_that_names_a_member_needs_no_help(without: FileAnswer) -> None:
    assert without.verdicts[KEYS.index("a literal")].tier == "killed"


def test_the_same_seed_gives_the_same_answer(answer: FileAnswer, tmp_path: Path) -> None:
    assert judged(tmp_path, Path(sys.executable)) == answer


def test_what_annotated_says_of_a_number_is_kept_to(tmp_path: Path) -> None:
    pytest.importorskip("annotated_types")
    answer = judged(tmp_path, Path(sys.executable), CODES, [("code % 10", "code % 7")])
    assert answer.verdicts[0].tier == "killed"
    assert [test.kills for test in answer.tests] == [(0,)]
