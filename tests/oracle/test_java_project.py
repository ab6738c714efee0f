"""Java functions run where they stand in a project, and the JUnit tests that come of it."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from equimut.errors import OracleError
from equimut.oracle.java import launching, suggesting
from equimut.oracle.java.launching import find_framework
from equimut.oracle.java.project import Found, judge_file
from equimut.oracle.java.runs import machine
from equimut.oracle.java.source_text import Names, Script, character, number, quoted
from equimut.oracle.java.suggesting import suggested_file
from equimut.oracle.project import FileAnswer, FileMutant, ProjectSettings, project_at
from equimut.oracle.sandbox.ticking import JAVA, add_probes
from equimut.oracle.verdicts import OracleSettings
from oracles import jdk
from oracles.junit import has_junit, junit_outcome

pytestmark = pytest.mark.skipif(shutil.which("javac") is None, reason="needs a JDK")
SHELF = """package kit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** A shelf and some functions. */
public class Shelf {
    private final int size;
    private final List<String> items = new ArrayList<>();
    private static final int FIRST = 10 - 3;

    public Shelf(int size) {
        if (size < 0) {
            throw new IllegalArgumentException("a shelf has a size");
        }
        this.size = size;
    }

    public int put(String item) {
        if (items.size() >= size) {
            throw new IllegalStateException("the shelf is full");
        }
        items.add(item);
        return items.size();
    }

    public int getFree() {
        return size - items.size();
    }

    static int clamp(int value, int low, int high) {
        if (value < low) {
            return low;
        }
        if (value > high) {
            return high;
        }
        return value;
    }

    public static long dice(int sides) {
        return System.nanoTime() + sides;
    }

    public static void sort(int[] values) {
        for (int i = 0; i < values.length; i++) {
            for (int j = i + 1; j < values.length; j++) {
                if (values[j] < values[i]) {
                    int kept = values[i];
                    values[i] = values[j];
                    values[j] = kept;
                }
            }
        }
    }

    public static int count(List<String> texts, Colour colour) {
        int total = 0;
        for (String text : texts) {
            total += Text.letters(text);
        }
        if (colour == Colour.RED) {
            total += 100;
        }
        return total;
    }

    private int hidden(int a) {
        return a + size;
    }

    public int shown(int a) {
        return hidden(a) * 2;
    }

    public Shelf fluent() {
        items.add("x");
        return this;
    }

    public int first() {
        return FIRST;
    }

    public static Object mapped(IntFunction<Object> rule, int number) {
        return rule.apply(number) == null ? "nothing" : rule.apply(number);
    }

    static int loop(int n) {
        int total = 0;
        while (n > 0) {
            n--;
            total += n;
        }
        return total;
    }

    public static double half(double number) {
        return number / 2;
    }

    public static int write(java.io.File file, int code) throws java.io.IOException {
        new java.io.FileOutputStream("/equimut-was-here").close();
        return code + 1;
    }

    public static int stop(int code) {
        System.exit(code);
        return code * 3;
    }

    public static int locked(Lock lock) {
        return lock.turns + 5;
    }

    public enum Colour { RED, BLUE }

    public static final class Lock {
        int turns;

        private Lock() {}
    }

    public static final class Pair<A> {
        final A first;

        public Pair(A first) {
            this.first = first;
        }

        public boolean same(Object other) {
            return first.equals(other);
        }

        public boolean same(String other) {
            return other == null;
        }

        @Override
        public String toString() {
            return "<" + first + ">";
        }
    }
}
"""
TEXT = """package kit;

final class Text {
    static int letters(String text) {
        return (int) text.chars().filter(Character::isLetter).count();
    }
}
"""
CHANGES = {
    "size": ("size < 0", "size <= 0"),
    "size message": ('"a shelf has a size"', '"A SHELF HAS A SIZE"'),
    "full": (">= size", "> size"),
    "message": ('"the shelf is full"', '"FULL"'),
    "free": ("size - items", "size + items"),
    "low": ("value < low", "value > low"),
    "clamped": ("value > high) {", "value >= high) {"),
    "dice": ("+ sides", "- sides"),
    "sorted": ("values[j] < values[i]", "values[j] > values[i]"),
    "letters": ("total += Text", "total -= Text"),
    "red": ("total += 100", "total -= 100"),
    "private": ("a + size", "a - size"),
    "itself": ("return this", "return null"),
    "static": ("10 - 3", "10 + 3"),
    "lambda": ('? "nothing"', '? "NOTHING"'),
    "endless": ("n > 0", "n > -1"),
    "half": ("number / 2", "number * 2"),
    "overload": ("first.equals(other)", "!first.equals(other)"),
    "toString": ('"<" +', '">" +'),
    "file": ("code + 1", "code + 2"),
    "exit": ("code * 3", "code * 4"),
    "locked": ("turns + 5", "turns + 6"),
    "stillborn": ("return n > 0", "return n > 0"),
}
CHANGES["stillborn"] = ("int total = 0;", 'int total = "0";')
KEYS = tuple(CHANGES)
WITHOUT = ("clamped", "dice", "file", "exit", "locked", "stillborn")


def judged(project: ProjectSettings, keys: tuple[str, ...], inputs: int = 200) -> FileAnswer:
    mutants = []
    for before, after in (CHANGES[key] for key in keys):
        at = SHELF.index(before)
        function = SHELF[at - 200 : at + 200]
        mutants.append(
            FileMutant(start=at, end=at + len(before), replacement=after, function=function)
        )
    path = project.root / "kit/Shelf.java"
    return judge_file(project, path, SHELF, mutants, OracleSettings(inputs=inputs))


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("project") / "src"
    (root / "kit").mkdir(parents=True)
    (root / "kit/Shelf.java").write_text(SHELF)
    (root / "kit/Text.java").write_text(TEXT)
    return root


@pytest.fixture(scope="module")
def answer(sources: Path) -> FileAnswer:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(suggesting, "MILLISECONDS", 2_000)  # for a test that never ends
        return judged(project_at(sources), KEYS)


def verdict_of(answer: FileAnswer, key: str) -> str:
    return answer.verdicts[KEYS.index(key)].tier


@pytest.mark.parametrize("key", [key for key in KEYS if key not in WITHOUT])
def test_a_change_that_a_call_shows_is_killed_and_has_a_test(answer: FileAnswer, key: str) -> None:
    assert verdict_of(answer, key) == "killed", answer.verdicts[KEYS.index(key)]
    assert any(KEYS.index(key) in test.kills for test in answer.tests)


def test_a_change_that_no_call_shows_is_unrefuted(answer: FileAnswer) -> None:
    """At the bound itself both return the same number."""
    assert verdict_of(answer, "clamped") == "unrefuted"
    assert answer.verdicts[KEYS.index("clamped")].inputs >= 50


def test_what_cannot_be_run_says_why(answer: FileAnswer) -> None:
    keys = ("dice", "file", "exit", "locked")
    reasons = {key: answer.verdicts[KEYS.index(key)].reason for key in keys}
    assert reasons == {
        "dice": "no input that the function does the same twice",
        "file": "no input that the function is fine with",
        "exit": "no input that the function is fine with",
        "locked": "cannot be called: no way to make a Lock",
    }
    stillborn = answer.verdicts[KEYS.index("stillborn")]
    assert stillborn.fault == "mutant"
    assert "incompatible types" in stillborn.reason


def test_the_code_under_test_writes_no_files_elsewhere(answer: FileAnswer) -> None:
    assert not Path("/equimut-was-here").exists()


def test_inputs_are_shrunk_and_shown_in_one_line(answer: FileAnswer) -> None:
    witness = answer.verdicts[KEYS.index("red")].witness
    assert witness is not None
    assert witness.call == "Shelf.count(new ArrayList<>(), Shelf.Colour.RED)"
    assert (witness.origin.value, witness.mutant.value) == ("100", "-100")


def test_a_call_found_before_the_process_ended_is_not_lost() -> None:
    """What the harness reports of each mutant is enough for a test of its own."""
    shown = {"lit": "int", "v": "1"}
    origin = {"outcome": "returns", "facets": [["result", "{}", "1", shown, "int"]]}
    mutant = {"outcome": "returns", "facets": [["result", "{}", "2", shown, "int"]]}
    call = {"call": "kit.Shelf", "name": "put"}
    found = Found()
    row = {"result": "killed", "test": True, "call": call, "origin": origin, "mutant": mutant}
    found.take({**row, "unit": 7})
    found.take({**row, "unit": 8, "test": False})
    found.add_own_calls()
    assert found.kills == {7: {0: ("returns", [["result", "{}"]])}}
    assert found.calls == [{"call": call, "origin": origin}]


METER = """package kit;

public class Meter {
    private long count;

    public Meter() {}

    public void add(int more) {
        count += more;
    }

    public long getCount() {
        return count;
    }

    public long getNow() {
        return System.nanoTime();
    }
}
"""


def test_a_getter_that_gives_something_else_each_time_is_passed_over(tmp_path: Path) -> None:
    """It must not rule out what the others show, nor be asserted."""
    path = tmp_path / "kit/Meter.java"
    path.parent.mkdir()
    path.write_text(METER)
    start = METER.index("+=")
    mutant = FileMutant(start=start, end=start + 2, replacement="-=", function=METER)
    settings = OracleSettings(inputs=40)
    found = judge_file(project_at(tmp_path), path, METER, [mutant], settings)
    assert found.verdicts[0].tier == "killed", found.verdicts[0]
    assert [test.kills for test in found.tests] == [(0,)]
    assert "getCount()" in found.tests[0].text
    assert "getNow()" not in found.tests[0].text


def test_a_private_function_is_reached_through_one_that_calls_it(answer: FileAnswer) -> None:
    witness = answer.verdicts[KEYS.index("private")].witness
    assert witness is not None
    assert ".shown(" in witness.call


def test_survivors_killed_by_one_input_share_a_test(answer: FileAnswer) -> None:
    sharing = [test for test in answer.tests if KEYS.index("message") in test.kills]
    assert len(sharing) == 1
    assert {KEYS.index("full"), KEYS.index("message")} <= set(sharing[0].kills)
    assert sharing[0].name == "putThrowsIllegalStateException"
    assert sharing[0].text.splitlines()[:2] == [
        "    @Test",
        "    void putThrowsIllegalStateException() throws Exception {",
    ]
    assert "        // kills: line 21, >= size -> > size" in sharing[0].text.splitlines()


def test_a_test_stands_alone(answer: FileAnswer) -> None:
    (test,) = [each for each in answer.tests if KEYS.index("half") in each.kills]
    lines = test.alone.splitlines()
    assert lines[0] == "package kit;"
    assert "import org.junit.jupiter.api.Test;" in lines
    assert "class ShelfSurvivorsTest {" in lines
    assert lines[-1] == "}"


def with_shelf(sources: Path, shelf: str, name: str, text: str, junit: int) -> tuple[int, str]:
    """What JUnit itself says, on a copy of the project with the file on disk."""
    copy = sources.parent / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(sources, copy)
    (copy / "kit/Shelf.java").write_text(shelf)
    (copy / name).write_text(text)
    return junit_outcome([copy], copy / "made", "kit.ShelfSurvivorsTest", junit)


@pytest.mark.skipif(not has_junit(4), reason="needs Debian's junit4")
def test_junit_4_passes_on_the_project_and_fails_on_the_mutant(sources: Path) -> None:
    keys = ("half", "size message", "sorted", "lambda")
    found = judged(project_at(sources, junit=4), keys, inputs=60)
    assert found.note == ""
    assert {number for test in found.tests for number in test.kills} == set(range(len(keys)))
    name, text = suggested_file("kit/Shelf.java", found.tests)
    code, said = with_shelf(sources, SHELF, name, text, 4)
    assert (code, f"OK ({len(found.tests)} test" in said) == (0, True), said
    for before, after in (CHANGES[key] for key in keys):
        code, said = with_shelf(sources, SHELF.replace(before, after, 1), name, text, 4)
        assert (code, "Failures: 1" in said) == (1, True), said


@pytest.mark.skipif(not has_junit(5), reason="needs Debian's junit5")
def test_junit_5_passes_on_the_project_and_fails_on_mutants(
    sources: Path, answer: FileAnswer
) -> None:
    name, text = suggested_file("src/kit/Shelf.java", answer.tests)
    assert name == "kit/ShelfSurvivorsTest.java"
    assert "They assert what the code does now." in text
    code, said = with_shelf(sources, SHELF, name, text, 5)
    assert code == 0, said
    for key in ("full", "overload"):
        before, after = CHANGES[key]
        code, said = with_shelf(sources, SHELF.replace(before, after, 1), name, text, 5)
        assert code == 1, said


def test_without_junit_a_stand_in_runs_the_tests_and_that_is_said(
    sources: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launching, "LIBRARIES", ())
    assert find_framework(project_at(sources)).stands_in
    keys = ("half", "size message", "sorted", "red")
    found = judged(project_at(sources), keys, inputs=60)
    assert {number for test in found.tests for number in test.kills} == set(range(len(keys)))
    assert found.note == "JUnit 5 was not found (--classpath): tests were run by a stand-in for it"


def test_classes_are_taken_from_the_class_path(sources: Path, tmp_path: Path) -> None:
    classes, lonely = tmp_path / "classes", tmp_path / "src"
    files = [str(path) for path in (sources / "kit").glob("*.java")]
    subprocess.run([*jdk.JAVAC, "-d", str(classes), *files], check=True)
    (lonely / "kit").mkdir(parents=True)
    shutil.copy(sources / "kit/Shelf.java", lonely / "kit/Shelf.java")
    alone = judged(project_at(lonely), ("red",), inputs=50)
    assert alone.verdicts[0].reason.startswith("its file cannot be compiled: cannot find symbol")
    found = judged(project_at(lonely, classpath=str(classes)), ("letters",), inputs=100)
    assert found.verdicts[0].tier == "killed"


def test_harnesses_find_the_compiler_in_an_archive() -> None:
    command = [
        "java", *machine(launching.harness_classes()), "-Xlog:class+load",
        "-m", "jdk.compiler/com.sun.tools.javac.Main", "-version",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert re.search(r"tools\.javac\.main\.Main source: shared objects file \(top\)", done.stdout)


def test_the_usual_place_of_classes_is_found(tmp_path: Path) -> None:
    (tmp_path / "src/main/java").mkdir(parents=True)
    (tmp_path / "target/classes").mkdir(parents=True)
    found = project_at(tmp_path / "src/main/java")
    assert found.classpath == (tmp_path.resolve() / "target/classes",)
    with pytest.raises(OracleError, match="--classpath names it"):
        project_at(tmp_path, classpath=f"{tmp_path}:{tmp_path}/nowhere")


def test_values_are_written_as_java_reads_them(tmp_path: Path) -> None:
    """Printed by a program that javac compiled from what we wrote."""
    texts = ['a"\\\n\t\r\0\x1f\x7f\u2028é𝄞', "\ud800", "\\u0041", ""]
    codes = [0, 10, 13, 34, 39, 92, 0xD800, 0xFFFF, 65]
    numbers = [
        ("int", "-2147483648"), ("long", "9223372036854775807"), ("long", "-3"), ("byte", "-128"),
        ("float", "1.4E-45"), ("double", "-0.0"), ("double", "NaN"), ("double", "Infinity"),
        ("float", "-Infinity"), ("double", "1.0E-5"),
    ]  # fmt: skip
    lines = [f"show({quoted(text)});" for text in texts]
    lines += [f"System.out.println((int) {character(code)});" for code in codes]
    lines += [f"System.out.println({number(*each)});" for each in numbers]
    (tmp_path / "Shown.java").write_text(
        "class Shown {\n    static void show(String text) {\n"
        "        System.out.println(text.chars().boxed().toList());\n    }\n"
        f"    public static void main(String[] a) {{ {' '.join(lines)} }}\n}}\n"
    )
    done = subprocess.run(
        [*jdk.JAVA, str(tmp_path / "Shown.java")],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    units = [text.encode("utf-16-be", "surrogatepass") for text in texts]
    shown = [
        str([int.from_bytes(each[at : at + 2], "big") for at in range(0, len(each), 2)])
        for each in units
    ]
    assert done.stdout.split("\n")[:-1] == [
        *shown, *map(str, codes), *(text for _, text in numbers)
    ]  # fmt: skip


def test_an_argument_that_fits_two_overloads_says_which_is_meant() -> None:
    call = {
        "call": "kit.Shelf$Pair", "name": "same", "overloaded": True,
        "types": ["java.lang.Object"], "args": [{"lit": "java.lang.String", "v": "a"}],
    }  # fmt: skip
    assert Script(Names("kit")).call(call, "pair") == 'pair.same((Object) "a")'
    assert Script(Names("kit")).call({**call, "overloaded": False}, "pair") == 'pair.same("a")'


def test_two_types_of_one_name_are_told_apart() -> None:
    names = Names("kit")
    assert names.name("java.util.List") == "List"
    assert names.name("java.awt.List") == "java.awt.List"
    assert names.name("java.util.Map$Entry[]") == "Map.Entry[]"
    assert names.imports("List a; Map.Entry[] b; String kept") == [
        "import java.util.List;",
        "import java.util.Map;",
    ]


def test_probes_stand_wherever_control_may_come(tmp_path: Path) -> None:
    """What javac makes of the probed source reports the branches that were taken."""
    source = """class Branches {
    int a;
    Branches() { this(3); a = 2; }
    Branches(int x) { if (x > 1) a = x; else if (x < 0) a = -x; else for (;;) break; }
    int f(int k) {
        switch (k) { case 1: case 2: return 5; case 3: k++; default: break; }
        while (k > 3) k--;
        if (k > 2) { return 1; } else return 2;
    }
    public static void main(String[] a) { new Branches().f(3); }
}
"""
    probed = add_probes(source, "java", JAVA)
    (tmp_path / "Branches.java").write_text(probed.text)
    (tmp_path / "equimut_").mkdir()
    (tmp_path / "equimut_/Steps.java").write_text(
        "package equimut_; public class Steps { public static void tick() {}\n"
        " public static void at(int place) { System.out.println(place); } }\n"
    )
    files = [str(path) for path in tmp_path.rglob("*.java")]
    subprocess.run([*jdk.JAVAC, "-d", str(tmp_path), *files], check=True)
    done = subprocess.run(
        [*jdk.JAVA, "-cp", str(tmp_path), "Branches"], capture_output=True, text=True, check=True
    )
    reached = [probed.places[int(line)] for line in done.stdout.split()]
    taken = [" ".join(source[start:end].split())[:12] for start, end in reached]
    assert taken == [
        "{ new Branch", "{ if (x > 1)", "a = x;", "{ this(3); a", "{ switch (k)", "case 3: k++;",
        "default: bre", "k--;", "{ return 1; ",
    ]  # fmt: skip
    assert probed.around(source.index("a = -x"), source.index("a = -x") + 1) is not None
