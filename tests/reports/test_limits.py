"""Reports that ask for all memory or all time: one line, or the rest of the report."""

import io
import json
import os
import signal
import sqlite3
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equimut.reports import json_stream
from equimut.reports.cosmic_ray.session import read_cosmic_ray
from equimut.reports.json_stream import JsonFault, json_events, value_of
from equimut.reports.pit import read as pit
from equimut.reports.reported import ReportError, read_report


@pytest.fixture(autouse=True)
def seconds() -> Iterator[None]:
    """What would run for ever fails instead."""
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.alarm(120)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def loaded(text: bytes) -> object:
    events = json_events(io.BytesIO(text))
    return value_of(next(events), events)


def test_a_long_array_of_numbers_is_no_long_string() -> None:
    assert len(loaded(b"[" + b"1," * 5_000_000 + b"1]")) == 5_000_001  # type: ignore[arg-type]


@pytest.mark.parametrize(("text", "words"), [
    (b'["' + b"x" * 9_000_000 + b'"]', "a string of more than 8,388,608 bytes"),
    (b'["' + b'\\"' * 5_000_000 + b'"]', "a string of more than 8,388,608 bytes"),
    (b"[" + b"1" * 9_000_000 + b"]", "a number of more than 8,388,608 bytes"),
])  # fmt: skip
def test_what_the_parser_would_have_to_hold_is_limited(text: bytes, words: str) -> None:
    with pytest.raises(JsonFault, match=words):
        loaded(text)


HALVES = st.lists(
    st.sampled_from(["\\ud83d", "\\ude00", "\\\\", "\\n", "u", "d83d", "a", "é", '\\"', "\\u0041"]),
    max_size=40,
)


@given(HALVES, st.integers(13, 40))
def test_surrogates_without_a_partner_are_replaced_and_pairs_are_kept(
    parts: list[str], chunk: int
) -> None:
    text = '["' + "".join(parts) + '"]'
    (expected,) = json.loads(text)
    expected = expected.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_stream, "_CHUNK", chunk)
        (found,) = loaded(text.encode())  # type: ignore[misc]
    assert found.count("\ufffd") == sum("\ud800" <= c <= "\udfff" for c in json.loads(text)[0])
    assert [c for c in found if c != "\ufffd"] == [c for c in expected if c != "\ufffd"]


def mutation(class_name: str, line: int) -> str:
    return (
        f"<mutation status='SURVIVED'><sourceFile>A.java</sourceFile><mutatedClass>{class_name}"
        f"</mutatedClass><mutatedMethod>f</mutatedMethod><lineNumber>{line}</lineNumber>"
        "<mutator>MathMutator</mutator></mutation>"
    )


def test_a_class_of_very_many_mutations_takes_no_more_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pit, "_MAX_OF_CLASS", 100)
    path = tmp_path / "mutations.xml"
    rows = "".join(mutation("A", line) for line in range(1, 20_001)) + mutation("B", 3)
    path.write_text(f"<mutations>{rows}</mutations>")
    report = pit.read_pit(path, tmp_path)
    tracemalloc.start()
    problems = [mutant.problem or "" for mutant in report.mutants()]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(problems) == 20_001
    assert sum("more than 100 mutations" in problem for problem in problems) == 19_900
    assert "more than" not in problems[-1]
    assert peak < 12_000_000


@pytest.mark.parametrize(("inside", "words"), [
    ("<x/>" * 100_000, "an element of too many parts"),
    ("<block>" + "x" * 9_000_000 + "</block>", "a text of over 8,388,608 bytes"),
])  # fmt: skip
def test_an_element_too_large_to_hold_is_one_line(tmp_path: Path, inside: str, words: str) -> None:
    path = tmp_path / "mutations.xml"
    path.write_text(f"<mutations><mutation status='KILLED'>{inside}</mutation></mutations>")
    with pytest.raises(ReportError, match=words):
        read_report(path)


SPECS = (
    "module_path, operator_name, occurrence, start_pos_row, end_pos_row, definition_name, job_id"
)
RESULTS = "worker_outcome, test_outcome, output, diff, job_id"


def session(
    path: Path, specs: str = f"CREATE TABLE mutation_specs ({SPECS})"
) -> sqlite3.Connection:
    connection = sqlite3.connect(path)
    connection.execute(specs)
    connection.execute("CREATE TABLE work_items (job_id)")
    connection.execute(f"CREATE TABLE work_results ({RESULTS})")
    return connection


def test_specs_and_results_of_one_job_are_not_multiplied(tmp_path: Path) -> None:
    with session(tmp_path / "s.sqlite") as connection:
        connection.execute("INSERT INTO work_items VALUES ('a')")
        row = ("m.py", "op", 1, 1, 1, "f", "a")
        connection.executemany(
            "INSERT INTO mutation_specs VALUES (?, ?, ?, ?, ?, ?, ?)", [row] * 30_000
        )
        result = ("normal", "survived", "", "", "a")
        connection.executemany("INSERT INTO work_results VALUES (?, ?, ?, ?, ?)", [result] * 30_000)
    report = read_cosmic_ray(tmp_path / "s.sqlite", None)
    assert [mutant.status for mutant in report.mutants()] == ["survived"]


@pytest.mark.parametrize(("specs", "words"), [
    (f"CREATE VIRTUAL TABLE mutation_specs USING fts5({SPECS})", "a virtual table"),
    (f"CREATE TABLE mutation_specs ({SPECS}, x AS (zeroblob(9)))", "a generated column"),
    (f"CREATE TABLE mutation_specs ({SPECS}, x AS (1) STORED)", "a generated column"),
])  # fmt: skip
def test_tables_that_run_code_are_refused(tmp_path: Path, specs: str, words: str) -> None:
    try:
        session(tmp_path / "s.sqlite", specs).close()
    except sqlite3.OperationalError as error:
        pytest.skip(str(error))
    with pytest.raises(ReportError, match=words):
        read_report(tmp_path / "s.sqlite")


def test_a_fifo_is_no_report(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "report.json")
    with pytest.raises(ReportError, match="not a plain file"):
        read_report(tmp_path / "report.json")
