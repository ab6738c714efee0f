"""What a Java test can see of an object after a call: `equals`, and fields that it can name."""

import shutil
from pathlib import Path

import pytest

from equimut.oracle.java import launching
from equimut.oracle.java.project import judge_file
from equimut.oracle.java.suggesting import suggested_file
from equimut.oracle.project import FileAnswer, FileMutant, JUnit, project_at
from equimut.oracle.verdicts import OracleSettings
from oracles.junit import has_junit, junit_outcome

pytestmark = pytest.mark.skipif(shutil.which("javac") is None, reason="needs a JDK")
MARK = """package kit;

public class Mark {
    private int hidden;
    private int secret;

    public Mark(int hidden) {
        this.hidden = hidden;
    }

    public Mark(Mark other) {
        hidden = other.hidden;
    }

    public void raise(int by) {
        hidden += by;
    }

    public Mark raised(int by) {
        return new Mark(hidden + by * 1);
    }

    public static void lower(Mark mark) {
        mark.hidden -= 1;
    }

    public void keep(int number) {
        secret = number + 1;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Mark && ((Mark) other).hidden == hidden;
    }

    @Override
    public int hashCode() {
        return 1;
    }
}
"""
MARKS = {
    "receiver": ("hidden += by", "hidden += 0"),
    "result": ("by * 1", "by * 0"),
    "argument": ("mark.hidden -= 1", "mark.hidden -= 0"),
    "copy": ("hidden = other.hidden", "hidden = other.hidden + 1"),
    "itself": ("hidden == hidden", "hidden != hidden"),
    "private": ("number + 1", "number + 2"),
}


def judged(
    root: Path, name: str, source: str, changes: dict[str, tuple[str, str]], junit: JUnit = 5
) -> dict[str, tuple[str, str]]:
    """By the name of a change: the verdict, and the text of its test."""
    answer = answered(root, name, source, changes, junit)
    texts = {number: test.text for test in answer.tests for number in test.kills}
    return {
        key: (verdict.tier, texts.get(number, ""))
        for number, (key, verdict) in enumerate(zip(changes, answer.verdicts, strict=True))
    }


def answered(
    root: Path, name: str, source: str, changes: dict[str, tuple[str, str]], junit: JUnit
) -> FileAnswer:
    path = root / f"kit/{name}.java"
    path.parent.mkdir(exist_ok=True)
    path.write_text(source)
    mutants = []
    for before, after in changes.values():
        start = source.index(before)
        end = start + len(before)
        mutants.append(FileMutant(start=start, end=end, replacement=after, function=source))
    settings = OracleSettings(inputs=80)
    return judge_file(project_at(root, junit=junit), path, source, mutants, settings)


@pytest.fixture(scope="module")
def marks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, str]]:
    return judged(tmp_path_factory.mktemp("marks"), "Mark", MARK, MARKS)


@pytest.mark.parametrize(
    ("key", "asserted"),
    [
        ("receiver", "assertNotEquals(new Mark("),
        ("result", "assertNotEquals(new Mark("),
        ("argument", "assertNotEquals(new Mark("),
        ("copy", "assertEquals(new Mark("),
        ("itself", "assert"),
    ],
)
def test_what_only_equals_shows_has_a_test(
    marks: dict[str, tuple[str, str]], key: str, asserted: str
) -> None:
    tier, text = marks[key]
    assert tier == "killed"
    assert asserted in text


def test_what_only_a_private_field_shows_is_no_difference(
    marks: dict[str, tuple[str, str]],
) -> None:
    """No test could assert it."""
    assert marks["private"] == ("unrefuted", "")


@pytest.mark.parametrize("junit", [4, 5])
def test_junit_itself_tells_the_project_from_the_mutants(tmp_path: Path, junit: JUnit) -> None:
    if not has_junit(junit):
        pytest.skip(f"needs Debian's junit{junit}")
    keys = ("receiver", "result", "copy")
    answer = answered(tmp_path, "Mark", MARK, {key: MARKS[key] for key in keys}, junit)
    assert answer.note == ""
    name, text = suggested_file("kit/Mark.java", answer.tests)
    (tmp_path / name).write_text(text)
    for source in (MARK, *(MARK.replace(*MARKS[key], 1) for key in keys)):
        (tmp_path / "kit/Mark.java").write_text(source)
        made = tmp_path / "made"
        code, said = junit_outcome([tmp_path], made, "kit.MarkSurvivorsTest", junit)
        assert code == (source != MARK), said


def test_the_stand_in_for_junit_asks_objects_about_themselves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launching, "LIBRARIES", ())
    source = MARK.replace("((Mark) other).hidden == hidden", "(other != this || hidden < 99)")
    changes = {"itself": ("hidden < 99", "hidden > 99")}
    tier, text = judged(tmp_path, "Mark", source, changes)["itself"]
    assert tier == "killed"
    assert text


ODD = """package kit;

public class Odd {
    private final int kept;
    private int seen;

    public Odd(int kept) {
        this.kept = kept;
    }

    public int look(int by) {
        seen = by;
        return by + 3;
    }

    public int turn(int by) {
        return by + 5;
    }

    @Override
    public boolean equals(Object other) {
        if (other == this) {
            throw new AssertionError("not me");
        }
        return System.nanoTime() % 2 == 0 || kept == ((Odd) other).kept;
    }

    @Override
    public int hashCode() {
        throw new IllegalStateException();
    }
}
"""


def test_an_equals_that_throws_or_changes_its_mind_is_passed_over(tmp_path: Path) -> None:
    changes = {"look": ("by + 3", "by + 4"), "turn": ("by + 5", "by - 5")}
    found = judged(tmp_path, "Odd", ODD, changes)
    for tier, text in found.values():
        assert tier == "killed"
        assert "assertEquals(" in text
        assert "NotEquals" not in text


GAUGE = """package kit;

public class Gauge {
    int level;
    protected int peak;

    public void set(int number) {
        level = number + 1;
        peak = number + 2;
    }
GETTERS
}
"""
GAUGES = {"package": ("number + 1", "number - 1"), "protected": ("number + 2", "number - 2")}


def test_what_only_an_open_field_shows_has_a_test(tmp_path: Path) -> None:
    """Many getters do not crowd it out."""
    getters = (f"    public int getPart{n}() {{ return {n}; }}" for n in range(70))
    found = judged(tmp_path, "Gauge", GAUGE.replace("GETTERS", "\n".join(getters)), GAUGES)
    for key, field in (("package", "level"), ("protected", "peak")):
        tier, text = found[key]
        assert tier == "killed"
        assert f", gauge.{field});" in text


WORDS = """package kit;

public class Words extends java.io.StreamTokenizer {
    public Words() {
        super(new java.io.StringReader(""));
    }

    public void say(int number) {
        sval = "word" + number;
    }

    public static Front pushed(int number) {
        Front made = new Front();
        made.push(number);
        return made;
    }

    abstract static class Back {
        int count;

        void push(int number) {
            count = number + 7;
        }
    }

    static class Front extends Back {
        int count;
    }
}
"""


def test_fields_of_superclasses_are_seen_unless_they_are_hidden(tmp_path: Path) -> None:
    changes = {"library": ('"word"', '"WORD"'), "hidden": ("number + 7", "number + 8")}
    found = judged(tmp_path, "Words", WORDS, changes)
    assert found["library"][0] == "killed"
    assert "words.sval" in found["library"][1]
    assert found["hidden"] == ("unrefuted", "")
