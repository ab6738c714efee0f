"""PIT reports as files: statuses, dialects, what is missing, what is hostile, what is ambiguous."""

import tracemalloc
from pathlib import Path
from time import process_time

import pytest

from conftest import count, shared_file
from equimut.reports.pit.read import read_pit
from equimut.reports.reported import ReportedMutant, ReportError
from oracles.reports.pit_bytecode import MUTATORS
from oracles.reports.pit_elements import mutation, write
from oracles.reports.pit_project import PROJECT, SOURCES

CODE = """package p;
class A {
    int f(int a, int b, int c) {
        return a + b - (b + c);
    }
    boolean g(int a) { return a > 0 && LIMIT + a > 1; }
    void h(java.util.List<Integer> xs, int n) { for (int i = 0; i < n; i++) { n++; } }
    void k(java.util.List<Integer> xs, int n) { for (int x : xs) if (x > n) n--; }
    void l() { m(1); m(2); o(); m(3); }
    static final boolean DEBUG = false;
    int q(int a) { if (DEBUG) { a = a + 1; } return 3 * 4 + a; }
    String r(String s, int a) { return s + a + (a + 1); }
    String t(String s, int a) { return s + a + a; }
}
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "src" / "p"
    folder.mkdir(parents=True)
    (folder / "A.java").write_text(CODE)
    return tmp_path / "src"


def located(source: Path, *parts: str) -> list[ReportedMutant]:
    return list(read_pit(write(source.parent, *parts), source).mutants())


def edits(mutants: list[ReportedMutant]) -> list[str | None]:
    """The changed line of each mutant, or None."""
    found = []
    for mutant in mutants:
        change = mutant.change
        if change is None:
            found.append(None)
            continue
        head = CODE[: change.start_byte].rpartition("\n")[2]
        tail = CODE[change.end_byte :].partition("\n")[0]
        found.append((head + change.replacement + tail).strip())
    return found


# Reading


@pytest.mark.parametrize(
    ("name", "statuses"),
    [
        ("mutations_full-data.xml", {"KILLED": 1, "NO_COVERAGE": 1}),
        ("mutation_snippet.xml", {"KILLED": 1}),
    ],
)
def test_the_real_samples_count_as_the_tool_counted(name: str, statuses: dict[str, int]) -> None:
    path = shared_file("samples", "pit", name)
    text = path.read_text()
    assert statuses == {word: text.count(f'status="{word}"') for word in statuses}
    report = read_pit(path, None)
    assert report.tool_counts == statuses
    mutants = list(report.mutants())
    assert len(mutants) == report.total == text.count("<mutation ")
    assert all(mutant.line in (77, 202) and mutant.covering_tests == 1 for mutant in mutants)


def test_the_projects_own_reports_are_read_in_both_dialects() -> None:
    for name, total in (("mutations.xml", 44), ("mutations_old.xml", 79)):
        report = read_pit(PROJECT / name, SOURCES)
        mutants = list(report.mutants())
        assert report.total == len(mutants) == total
        assert len({mutant.id for mutant in mutants}) == total
        assert report.counts.keys() == {"killed", "survived", "no_coverage", "timeout"}
        found = sum(mutant.change is not None for mutant in mutants)
        assert found >= 0.9 * total


def test_every_status_of_pit_has_its_word(source: Path) -> None:
    words = {
        "KILLED": "killed", "SURVIVED": "survived", "NO_COVERAGE": "no_coverage",
        "TIMED_OUT": "timeout", "NON_VIABLE": "compile_error", "MEMORY_ERROR": "runtime_error",
        "RUN_ERROR": "runtime_error", "NOT_STARTED": "pending", "STARTED": "pending",
        "SOMETHING_NEW": "unknown",
    }  # fmt: skip
    parts = [mutation(4, "removed negation", status=word) for word in words]
    report = read_pit(write(source.parent, *parts), source)
    assert [m.status for m in report.mutants()] == list(words.values())
    assert report.tool_counts == dict.fromkeys(words, 1)


def test_a_report_can_be_read_twice_and_says_the_same(source: Path) -> None:
    sums = "Replaced integer addition with subtraction"
    report = read_pit(write(source.parent, mutation(4, sums, 6), mutation(4, sums, 10)), source)
    assert list(report.mutants()) == list(report.mutants())


def test_without_sources_mutants_are_listed_and_counted(source: Path) -> None:
    path = write(source.parent, mutation(4, "removed negation"))
    (mutant,) = read_pit(path, None).mutants()
    assert mutant.change is None
    assert "no source directory known; --source names it" in (mutant.problem or "")
    assert mutant.file == "p/A.java"


def test_the_project_around_a_report_is_found_by_its_build_file(source: Path) -> None:
    reports = source.parent / "target" / "pit-reports"
    reports.mkdir(parents=True)
    (source.parent / "pom.xml").write_text("<project/>")
    path = write(reports, mutation(4, "Replaced integer subtraction with addition", 8))
    assert edits(list(read_pit(path, None).mutants())) == ["return a + b + (b + c);"]


# Several places on a line


def test_several_sites_on_a_line_follow_the_indices_not_the_order_of_the_report(
    source: Path,
) -> None:
    sums = "Replaced integer addition with subtraction"
    found = located(source, mutation(4, sums, 10), mutation(4, sums, 6))
    assert edits(found) == ["return a + b - (b - c);", "return a - b - (b + c);"]


def test_one_of_two_fitting_sites_alone_is_ambiguous_and_says_so(source: Path) -> None:
    (found,) = located(source, mutation(4, "Replaced integer addition with subtraction", 6))
    assert found.change is None
    assert found.problem == "not locatable: ambiguous: 2 places on line 4 fit"


def test_another_mutation_between_them_settles_which_is_meant(source: Path) -> None:
    sums, difference = "addition with subtraction", "subtraction with addition"
    found = located(
        source,
        mutation(4, f"Replaced integer {difference}", 11),
        mutation(4, f"Replaced integer {sums}", 6),
        mutation(4, f"Replaced integer {sums}", 10),
    )
    assert edits(found)[1:] == ["return a - b - (b + c);", "return a + b - (b - c);"]


def test_a_loop_counter_is_taken_only_if_the_report_has_both(source: Path) -> None:
    up = "Changed increment from 1 to -1"
    fields = {"mutatedMethod": "h", "methodDescription": "(Ljava/util/List;I)V"}
    one = located(source, mutation(7, up, 9, **fields))
    assert edits(one)[0] == CODE.split("\n")[6].strip().replace("n++", "n--")
    two = located(source, mutation(7, up, 9, **fields), mutation(7, up, 10, **fields))
    assert edits(two)[1] == CODE.split("\n")[6].strip().replace("i++", "i--")


def test_the_hidden_test_of_an_enhanced_for_does_not_take_the_place_of_a_written_one(
    source: Path,
) -> None:
    fields = {"mutatedMethod": "k", "methodDescription": "(Ljava/util/List;I)V"}
    line = CODE.split("\n")[7].strip()
    one = located(source, mutation(8, "negated conditional", 20, **fields))
    assert edits(one) == [line.replace("x > n", "x <= n")]
    two = located(
        source,
        mutation(8, "negated conditional", 12, **fields),
        mutation(8, "negated conditional", 20, **fields),
    )
    assert edits(two) == [None, line.replace("x > n", "x <= n")]
    assert "compiler adds" in (two[0].problem or "")


def test_calls_of_one_name_are_told_apart_by_their_order(source: Path) -> None:
    fields = {
        "mutatedMethod": "l",
        "methodDescription": "()V",
        "mutator": MUTATORS + "VoidMethodCallMutator",
    }
    parts = [mutation(9, "removed call to p/A::m", index, **fields) for index in (9, 3, 16)]
    line = "void l() { m(1); m(2); o(); m(3); }"
    assert edits(located(source, *parts)) == [
        line.replace("m(2);", ";"),
        line.replace("m(1);", ";"),
        line.replace("m(3);", ";"),
    ]


def test_folded_constants_dead_code_and_concatenation_are_no_arithmetic(source: Path) -> None:
    fields = {"mutatedMethod": "q", "methodDescription": "(I)I"}
    sums = "Replaced integer addition with subtraction"
    (found,) = located(source, mutation(11, sums, 6, **fields))
    assert edits([found]) == [CODE.split("\n")[10].strip().replace("* 4 +", "* 4 -")]
    fields = {"mutatedMethod": "r", "methodDescription": "(Ljava/lang/String;I)Ljava/lang/String;"}
    (found,) = located(source, mutation(12, sums, 6, **fields))
    assert edits([found]) == [CODE.split("\n")[11].strip().replace("(a + 1)", "(a - 1)")]
    (found,) = located(source, mutation(13, sums, 6, **{**fields, "mutatedMethod": "t"}))
    assert "line 13 has no place for" in (found.problem or "")


def test_copies_of_a_finally_block_are_one_site(source: Path) -> None:
    indexes = "<indexes><index>16</index><index>32</index><index>45</index></indexes>"
    part = mutation(
        137,
        "Replaced integer subtraction with addition",
        sourceFile="Basket.java",
        mutatedClass="shop.Basket",
        mutatedMethod="finished",
        methodDescription="(I)I",
    ).replace("<index>5</index>", indexes)
    (found,) = read_pit(write(source.parent, part), SOURCES).mutants()
    assert found.change is not None
    assert (found.change.original, found.change.replacement) == ("-", "+")


# What is missing or hostile


@pytest.mark.parametrize("line", ["NaN", "-3", "0", "", "1e3", "99999999999999999999", "४"])
def test_a_line_that_is_no_number_is_counted_and_said(source: Path, line: str) -> None:
    (found,) = located(source, mutation(line, "removed negation"))
    assert (found.line, found.change) == (None, None)
    assert found.problem == "not locatable: the report gives no line"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"mutatedClass": "p.B", "sourceFile": "B.java"}, "file not found"),
        ({"mutatedClass": "../../etc.A", "sourceFile": "../../../A.java"}, "refused"),
        ({"sourceFile": "/etc/passwd", "mutatedClass": "A"}, "refused"),
        ({"sourceFile": "", "mutatedClass": ""}, "no path"),
        ({"mutatedClass": "p.A$Inner"}, "class p.A$Inner is not in the file"),
        ({"mutatedMethod": "nowhere"}, "the compiler made it"),
        ({"mutatedMethod": "lambda$f$0", "methodDescription": "()V"}, "no lambda that became"),
        ({"methodDescription": "garbage"}, "has no place for"),
        ({"mutator": "x.Custom", "description": "did something"}, "mutator not supported: Custom"),
        ({"description": "Replaced integer modulus with multiplication"}, "has no place for"),
        ({"lineNumber": "4000"}, "fit line 4000"),
    ],
)
def test_what_cannot_be_found_is_named(source: Path, fields: dict[str, str], words: str) -> None:
    (found,) = located(source, mutation(4, **{"description": "removed negation", **fields}))
    assert found.change is None
    assert words in (found.problem or "")
    assert "\n" not in (found.problem or "")


def test_absurd_numbers_and_names_are_no_trouble(source: Path) -> None:
    many = "9" * 10_000
    parts = [
        mutation(4, f"Changed increment from {many} to -{many}"),
        mutation(4, f"Removed increment {many}"),
        mutation(4, "removed negation", mutatedMethod=f"lambda$f${many}"),
        mutation(4, "removed negation", mutatedClass=f"p.A${many}"),
        mutation(4, "removed negation", mutatedClass="p.A" + "$1" * 10_000),
        mutation(4, "removed negation", methodDescription="(" + "[" * 100_000 + "I)V"),
        mutation(4, "replaced return with" + " for a" * 50_000),
        mutation(4, "removed call to " + "::" * 50_000),
        mutation(4, "removed negation", index=many),
        mutation(4, "removed negation", mutatedMethod="lambda$" + "$1" * 50_000 + "x"),
    ]
    started = process_time()
    found = located(source, *parts)
    assert process_time() - started < 20
    assert all(mutant.change is None and mutant.problem for mutant in found)


def test_an_empty_mutation_is_counted(source: Path) -> None:
    report = read_pit(write(source.parent, "<mutation/>", "<mutation detected='true'/>"), source)
    assert report.counts == {"killed": 1, "unknown": 1}
    assert all(mutant.problem for mutant in report.mutants())


BOMB = "".join(f'<!ENTITY b{n + 1} "{f"&b{n};" * 10}">' for n in range(12))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (f'<!DOCTYPE m [<!ENTITY b0 "ha">{BOMB}]><mutations>&b12;</mutations>', "refused"),
        (
            '<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]><mutations>&x;</mutations>',
            "refused",
        ),
        ('<!DOCTYPE m SYSTEM "http://127.0.0.1:9/x.dtd"><mutations/>', "refused"),
        ("<mutations><mutation status='KILLED'>", "broken XML"),
        ("<mutations></mutations>", "without a single mutation"),
        ("<testsuite/>", "not a PIT report"),
        ("", "broken XML"),
        ("{}", "broken XML"),
        ("<mutations>&undefined;</mutations>", "broken XML"),
        ("<mutations>" + "<a>" * 100_000, "nested too deeply"),
        ("<?xml version='1.0' encoding='klingon'?><mutations/>", "XML"),
        ("<?xml version='1.0' encoding='shift_jis'?><mutations/>", "XML"),
    ],
)
def test_hostile_or_broken_reports_end_in_one_clear_line(
    tmp_path: Path, content: str, words: str
) -> None:
    path = tmp_path / "mutations.xml"
    path.write_text(content)
    with pytest.raises(ReportError) as caught:
        read_pit(path, None)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


def test_wrong_bytes_and_other_encodings(source: Path) -> None:
    path = write(source.parent, mutation(4, "Replaced integer subtraction with addition"))
    text = path.read_text()
    path.write_bytes(text.replace("A.java", "\udcff.java").encode(errors="surrogateescape"))
    with pytest.raises(ReportError, match="broken XML"):
        read_pit(path, source)
    for name in ("utf-16", "latin-1"):
        path.write_bytes(text.replace("UTF-8", name).encode(name))
        assert edits(list(read_pit(path, source).mutants())) == ["return a + b + (b + c);"]
    with pytest.raises(ReportError, match="cannot read"):
        read_pit(source.parent / "nothing.xml", source)


def test_memory_does_not_grow_with_the_report(source: Path) -> None:
    """Ten times the classes, the same peak: elements are dropped as they are read."""
    peaks = []
    for classes in (40, 40 * count(5, 20)):
        parts = [
            mutation(4, "removed negation", mutatedClass=f"p.A{number}", killingTest="t" * 300)
            for number in range(classes)
            for _ in range(10)
        ]
        path = write(source.parent, *parts)
        tracemalloc.start()
        report = read_pit(path, None)
        assert report.total == classes * 10
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] * 1.5


def test_a_deep_expression_and_a_huge_line_are_given_up_in_time(tmp_path: Path) -> None:
    folder = tmp_path / "src" / "p"
    folder.mkdir(parents=True)
    deep = " + ".join(["a"] * 4000)
    (folder / "A.java").write_text(f"package p; class A {{ int f(int a) {{ return {deep}; }} }}")
    sums = "Replaced integer addition with subtraction"
    parts = [mutation(1, sums, index, methodDescription="(I)I") for index in range(20)]
    found = list(read_pit(write(tmp_path, *parts), tmp_path / "src").mutants())
    assert all(mutant.change is None and mutant.problem for mutant in found)
