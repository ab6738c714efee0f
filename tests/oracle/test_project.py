"""Functions run where they stand in a project, and the tests that come of it."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from equimut.errors import OracleError
from equimut.oracle.choosing import Killed, choose
from equimut.oracle.project import FileAnswer, FileMutant, ProjectSettings
from equimut.oracle.python import suggesting
from equimut.oracle.python.project import judge_file, module_of
from equimut.oracle.python.recorded import read_calls, record
from equimut.oracle.python.suggesting import suggested_file
from equimut.oracle.verdicts import OracleSettings

CORE = '''
"""A shelf and some functions, without type hints."""
import enum
import functools
import random
import re
import warnings

from kit.text import letters

WORD = re.compile(r"\\w+")


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Shelf:
    def __init__(self, size=3):
        self.size = size
        self.items = []

    def put(self, item):
        if len(self.items) >= self.size:
            raise ValueError("the shelf is full")
        self.items.append(item)
        return len(self.items)

    @property
    def free(self):
        return self.size - len(self.items)

    @classmethod
    def double(cls, size):
        return cls(size * 2)

    def __eq__(self, other):
        return self.size == other.size


def words(text, longest=None):
    """Words of a text.

    >>> words("a quick fox", 3)
    ['a', 'fox']
    """
    found = WORD.findall(text)
    if longest is not None:
        found = [word for word in found if len(word) <= longest]
    return found


def count(texts: list[str], colour: Colour) -> int:
    total = 0
    for text in texts:
        total += letters(text)
    if colour is Colour.RED:
        total += 100
    return total


def clamp(value: int, low: int, high: int) -> int:
    if value < low:
        return low
    if value > high:
        return high
    return value


@functools.lru_cache
def power(base: int) -> int:
    warnings.warn("slow", stacklevel=2)
    return base**2


def halves(number: int):
    while number > 1:
        yield number
        number //= 2


def dice(sides: int) -> list[float]:
    return [random.random(), sides + 1]


def needs(handle):
    return handle.fileno() + 1


def sort_in_place(values: list[int]) -> None:
    values.sort()


def greet(name: str) -> None:
    print("hello", name)


RULES = [("a", "b")]


PATTERN = re.compile("a")


def choose(word):
    global PATTERN
    PATTERN = re.compile(word + "?")


def bye(code: int) -> None:
    import sys

    sys.exit(code + 1)


def shut(code: int) -> int:
    import sys

    sys.stdout.close()
    return code * 2


def learn(word):
    RULES.insert(0, (word, word.upper()))


class Sink:
    """Cannot be made without a file that is open."""

    def __init__(self, handle):
        self.limit = handle.fileno() * 0 + 3

    def _cut(self, text):
        return text[: self.limit]


def cut(text):
    with open("/dev/null") as handle:
        return Sink(handle)._cut(text)
'''
TEXT = '"""Letters."""\n\ndef letters(text):\n    return sum(c.isalpha() for c in text)\n'
SUITE = """
from kit.core import Shelf, cut, words

def test_cut():
    assert cut("") == ""

def test_shelf():
    shelf = Shelf(2)
    assert shelf.put("a") == 1
    assert shelf.put("b") == 2
    assert shelf.free == 0

def test_words():
    assert words("one two") == ["one", "two"]
"""
CHANGES = {
    "full": (">= self.size", "> self.size"),
    "message": ('"the shelf is full"', '"FULL"'),
    "shouted": ('"the shelf is full"', '"the shelf is full!"'),
    "default": ("size=3", "size=4"),
    "append": ("append(item)", "append(None)"),
    "free": ("self.size - len", "self.size + len"),
    "double": ("size * 2", "size * 3"),
    "equal": ("self.size == other", "self.size != other"),
    "longest": ("<= longest", "< longest"),
    "red": ("total += 100", "total -= 100"),
    "low": ("value < low", "value <= low"),
    "high": ("value > high", "value >= high"),
    "cached": ("base**2", "base**3"),
    "warning": ('"slow"', '"SLOW"'),
    "halves": ("number > 1", "number >= 1"),
    "dice": ("sides + 1", "sides - 1"),
    "handle": ("fileno() + 1", "fileno() - 1"),
    "sorted": ("values.sort()", "values.sort(reverse=True)"),
    "print": ('"hello"', '"HELLO"'),
    "global": ("word.upper()", "word.lower()"),
    "rebound": ('word + "?"', 'word + "*"'),
    "exit": ("code + 1", "code - 1"),
    "nothing": ("values.sort()", "return values.sort() or values"),
    "closed": ("code * 2", "code * 3"),
    "inner": ("text[: self.limit]", "text[self.limit :]"),
}
KEYS = tuple(CHANGES)
PYTEST = """
import os, sys
sys.path.insert(0, "src")
os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # ours take a second to load
import pytest
sys.exit(pytest.main(sys.argv[1:]))
"""
OPTIONS = ("-q", "-p", "no:cacheprovider")


def function_around(source: str, at: int) -> str:
    """Enough for literals: the lines from the `def` on."""
    start = source.rindex("def ", 0, at + 1)
    return source[start : source.find("\n\n\n", at)]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("project")
    for name, text in {
        "src/kit/__init__.py": "",
        "src/kit/core.py": CORE,
        "src/kit/text.py": TEXT,
        "tests/test_core.py": SUITE,
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.fixture(scope="module")
def recorded(project: Path) -> Path:
    out = project / "equimut-calls.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(project)
        done = record([sys.executable, "-c", PYTEST, *OPTIONS, "tests"], project, out)
    assert (done.code, done.functions) == (0, 5)
    return out


@pytest.fixture(scope="module")
def answer(project: Path, recorded: Path) -> FileAnswer:
    mutants = []
    for before, after in CHANGES.values():
        at = CORE.index(before)
        mutants.append(
            FileMutant(
                start=at,
                end=at + len(before),
                replacement=after,
                function=function_around(CORE, at),
            )
        )
    settings = ProjectSettings(root=project, python=Path(sys.executable), calls=recorded)
    path = project / "src/kit/core.py"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(suggesting, "SECONDS", 2)  # of the processor, for a test that never ends
        return judge_file(settings, path, CORE, mutants, OracleSettings(inputs=200))


def verdict_of(answer: FileAnswer, key: str) -> str:
    return answer.verdicts[KEYS.index(key)].tier


def test_recorded_calls_tell_how_an_object_was_made(recorded: Path) -> None:
    calls = read_calls(recorded)["src/kit/core.py"]
    first = {"new": "kit.core:Shelf", "args": [2], "named": {}, "then": []}
    second = {**first, "then": [["put", ["a"], {}]]}
    assert [call["self"] for call in calls["Shelf.put"]] == [first, second]
    assert calls["words"] == [{"args": ["one two", None], "named": {}, "kind": "function"}]


def test_one_test_with_many_calls_leaves_room_for_the_others(tmp_path: Path) -> None:
    (tmp_path / "kit.py").write_text("def size(text):\n    return len(text)\n")
    (tmp_path / "use.py").write_text(
        "import kit\nfor i in range(1000):\n    kit.size('x' * (i % 90))\n"
        "kit.size('one')\nkit.size('two')\n"
    )
    out = tmp_path / "calls.json"
    done = record([sys.executable, str(tmp_path / "use.py")], tmp_path, out)
    kept = [call["args"][0] for call in read_calls(out)["kit.py"]["size"]]
    assert (done.calls, kept[-2:]) == (40, ["one", "two"])
    assert kept[:38] == ["x" * i for i in range(38)]


def test_an_object_with_slots_is_made_again(tmp_path: Path) -> None:
    """No weak reference leads to it."""
    (tmp_path / "kit.py").write_text(
        "class Pair:\n    __slots__ = ('a', 'b')\n\n    def __init__(self, a, b):\n"
        "        self.a, self.b = a, b\n\n    def both(self):\n        return self.a + self.b\n"
    )
    (tmp_path / "use.py").write_text("import kit\nfor i in range(5):\n    kit.Pair(i, 2).both()\n")
    out = tmp_path / "calls.json"
    record([sys.executable, str(tmp_path / "use.py")], tmp_path, out)
    kept = [call["self"]["args"] for call in read_calls(out)["kit.py"]["Pair.both"]]
    assert kept == [[i, 2] for i in range(5)]


@pytest.mark.parametrize(
    "key", [key for key in KEYS if key not in ("high", "dice", "handle", "closed")]
)
def test_a_change_that_a_call_shows_is_killed_and_has_a_test(answer: FileAnswer, key: str) -> None:
    assert verdict_of(answer, key) == "killed", answer.verdicts[KEYS.index(key)]
    assert any(KEYS.index(key) in test.kills for test in answer.tests)


def test_a_change_that_no_call_shows_is_unrefuted(answer: FileAnswer) -> None:
    """Where the bound is passed by nothing, `>=` returns the same number as `>`."""
    assert verdict_of(answer, "high") == "unrefuted"
    assert answer.verdicts[KEYS.index("high")].inputs >= 50


def test_what_cannot_be_run_says_why(answer: FileAnswer) -> None:
    reasons = {key: answer.verdicts[KEYS.index(key)].reason for key in ("dice", "handle")}
    assert reasons == {
        "dice": "no input that the function does the same twice",
        "handle": "no input that the function is fine with",
    }


def test_tests_pass_on_the_project_and_fail_on_each_mutant_they_name(
    answer: FileAnswer, project: Path, tmp_path: Path
) -> None:
    """Told by pytest itself, on copies of the project with the changed file on disk."""
    name, text = suggested_file("src/kit/core.py", answer.tests)
    assert name == "test_kit_core_survivors.py"
    assert "They assert what the code does now." in text

    def outcome(source: str, *names: str) -> str:
        copy = tmp_path / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(project, copy)
        (copy / "src/kit/core.py").write_text(source)
        (copy / "tests" / name).write_text(text)
        chosen = [f"tests/{name}::{each}" for each in names] or [f"tests/{name}"]
        command = [sys.executable, "-c", PYTEST, *OPTIONS, *chosen]
        done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
        return done.stdout.splitlines()[-1]

    assert f"{len(answer.tests)} passed" in outcome(CORE)
    some = ("full", "warning", "sorted")
    for key in some:
        before, after = CHANGES[key]
        names = [test.name for test in answer.tests if KEYS.index(key) in test.kills]
        assert f"{len(names)} failed" in outcome(CORE.replace(before, after, 1), *names), key


def test_survivors_killed_by_one_input_share_a_test(answer: FileAnswer) -> None:
    sharing = [test for test in answer.tests if KEYS.index("full") in test.kills]
    wanted = {KEYS.index(key) for key in ("full", "message", "shouted")}
    assert [set(test.kills) for test in sharing] == [wanted]
    assert sharing[0].name == "test_shelf_put_raises_value_error"


def test_inputs_are_shrunk_and_shown_in_one_line(answer: FileAnswer) -> None:
    witness = answer.verdicts[KEYS.index("red")].witness
    assert witness is not None
    assert witness.call == "count([], Colour.RED)"
    assert (witness.origin.value, witness.mutant.value) == ("100", "-100")


def test_what_is_hard_to_call_is_reached_through_what_the_tests_call(answer: FileAnswer) -> None:
    """`Sink` takes an open file, which no recipe makes; `cut` was recorded and comes to it."""
    witness = answer.verdicts[KEYS.index("inner")].witness
    assert witness is not None
    assert witness.call.startswith("cut(")


def test_a_change_of_the_module_itself_is_seen_and_kept_from_other_tests(
    answer: FileAnswer,
) -> None:
    (test,) = [test for test in answer.tests if KEYS.index("global") in test.kills]
    assert test.imports == (
        "import kit.core as module",
        "from kit.core import learn",
    )
    assert test.text == (
        "def test_learn_changes_rules(monkeypatch):\n"
        "    # kills: line 124, word.upper() -> word.lower()\n"
        '    monkeypatch.setattr(module, "RULES", [("a", "b")])\n'
        '    learn("a")\n'
        '    assert module.RULES[0] == ("a", "A")\n'
    )


def test_a_test_that_breaks_the_run_is_dropped_and_takes_no_other_with_it(
    answer: FileAnswer,
) -> None:
    assert verdict_of(answer, "closed") == "killed"
    assert not [test for test in answer.tests if KEYS.index("closed") in test.kills]
    assert answer.dropped == 1


def test_a_module_that_cannot_be_imported_is_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "lonely.py"
    source = "import nowhere_to_be_found\n\ndef f(a):\n    return a + 1\n"
    path.write_text(source)
    at = source.index("+")
    mutant = FileMutant(start=at, end=at + 1, replacement="-", function="def f(a): ...")
    settings = ProjectSettings(root=tmp_path, python=Path(sys.executable))
    answer = judge_file(settings, path, source, [mutant], OracleSettings(inputs=10))
    assert answer.verdicts[0].reason == (
        "its module cannot be imported: ModuleNotFoundError: No module named 'nowhere_to_be_found'"
    )


def test_a_small_set_of_calls_kills_all() -> None:
    def killed(number: int, *places: int) -> Killed:
        return Killed(number, 0, 1, "a", "b", {place: ("returns", []) for place in places})

    chosen = choose([killed(1, 0), killed(2, 0, 1), killed(3, 1), killed(4, 0, 2)])
    assert {key: [each.number for each in row] for key, row in chosen.items()} == {
        (0, 0): [1, 2, 4],
        (0, 1): [3],
    }


def test_a_module_is_named_from_where_its_packages_begin(project: Path) -> None:
    assert module_of(project / "src/kit/core.py") == ("kit.core", project / "src")
    assert module_of(project / "src/kit/__init__.py") == ("kit", project / "src")


def test_a_file_that_holds_no_calls_is_refused(tmp_path: Path) -> None:
    for content in ("{", '{"format": "x", "files": {}}', json.dumps({"format": "equimut-calls-1"})):
        (tmp_path / "calls.json").write_text(content)
        with pytest.raises(OracleError, match="not a file of recorded calls"):
            read_calls(tmp_path / "calls.json")
