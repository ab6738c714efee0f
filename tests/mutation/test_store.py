"""Mutants on disk: whole or not at all."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from equimut.mutation import mutate
from equimut.mutation.store import write_directory
from equimut.records import Mutant
from equimut.storage.jsonl import to_line, write_lines

SOURCE = "def f(a):\n    return a + 1\n"


class PulledPlugError(Exception):
    """What interrupts the writing."""


def interrupted() -> Iterator[Mutant]:
    yield from mutate(SOURCE, "python")[:3]
    raise PulledPlugError


def test_an_interrupted_directory_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(PulledPlugError):
        write_directory(tmp_path / "out", "f.py", SOURCE, interrupted())
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_replacement_leaves_the_old_mutants(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_directory(out, "f.py", SOURCE, mutate(SOURCE, "python", operators=["CR"]))
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    with pytest.raises(PulledPlugError):
        write_directory(out, "f.py", SOURCE, interrupted(), force=True)
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_an_interrupted_file_keeps_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "mutants.jsonl"
    write_lines(target, map(to_line, mutate(SOURCE, "python", operators=["CR"])))
    before = target.read_bytes()
    with pytest.raises(PulledPlugError):
        write_lines(target, map(to_line, interrupted()))
    assert target.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["mutants.jsonl"]
