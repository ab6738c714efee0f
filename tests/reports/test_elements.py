"""Elements reports: what the schema says, what dialects do instead, and what strangers send."""

import json
import tracemalloc
from collections import Counter
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from conftest import count, shared_file
from equimut.mutation import mutate
from equimut.reports import json_stream
from equimut.reports.elements import read as elements
from equimut.reports.elements.read import elements_status, read_elements
from equimut.reports.reported import Report, ReportedMutant, ReportError, UniqueIds
from oracles.datasets.mutation_sources import JAVA
from oracles.reports.elements_samples import SAMPLES
from oracles.reports.report_files import (
    PYTHON,
    elements_mutant,
    elements_report,
    files_opened,
    splice,
    write_json,
)

UNITS = {"java": "utf-16", "python": "characters"}


def entry(**more: Any) -> dict[str, Any]:
    """A mutant of PYTHON: `//` becomes `/` in line 8."""
    location = {"start": {"line": 8, "column": 25}, "end": {"line": 8, "column": 27}}
    whole = {
        "id": "1",
        "mutatorName": "Div",
        "replacement": "/",
        "location": location,
        "status": "Survived",
    }
    return {**whole, **more}


def at(line: Any, column: Any, end_line: Any, end_column: Any) -> dict[str, Any]:
    return {
        "start": {"line": line, "column": column},
        "end": {"line": end_line, "column": end_column},
    }


def read(path: Path, *mutants: Any, source: str | None = PYTHON, **more: Any) -> Report:
    report = elements_report("till.py", source, "python", mutants, **more)
    return read_elements(write_json(path / "report.json", report), None)


def only(report: Report) -> ReportedMutant:
    (mutant,) = report.mutants()
    return mutant


@pytest.mark.parametrize(
    ("language", "file", "source"), [("java", "Prices.java", JAVA), ("python", "t.py", PYTHON)]
)
def test_mutants_come_back_as_they_were_made(
    tmp_path: Path, language: str, file: str, source: str
) -> None:
    made = mutate(source, language)
    entries = [elements_mutant(source, mutant, UNITS[language]) for mutant in made]
    report = read_elements(
        write_json(tmp_path / "r.json", elements_report(file, source, language, entries)), None
    )
    assert (report.tool, report.tool_version, report.format) == ("Handmade", "1.2", "elements")
    assert report.counts == {"survived": len(made)}
    read_back = list(report.mutants())
    assert [mutant.index for mutant in read_back] == list(range(len(made)))
    for mutant, found in zip(made, read_back, strict=True):
        assert found.problem is None
        assert found.analysable
        assert found.change is not None
        assert found.id == mutant.id
        assert found.operator == mutant.operator
        assert found.line == mutant.line
        assert found.change.mutant_function == mutant.mutant_function
        span = found.change.start_byte, found.change.end_byte
        assert splice(source, *span, found.change.replacement) == splice(
            source, mutant.start_byte, mutant.end_byte, mutant.replacement
        )


def test_the_order_of_keys_does_not_matter(tmp_path: Path) -> None:
    late = elements_report("till.py", PYTHON, "python", [entry()])
    file = late["files"]["till.py"]
    early = {**late, "files": {"till.py": dict(sorted(file.items(), reverse=True))}}
    assert list(file) != list(early["files"]["till.py"])
    found = [
        only(read_elements(write_json(tmp_path / "r.json", value), None)) for value in (late, early)
    ]
    assert found[0] == found[1]
    assert found[0].change is not None


def test_without_a_source_text_the_source_root_is_asked(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/till.py").write_text(PYTHON, encoding="utf-8")
    for name, root in [("src/till.py", ""), ("/work/it/src/till.py", "/work/it")]:
        value = elements_report(name, None, "python", [entry()], projectRoot=root)
        path = write_json(tmp_path / "r.json", value)
        assert "no source text" in (only(read_elements(path, None)).problem or "")
        assert only(read_elements(path, tmp_path)).problem is None
    (tmp_path / "till.py").write_text("x = 1\n")
    path = write_json(tmp_path / "r.json", elements_report("till.py", PYTHON, "python", [entry()]))
    assert only(read_elements(path, tmp_path)).problem is None  # the report's own text counts
    foreign = elements_report("/other/src/till.py", None, "python", [entry()], projectRoot="/it")
    path = write_json(tmp_path / "r.json", foreign)
    assert "refused" in (only(read_elements(path, tmp_path)).problem or "")
    outside = elements_report("/etc/passwd", None, "python", [entry()])
    path = write_json(tmp_path / "r.json", outside)
    with files_opened() as opened:
        assert "refused" in (only(read_elements(path, tmp_path)).problem or "")
    assert "/etc/passwd" not in opened


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"location": at(-3, 1, 8, 27)}, "no line -3"),
        ({"location": at(8, 25, 800, 27)}, "no line 800"),
        ({"location": at(8, 25, 8, 270)}, "columns, not"),
        ({"location": at(8, 0, 8, 27)}, "columns start at 1"),
        ({"location": at(8, 27, 8, 25)}, "end comes before"),
        ({"location": at("8", 25, 8, 27)}, "no start and end"),
        ({"location": at(8.5, 25, 8, 27)}, "no start and end"),
        ({"location": at(True, 25, 8, 27)}, "no start and end"),
        ({"location": [8, 25]}, "no start and end"),
        ({"location": None}, "no start and end"),
        ({"location": at(10**12, 25, 8, 27)}, "no start and end"),
        ({"replacement": None}, "no replacement"),
        ({"replacement": 3}, "no replacement"),
        ({"replacement": ") + ("}, "does not parse"),
        ({"replacement": "//"}, "same text"),
        ({"location": at(8, 13, 8, 16)}, "inside 'cents'"),
    ],
)
def test_what_does_not_fit_is_counted_and_named(
    tmp_path: Path, change: dict[str, Any], problem: str
) -> None:
    report = read(tmp_path, entry(**change), entry(id="2"))
    odd, good = report.mutants()
    assert report.counts == {"survived": 2}
    assert odd.change is None
    assert problem in (odd.problem or "")
    assert good.change is not None


def test_ids_repeated_missing_or_numbers_stay_apart(tmp_path: Path) -> None:
    entries = [entry(), entry(), entry(id=7), entry(id=None), entry(id={}), "no object", []]
    report = read(tmp_path, *entries)
    found = list(report.mutants())
    ids = [mutant.id for mutant in found]
    assert ids[:3] == ["1", "1~2", "7"]
    assert len(set(ids)) == len(entries) == report.total
    assert found[-1].problem == "not readable: the entry is not an object"


def test_an_id_repeated_without_end_costs_no_more_than_others() -> None:
    ids = UniqueIds()
    started = process_time()
    made = {ids.add("7") for _ in range(30_000)} | {ids.add("7~9"), ids.add("")}
    assert len(made) == 30_002
    assert process_time() - started < 3  # with a search from the start it is minutes


def test_tests_are_counted_and_long_reasons_cut(tmp_path: Path) -> None:
    mutant = only(
        read(
            tmp_path,
            entry(coveredBy=["a", "b", "c"], killedBy=["a"], statusReason="x" * 10_000),
        )
    )
    assert (mutant.covering_tests, mutant.killing_tests) == (3, 1)
    assert len(mutant.status_reason) == 500


def test_words_of_old_dialects_are_understood() -> None:
    assert elements_status("BuildError") == elements_status("CompileError") == "compile_error"
    assert elements_status("Skipped") == elements_status("Ignored") == "ignored"
    assert elements_status("Fine") == "unknown"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "cut off"),
        (b'{"files": {"a.py": {"mutants": [{"id": "1"', "cut off"),
        (b'{"files": {}} {"files": {}}', "trailing"),
        (b'{"files": {"a.py": {"mutants": [{"id": NaN}]}}}', "not valid JSON"),
        (b'{"files": [1]}', "'files' is not an object"),
        (b'{"files": {"a.py": 3}}', "'a.py' is not an object"),
        (b'{"schemaVersion": "1"}', "no 'files'"),
        (b"[1, 2]", "not an object"),
        (b'{"files": {"a\xff.py": {}}}', "UTF8"),
        (b'{"x": ' + b"[" * 100_000, "nested deeper"),
        (b'{"x": ' + b"9" * 100_000 + b"}", "overflow"),
        (b'{"x": "' + b"a" * 1_100_000, "a string of more than"),
        (b'{"x": "' + b'\\"' * 550_000, "a string of more than"),
        (b"\x00\x01\x02", "not valid JSON"),
        (b"hello", "neither JSON nor a script"),
    ],
)
def test_a_broken_report_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, words: str
) -> None:
    monkeypatch.setattr(json_stream, "MAX_STRING", 1_000_000)
    path = tmp_path / "report.json"
    path.write_bytes(content)
    with pytest.raises(ReportError) as caught:
        read_elements(path, None)
    line = str(caught.value)
    assert words in line
    assert str(path) in line
    assert "\n" not in line


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le"])
def test_reports_in_the_encodings_of_windows(tmp_path: Path, encoding: str) -> None:
    text = json.dumps(elements_report("till.py", PYTHON, "python", [entry()]), ensure_ascii=False)
    path = tmp_path / "r.json"
    path.write_bytes(b"\xff\xfe" * (encoding == "utf-16-le") + text.encode(encoding))
    assert only(read_elements(path, None)).change is not None


SCRIPT = r"""
// a page of the viewer
document.querySelector('mutation-test-report-app').report = {
  schemaVersion: '1', thresholds: { high: 80, low: 60, }, /* old */
  files: {
    'a.py': {
      language: "python",
      source: 'def f(a):\n    return a ' + '<\x20' + "\u0032  # it\'s \
<" + "/script>\n",
      mutants: [{ id: 1, mutatorName: 'X', status: 'Survived', replacement: `>`,
        location: { start: { line: 2, column: 14 }, end: { line: 2, column: 15 } } },],
    },
  },
};
console.log("after");
"""


@pytest.mark.parametrize("around", ["{}", "<!DOCTYPE html><html><script>{}</script></html>"])
def test_a_report_inside_a_script_is_read(tmp_path: Path, around: str) -> None:
    path = tmp_path / "report.js"
    path.write_text(around.replace("{}", SCRIPT), encoding="utf-8")
    mutant = only(read_elements(path, None))
    assert mutant.change is not None
    assert mutant.change.mutant_function == "def f(a):\n    return a > 2  # it's </script>"


@pytest.mark.parametrize(
    "literal",
    ["{files: evil()}", "{files: {", "{a: 'a' 'b', files: {}}", "{files: 'a' +}", "{a: `${x}`}"],
)
def test_a_script_is_never_executed(tmp_path: Path, literal: str) -> None:
    path = tmp_path / "report.js"
    path.write_text(f"app.report = {literal};", encoding="utf-8")
    with pytest.raises(ReportError, match=r"report\.js"):
        read_elements(path, None)


def test_memory_stays_flat_as_the_report_grows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(elements, "WAITING_BYTES", 64 * 1024)  # what waits, waits on disk

    def peak(files: int) -> int:
        path = tmp_path / "big.json"
        mutant = json.dumps(entry(statusReason="r" * 8_000, replacement=None))
        mutants = mutant + f",{mutant}" * 199
        content = f'"mutants":[{mutants}],"source":{json.dumps(PYTHON)}'
        with path.open("w", encoding="utf-8") as file:
            file.write('{"files":{"first.py":{}')
            file.writelines(f',"{number}.py":{{{content}}}' for number in range(files))
            file.write("}}")
        report = read_elements(path, None)
        tracemalloc.start()
        assert sum(1 for _ in report.mutants()) == 200 * files
        highest = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return highest

    few = count(1, 10)  # the longer report has 16 MB, or 160 MB
    assert peak(10 * few) < 1.2 * peak(few) + 200_000


@pytest.mark.parametrize("name", SAMPLES)
def test_counts_of_real_reports_equal_the_tools_own(name: str) -> None:
    path = shared_file("samples", "elements", name)
    report = read_elements(path, None)
    if name == "pitest-example_report.js":  # a script: its words counted as text
        words = path.read_text().split("status: '")[1:]
        expected = Counter(word.split("'")[0] for word in words)
    else:
        text = path.read_text(encoding="utf-8")
        files = json.loads(text[text.index("{") :])["files"].values()
        expected = Counter(mutant["status"] for file in files for mutant in file["mutants"])
    assert report.tool_counts == expected
    found = list(report.mutants())
    assert Counter(mutant.tool_status for mutant in found) == expected
    assert all(mutant.change or mutant.problem for mutant in found)


def test_the_real_python_report_is_located_and_the_rest_has_a_reason() -> None:
    report = read_elements(shared_file("samples", "elements", "python-example_report.js"), None)
    problems = Counter((mutant.problem or "").split(":")[0] for mutant in report.mutants())
    assert problems == {"": 18, "not in a function": 2}


SHOP = """\
package shop;

class Shop {
    static class Till {
        int sum;
        Till(int sum) { this.sum = sum; log("new"); }
        boolean empty(int more) {
            return sum + more == 0;
        }
        boolean empty(String name) {
            return sum == 0 && name.length() == 0;
        }
        Runnable later() {
            return () ->
                log("later");
        }
    }
    static void log(String text) { }
}
"""
NEGATED = "NegateConditionalsMutator", "negated conditional"
PIT_ENTRIES = [
    (8, "MathMutator", "Replaced integer addition with subtraction", ("+", "-")),
    (8, *NEGATED, ("==", "!=")),
    (6, "VoidMethodCallMutator", "removed call to shop/Shop::log", ('log("new");', ";")),
    (11, *NEGATED, "ambiguous"),
    (15, "VoidMethodCallMutator", "removed call to shop/Shop::log", "in which lambda"),
    (5, *NEGATED, "is in no method"),
    (99, *NEGATED, "no line 99"),
    (8, "Odd", "did something else", "not locatable"),
]


def test_the_export_of_pit_is_placed_by_what_it_describes(tmp_path: Path) -> None:
    entries = [
        {"id": n, "status": "Survived", "mutatorName": name, "description": text}
        | {"location": at(line, 1, line, 2)}
        for n, (line, name, text, _) in enumerate(PIT_ENTRIES)
    ]
    value = elements_report("shop/Shop.java", SHOP, "java", entries)
    report = read_elements(write_json(tmp_path / "r.json", value), None)
    for found, (line, *_, expected) in zip(report.mutants(), PIT_ENTRIES, strict=True):
        assert found.line == line
        if isinstance(expected, tuple):
            assert found.problem is None
            assert found.change is not None
            assert (found.change.original, found.change.replacement) == expected
        else:
            assert found.change is None
            assert expected in (found.problem or "")


def test_the_real_export_of_pit_is_located_but_for_lambdas() -> None:
    report = read_elements(shared_file("samples", "elements", "pitest-example_report.js"), None)
    found = list(report.mutants())
    assert sum(mutant.analysable for mutant in found) >= 80
    assert len(found) == 87
