"""Labelled pairs: chosen by seed, built in jobs, stored, shown."""

import gzip
import json
from pathlib import Path

import pytest

from equimut.data.store import write_pairs
from equimut.errors import DataError
from equimut.mutation import mutate
from equimut.pretraining.corpus.functions import CorpusFunction
from equimut.pretraining.labels.build import Job, build_labels, collect_labels, jobs_below, run_job
from equimut.pretraining.labels.priors import killed_share
from equimut.pretraining.labels.records import (
    MOST_DIFFERENT,
    MOST_EQUIVALENT,
    LabelledPair,
    in_turn,
    kept_of_origin,
    pair_of,
)
from equimut.pretraining.labels.rules import form_of, label_function
from equimut.pretraining.labels.store import read_index, read_labels, write_labels
from equimut.proofs.rules.change import find_change
from equimut.storage.jsonl import read_records
from oracles.command import call_equimut, says_one_line

JAVA = """int middle(int[] xs, int low, int high) {
    int sum = 0;
    for (int i = 0; i < xs.length; i++) {
        if (xs[i] >= low && xs[i] < high) { sum += xs[i]; }
    }
    return sum;
}"""
ODDS = {"": 0.9, "ABSI": 0.3, "ROR < !=": 0.2}


def _rows(seed: int = 0) -> list[LabelledPair]:
    return label_function(JAVA, "java", "java/own/Middle.java", seed, ODDS)


def test_operators_take_turns_and_the_seed_decides() -> None:
    mutants = mutate(JAVA, "java")
    chosen = in_turn(mutants, 20, seed=1)
    assert chosen == in_turn(list(reversed(mutants)), 20, seed=1)
    assert chosen != in_turn(mutants, 20, seed=2)
    assert len({one.operator for one in chosen}) >= 15
    assert in_turn(mutants, 10_000, seed=1).__len__() == len(mutants)


def test_at_most_so_many_of_each_label_remain_and_sure_ones_first() -> None:
    mutants = mutate(JAVA, "java")
    rows = [
        pair_of(one, "java", "p", label, "fact", weight=0.5 + 0.5 * (number % 2))
        for label, group in ((1, mutants[:60]), (0, mutants[60:160]))
        for number, one in enumerate(group)
    ]
    kept = kept_of_origin(rows, seed=0)
    assert [sum(row.label == label for row in kept) for label in (1, 0)] == [
        MOST_EQUIVALENT,
        MOST_DIFFERENT,
    ]
    firsts = {row.operators[0]: row for row in reversed(kept)}
    assert all(
        row.weight == 1
        for row in firsts.values()
        if any(other.operators == row.operators and other.weight == 1 for other in rows
               if other.label == row.label)
    )  # fmt: skip


def test_facts_and_odds_label_a_function() -> None:
    rows = _rows()
    assert rows == _rows()
    proved = [row for row in rows if row.label]
    assert {row.rule for row in proved} >= {"loop-exit", "absolute-of-non-negative"}
    assert all(row.evidence == "fact" and row.weight == 1 for row in proved)
    guessed = [row for row in rows if not row.label]
    assert guessed
    assert all(row.evidence == "prior" and row.weight == 0.9 for row in guessed)
    assert not any(row.operators == ("ABSI",) for row in guessed)
    unsure = label_function(JAVA, "java", "p", 0, {"": 0.5})
    assert all(row.label for row in unsure)


def test_the_form_of_an_edit_tells_before_from_behind() -> None:
    forms = set()
    for after in ("sum++", "++sum", "-sum", "Math.abs(sum)"):
        change = find_change(JAVA, JAVA.replace("return sum", f"return {after}"), "java")
        assert change is not None
        forms.add(form_of("X", change))
    assert forms == {"X _++", "X ++_", "X -_", "X Math.abs(_)"}
    change = find_change(JAVA, JAVA.replace("i < xs", "i != xs"), "java")
    assert change is not None
    assert form_of("ROR", change) == "ROR < !="


def test_odds_of_an_unknown_operator_are_those_of_all() -> None:
    assert 0.8 < killed_share("c", "NEVER HEARD OF") < 1
    assert killed_share("c", "ABSI") < killed_share("c", "SEOI")


def test_written_labels_come_back_numbered_by_origin(tmp_path: Path) -> None:
    other = label_function(JAVA.replace("middle", "other"), "java", "p", 0, ODDS)
    index = write_labels(tmp_path, [*_rows(), *other, *_rows()], seed=0)
    rows = list(read_labels(tmp_path, "java"))
    assert index == read_index(tmp_path)
    assert index.pairs == len(rows) == len({row.id for row in rows})
    assert {row.class_id for row in rows} == {0, 1}
    assert len({(row.class_id, row.origin) for row in rows}) == 2
    assert sum(count.pairs for count in index.counts) == index.pairs
    assert write_pairs(tmp_path / "plain.jsonl", (row.plain() for row in rows)) == len(rows)


def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_labels(tmp_path / name, _rows() if name == "a" else reversed(_rows()), seed=0)
    first, second = ((tmp_path / name / "java.jsonl.gz").read_bytes() for name in ("a", "b"))
    assert first == second


def test_damaged_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"id": 1}\n'))
    with pytest.raises(DataError, match=r"x\.jsonl\.gz, line 1"):
        list(read_records(path, LabelledPair))
    path.write_bytes(gzip.compress(b"something long enough to be cut" * 9)[:-9])
    with pytest.raises(DataError, match="not a whole gzip file"):
        list(read_records(path, LabelledPair))
    with pytest.raises(DataError, match="labels build"):
        read_index(tmp_path)


def _job(tmp_path: Path, name: str) -> Job:
    text = JAVA.replace("middle", name)
    one = CorpusFunction(language="java", package="own", path="A.java", name=name, text=text)
    return Job("java-rules", tmp_path, tmp_path, "java/corpus", (one,))


def test_a_job_is_done_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "equimut.pretraining.labels.rules.killed_without_proof", lambda language, place: ODDS
    )
    path, rows, failure = run_job(_job(tmp_path, "f"), tmp_path / "work", seed=0)
    assert rows > 5
    assert not failure
    written = path.stat().st_mtime_ns
    assert run_job(_job(tmp_path, "f"), tmp_path / "work", seed=0)[:2] == (path, rows)
    assert path.stat().st_mtime_ns == written
    assert run_job(_job(tmp_path, "f"), tmp_path / "work", seed=1)[0] != path
    jobs = [_job(tmp_path, "f"), _job(tmp_path, "not_done")]
    built = collect_labels(jobs, tmp_path / "work", tmp_path / "out", seed=0)
    assert built.index.pairs == rows
    assert built.failures["not done"] == 1


def test_a_build_of_c_files_goes_on_and_shows_its_counts(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.c").write_text(
        "int top(int a, int b) { int t = a; if (b > t) { t = b; } return t; }\n"
    )
    (source / "b.c").write_text('#include "missing.h"\nint f(void) { return 1; }\n')
    jobs = jobs_below(source.resolve(), "c-gcc", "source", 100)
    built = build_labels(jobs, tmp_path / "work", tmp_path / "out", processes=1)
    assert built.index.origins == 1
    assert {count.evidence for count in built.index.counts} == {"identical code", "different code"}
    again = ("--c-source", source, "--out", tmp_path / "two", "--work", tmp_path / "work")
    done = call_equimut("dev", "labels", "build", *again, "--collect")
    assert done.returncode == 0, done.stderr
    assert "identical code" in done.stdout
    assert read_index(tmp_path / "two") == built.index
    shown = call_equimut("dev", "labels", "show", tmp_path / "two", "--json", "--sample", "2")
    assert len(json.loads(shown.stdout)["sample"]) == 2


def test_errors_are_one_line(tmp_path: Path) -> None:
    missing = call_equimut("dev", "labels", "show", tmp_path / "nothing")
    assert says_one_line(missing, "labels build")


def test_nothing_is_built_from_nothing(tmp_path: Path) -> None:
    built = build_labels([], tmp_path / "work", tmp_path / "out")
    assert built.index.pairs == 0
    assert list(read_labels(tmp_path / "out")) == []
